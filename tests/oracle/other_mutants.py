"""More wrong edits of plans: kinds of mistake that no rule of the kernel was made for.

They show what is caught of mistakes in general; each is an edit that people and models make, and it says
nothing of what the graph has. Some leave solutions: then a refusal would be wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from random import Random
from typing import Final

from hermes.algebra import Plan
from hermes.algebra.operators import Bind, Join, Minus, Optional, Union, Values
from hermes.errors import PlanError
from hermes.namespaces import split
from hermes.sparql.expressions import Call, Exists, Expression, Membership, Operation
from hermes.sparql.paths import RepeatPath, SequencePath
from hermes.sparql.patterns import Element, Group, TriplePattern
from hermes.terms import IRI, RDF_TYPE, XSD, Literal, Variable
from oracle.plan_mutants import Names, mutants

_NUMBERS: Final = frozenset(XSD + name for name in ("integer", "decimal", "double", "float"))
_SUBCLASS: Final = IRI("http://www.w3.org/2000/01/rdf-schema#subClassOf")
_TYPE: Final = IRI(RDF_TYPE)
_FREE: Final = Variable("free")
_MOST: Final = 2
_LOOKED_AT: Final = 12
_TURNED: Final = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "!="}


@dataclass(frozen=True, slots=True)
class Other:
    """A plan with a wrong edit, and what it was made from.

    Of an edit that stands inside another clause, `bare` is the plan with the edit alone.
    """

    kind: str
    original: Plan
    plan: Plan
    bare: Plan | None = None


Edit = Callable[[Group, Names, Random], Iterator[Group]]


def other_mutants(plan: Plan, names: Names, seed: str = "") -> Iterator[Other]:
    """Yield at most two mutants of each kind of a plan, the same ones each time."""
    for kind, edit in EDITS.items():
        dice = Random(f"{kind} {seed} {plan.where}")  # noqa: S311 - the same mutants each time
        made = list(islice(edit(plan.where, names, dice), _LOOKED_AT))
        for where in dice.sample(made, min(_MOST, len(made))):
            yield from _mutant(kind, plan, where)
    inner = [each for each in mutants(plan, names, seed) if _stands_in(plan.where, each.right)]
    for kind, wrap in WRAPPED.items():
        dice = Random(f"{kind} {seed} {plan.where}")  # noqa: S311 - the same mutants each time
        for mutant in dice.sample(inner, min(_MOST, len(inner))):
            right, wrong = mutant.right, mutant.wrong
            if isinstance(right, TriplePattern) and isinstance(wrong, TriplePattern):
                yield from _mutant(kind, plan, _instead(plan.where, right, *wrap(right, wrong)), mutant.plan)


def _mutant(kind: str, plan: Plan, where: Group, bare: Plan | None = None) -> Iterator[Other]:
    try:
        yield Other(kind, plan, plan.evolve(where=where), bare)
    except PlanError:  # a filter of a variable that is bound no more, say
        return


def _stands_in(where: Group, clause: object) -> bool:
    return any(each is clause for each in where.elements)


# --- parts of a group -----------------------------------------------------------------------------


def _triples(where: Group) -> Iterator[TriplePattern]:
    return (each for each in where.elements if isinstance(each, TriplePattern))


def _instead(where: Group, old: Element, *new: Element) -> Group:
    elements: list[Element] = []
    for each in where.elements:
        elements += new if each is old else (each,)
    return replace(where, elements=tuple(elements))


def _refiltered(where: Group, old: Expression, new: Expression) -> Group:
    return replace(where, filters=tuple(new if each is old else each for each in where.filters))


def _compared(where: Group) -> Iterator[tuple[Operation, Variable, Literal]]:
    for each in where.filters:
        match each:
            case Operation((operator,), (Variable() as left, Literal() as right)) if operator in _TURNED:
                yield each, left, right


def _iris(where: Group) -> Iterator[Variable]:
    """Yield the variables that are subjects: IRIs, most of them."""
    for triple in _triples(where):
        if isinstance(triple.subject, Variable):
            yield triple.subject


def _values(where: Group) -> Iterator[Variable]:
    for triple in _triples(where):
        if isinstance(triple.object, Variable) and triple.object not in set(_iris(where)):
            yield triple.object


# --- edits ----------------------------------------------------------------------------------------


def _two(where: Group, names: Names, dice: Random) -> Iterator[Group]:
    """Two wrong edits at once."""
    plan = Plan(where=where).evolve(projection=where.scope(), projected=True)
    for first in islice(mutants(plan, names, str(dice.random())), 6):
        yield from (second.plan.where for second in islice(mutants(first.plan, names), 1, 3))


def _hop(where: Group, names: Names, dice: Random) -> Iterator[Group]:
    """One more step in a path."""
    for triple in _triples(where):
        if isinstance(triple.predicate, IRI) and triple.predicate != _TYPE:
            other = IRI(dice.choice(names.predicates))
            for parts in ((triple.predicate, other), (other, triple.predicate)):
                yield _instead(where, triple, replace(triple, predicate=SequencePath(parts)))


def _variable(where: Group, _: Names, dice: Random) -> Iterator[Group]:
    """The pattern of another variable of the query."""
    every = [name for name in where.scope() if not name.reserved]
    for triple in _triples(where):
        others = [name for name in every if name not in (triple.subject, triple.object)]
        if others:
            yield _instead(where, triple, replace(triple, subject=dice.choice(others)))


def _entity_as_text(where: Group, _: Names, __: Random) -> Iterator[Group]:
    """The name of an entity in quotes."""
    for triple in _triples(where):
        if isinstance(triple.object, IRI) and triple.predicate != _TYPE:
            yield _instead(
                where, triple, replace(triple, object=Literal(split(triple.object.value)[1] or "x"))
            )


def _namespace(where: Group, _: Names, dice: Random) -> Iterator[Group]:
    """The right local name in another namespace."""
    for triple in _triples(where):
        if isinstance(triple.predicate, IRI) and triple.predicate != _TYPE:
            namespace, local = split(triple.predicate.value)
            others = (namespace.replace("http:", "https:"), "http://schema.org/", "http://example.org/")
            yield _instead(where, triple, replace(triple, predicate=IRI(dice.choice(others) + local)))


def _text_function(where: Group, _: Names, dice: Random) -> Iterator[Group]:
    """A function of texts on an IRI."""
    for variable in dict.fromkeys(_iris(where)):
        name = dice.choice(("CONTAINS", "REGEX", "STRSTARTS", "STRENDS"))
        yield where.add_filter(Call(name, (variable, Literal("a"))))
        yield where.add_filter(Operation((">",), (Call("STRLEN", (variable,)), _number("1"))))


def _wrong_text(where: Group, _: Names, dice: Random) -> Iterator[Group]:
    """A text that a value does not contain, with letters of its own or in another case."""
    for each in where.filters:
        match each:
            case Call(("CONTAINS" | "REGEX" | "STRSTARTS") as name, (value, Literal() as text)):
                wrong = dice.choice((text.lexical.swapcase(), text.lexical + "qz", text.lexical[::-1]))
                yield _refiltered(where, each, Call(name, (value, Literal(wrong))))
    for variable in dict.fromkeys(_values(where)):
        wrong = dice.choice(("Zyxq", "no such text", "QQ"))
        yield where.add_filter(Call("CONTAINS", (Call("STR", (variable,)), Literal(wrong))))
        yield where.add_filter(
            Operation(("=",), (Call("LCASE", (Call("STR", (variable,)),)), Literal(wrong.lower())))
        )


def _number(lexical: str) -> Literal:
    return Literal(lexical, XSD + "integer")


def _range(where: Group, _: Names, dice: Random) -> Iterator[Group]:
    """A number beyond what there is."""
    for each, variable, value in _compared(where):
        if value.datatype in _NUMBERS:
            wrong = dice.choice(("999999999", "-999999999", "1e30"))
            literal = Literal(wrong, XSD + ("double" if "e" in wrong else "integer"))
            for operator in ("=", "<", ">"):
                yield _refiltered(where, each, Operation((operator,), (variable, literal)))
    for variable in dict.fromkeys(_values(where)):
        yield where.add_filter(Operation((">",), (variable, _number("999999999999"))))


def _turned(where: Group, _: Names, __: Random) -> Iterator[Group]:
    """A comparison the wrong way round."""
    for each, variable, value in _compared(where):
        yield _refiltered(where, each, Operation((_TURNED[each.operators[0]],), (variable, value)))


def _contradiction(where: Group, _: Names, dice: Random) -> Iterator[Group]:
    """A range whose ends are exchanged."""
    for variable in dict.fromkeys(_values(where)):
        low, high = _number("10"), _number("20")
        yield where.add_filter(Operation((">",), (variable, high))).add_filter(
            Operation(("<",), (variable, low))
        )
    for each, variable, value in _compared(where):
        if value.datatype in _NUMBERS:
            yield where.add_filter(Operation((dice.choice("<>"),), (variable, value)))
            yield _refiltered(where, each, Operation((">",), (variable, value))).add_filter(
                Operation(("<",), (variable, value))
            )


def _or(where: Group, _: Names, dice: Random) -> Iterator[Group]:
    """Two wrong conditions with `||`, or one beside an error."""
    for variable in dict.fromkeys((*_values(where), *_iris(where))):
        one = Operation(("=",), (variable, Literal("no such value")))
        two = Operation((dice.choice(("=", ">")),), (variable, _number("987654321012")))
        yield where.add_filter(Operation(("||",), (one, two)))


def _incomparable(where: Group, _: Names, dice: Random) -> Iterator[Group]:
    """Values of two columns that are of different sorts."""
    iris, values = list(dict.fromkeys(_iris(where))), list(dict.fromkeys(_values(where)))
    for one in iris:
        for other in values:
            yield where.add_filter(Operation((dice.choice(("=", "<", ">=")),), (one, other)))


def _tagged(where: Group, _: Names, dice: Random) -> Iterator[Group]:
    """A language or a datatype that the values do not have."""
    for variable in dict.fromkeys((*_values(where), *_iris(where))):
        tag = dice.choice(("xx", "fr", "en"))
        yield where.add_filter(Operation(("=",), (Call("LANG", (variable,)), Literal(tag))))
        yield where.add_filter(Call("LANGMATCHES", (Call("LANG", (variable,)), Literal(tag))))
        wrong = IRI(XSD + dice.choice(("date", "gYear", "string", "integer")))
        yield where.add_filter(Operation(("=",), (Call("DATATYPE", (variable,)), wrong)))


def _date(where: Group, _: Names, dice: Random) -> Iterator[Group]:
    """A date, a year or a text of one compared with what is none."""
    for variable in dict.fromkeys(_values(where)):
        wrong = dice.choice(
            (
                Literal("2001-01-01", XSD + "date"),
                Literal("2001", XSD + "gYear"),
                Literal("2001-01-01T00:00:00", XSD + "dateTime"),
                Literal("2001-01-01"),
            )
        )
        yield where.add_filter(Operation((dice.choice(("=", ">", "<")),), (variable, wrong)))
        yield where.add_filter(Operation((">",), (Call("YEAR", (variable,)), _number("1990"))))


def _subclass(where: Group, names: Names, dice: Random) -> Iterator[Group]:
    """The subclasses of a wrong class."""
    for triple in _triples(where):
        if triple.predicate == _TYPE and isinstance(triple.object, IRI) and len(names.classes) > 1:
            other = dice.choice([name for name in names.classes if name != triple.object.value])
            path = SequencePath((_TYPE, RepeatPath(_SUBCLASS, "*")))
            for name in (other, other + "x"):
                yield _instead(where, triple, replace(triple, predicate=path, object=IRI(name)))


def _not_exists(where: Group, _: Names, __: Random) -> Iterator[Group]:
    """NOT EXISTS or MINUS of what every solution has."""
    for triple in _triples(where):
        if isinstance(triple.subject, Variable):
            free = isinstance(triple.object, Variable)
            loose = replace(triple, object=_FREE) if free else triple
            yield where.add_filter(Exists(Group((loose,)), negated=True))
            yield where.add(Minus(Group((loose,))))


def _exists(where: Group, names: Names, dice: Random) -> Iterator[Group]:
    """EXISTS of what none has."""
    for variable in dict.fromkeys(_iris(where)):
        pattern = TriplePattern(variable, IRI(dice.choice(names.predicates)), _FREE)
        yield where.add_filter(Exists(Group((pattern,)), negated=False))


def _table(where: Group, names: Names, dice: Random) -> Iterator[Group]:
    """VALUES, IN or BIND of what does not occur there."""
    for triple in _triples(where):
        if isinstance(triple.object, IRI) and triple.predicate != _TYPE:
            wrong = IRI(triple.object.value + "x")
            for element in (Values((_FREE,), ((wrong,), (IRI(wrong.value + "y"),))), Bind(wrong, _FREE)):
                elements = (element, replace(triple, object=_FREE))
                yield _instead(where, triple, *elements)
            pattern = _instead(where, triple, replace(triple, object=_FREE))
            yield pattern.add_filter(
                Membership(_FREE, (wrong, IRI(dice.choice(names.predicates))), negated=False)
            )
    for variable in dict.fromkeys(_values(where)):
        yield where.add(Values((variable,), ((Literal("no such value"),),)))
        yield where.add_filter(Membership(variable, (Literal("nothing"), Literal("at all")), negated=False))


def _arithmetic(where: Group, _: Names, dice: Random) -> Iterator[Group]:
    """Arithmetic with what is no number, or out of reach."""
    for variable in dict.fromkeys((*_values(where), *_iris(where))):
        added = Operation((dice.choice("+-*"),), (variable, _number("1")))
        yield where.add_filter(Operation((">",), (added, _number("99999999999999"))))
        yield where.add_filter(Operation((">",), (added, _number("0"))))


EDITS: Final[dict[str, Edit]] = {
    "two edits": _two,
    "one more hop": _hop,
    "another variable": _variable,
    "entity as text": _entity_as_text,
    "another namespace": _namespace,
    "text function on an IRI": _text_function,
    "text that is not there": _wrong_text,
    "number out of range": _range,
    "comparison turned round": _turned,
    "empty range": _contradiction,
    "|| of two wrong ones": _or,
    "values of different sorts": _incomparable,
    "language or datatype": _tagged,
    "dates": _date,
    "subclasses of a wrong class": _subclass,
    "NOT EXISTS of what all have": _not_exists,
    "EXISTS of what none has": _exists,
    "VALUES, IN, BIND": _table,
    "arithmetic": _arithmetic,
}
"""Edits of WHERE by the names under which they are reported."""


# --- the same mistakes inside other clauses ---------------------------------------------------------


Wrap = Callable[[TriplePattern, TriplePattern], Sequence[Element]]

WRAPPED: Final[dict[str, Wrap]] = {
    "inside a group": lambda _, wrong: (Join(Group((wrong,))),),
    "inside both branches": lambda _, wrong: (Union((Group((wrong,)), Group((wrong,)))),),
    "inside one branch": lambda right, wrong: (Union((Group((right,)), Group((wrong,)))),),
    "inside OPTIONAL": lambda right, wrong: (right, Optional(Group((wrong,)))),
    "inside MINUS": lambda right, wrong: (right, Minus(Group((wrong,)))),
}
"""Where a mutant of a triple pattern is put: inside OPTIONAL, one branch and MINUS solutions are left."""
