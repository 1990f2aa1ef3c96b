"""Sub-queries (SPARQL 1.1, sections 12 and 18.2.4.4)."""

from collections.abc import Collection

from hermes.algebra.fields import field
from hermes.algebra.items import ACTIONS
from hermes.algebra.kind import Clause, Operator, kind, refuse_unless_select
from hermes.algebra.plan import Plan
from hermes.algebra.render import sub_query_text
from hermes.errors import PlanError
from hermes.sparql.patterns import Group, Slip
from hermes.terms import IriWriter, Variable


@kind
class Subquery(Clause):
    """Join with the solutions of a plan of its own; only its columns are seen outside."""

    op = "subquery"
    example = (
        '{"op": "subquery", "actions": [{"op": "triple", "pattern": "?city ex:hosted ?g"}, '
        '{"op": "group", "vars": ["?city"]}, {"op": "aggregate", "expr": "COUNT(?g)", "alias": "?times"}]}'
    )
    actions: Plan = field(ACTIONS)

    def __post_init__(self) -> None:
        if self.actions.form != "select" or self.actions.dataset:
            raise PlanError("a sub-query is a SELECT without FROM", code="wrong-form")

    def text(self, names: IriWriter) -> str:
        """Return `{ SELECT ... }`."""
        return sub_query_text(self.actions, names)

    def binds(self) -> tuple[Variable, ...]:
        """Return the columns."""
        return self.actions.columns

    def groups(self) -> tuple[Group, ...]:
        """Return the group of the inner plan."""
        return (self.actions.where,)

    def slips(self, before: Collection[Variable]) -> tuple[Slip, ...]:
        """Report the slips of the inner plan; it sees nothing of outside."""
        del before
        return self.actions.slips()


@kind
class Nest(Operator):
    """Make the plan so far the first sub-query of a new plan, to work on its result."""

    op = "nest"
    example = '{"op": "nest"}'

    def apply(self, plan: Plan) -> Plan:
        """Return a plan over the rows of `plan`."""
        return nest(plan)


def nest(plan: Plan) -> Plan:
    """Return a plan whose only clause is `plan`, with all named variables if it chose no columns.

    A plan that is grouped or distinct keeps its columns: other columns would be another result.
    """
    refuse_unless_select(plan)
    if plan.empty:
        raise PlanError("there is nothing to nest yet", code="empty-plan")
    free = not (plan.projected or plan.grouped or plan.distinct or plan.reduced)
    inner = plan.evolve(
        dataset=(), projected=True, aside=(), projection=plan.scope if free else plan.projection
    )
    return Plan(dataset=plan.dataset, prefixes=plan.prefixes).evolve(where=Group((Subquery(inner),)))
