"""The pure core of a step: run a plan and say what it gives, with two queries at most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hermes.algebra.observation import Asked, Built, Empty, Observation, Solutions
from hermes.algebra.plan import Plan
from hermes.algebra.ports import Graph
from hermes.algebra.render import COUNT_NAME, render, render_count
from hermes.errors import StoreError
from hermes.results import Table
from hermes.terms import RESERVED, Literal

SAMPLE_SIZE: Final = 5

COUNT_CAP: Final = 10_000
"""Solutions are counted up to here where the store had no time to count them all."""


@dataclass(frozen=True, slots=True)
class Position:
    """A plan with what was observed of it; counts of its neighbours may follow from its own."""

    plan: Plan
    observation: Observation


def observe(
    kg: Graph,
    plan: Plan,
    sample_size: int = SAMPLE_SIZE,
    *,
    known: Position | None = None,
    count_cap: int | None = None,
) -> Observation:
    """Run `plan` and return its count and its first `sample_size` rows, its truth value, or its triples.

    The sample always runs; the count only where it does not follow from the sample or from `known`. With
    a `count_cap` solutions are counted up to it; without one they are counted up to 10,000 where counting
    them all takes longer than a query may, except of groups, which are not known before the last row.

    Raises:
        StoreError: the store refused the query or could not answer.
    """
    if plan.empty and plan.form == "select" and not plan.projection:
        return Empty()
    if plan.form == "ask":
        return Asked(value=kg.ask(render(plan, kg.header)))
    if plan.form != "select":
        found = kg.construct(render(plan, kg.header))
        sample = tuple(found.triples[:sample_size])
        return Built(count=len(found.triples), sample=sample, capped=not found.complete)
    table = kg.select(render(sample_plan(plan, sample_size), kg.header))
    few = len(table.rows) < sample_size or len(table.rows) == plan.limit
    implied = (len(table.rows) if few else _implied(plan, known)) if table.complete else None
    count, exact = _count_in_time(kg, plan, count_cap) if implied is None else (implied, True)
    shown = without_reserved(table)
    return Solutions(
        count=count,
        capped=not exact,
        variables=shown.variables,
        sample=tuple(shown.rows),
        derived=implied is not None,
    )


def observe_count(kg: Graph, plan: Plan, *, known: Position | None = None) -> Solutions:
    """Return the count of a SELECT plan alone (see `observe`), with no query where it follows from `known`.

    Raises:
        StoreError: the store refused the query or could not answer.
    """
    implied = _implied(plan, known)
    count, exact = _count_in_time(kg, plan, None) if implied is None else (implied, True)
    return Solutions(count=count, capped=not exact, derived=implied is not None)


def without_reserved(table: Table) -> Table:
    """Return the table without the columns that hermes made for itself."""
    if not any(name.startswith(RESERVED) for name in table.variables):
        return table
    variables = tuple(name for name in table.variables if not name.startswith(RESERVED))
    rows = [{name: row[name] for name in variables if name in row} for row in table.rows]
    return Table(variables, rows, table.complete)


def sample_plan(plan: Plan, size: int) -> Plan:
    """Return the plan of the sample: the first rows, in the plan's own order.

    While nothing is projected, grouped or distinct it shows every variable in scope, the answer first.
    """
    limit = size if plan.limit is None else min(size, plan.limit)
    if plan.projected or plan.grouped or plan.distinct or plan.reduced:
        return plan.variant(limit=limit)
    return plan.variant(limit=limit, projection=plan.scope, projected=True)


def count_solutions(kg: Graph, plan: Plan, cap: int | None = None) -> int:
    """Ask the store how many solutions a plan has, up to `cap`; no row means 0.

    Raises:
        StoreError: the store could not answer, or not with a number.
    """
    return _count(kg, plan, cap)[0]


def _count_in_time(kg: Graph, plan: Plan, cap: int | None) -> tuple[int, bool]:
    try:
        return _count(kg, plan, cap)
    except StoreError as error:
        if error.category != "timeout" or cap is not None or plan.grouped:
            raise
    return _count(kg, plan, COUNT_CAP)


def _count(kg: Graph, plan: Plan, cap: int | None) -> tuple[int, bool]:
    """Return the number of solutions, and whether it is exact: a store may have stopped before the end."""
    table = kg.select(render_count(plan, kg.header, cap))
    if not table.rows:
        return 0, table.complete
    value = table.rows[0].get(COUNT_NAME)
    if not isinstance(value, Literal) or not value.lexical.isdigit():
        raise StoreError(f"the store answered a COUNT with {value} instead of a number", category="bad_reply")
    count = int(value.lexical)
    return count, table.complete and count != cap


def _implied(plan: Plan, known: Position | None) -> int | None:
    """Return the count where it follows from what is known."""
    one_group = plan.grouped and not plan.group_by and not plan.having
    if one_group and plan.values is None:
        return _sliced(1, plan)
    if known is None or not isinstance(known.observation, Solutions) or known.observation.capped:
        return None
    if _rows_of(plan) != _rows_of(known.plan):
        return None
    if not known.plan.sliced:
        return _sliced(known.observation.count, plan)
    same_slice = (plan.limit, plan.offset) == (known.plan.limit, known.plan.offset)
    return known.observation.count if same_slice else None


def _rows_of(plan: Plan) -> tuple[object, ...]:
    """Return the slots on which the number of rows depends, without order and slice."""
    columns = plan.projection if plan.distinct or plan.reduced else ()
    slots = (plan.form, plan.dataset, plan.where, plan.values, plan.group_by, plan.having, plan.grouped)
    return (*slots, plan.distinct, plan.reduced, columns)


def _sliced(count: int, plan: Plan) -> int:
    left = max(0, count - plan.offset)
    return left if plan.limit is None else min(left, plan.limit)
