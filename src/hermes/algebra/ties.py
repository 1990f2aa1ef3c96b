"""Whether a LIMIT or OFFSET cuts between rows that ORDER BY does not tell apart: then chance says which stay.

SPARQL 1.1, section 15.1, leaves the order of rows with equal keys to the engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation
from typing import Final

from hermes.algebra.plan import Plan
from hermes.algebra.ports import Graph
from hermes.algebra.render import render
from hermes.errors import PlanError
from hermes.sparql.expressions import Expression, is_volatile, variables_of
from hermes.sparql.modifiers import Alias, Column
from hermes.terms import RESERVED, XSD, Literal, Row, Term, Variable

_AROUND: Final = 50
"""Rows that are looked at on either side of a cut."""
_KEY: Final = f"{RESERVED}key"
_NUMBERS: Final = frozenset(XSD + name for name in ("integer", "decimal", "double", "float"))

Values = tuple[object, ...]


def cuts_tie(kg: Graph, plan: Plan) -> bool | None:
    """Return whether other rows would be as right an answer as those that LIMIT and OFFSET keep.

    That is so where the last row that is kept and the first that is not (or the other way round, for OFFSET)
    have equal sort keys and are not the same row. One query for each of the two ends of the slice, of 100
    rows at most. Without ORDER BY, or without a slice, nothing is cut by rank: False. None where these rows
    do not tell: a key that no two runs agree on, or rows that are all the same.

    Raises:
        StoreError: the store could not answer.
    """
    if plan.form != "select" or not plan.order_by or not plan.sliced or plan.limit == 0:
        return False
    one_row = plan.grouped and not plan.group_by
    if one_row or set(plan.columns) <= {key.expression for key in plan.order_by}:  # equal keys are equal rows
        return False
    keyed = _with_keys(plan)
    if keyed is None or any(is_volatile(key.expression) for key in plan.order_by):
        return None
    ends = [plan.offset] if plan.offset else []
    ends += [plan.offset + plan.limit] if plan.limit is not None else []
    found = [_tied_at(kg, plan, *keyed, end) for end in ends]
    return True if True in found else None if None in found else False


def _tied_at(kg: Graph, plan: Plan, keyed: Plan, keys: Sequence[Variable], end: int) -> bool | None:
    """Return whether the row before an end and the one after it are tied; `keyed` has the sort keys too."""
    hidden = plan.distinct and not _told_by_columns(plan)
    if hidden:  # a row stands where the first of its solutions does, so these are what is looked at
        keyed = keyed.variant(distinct=False)
    first = 0 if hidden else max(0, end - _AROUND)
    size = end + _AROUND - first
    table = kg.select(render(keyed.variant(offset=first, limit=size), kg.header))
    rows = [(_values(row, plan.columns), _values(row, keys)) for row in table.rows]
    whole = len(rows) < size and table.complete
    if hidden:
        rows = list(_first_of_each(rows))
    place = end - first
    if len(rows) <= place:
        return False if whole else None
    return _is_tie(rows, place, whole=whole)


def _is_tie(rows: Sequence[tuple[Values, Values]], place: int, *, whole: bool) -> bool | None:
    key = rows[place][1]
    if rows[place - 1][1] != key:
        return False
    if len({row for row, other in rows if other == key}) > 1:
        return True
    return False if whole or rows[-1][1] != key else None


def _with_keys(plan: Plan) -> tuple[Plan, tuple[Variable, ...]] | None:
    """Return the plan with its sort keys as columns, and these; None where a group has no value for a key."""
    columns: list[Column] = list(plan.projection)
    keys = []
    for number, condition in enumerate(plan.order_by):
        name = _column_of(condition.expression, plan)
        if name is None:
            name = Variable(f"{_KEY}{number}")
            columns.append(Alias(condition.expression, name))
        keys.append(name)
    try:
        return plan.evolve(projection=tuple(columns), projected=True), tuple(keys)
    except PlanError:
        return None


def _column_of(key: Expression, plan: Plan) -> Variable | None:
    """Return the column that shows a sort key, if there is one."""
    if isinstance(key, Variable) and key in plan.columns:
        return key
    aliases = (column for column in plan.projection if isinstance(column, Alias))
    return next((alias.variable for alias in aliases if alias.expression == key), None)


def _told_by_columns(plan: Plan) -> bool:
    """Whether rows with the same columns have the same sort keys, so that DISTINCT keeps their order."""
    return all(
        _column_of(key.expression, plan) is not None
        or (not plan.grouped and set(variables_of(key.expression)) <= set(plan.columns))
        for key in plan.order_by
    )


def _first_of_each(rows: Sequence[tuple[Values, Values]]) -> Iterator[tuple[Values, Values]]:
    seen = set()
    for row, key in rows:
        if row not in seen:
            seen.add(row)
            yield row, key


def _values(row: Row, columns: Sequence[Variable]) -> Values:
    return tuple(_value(row.get(column.name)) for column in columns)


def _value(term: Term | None) -> object:
    """Return what ORDER BY compares: numbers by value, other terms as they are."""
    if isinstance(term, Literal) and term.datatype in _NUMBERS:
        try:
            return Decimal(term.lexical)
        except InvalidOperation:
            return term
    return term
