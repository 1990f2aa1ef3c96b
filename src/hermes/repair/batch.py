"""Several small plans in one query: what each has is told by its number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from hermes.algebra.operators.subquery import Subquery
from hermes.algebra.operators.union import Union
from hermes.algebra.plan import DatasetClause, Plan
from hermes.algebra.render import render
from hermes.sparql.modifiers import Alias
from hermes.sparql.patterns import Group
from hermes.terms import RESERVED, XSD, Literal, Variable

NUMBER: Final = Variable(f"{RESERVED}k")


def numbered(number: int, plan: Plan) -> Plan:
    """Return the plan with its number as first column."""
    column = Alias(Literal(str(number), XSD + "integer"), NUMBER)
    return replace(plan, projection=(column, *plan.projection), projected=True, dataset=(), order_by=())


def batch(plans: Sequence[Plan], dataset: tuple[DatasetClause, ...], columns: tuple[Variable, ...]) -> str:
    """Return the query that gives the rows of all `plans`; there is at least one."""
    parts = [Subquery(plan) for plan in plans]
    whole = parts[0] if len(parts) == 1 else Union(tuple(Group((part,)) for part in parts))
    return render(Plan(dataset=dataset, where=Group((whole,)), projection=columns, projected=True))
