"""Aliases are written out: HAVING, ORDER BY and other aliases name what an alias stands for.

Printed as it is, `HAVING (?n > 2)` over `COUNT(?g) AS ?n` gives no row and no error on two engines, since
SELECT expressions come after HAVING (SPARQL 1.1, section 18.2.4).
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Final, TypeVar

from hermes.algebra.plan import Plan
from hermes.errors import PlanError
from hermes.sparql.expressions import Exists, is_volatile, variables_of
from hermes.sparql.tree import rewrite, walk
from hermes.terms import Variable

LARGEST: Final = 2000
"""The most parts that an expression may have once its aliases are written out."""

E = TypeVar("E")


def write_out(plan: Plan, expression: E) -> E:
    """Return `expression` with the plan's aliases replaced by what they stand for.

    An alias whose two evaluations may differ (RAND, SAMPLE, ...) stays a name.

    Raises:
        PlanError: with code `too-large` when the expression grows beyond reason.
    """
    known = {
        variable: meaning
        for variable, meaning in plan.aliases.items()
        if variable not in plan.scope and not is_volatile(meaning)
    }
    if not known:
        return expression

    def change(part: object) -> object | None:
        if isinstance(part, Exists):
            return part
        return known.get(part) if isinstance(part, Variable) else None

    written = rewrite(expression, change)
    if next(islice(walk(written), LARGEST, None), None) is not None:
        raise PlanError(
            f"with its aliases written out the expression has more than {LARGEST} parts; nest first",
            code="too-large",
        )
    return written


def with_aliases(plan: Plan) -> Plan:
    """Return the plan with its aliases written out in modifiers that came before them."""
    order = tuple(replace(key, expression=write_out(plan, key.expression)) for key in plan.order_by)
    having = tuple(write_out(plan, condition) for condition in plan.having)
    same = order == plan.order_by and having == plan.having
    return plan if same else plan.evolve(order_by=order, having=having)


def names_volatile_alias(plan: Plan, expression: object) -> bool:
    """Whether the expression names an alias that cannot be written out."""
    aliases = plan.aliases
    return any(
        variable in aliases and is_volatile(aliases[variable]) for variable in variables_of(expression)
    )
