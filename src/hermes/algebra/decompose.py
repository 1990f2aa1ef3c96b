"""A plan as the operators that build it from the empty plan."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from hermes.algebra.kind import Clause, Operator
from hermes.algebra.operators.dataset import From
from hermes.algebra.operators.distinct import Distinct, Reduced
from hermes.algebra.operators.filter import Filter
from hermes.algebra.operators.forms import Ask, Construct, Describe
from hermes.algebra.operators.grouping import Aggregate, Group, Having
from hermes.algebra.operators.order import Limit, Offset, Order
from hermes.algebra.operators.project import Project
from hermes.algebra.operators.triple import Triple
from hermes.sparql.modifiers import Alias
from hermes.sparql.patterns import Element, TriplePattern

if TYPE_CHECKING:
    from hermes.algebra.plan import Plan


def operators(plan: Plan) -> Iterator[Operator]:
    """Yield the operators that build `plan`, in an order in which each applies."""
    yield from (From(clause.graph, clause.named) for clause in plan.dataset)
    yield from (element_operator(element) for element in plan.where.elements)
    yield from (Filter(condition) for condition in plan.where.filters)
    yield from _grouping(plan)
    if plan.values is not None:
        yield element_operator(plan.values)
    yield from _columns(plan)
    yield from (Order(key) for key in plan.order_by)
    if plan.offset:
        yield Offset(plan.offset)
    if plan.limit is not None:
        yield Limit(plan.limit)
    if plan.form == "ask":
        yield Ask()
    elif plan.form == "construct":
        yield Construct(plan.template)
    elif plan.form == "describe":
        yield Describe(plan.described)


def element_operator(element: Element) -> Operator:
    """Return the operator that adds `element` to a group."""
    return Triple(element) if isinstance(element, TriplePattern) else cast("Clause", element)


def _grouping(plan: Plan) -> Iterator[Operator]:
    if plan.group_by:
        yield Group(plan.group_by)
    for alias in plan.aggregates:
        yield Aggregate(alias.expression, alias.variable)
    yield from (Having(condition) for condition in plan.having)


def _columns(plan: Plan) -> Iterator[Operator]:
    if plan.projected and plan.form == "select":
        aggregates = plan.aggregates
        yield Project(
            tuple(
                column.variable if isinstance(column, Alias) and column in aggregates else column
                for column in plan.projection
            )
        )
    if plan.distinct:
        yield Distinct()
    if plan.reduced:
        yield Reduced()
