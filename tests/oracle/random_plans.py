"""Plans at random over a graph: of its own terms, mostly joined in ways that it does not have."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from hermes import KG
from hermes.algebra import Plan
from hermes.algebra.operators import Bind, Join, Minus, Optional, Subquery, Union, Values
from hermes.sparql.expressions import Call, Exists, Expression, Membership, Operation, Prefixed
from hermes.sparql.paths import AlternativePath, InversePath, NegatedPath, Path, RepeatPath, SequencePath
from hermes.sparql.patterns import Element, Group, TriplePattern
from hermes.terms import IRI, RDF_LANG_STRING, RDF_TYPE, XSD, Literal, Variable
from oracle.plan_mutants import Names, mutant

_VARIABLES: Final = tuple(Variable(name) for name in "xyzw")
_COMPARISONS: Final = ("=", "!=", "<", ">", "<=", ">=")
_DEEP: Final = 2


@dataclass(frozen=True, slots=True)
class Terms:
    """Terms of a graph: some triples, the predicates and the classes."""

    triples: tuple[tuple[IRI, IRI, IRI | Literal], ...]
    predicates: tuple[str, ...]
    classes: tuple[str, ...]

    @classmethod
    def of(cls, kg: KG, most: int = 20) -> Terms:
        """Return some triples of each predicate, and the vocabulary."""
        found: list[tuple[IRI, IRI, IRI | Literal]] = []
        for predicate in sorted(kg.vocabulary.predicates):
            for row in kg.select(f"SELECT ?s ?o {{ ?s <{predicate}> ?o }} LIMIT {most}").rows:
                subject, value = row["s"], row["o"]
                if isinstance(subject, IRI) and isinstance(value, IRI | Literal):
                    found.append((subject, IRI(predicate), value))
        return cls(
            tuple(found), tuple(sorted(kg.vocabulary.predicates)), tuple(sorted(kg.vocabulary.classes))
        )


class Dice:
    """Makes plans; the same ones for the same seed."""

    def __init__(self, terms: Terms, seed: str) -> None:
        self.terms = terms
        self.random = Random(seed)  # noqa: S311 - dice for tests

    def plan(self) -> Plan:
        """Return a plan of one to four clauses and perhaps filters."""
        return self._plan(0)

    def _plan(self, depth: int) -> Plan:
        where = self._group(depth, self.random.choice((1, 2, 2, 3, 3, 4)))
        return Plan(where=where, projection=where.scope(), projected=True)

    def _group(self, depth: int, size: int) -> Group:
        group = Group((self._triple(),))
        for _ in range(size - 1):
            element = self._element(depth)
            if not any(variable in group.binds() for variable in element.introduces()):
                group = group.add(element)
        for _ in range(self.random.choice((0, 0, 1, 1, 2))):
            group = group.add_filter(self._condition(depth))
        return group

    def _element(self, depth: int) -> Element:
        kinds: Sequence[Callable[[], Element]] = (*(self._triple,) * 8, self._values, self._bind)
        if depth < _DEEP:
            kinds = (
                *kinds,
                lambda: Optional(self._group(depth + 1, self._few())),
                lambda: Minus(self._group(depth + 1, self._few())),
                lambda: Union(tuple(self._group(depth + 1, self._few()) for _ in range(2))),
                lambda: Join(self._group(depth + 1, self._few())),
                lambda: Subquery(self._plan(depth + 1)),
            )
        return self.random.choice(kinds)()

    def _few(self) -> int:
        return self.random.choice((1, 1, 2))

    def _variable(self) -> Variable:
        return self.random.choice(_VARIABLES)

    def _triple(self) -> TriplePattern:
        subject, predicate, value = self.random.choice(self.terms.triples)
        if self.random.random() < 0.2:
            return TriplePattern(self._variable(), IRI(RDF_TYPE), IRI(self.random.choice(self.terms.classes)))
        first = subject if self.random.random() < 0.1 else self._variable()
        last = self._bent(value) if self.random.random() < 0.25 else self._variable()
        return TriplePattern(first, self._predicate(predicate), last)

    def _predicate(self, predicate: IRI) -> Path | Variable:
        kind = self.random.random()
        if kind < 0.75:
            return predicate
        if kind < 0.79:
            return self._variable()
        other = IRI(self.random.choice(self.terms.predicates))
        return self.random.choice(
            (
                AlternativePath((predicate, other)),
                SequencePath((predicate, other)),
                InversePath(predicate),
                RepeatPath(predicate, self.random.choice(("*", "+", "?"))),
                SequencePath((other, RepeatPath(predicate, "*"))),
                NegatedPath((predicate,), (other,) if self.random.random() < 0.3 else ()),
            )
        )

    def _bent(self, value: IRI | Literal) -> IRI | Literal:
        """Return a term of the graph, or one that is nearly the same."""
        kind = self.random.random()
        if isinstance(value, IRI) or kind < 0.5:
            return value
        return self.random.choice(
            (
                Literal(value.lexical),
                Literal(value.lexical.swapcase()),
                Literal(value.lexical, XSD + "integer"),
                Literal(value.lexical, XSD + "decimal"),
                Literal(value.lexical, RDF_LANG_STRING, "en"),
                Literal("7", XSD + "integer"),
                Literal("-1.5e9", XSD + "double"),
            )
        )

    def _values(self) -> Element:
        return Values((self._variable(),), tuple((self._term(),) for _ in range(self.random.choice((1, 2)))))

    def _bind(self) -> Element:
        return Bind(self._operand(), Variable("b"))

    def _term(self) -> IRI | Literal:
        subject, _, value = self.random.choice(self.terms.triples)
        return subject if self.random.random() < 0.3 else self._bent(value)

    def _operand(self) -> Expression:
        variable = self._variable()
        return self.random.choice(
            (
                *(variable,) * 5,
                Call("STR", (variable,)),
                Call("LCASE", (variable,)),
                Call("LANG", (variable,)),
                Call("DATATYPE", (variable,)),
                Call("YEAR", (variable,)),
                Operation(("+",), (variable, Literal("1", XSD + "integer"))),
                Call("COALESCE", (variable, Literal("x"))),
                Call("IF", (Call("BOUND", (variable,)), variable, self._term())),
            )
        )

    def _condition(self, depth: int) -> Expression:
        kind = self.random.randrange(12)
        if kind == 0:
            return Operation((self.random.choice(("&&", "||")),), (self._simple(), self._simple()))
        if kind == 1:
            return Prefixed("!", self._simple())
        if kind == 2 and depth < _DEEP:
            return Exists(self._group(depth + 1, self._few()), self.random.random() < 0.5)
        return self._simple()

    def _simple(self) -> Expression:
        kind = self.random.randrange(8)
        variable = self._variable()
        if kind == 0:
            return Membership(variable, (self._term(), self._term()), self.random.random() < 0.3)
        if kind == 1:
            return Call(
                self.random.choice(("ISIRI", "ISLITERAL", "ISNUMERIC", "BOUND", "ISBLANK")), (variable,)
            )
        if kind == 2:
            return Call(self.random.choice(("CONTAINS", "STRSTARTS")), (self._operand(), Literal("a")))
        if kind == 3:
            return Operation((self.random.choice(_COMPARISONS),), (variable, self._variable()))
        return Operation((self.random.choice(_COMPARISONS),), (self._operand(), self._term()))


def plans(kg: KG, originals: Sequence[Plan], number: int, seed: str) -> Iterator[Plan]:
    """Yield random plans and `originals` with one to three wrong edits, in turn; the same ones for a seed."""
    terms = Terms.of(kg)
    names = Names(terms.predicates, terms.classes)
    dice = Dice(terms, seed)
    for place in range(number):
        if place % 2 or not originals:
            yield dice.plan()
            continue
        plan = dice.random.choice(originals)
        for _ in range(dice.random.choice((1, 2, 3))):
            made = mutant(plan, names, dice.random)
            plan = made.plan if made else plan
        yield plan
