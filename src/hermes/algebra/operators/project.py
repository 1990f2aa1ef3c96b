"""Project, Distinct and Reduced (SPARQL 1.1, sections 15.2, 15.3, 16.1 and 18.5)."""

from dataclasses import replace

from hermes.algebra.aliases import write_out
from hermes.algebra.fields import COLUMNS, field
from hermes.algebra.kind import Operator, kind, refuse_unless_select
from hermes.algebra.plan import Plan
from hermes.errors import PlanError
from hermes.sparql.modifiers import Alias, Column
from hermes.terms import Variable


@kind
class Project(Operator):
    """Choose the columns, in place of those chosen before; `*` is everything in scope."""

    op = "project"
    example = '{"op": "project", "vars": ["?games", "?city"]}'
    vars: tuple[Column, ...] = field(COLUMNS)

    def apply(self, plan: Plan) -> Plan:
        """Select the columns. An alias that is left out may still be named by `order`."""
        refuse_unless_select(plan)
        known = {
            alias.variable: alias for alias in (*plan.aside, *plan.projection) if isinstance(alias, Alias)
        }
        if not self.vars:
            columns: tuple[Column, ...] = everything(plan)
        else:
            columns = ()
            for column in self.vars:
                columns = (*columns, self._resolve(column, known, plan))
        names = [column.variable if isinstance(column, Alias) else column for column in columns]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise PlanError(f"{twice} is selected twice", code="alias-in-scope")
        aside = tuple(alias for alias in known.values() if alias.variable not in names)
        return plan.evolve(projection=columns, projected=True, aside=aside)

    def _resolve(self, column: Column, known: dict[Variable, Alias], plan: Plan) -> Column:
        if isinstance(column, Variable):
            return column if column in plan.scope else known.get(column, column)
        visible = replace(plan, aside=tuple(known.values())) if known else plan
        made = Alias(write_out(visible, column.expression), column.variable)
        known[made.variable] = made
        return made


def everything(plan: Plan) -> tuple[Column, ...]:
    """Return the columns that `*` stands for: what is in scope, or keys and aliases of groups."""
    aliases = tuple(column for column in (*plan.projection, *plan.aside) if isinstance(column, Alias))
    if plan.grouped:
        return (*plan.keys, *aliases)
    return (*plan.scope, *aliases)


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
