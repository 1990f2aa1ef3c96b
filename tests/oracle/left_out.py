"""Plans with too many solutions: a triple pattern that joins two parts is left out of a gold query."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from hermes.algebra import Plan
from hermes.errors import PlanError
from hermes.sparql.patterns import Element, TriplePattern
from hermes.terms import IRI, RDF_TYPE, Variable


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A plan that lacks `pattern`, without which its parts share no variable."""

    plan: Plan
    pattern: TriplePattern


def left_out(plan: Plan) -> Iterator[LeftOut]:
    """Yield a plan without each of the triple patterns that hold two parts of it together."""
    where = plan.where
    for element in where.elements:
        if not isinstance(element, TriplePattern) or element.predicate == IRI(RDF_TYPE):
            continue
        if not isinstance(element.predicate, IRI):
            continue
        rest = tuple(each for each in where.elements if each is not element)
        if len(_parts(rest)) == len(_parts(where.elements)) + 1 and not set(element.binds()) - _bound(rest):
            shorter = replace(where, elements=rest, filters=())
            try:
                yield LeftOut(Plan(where=shorter, projection=shorter.scope(), projected=True), element)
            except PlanError:
                continue


def _bound(elements: tuple[Element, ...]) -> set[Variable]:
    return {name for element in elements for name in element.binds()}


def _parts(elements: tuple[Element, ...]) -> list[set[Variable]]:
    """Return the variables of some elements by what connects them."""
    parts: list[set[Variable]] = []
    for element in elements:
        names = set(element.binds())
        if names:
            parts = [
                *(each for each in parts if not each & names),
                names.union(*(p for p in parts if p & names)),
            ]
    return parts
