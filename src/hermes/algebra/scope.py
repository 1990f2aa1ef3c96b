"""Which variables may be named where (SPARQL 1.1, sections 11.4, 18.2.1 and 19.8 notes 12 to 14).

`check` raises for what SPARQL forbids. `slips` lists what SPARQL allows but nobody means.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Final

from hermes.errors import PlanError
from hermes.sparql.expressions import Aggregate, Exists, Expression, has_aggregate, variables_of
from hermes.sparql.modifiers import Alias, Column, GroupKey
from hermes.sparql.patterns import Element, Group, Slip, TriplePattern
from hermes.sparql.tree import walk
from hermes.terms import Variable

if TYPE_CHECKING:
    from hermes.algebra.plan import Plan


def listed(variables: Iterable[Variable]) -> str:
    """Return variables for a message: `?a ?b`, or `nothing`."""
    return " ".join(str(variable) for variable in variables) or "nothing"


def default_projection(
    where: Group, values: Element | None, group_by: tuple[GroupKey, ...], projection: tuple[Column, ...]
) -> tuple[Column, ...]:
    """Return the columns of a plan that chose none: keys and aliases if grouped, else the first variable."""
    aliases = tuple(column for column in projection if isinstance(column, Alias))
    if group_by or aliases:
        keys = (key.variable if isinstance(key, Alias) else key for key in group_by)
        return (*(key for key in keys if isinstance(key, Variable)), *aliases)
    return (where.scope() or tuple(values.binds() if values else ()))[:1]


# --- what SPARQL forbids ----------------------------------------------------------------------

DEEPEST: Final = 64
"""How deep groups may stand inside groups."""


def check(plan: Plan) -> None:
    """Refuse a plan that is no legal SPARQL query.

    Raises:
        PlanError: with code `alias-in-scope`, `ungrouped-variable`, `nested-aggregate`, `wrong-form` or
            `too-deep`.
    """
    if plan.where.depth() > DEEPEST:
        raise PlanError(f"groups stand more than {DEEPEST} deep inside groups", code="too-deep")
    slots = (plan.where, plan.projection, plan.group_by, plan.having, plan.order_by)
    for part in walk(slots, (TriplePattern, type(plan))):
        if isinstance(part, Group):
            _check_group(part)
    names = frozenset(plan.scope)
    seen: set[Variable] = set()
    for key in plan.group_by:
        if isinstance(key, Alias):
            _check_new(key.variable, names | seen, "group")
            seen.add(key.variable)
        elif isinstance(key, Variable):
            seen.add(key)
    _check_columns(plan, names | seen)
    for expression in (*plan.having, *(key.expression for key in plan.order_by)):
        _check_aggregates(expression)
    if plan.grouped and plan.form == "select":
        _check_grouped(plan)
    elif plan.grouped:
        raise PlanError(f"{plan.form} cannot stand over groups: nest first", code="wrong-form")


def _check_group(group: Group) -> None:
    """Refuse a BIND onto a variable that stands before it in the group."""
    before: dict[Variable, None] = {}
    for element in group.elements:
        for variable in element.introduces():
            if variable in before:
                raise PlanError(
                    f"{variable} is already in scope here ({listed(before)}); choose a new name",
                    code="alias-in-scope",
                )
        before |= dict.fromkeys(element.binds())


def _check_columns(plan: Plan, taken: Collection[Variable]) -> None:
    seen: set[Variable] = set()
    for column in plan.projection:
        if isinstance(column, Alias):
            _check_new(column.variable, {*taken, *seen}, "AS")
            _check_aggregates(column.expression)
        name = column.variable if isinstance(column, Alias) else column
        if name in seen:
            raise PlanError(f"{name} is selected twice", code="alias-in-scope")
        seen.add(name)


def _check_new(variable: Variable, taken: Collection[Variable], where: str) -> None:
    if variable in taken:
        raise PlanError(
            f"{where} cannot name {variable}: it is already in scope ({listed(sorted(taken, key=str))}); "
            "choose a new name",
            code="alias-in-scope",
        )


def _check_aggregates(expression: Expression) -> None:
    for part in walk(expression, (Exists,)):
        if isinstance(part, Aggregate) and has_aggregate(part.argument):
            raise PlanError(
                "an aggregate of an aggregate needs a sub-query: nest first, then aggregate its column",
                code="nested-aggregate",
            )


def _check_grouped(plan: Plan) -> None:
    allowed = {*plan.keys, *(plan.values.binds() if plan.values else ())}
    for column in plan.projection:
        if isinstance(column, Alias):
            wrong = [
                variable
                for variable in variables_of(column.expression, outside_aggregates=True)
                if variable not in allowed
            ]
        else:
            wrong = [] if column in allowed else [column]
        if wrong:
            raise PlanError(
                f"{wrong[0]} is selected from groups but is no key of them (keys: {listed(plan.keys)}); "
                f"group by {wrong[0]}, aggregate it, or project other columns",
                code="ungrouped-variable",
            )


# --- what nobody means ------------------------------------------------------------------------


def slips(plan: Plan) -> Iterator[Slip]:
    """Yield the slips of a plan: names that nothing binds, and what its clauses report of themselves."""
    yield from group_slips(plan.where)
    matched = plan.where.scope()
    joined = plan.values.binds() if plan.values is not None else ()
    made = tuple(column.variable for column in plan.projection if isinstance(column, Alias))
    after = (*plan.keys, *joined, *made) if plan.grouped else (*plan.scope, *made)
    for key in plan.group_by:
        yield from unbound(key.expression if isinstance(key, Alias) else key, matched, "group")
    read = [
        *(("a column", c.expression if isinstance(c, Alias) else c) for c in plan.projection),
        *(("having", condition) for condition in plan.having),
        *(("order", key.expression) for key in plan.order_by),
    ]
    for word, expression in read:
        yield from _inside_aggregates(expression, matched, word)
        yield from unbound(expression, after, word, outside_aggregates=True)
    for triple in plan.template:
        yield from unbound((triple.subject, triple.predicate, triple.object), plan.scope, "construct")
    yield from unbound(plan.described, plan.scope, "describe")


def _inside_aggregates(expression: Expression, scope: Collection[Variable], word: str) -> Iterator[Slip]:
    for part in walk(expression, (Exists,)):
        if isinstance(part, Aggregate):
            yield from unbound(part.argument, scope, word)


def group_slips(
    group: Group, left: Collection[Variable] = (), outer: Collection[Variable] = ()
) -> Iterator[Slip]:
    """Yield the slips of a group.

    `left` are the variables that a LeftJoin binds before the group: its filters see them. `outer` are
    those of the solution that EXISTS puts into its pattern: everything inside sees them (section 18.6).
    """
    before: dict[Variable, None] = {}
    for element in group.elements:
        yield from element.slips((*before, *outer))
        for inner in element.groups():
            yield from group_slips(inner, tuple(before) if element.sees_outer else (), outer)
        before |= dict.fromkeys(element.binds())
    visible = (*before, *left, *outer)
    for condition in group.filters:
        yield from unbound(condition, visible, "filter")
        for part in walk(condition, (Exists,)):
            if isinstance(part, Exists):
                yield from group_slips(part.group, outer=visible)


def unbound(
    expression: object, scope: Collection[Variable], word: str, *, outside_aggregates: bool = False
) -> Iterator[Slip]:
    """Yield a slip for each variable of the expression that is not in scope."""
    for variable in variables_of(expression, outside_aggregates=outside_aggregates):
        if variable not in scope:
            known = listed(name for name in scope if not name.reserved)
            yield Slip("unbound-variable", f"{variable} in {word} is bound by nothing; in scope: {known}")
