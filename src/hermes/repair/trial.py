"""Which of several plans have solutions, and how many: one query for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hermes.algebra.operators.subquery import Subquery
from hermes.algebra.plan import Plan
from hermes.algebra.ports import Graph
from hermes.repair.batch import NUMBER, batch, numbered
from hermes.sparql.expressions import Aggregate
from hermes.sparql.modifiers import Alias
from hermes.sparql.patterns import Group
from hermes.terms import RESERVED, Literal, Variable

MOST: Final = 10_000
"""Solutions are counted up to here: a repair that brings back more is not looked at longer."""

_COUNT: Final = Variable(f"{RESERVED}n")


def alive(kg: Graph, plans: Sequence[Plan]) -> set[int]:
    """Return the places of the plans whose WHERE has solutions; by one query.

    Raises:
        StoreError: the store could not answer.
    """
    if not plans:
        return set()
    ones = [numbered(number, Plan(where=plan.where, limit=1)) for number, plan in enumerate(plans)]
    rows = kg.select(batch(ones, plans[0].dataset, (NUMBER,))).rows
    return {int(term.lexical) for row in rows if isinstance(term := row[NUMBER.name], Literal)}


def counts(kg: Graph, plans: Sequence[Plan], most: int = MOST) -> list[int]:
    """Return how many solutions the WHERE of each plan has, up to `most`; by one query.

    Raises:
        StoreError: the store could not answer.
    """
    if not plans:
        return []
    counted = [numbered(number, _counted(plan, most)) for number, plan in enumerate(plans)]
    found = [0] * len(plans)
    for row in kg.select(batch(counted, plans[0].dataset, (NUMBER, _COUNT))).rows:
        number, count = row[NUMBER.name], row[_COUNT.name]
        if isinstance(number, Literal) and isinstance(count, Literal):
            found[int(number.lexical)] = int(count.lexical)
    return found


def _counted(plan: Plan, most: int) -> Plan:
    inner = Plan(where=plan.where, projection=plan.where.scope(), projected=True, limit=most)
    column = Alias(Aggregate("COUNT", None), _COUNT)
    return Plan(where=Group((Subquery(inner),)), projection=(column,), projected=True)
