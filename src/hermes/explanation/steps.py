"""Runs a query operator by operator and keeps what each one leaves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Final, NamedTuple

from hermes.algebra.action import Action
from hermes.algebra.explorer import refuse_service
from hermes.algebra.hints import hints
from hermes.algebra.hints.change import Change
from hermes.algebra.hints.verdicts import verdict_hints
from hermes.algebra.kind import Clause, GroupOperator, Operator
from hermes.algebra.observation import Asked, Empty, Observation, Rejected, Solutions, after
from hermes.algebra.observe import Position, observe, observe_count
from hermes.algebra.operators.filter import Filter
from hermes.algebra.operators.forms import Ask
from hermes.algebra.operators.graph import Graph as GraphClause
from hermes.algebra.operators.service import Service
from hermes.algebra.operators.subquery import Subquery
from hermes.algebra.plan import Plan
from hermes.algebra.ports import Adviser, Graph
from hermes.errors import StoreError
from hermes.explanation.counting import Count, count, raise_if_general
from hermes.explanation.inside import GraphName, Inside, Item, Parts, Place
from hermes.explanation.order import natural_order, operators
from hermes.explanation.step import Explanation, Mark, Step
from hermes.explanation.texts import step_text
from hermes.sparql.expressions import Exists
from hermes.sparql.patterns import Group
from hermes.sparql.tree import walk

ROWS: Final = 10
"""Rows of the answer that an explanation keeps."""
SAMPLE: Final = 5
"""Rows that are looked at where a hint, or a page, shows what a step has."""

_MANY_TIMES: Final = 10
_MANY: Final = 1000
_SAID_ELSEWHERE: Final = frozenset({"no-change", "multiplies", "value", "blank-label"})
"""Hints that say what is shown in another way, as a mark or as the answer; and that `[]` matches anything."""


def explain(kg: Graph, plan: Plan, *, samples: bool = False, adviser: Adviser | None = None) -> Explanation:
    """Run a plan operator by operator, in an order that reads naturally.

    Each step costs one count, where it does not follow from the step before; the last one shows the first
    rows too. A step that takes too long is said to, and the next one is taken. What a query read from
    elsewhere says by mistake (its slips) is kept and listed as warnings.

    Args:
        kg: the graph.
        plan: any plan.
        samples: whether each step keeps its first rows too.
        adviser: says why a step leaves nothing and what mends it, and what is hardly meant (default: nobody).

    Raises:
        PlanError: the plan calls a host that the graph does not allow.
        StoreError: the store cannot be reached, or lets no query in.
    """
    ordered = in_order(kg, plan)
    return Explanation(ordered, tuple(steps(kg, ordered, samples=samples, adviser=adviser)), plan.slips())


def in_order(kg: Graph, plan: Plan) -> Plan:
    """Return the plan in the order in which its steps are shown; no query is sent for that.

    Raises:
        PlanError: the plan calls a host that the graph does not allow.
    """
    for part in walk(plan):
        if isinstance(part, Service):
            refuse_service(part, kg)
    return natural_order(plan, kg.vocabulary if kg.vocabulary_known else None)


def steps(
    kg: Graph, ordered: Plan, *, samples: bool = False, adviser: Adviser | None = None
) -> Iterator[Step]:
    """Yield the steps of a plan that `in_order` gave, each as soon as it has been taken (see `explain`)."""
    return _Reading(kg, ordered, (), _Shown(samples, adviser)).steps()


class _Shown(NamedTuple):
    """What is shown of the query itself: rows of each step, and what an adviser says of it."""

    samples: bool
    adviser: Adviser | None


class _Reading:
    """One plan that is read: the query, or a sub-query in it.

    Args:
        kg: the graph.
        plan: what is read, in order.
        graphs: the names of the GRAPH clauses around a sub-query.
        shown: what is shown of the query itself; None for a sub-query.
    """

    def __init__(self, kg: Graph, plan: Plan, graphs: tuple[GraphName, ...], shown: _Shown | None) -> None:
        self.kg = kg
        self._plan = plan
        self._graphs = graphs
        self._samples = shown is not None and shown.samples
        self._top = shown is not None
        self._adviser = shown and shown.adviser
        self._names = plan.prefixes.names()
        self._inside = Inside(self._names, self._sub_query)
        self._place = Place(self._count, graphs=graphs, alone=not graphs)

    def steps(self, last: int | None = None) -> Iterator[Step]:
        """Yield the steps; `last` is the count of the whole plan, where it is known."""
        dataset = () if self._top else self._plan.dataset
        position = Position(Plan(prefixes=self._plan.prefixes, dataset=dataset), Empty())
        taken = operators(self._plan if self._top else self._plan.variant(dataset=()))
        for number, operator in enumerate(taken):
            following = taken[number + 1] if number + 1 < len(taken) else None
            known = last if following is None else None
            step = self._step(position, operator, following, known)
            yield step
            position = Position(step.plan, step.seen)

    def _step(
        self, position: Position, operator: Operator, following: Operator | None, known: int | None
    ) -> Step:
        start = perf_counter()
        plan = operator.apply(position.plan)
        seen = self._observe(position, operator, plan, following, known)
        seen = after(seen, position.observation)
        text = step_text(operator, self._names)
        if not self._graphs:  # names and sizes in a named graph are not those of the vocabulary
            seen = self._advised(Change(operator, text, position.plan, plan, position.observation, seen))
        elapsed = perf_counter() - start
        parts = self._parts(position, operator, seen)
        return Step(text, Action.of(operator), plan, seen, elapsed, _mark(operator, seen), parts)

    def _advised(self, change: Change) -> Observation:
        """Return what was seen with its hints; one may cost a query where the step itself has cost one."""
        seen = change.seen
        if isinstance(seen, Solutions) and not seen.variables:
            change = replace(change, seen=replace(seen, derived=seen.count == 0 and seen.before != 0))
        found = hints(self.kg, change)
        kept = [hint for hint in found if hint.code not in _SAID_ELSEWHERE]
        if self._adviser is not None:
            kept += verdict_hints(change, found, self._adviser)
        return replace(seen, hints=tuple(kept))

    # --- what is asked ------------------------------------------------------------------------------

    def _observe(
        self,
        position: Position,
        operator: Operator,
        plan: Plan,
        following: Operator | None,
        known: int | None,
    ) -> Observation:
        """Return what is left after an operator, by as few queries as say it."""
        before = position.observation
        exact = before.count if isinstance(before, Solutions) and not before.capped else None
        over_nothing = plan.grouped and not plan.group_by  # the one implicit group (section 11.2)
        if exact == 0 and plan.form == "select" and not over_nothing:
            return Solutions(count=0, derived=True)  # no operator makes something of nothing
        if known is not None:
            return Solutions(count=known, derived=True)
        if isinstance(operator, Ask) and isinstance(before, Solutions | Empty):
            return Asked(value=before.count > 0)
        try:
            return self._ask(position, plan, following)
        except StoreError as error:
            raise_if_general(error)
            return Rejected.of(error)

    def _size(self, following: Operator | None) -> int:
        """Return how many rows to look at: those that are shown, or that the next filter's hints read."""
        if self._top and following is None:
            return ROWS
        compares = isinstance(following, Filter) and not isinstance(following.expr, Exists)
        return SAMPLE if compares or (self._samples and self._top) else 0

    def _ask(self, position: Position, plan: Plan, following: Operator | None) -> Observation:
        size = self._size(following)
        if plan.empty and following is not None:
            return Empty()
        asked = self._view(plan)
        known = None if self._graphs else position
        if plan.form != "select":
            return observe(self.kg, asked, size)
        if not size:
            return observe_count(self.kg, asked, known=known)
        return observe(self.kg, asked, size, known=known)

    def _view(self, plan: Plan) -> Plan:
        """Return the plan that asks for a sub-query inside its GRAPH clauses."""
        if not self._graphs:
            return plan
        group = Group((Subquery(plan.variant(dataset=())),))
        for name in reversed(self._graphs):
            group = Group((GraphClause(name, group),))
        return Plan(prefixes=plan.prefixes, dataset=self._plan.dataset).evolve(where=group)

    def _count(self, group: Group) -> Count:
        start = Plan(prefixes=self._plan.prefixes, dataset=self._plan.dataset)
        return count(self.kg, self._view(start.evolve(where=group)))

    # --- what stands inside ---------------------------------------------------------------------------

    def _parts(self, position: Position, operator: Operator, seen: Observation) -> Parts:
        if isinstance(operator, Filter):
            item: Item = operator.expr
        elif isinstance(operator, Clause):
            item = operator
        else:
            return ()
        total = _exact(position.observation)
        return self._inside.parts(self._place, position.plan.where, item, total, _exact(seen))

    def _sub_query(self, plan: Plan, graphs: tuple[GraphName, ...], known: int | None) -> Sequence[Step]:
        inner = plan.variant(dataset=self._plan.dataset, prefixes=self._plan.prefixes)
        return tuple(_Reading(self.kg, inner, graphs, None).steps(known))


def _exact(seen: Observation) -> int | None:
    if isinstance(seen, Empty):
        return seen.count
    return seen.count if isinstance(seen, Solutions) and not seen.capped else None


def _mark(operator: Operator, seen: Observation) -> Mark | None:
    """Return what stands out of a step."""
    if not isinstance(seen, Solutions):
        return None
    if seen.count == 0:
        return None if seen.before == 0 else "empty"
    if not isinstance(operator, GroupOperator) or not seen.before or seen.count <= seen.before:
        return None
    if any(hint.code == "product" for hint in seen.hints):
        return "product"
    return "explodes" if seen.count >= max(_MANY, _MANY_TIMES * seen.before) else None
