"""Queries made from random walks: for a graph without questions, with solutions by construction."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from hermes import KG
from hermes.algebra import Plan
from hermes.sparql.expressions import Call, Expression, Operation
from hermes.sparql.patterns import Element, Group, TriplePattern
from hermes.terms import IRI, RDF_TYPE, XSD, Literal, Term, Variable, full_iri
from oracle.random_plans import Terms

_NUMBERS: Final = frozenset(XSD + name for name in ("integer", "decimal", "double"))
_ORDERED: Final = _NUMBERS | {XSD + "date", XSD + "dateTime", XSD + "gYear"}
_MOST: Final = 40
"""Triples of a node from which one is chosen."""


def walks(kg: KG, number: int, seed: str) -> Iterator[Plan]:
    """Yield queries of one to four triple patterns that a walk satisfies; the same for a seed."""
    dice = Random(seed)  # noqa: S311 - dice for tests
    terms = Terms.of(kg)
    for _ in range(number):
        yield _Walk(kg, dice, terms).plan()


class _Walk:
    """One walk: its triples, and the variable that stands for each node."""

    def __init__(self, kg: KG, dice: Random, terms: Terms) -> None:
        self.kg = kg
        self.dice = dice
        subject, predicate, value = dice.choice(terms.triples)
        self.triples: list[tuple[Term, IRI, Term]] = [(subject, predicate, value)]
        for _ in range(dice.choice((0, 1, 1, 2, 2, 3))):
            self._step()

    def _step(self) -> None:
        """Add a triple at one of the nodes."""
        nodes = [end for s, _, o in self.triples for end in (s, o) if isinstance(end, IRI)]
        at = self.dice.choice(nodes)
        forwards = self.dice.random() < 0.7
        pattern = f"{full_iri(at.value)} ?p ?o" if forwards else f"?o ?p {full_iri(at.value)}"
        found = [
            (at, row["p"], row["o"]) if forwards else (row["o"], row["p"], at)
            for row in self.kg.select(f"SELECT ?p ?o {{ {pattern} }} LIMIT {_MOST}").rows
            if isinstance(row["o"], IRI | Literal)
        ]
        if found:
            subject, predicate, value = self.dice.choice(found)
            if isinstance(predicate, IRI) and (subject, predicate, value) not in self.triples:
                self.triples.append((subject, predicate, value))

    def plan(self) -> Plan:
        """Return the walk as a query: a variable for each node, but for classes and some constants."""
        nodes = list(dict.fromkeys(end for s, _, o in self.triples for end in (s, o)))
        names: dict[Term, IRI | Literal | Variable] = {
            node: Variable(f"n{place}") for place, node in enumerate(nodes)
        }
        if len(nodes) > 2:
            fixed = self.dice.choice(nodes)
            if isinstance(fixed, IRI | Literal) and self.dice.random() < 0.5:
                names[fixed] = fixed
        elements: list[Element] = []
        filters: list[Expression] = []
        for subject, predicate, value in self.triples:
            first, last = names[subject], names[value]
            if predicate.value == RDF_TYPE and isinstance(value, IRI):
                last = value
            if isinstance(first, Literal):
                continue
            elements.append(TriplePattern(first, predicate, last))
            if isinstance(last, Variable) and isinstance(value, Literal) and self.dice.random() < 0.5:
                filters.append(self._condition(last, value))
        where = Group(tuple(dict.fromkeys(elements)), tuple(dict.fromkeys(filters)))
        return Plan(where=where).evolve(projection=where.scope(), projected=True)

    def _condition(self, variable: Variable, value: Literal) -> Expression:
        """Return a condition that the value meets."""
        if value.datatype in _ORDERED:
            return Operation((self.dice.choice(("=", ">=", "<=")),), (variable, value))
        text = value.lexical
        if len(text) > 4 and self.dice.random() < 0.6:
            start = self.dice.randrange(len(text) - 3)
            part = text[start : start + self.dice.choice((4, 6, 8))]
            name = self.dice.choice(("CONTAINS", "REGEX")) if part.isalnum() else "CONTAINS"
            return Call(name, (Call("STR", (variable,)), Literal(part)))
        return Operation(("=",), (variable, value))
