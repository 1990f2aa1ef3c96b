"""Group, Aggregation and the filter on groups (SPARQL 1.1, sections 11 and 18.2.4.1)."""

from hermes.algebra.aliases import names_volatile_alias, with_aliases, write_out
from hermes.algebra.fields import GROUP_KEYS, VARIABLE, WITH_AGGREGATES, field
from hermes.algebra.kind import (
    Operator,
    kind,
    refuse_after_distinct,
    refuse_after_slice,
    refuse_unless_select,
)
from hermes.algebra.operators.subquery import nest
from hermes.algebra.plan import Plan
from hermes.algebra.scope import listed
from hermes.errors import PlanError
from hermes.sparql.expressions import Expression, has_aggregate
from hermes.sparql.modifiers import Alias, GroupKey
from hermes.terms import Variable


def refuse_grouping(plan: Plan) -> None:
    """Refuse a grouping step that SPARQL would evaluate before a step already taken."""
    refuse_unless_select(plan)
    refuse_after_slice(plan)
    refuse_after_distinct(plan)
    if plan.values is not None:
        raise PlanError(
            'SPARQL would group before it joins the values at the end: nest first ({"op": "nest"}), '
            "or give the values without that",
            code="after-values",
        )


@kind
class Group(Operator):
    """Put the solutions that agree on the keys into one group; further keys make groups finer."""

    op = "group"
    example = '{"op": "group", "vars": ["?city"]}'
    vars: tuple[GroupKey, ...] = field(GROUP_KEYS)

    def apply(self, plan: Plan) -> Plan:
        """Add the keys."""
        refuse_grouping(plan)
        for key in self.vars:
            if isinstance(key, Variable) and key in plan.aliases and key not in plan.scope:
                raise PlanError(
                    f"{key} is an alias, made after grouping; group by a variable of the pattern "
                    f"({listed(plan.scope)}), bind it first, or nest",
                    code="alias-in-scope",
                )
        new = tuple(key for key in dict.fromkeys(self.vars) if key not in plan.group_by)
        return plan.evolve(group_by=(*plan.group_by, *new))


@kind
class Aggregate(Operator):
    """Compute one value for each group (or for all solutions) under a new name.

    `expr` is any expression that contains aggregates: COUNT, SUM, MIN, MAX, AVG, SAMPLE, GROUP_CONCAT.
    """

    op = "aggregate"
    example = '{"op": "aggregate", "expr": "COUNT(?games)", "alias": "?times"}'
    expr: Expression = field(WITH_AGGREGATES)
    alias: Variable = field(VARIABLE)

    def apply(self, plan: Plan) -> Plan:
        """Add the alias to the selected columns."""
        refuse_grouping(plan)
        expression = write_out(plan, self.expr)
        if not has_aggregate(expression):
            raise PlanError(
                'this expression has no aggregate such as COUNT(?x); use "bind" or "project" for it',
                code="no-aggregate",
            )
        column = Alias(expression, self.alias)
        if column in plan.projection:
            return plan
        if self.alias in plan.aliases:
            raise PlanError(f"{self.alias} is an alias already; choose a new name", code="alias-in-scope")
        return with_aliases(plan.evolve(projection=(*plan.projection, column)))


@kind
class Having(Operator):
    """Keep the groups for which an expression is true; it may name aggregates and their aliases."""

    op = "having"
    example = '{"op": "having", "expr": "COUNT(?games) > 2"}'
    expr: Expression = field(WITH_AGGREGATES)

    def apply(self, plan: Plan) -> Plan:
        """Add the condition; over an alias that cannot be written out the plan is nested instead."""
        refuse_grouping(plan)
        if not plan.grouped and not has_aggregate(self.expr):
            raise PlanError(
                "having keeps groups, and nothing is grouped: use filter, or group first", code="not-grouped"
            )
        return self.added_to(plan)

    def added_to(self, plan: Plan) -> Plan:
        """Return the plan with the condition, wherever a query text has its other modifiers."""
        if names_volatile_alias(plan, self.expr):
            outer = nest(plan)
            columns = {"projection": plan.columns, "projected": True} if plan.projected else {}
            return outer.evolve(where=outer.where.add_filter(self.expr), **columns)
        return plan.evolve(having=(*plan.having, write_out(plan, self.expr)))
