"""Distinct and Reduced (SPARQL 1.1, sections 15.3 and 18.5)."""

from hermes.algebra.kind import Operator, kind, refuse_unless_select
from hermes.algebra.plan import Plan


@kind
class Distinct(Operator):
    """Keep each row of the columns once."""

    op = "distinct"
    example = '{"op": "distinct"}'

    def apply(self, plan: Plan) -> Plan:
        """Set DISTINCT."""
        refuse_unless_select(plan)
        return plan.evolve(distinct=True, reduced=False)


@kind
class Reduced(Operator):
    """Let the store drop repeated rows where that is cheap."""

    op = "reduced"
    example = '{"op": "reduced"}'

    def apply(self, plan: Plan) -> Plan:
        """Set REDUCED, unless the plan is distinct, which says more."""
        refuse_unless_select(plan)
        return plan if plan.distinct else plan.evolve(reduced=True)
