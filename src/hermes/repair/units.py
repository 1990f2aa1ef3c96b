"""The parts of WHERE that can be left out one by one, each with what depends on it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from hermes.algebra.operators.bind import Bind
from hermes.algebra.operators.optional import Optional
from hermes.algebra.plan import Plan
from hermes.repair.candidate import Clause
from hermes.sparql.expressions import Expression, variables_of
from hermes.sparql.patterns import Element, Group
from hermes.terms import Variable


@dataclass(frozen=True, slots=True)
class Unit:
    """An element of WHERE, or one of its filters; `place` is its number among all of them."""

    place: int
    clause: Clause


def units(plan: Plan) -> tuple[Unit, ...]:
    """Return the elements of WHERE and then its filters."""
    clauses: tuple[Clause, ...] = (*plan.where.elements, *plan.where.filters)
    return tuple(Unit(place, clause) for place, clause in enumerate(clauses))


def can_empty(unit: Unit) -> bool:
    """Whether a unit can take solutions away: what OPTIONAL and BIND add cannot."""
    return not isinstance(unit.clause, Optional | Bind)


def only(plan: Plan, kept: Iterable[Unit]) -> Plan:
    """Return the plan of some of the units, without those that name variables that the others bound.

    A filter on a variable that nothing binds any more would remove every solution: it is not what is asked.
    """
    chosen = sorted(kept, key=lambda unit: unit.place)
    elements = _bound([unit.clause for unit in chosen if isinstance(unit.clause, Element)], plan)
    where = Group(elements)
    lost = set(plan.where.binds()) - set(where.binds())
    filters = [unit.clause for unit in chosen if not isinstance(unit.clause, Element)]
    where = replace(where, filters=tuple(each for each in filters if not lost & _read(each)))
    return Plan(
        dataset=plan.dataset,
        where=where,
        projection=where.scope(),
        projected=True,
        prefixes=plan.prefixes,
    )


def _bound(elements: list[Element], plan: Plan) -> tuple[Element, ...]:
    """Return the elements without each BIND that reads what is bound no more."""
    while True:
        lost = set(plan.where.binds()) - {name for element in elements for name in element.binds()}
        kept = [each for each in elements if not (isinstance(each, Bind) and lost & _read(each.expr))]
        if len(kept) == len(elements):
            return tuple(elements)
        elements = kept


def _read(expression: Expression | Clause) -> set[Variable]:
    return set(variables_of(expression))
