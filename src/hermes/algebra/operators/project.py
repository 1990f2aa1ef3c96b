"""Project and the Extend of SELECT expressions (SPARQL 1.1, sections 15.2, 16.1 and 18.2.4.4)."""

from dataclasses import replace

from hermes.algebra.aliases import with_aliases, write_out
from hermes.algebra.fields import COLUMNS, field
from hermes.algebra.kind import Operator, kind, refuse_unless_select
from hermes.algebra.operators.subquery import nest
from hermes.algebra.plan import Plan
from hermes.sparql.expressions import has_aggregate, is_volatile, variables_of
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
        later = self._over_volatile(plan)
        if later and (plan.grouped or has_aggregate(self.vars)):
            return self._in_two_levels(plan, later)
        known = {
            alias.variable: alias for alias in (*plan.aside, *plan.projection) if isinstance(alias, Alias)
        }
        if not self.vars:
            columns: tuple[Column, ...] = everything(plan)
        else:
            columns = ()
            for column in self.vars:
                columns = (*columns, self._resolve(column, known, plan))
        if not columns:
            return plan
        names = {column.variable if isinstance(column, Alias) else column for column in columns}
        aside = tuple(alias for alias in known.values() if alias.variable not in names)
        return with_aliases(plan.evolve(projection=columns, projected=True, aside=aside))

    def _over_volatile(self, plan: Plan) -> set[Variable]:
        """Return the aliases over an alias of groups that cannot be written out, such as SAMPLE's."""
        volatile = {name for name, meaning in plan.aliases.items() if is_volatile(meaning)}
        later: set[Variable] = set()
        for column in self.vars:
            if isinstance(column, Alias):
                if (volatile | later).intersection(variables_of(column.expression)):
                    later.add(column.variable)
                elif is_volatile(column.expression):
                    volatile.add(column.variable)
        return later

    def _in_two_levels(self, plan: Plan, later: set[Variable]) -> Plan:
        """Select what groups give in a sub-query, and what is made of that around it."""
        first = [
            column for column in self.vars if not (isinstance(column, Alias) and column.variable in later)
        ]
        inner = Project((*first, *(name for name in plan.aliases if name not in first))).apply(plan)
        columns = tuple(
            column if isinstance(column, Variable) or column.variable in later else column.variable
            for column in self.vars
        )
        return Project(columns).apply(nest(inner))

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
