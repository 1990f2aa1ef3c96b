"""Advice beside an observation: unknown names, products, what multiplies, what an aggregate is.

Hints cost no query, but for one where the result is empty and its count has cost none, and one for each end
of a slice of what is ordered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from hermes.algebra.hints.change import Change
from hermes.algebra.hints.datasets import graphs
from hermes.algebra.hints.engines import engine_differences
from hermes.algebra.hints.filters import datatypes, join_by_filter, language_tags, unbound_rows
from hermes.algebra.hints.names import blank_labels, names
from hermes.algebra.hints.sizes import multiplies, open_path, product
from hermes.algebra.observation import Hint, Solutions
from hermes.algebra.operators.order import Order
from hermes.algebra.plan import Plan
from hermes.algebra.ports import Graph
from hermes.algebra.ties import cuts_tie
from hermes.errors import StoreError
from hermes.terms import display

Rule = Callable[[Graph, Change], Iterator[Hint]]


def hints(kg: Graph, change: Change) -> tuple[Hint, ...]:
    """Return the hints for a change, each once."""
    if change.plan == change.before and change.plan.projected == change.before.projected:
        return (Hint("no-change", "the plan says this already; nothing changed"),)
    return tuple(dict.fromkeys(hint for rule in _RULES for hint in _hints_of(rule, kg, change)))


def _hints_of(rule: Rule, kg: Graph, change: Change) -> list[Hint]:
    try:
        return list(rule(kg, change))
    except StoreError:  # the step has been observed; that its hint cannot be had is no reason to refuse it
        return []


def _value(kg: Graph, change: Change) -> Iterator[Hint]:
    """Show the value of an aggregate over everything: one row is not one thing found."""
    plan, seen = change.plan, change.seen
    if not isinstance(seen, Solutions) or not plan.grouped or plan.group_by or len(seen.sample) != 1:
        return
    for name in seen.variables:
        value = seen.sample[0].get(name)
        shown = "unbound" if value is None else display(value, kg.prefixes)
        yield Hint("value", f"?{name} = {shown}")


def _answer_changed(_: Graph, change: Change) -> Iterator[Hint]:
    old, new = change.before.answer, change.plan.answer
    if change.meant.op == "remove" and change.plan.form == "select" and old != new and new is not None:
        yield Hint("answer-changed", f"the answer is now {new}, no longer {old}")


def _order_before_slice(_: Graph, change: Change) -> Iterator[Hint]:
    if isinstance(change.meant, Order) and change.before.sliced:
        yield Hint("order-before-slice", "ORDER BY comes before LIMIT and OFFSET: they now cut this order")


def _tie(kg: Graph, change: Change) -> Iterator[Hint]:
    """Say that a cut falls between rows that the order does not tell apart."""
    plan, before = change.plan, change.before
    if _cut(plan) == _cut(before) or not isinstance(change.seen, Solutions):
        return
    whole = not plan.offset and change.seen.count != plan.limit
    if whole or not cuts_tie(kg, plan):
        return
    names = plan.prefixes.names()
    keys = " ".join(key.text(names) for key in plan.order_by)
    said = [f"LIMIT {plan.limit}"] * (plan.limit is not None) + [f"OFFSET {plan.offset}"] * bool(plan.offset)
    yield Hint(
        "limit-cuts-tie",
        f"{' '.join(said)} cuts between rows of one rank in ORDER BY {keys}: which of them stay is chance",
    )


def _cut(plan: Plan) -> tuple[object, ...]:
    return plan.order_by, plan.limit, plan.offset


_RULES: Final[tuple[Rule, ...]] = (
    blank_labels,
    product,
    open_path,
    graphs,
    names,
    multiplies,
    datatypes,
    language_tags,
    unbound_rows,
    join_by_filter,
    _value,
    _answer_changed,
    _order_before_slice,
    _tie,
    engine_differences,
)
