"""OrderBy and Slice (SPARQL 1.1, sections 15.1, 15.4, 15.5 and 18.5)."""

from dataclasses import replace

from hermes.algebra.aliases import write_out
from hermes.algebra.fields import NATURAL, ORDER, field
from hermes.algebra.kind import Operator, kind, refuse_unless_select
from hermes.algebra.plan import Plan
from hermes.sparql.modifiers import OrderCondition


@kind
class Order(Operator):
    """Sort by one more key: `?x`, `DESC(?x)` or an expression; the first key counts most."""

    op = "order"
    example = '{"op": "order", "expr": "DESC(?year)"}'
    expr: OrderCondition = field(ORDER)

    def apply(self, plan: Plan) -> Plan:
        """Add the key, its aliases written out. A truth value has no order."""
        if plan.form == "ask":
            refuse_unless_select(plan)
        key = replace(self.expr, expression=write_out(plan, self.expr.expression))
        return plan if key in plan.order_by else plan.evolve(order_by=(*plan.order_by, key))


@kind
class Limit(Operator):
    """Keep at most `n` rows; a second limit replaces the first."""

    op = "limit"
    example = '{"op": "limit", "n": 3}'
    n: int = field(NATURAL)

    def apply(self, plan: Plan) -> Plan:
        """Set LIMIT."""
        if plan.form == "ask":
            refuse_unless_select(plan)
        return plan.evolve(limit=self.n)


@kind
class Offset(Operator):
    """Leave out the first `n` rows; a second offset replaces the first."""

    op = "offset"
    example = '{"op": "offset", "n": 2}'
    n: int = field(NATURAL)

    def apply(self, plan: Plan) -> Plan:
        """Set OFFSET."""
        if plan.form == "ask":
            refuse_unless_select(plan)
        return plan.evolve(offset=self.n)
