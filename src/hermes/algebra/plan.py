"""The plan: an immutable SPARQL query, kept as a record of slots. A plan that exists is legal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Final, Literal, Self

from hermes.algebra.scope import check, default_projection, slips
from hermes.sparql.expressions import Expression, has_aggregate
from hermes.sparql.modifiers import Alias, Column, GroupKey, OrderCondition
from hermes.sparql.patterns import Element, Group, Slip, TriplePattern
from hermes.sparql.tree import Node, walk
from hermes.terms import BLANK_PREFIX, IRI, NO_PREFIXES, WELL_KNOWN, Prefixes, Variable

if TYPE_CHECKING:
    from hermes.algebra.action import Action
    from hermes.algebra.kind import Operator

Form = Literal["select", "ask", "construct", "describe"]

EMPTY_GROUP: Final = Group()


@dataclass(frozen=True, slots=True)
class DatasetClause(Node):
    """`FROM <graph>` or `FROM NAMED <graph>` (SPARQL 1.1, section 13.2)."""

    graph: IRI
    named: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan(Node):
    """A SPARQL query as slots, in the order in which SPARQL evaluates them.

    Equality is on the slots. Three fields are not part of the query and so not of equality:
    `prefixes` reads the names in actions, `projected` says whether the columns were chosen (until then
    the first variable answers), and `aside` keeps the aliases that `project` left out, so that `order`
    may still name them.

    Raises:
        PlanError: SPARQL forbids such a query (see `hermes.algebra.scope`).
    """

    dataset: tuple[DatasetClause, ...] = ()
    where: Group = EMPTY_GROUP
    values: Element | None = None
    group_by: tuple[GroupKey, ...] = ()
    having: tuple[Expression, ...] = ()
    projection: tuple[Column, ...] = ()
    distinct: bool = False
    reduced: bool = False
    order_by: tuple[OrderCondition, ...] = ()
    limit: int | None = None
    offset: int = 0
    form: Form = "select"
    template: tuple[TriplePattern, ...] = ()
    described: tuple[Variable | IRI, ...] = ()
    prefixes: Prefixes = field(default=WELL_KNOWN, compare=False, repr=False)
    projected: bool = field(default=False, compare=False, repr=False)
    aside: tuple[Alias, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        check(self)

    def evolve(self, **slots: Any) -> Self:
        """Return the plan with other slots. Until `project` chose columns, they follow the slots.

        Raises:
            PlanError: SPARQL forbids the result.
        """
        if not slots.get("projected", self.projected):
            slots["projection"] = default_projection(
                slots.get("where", self.where),
                slots.get("values", self.values),
                slots.get("group_by", self.group_by),
                slots.get("projection", self.projection),
            )
        return replace(self, **slots)

    def variant(self, **slots: Any) -> Self:
        """Return the plan with other slots, not checked again.

        Only for slots that cannot make a legal plan illegal: no order, another slice, no dataset, or
        columns that are variables in scope of a plan without groups.
        """
        made = object.__new__(type(self))
        for slot in fields(self):
            object.__setattr__(made, slot.name, slots.get(slot.name, getattr(self, slot.name)))
        return made

    # --- what it says ---------------------------------------------------------------------------

    @property
    def aggregates(self) -> tuple[Alias, ...]:
        """The selected aliases over aggregates, in order."""
        return tuple(
            column
            for column in self.projection
            if isinstance(column, Alias) and has_aggregate(column.expression)
        )

    @property
    def grouped(self) -> bool:
        """Whether solutions are grouped, by keys or into the one implicit group (section 11.2)."""
        return bool(
            self.group_by
            or self.having
            or has_aggregate(self.projection)
            or (self.order_by and any(has_aggregate(key.expression) for key in self.order_by))
        )

    @property
    def sliced(self) -> bool:
        """Whether LIMIT or OFFSET cuts the solutions."""
        return self.limit is not None or self.offset > 0

    @property
    def scope(self) -> tuple[Variable, ...]:
        """The variables that a projection may name, in order of first mention."""
        names = dict.fromkeys(self.where.scope())
        if self.values is not None:
            names |= dict.fromkeys(self.values.binds())
        return tuple(names)

    @property
    def keys(self) -> tuple[Variable, ...]:
        """The variables of the group keys."""
        return tuple(
            key.variable if isinstance(key, Alias) else key
            for key in self.group_by
            if isinstance(key, Alias | Variable)
        )

    @property
    def columns(self) -> tuple[Variable, ...]:
        """The selected variables in order."""
        return tuple(column.variable if isinstance(column, Alias) else column for column in self.projection)

    @property
    def answer(self) -> Variable | None:
        """The variable that answers: the first column."""
        return self.columns[0] if self.projection else None

    @property
    def aliases(self) -> dict[Variable, Expression]:
        """The aliases of SELECT that expressions may name, selected or left aside by `project`."""
        known = {alias.variable: alias.expression for alias in self.aside}
        known |= {c.variable: c.expression for c in self.projection if isinstance(c, Alias)}
        return known

    @property
    def empty(self) -> bool:
        """Whether nothing has been said yet."""
        return not (self.where.elements or self.where.filters or self.values or self.described)

    def operators(self) -> Iterator[Operator]:
        """Yield the operators that build the plan from `Plan()`, in an order in which they apply."""
        from hermes.algebra.decompose import operators  # noqa: PLC0415 - operators are made of plans

        return operators(self)

    def actions(self, prefixes: Prefixes = NO_PREFIXES) -> list[Action]:
        """Return the actions that build the plan from `Plan()`.

        IRIs are written in full, or shortened by `prefixes` (then a plan with these rebuilds it).
        """
        from hermes.algebra.action import Action  # noqa: PLC0415 - actions are applied to plans

        return [Action.of(operator, prefixes) for operator in self.operators()]

    @property
    def key(self) -> str:
        """The canonical form: plans with equal keys have the same solutions."""
        from hermes.algebra.key import key  # noqa: PLC0415 - the key is made of rendered plans

        return key(self)

    def slips(self) -> tuple[Slip, ...]:
        """Return what SPARQL allows but nobody means, such as a filter on a variable that nothing binds."""
        return tuple(dict.fromkeys(slips(self)))

    def first_free_blank(self) -> int:
        """Return the first number above those of the plan's blank nodes."""
        taken = (
            int(part.name.removeprefix(BLANK_PREFIX))
            for part in walk(self)
            if isinstance(part, Variable) and part.blank
        )
        return max(taken, default=-1) + 1
