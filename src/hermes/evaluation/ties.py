"""Which rows are as right as those of a gold query whose LIMIT cuts through equal values."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from hermes.algebra.plan import Plan
from hermes.algebra.render import render
from hermes.evaluation.values import value_of
from hermes.kg import KG
from hermes.sparql.expressions import Aggregate
from hermes.sparql.modifiers import Alias
from hermes.sparql.tree import walk
from hermes.terms import RESERVED, Row, Variable

_KEY: Final = f"{RESERVED}k"


@dataclass(frozen=True, slots=True)
class Tie:
    """Rows that the order does not tell apart, of which a right answer has some.

    Args:
        rows: the rows, each once.
        wanted: how many of them a right answer has.
    """

    rows: Sequence[Row]
    wanted: int


@dataclass(frozen=True, slots=True)
class Ties:
    """The answers that a gold query with LIMIT or OFFSET allows.

    Args:
        columns: of all rows.
        certain: the rows that every right answer has.
        ties: the choices at the two ends of the slice; empty where it cuts no equal values.
    """

    columns: tuple[str, ...]
    certain: Sequence[Row]
    ties: tuple[Tie, ...]


def tie_rows(kg: KG, plan: Plan) -> Ties | None:
    """Return the rows that a plan with LIMIT or OFFSET allows, found by running it once without them.

    Rows with equal order keys (by value, as answers are compared) are a tie; without ORDER BY all rows are
    one. A row that a tie has several times counts once.

    Returns:
        None where there is nothing to choose from (no SELECT, no slice, one group), where the order is by
        what groups do not have, or where the store does not give all rows.

    Raises:
        StoreError: the store could not answer.
    """
    if plan.form != "select" or not plan.sliced or not _has_keys(plan):
        return None
    keys = tuple(
        Alias(condition.expression, Variable(f"{_KEY}{at}")) for at, condition in enumerate(plan.order_by)
    )
    columns = tuple(variable.name for variable in plan.columns)
    whole = plan.variant(
        projection=(*plan.projection, *keys), limit=None, offset=0, distinct=False, reduced=False
    )
    table = kg.select(render(whole, kg.header))
    if not table.complete:
        return None
    rows: Sequence[Row] = table.rows
    if plan.distinct:
        rows = list(_first(rows, columns))
    return _cut(rows, columns, [alias.variable.name for alias in keys], plan)


def _has_keys(plan: Plan) -> bool:
    """Whether the order keys can be columns: of groups, only keys and aggregates can."""
    if not plan.grouped:
        return True
    known = {*plan.keys, *plan.aliases}
    named = (part for key in plan.order_by for part in walk(key, stop=(Aggregate,)))
    return bool(plan.group_by) and all(part in known for part in named if isinstance(part, Variable))


def _first(rows: Sequence[Row], columns: Sequence[str]) -> Iterator[Row]:
    seen: set[object] = set()
    for row in rows:
        shown = tuple(map(row.get, columns))
        if shown not in seen:
            seen.add(shown)
            yield row


def _cut(rows: Sequence[Row], columns: tuple[str, ...], keys: Sequence[str], plan: Plan) -> Ties:
    start, end = plan.offset, len(rows)
    if plan.limit is not None:
        end = min(end, start + plan.limit)
    certain: list[Row] = []
    ties: list[Tie] = []
    at = 0
    for _, run in groupby(rows, lambda row: _place(row, keys)):
        equal = list(run)
        inside = min(end, at + len(equal)) - max(start, at)
        at += len(equal)
        if inside == len(equal):
            certain += equal
        elif inside > 0:
            once = list(_first(equal, columns))
            ties.append(Tie(once, min(inside, len(once))))
    return Ties(columns, certain, tuple(ties))


def _place(row: Row, keys: Sequence[str]) -> Hashable:
    return tuple(None if (term := row.get(key)) is None else value_of(term) for key in keys)
