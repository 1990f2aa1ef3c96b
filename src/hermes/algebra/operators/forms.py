"""The other query forms (SPARQL 1.1, sections 16.2 to 16.4)."""

from hermes.algebra.fields import TEMPLATE, VARIABLES_OR_IRIS, field
from hermes.algebra.kind import Operator, kind, refuse_unless_select
from hermes.algebra.operators.subquery import nest
from hermes.algebra.plan import Plan
from hermes.sparql.patterns import TriplePattern
from hermes.terms import IRI, Variable


@kind
class Ask(Operator):
    """Ask only whether there is a solution."""

    op = "ask"
    example = '{"op": "ask"}'

    def apply(self, plan: Plan) -> Plan:
        """Make the plan an ASK query, over a sub-query where groups or a slice decide."""
        return plan if plan.form == "ask" else as_ask(plan)


def as_ask(plan: Plan) -> Plan:
    """Return the ASK query for whether `plan` has a solution.

    Order and columns do not matter to that; what may remove all rows goes into a sub-query.
    """
    refuse_unless_select(plan)
    if plan.grouped or plan.distinct or plan.reduced or plan.sliced:
        plan = nest(plan)
    return plan.evolve(form="ask", order_by=(), projection=(), projected=True, aside=())


@kind
class Construct(Operator):
    """Build triples from a template for each solution."""

    op = "construct"
    example = '{"op": "construct", "template": ["?games ex:heldIn ?city"]}'
    template: tuple[TriplePattern, ...] = field(TEMPLATE)

    def apply(self, plan: Plan) -> Plan:
        """Make the plan a CONSTRUCT query."""
        if plan.form == "construct":
            return plan.evolve(template=self.template)
        refuse_unless_select(plan)
        plan = nest(plan) if plan.grouped or plan.distinct or plan.reduced else plan
        return plan.evolve(form="construct", template=self.template, projection=(), projected=True, aside=())


@kind
class Describe(Operator):
    """Return what the store tells about things."""

    op = "describe"
    example = '{"op": "describe", "terms": ["?city"]}'
    terms: tuple[Variable | IRI, ...] = field(VARIABLES_OR_IRIS)

    def apply(self, plan: Plan) -> Plan:
        """Make the plan a DESCRIBE query."""
        if plan.form == "describe":
            return plan.evolve(described=tuple(dict.fromkeys(self.terms)))
        refuse_unless_select(plan)
        plan = nest(plan) if plan.grouped or plan.distinct or plan.reduced else plan
        return plan.evolve(
            form="describe",
            described=tuple(dict.fromkeys(self.terms)),
            projection=(),
            projected=True,
            aside=(),
        )
