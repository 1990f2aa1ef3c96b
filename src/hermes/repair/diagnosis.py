"""Diagnosis: why a query returns nothing, or too much, and the single changes that mend it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hermes.algebra.observe import count_solutions
from hermes.algebra.plan import Plan
from hermes.algebra.ports import Graph, Kernel
from hermes.errors import StoreError
from hermes.repair.candidate import Clause
from hermes.repair.conflicts import proved, tried
from hermes.repair.growth import Growth, Join, growth, joins, largest
from hermes.repair.repairs import SECONDS, Repair, clause_text, refuse_calls, repairs, solutions_of
from hermes.repair.trial import MOST as MOST_COUNTED
from hermes.repair.trial import alive, counts
from hermes.repair.units import Unit, can_empty, only, units
from hermes.sparql.tree import walk
from hermes.store import deadline, seconds_left

_FAULTS: Final = 2
"""Of so many failing sets each is mended by itself."""
_COUNTING: Final = 0.6
"""The part of the time in which it is counted where solutions multiply; the rest is for the joins."""
_LATER: Final = 2
"""Queries that should still have time where one query for all was too slow and each is asked alone."""


@dataclass(frozen=True, slots=True)
class Guilty:
    """A clause, or a condition after WHERE, and how many solutions there are without it (up to 10,000)."""

    text: str
    without: int
    clause: Clause | None = None


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Why a plan has no solutions, or many.

    Attributes:
        plan: the plan.
        count: the solutions of WHERE, up to 10,000; 0 where what is said after WHERE leaves none; None where
            they were not counted in time.
        conflicts: minimal failing sets: clauses that have no solution together, though fewer of them have.
        guilty: the clauses without which there are solutions, the likeliest to be wrong first.
        repairs: the changes of one clause that bring solutions back, the likeliest first.
        partial: where there are several faults, for each a change that mends it, but not yet the others.
        growth: of a plan with solutions, their number after each clause.
        joins: triple patterns that connect parts of the plan that share no variable.
        complete: False where time was out before all was looked at.
    """

    plan: Plan
    count: int | None
    conflicts: tuple[tuple[Clause, ...], ...] = ()
    guilty: tuple[Guilty, ...] = ()
    repairs: tuple[Repair, ...] = ()
    partial: tuple[Repair, ...] = ()
    growth: tuple[Growth, ...] = ()
    joins: tuple[Join, ...] = ()
    complete: bool = True

    @property
    def multiplies(self) -> Growth | None:
        """The clause after which there are the most solutions for each one before it."""
        return largest(self.growth)


def diagnose(kg: Graph, plan: Plan, kernel: Kernel | None = None, *, seconds: float = SECONDS) -> Diagnosis:
    """Return why a plan has no solutions, or where they multiply.

    Sends at most n + 10 queries for n clauses; where a kernel proves things, fewer.

    Args:
        kg: the graph.
        plan: any SELECT or ASK plan.
        kernel: proves without a query that something has no solution; by default everything is tried.
        seconds: how long all queries together may take (default 20); each has a share of what is left.

    Raises:
        StoreError: the store could not answer, for another reason than time.
        PlanError: the plan calls a host that the graph does not allow.
    """
    refuse_calls(plan, kg)
    with deadline(seconds):
        return _Diagnoser(kg, plan, kernel).diagnosis()


class _Diagnoser:
    """One diagnosis: what it may still spend, and what it knows."""

    def __init__(self, kg: Graph, plan: Plan, kernel: Kernel | None) -> None:
        self.kg = kg
        self.plan = plan
        self.kernel = kernel
        self.complete = True
        self.parts = units(plan)

    def diagnosis(self) -> Diagnosis:
        matched = 0 if self._proved(self.plan) else self._counts([self.plan])[0]
        if matched == 0:
            return self._empty()
        found = self._after_where()
        return found or self._grown(matched)

    # --- nothing ----------------------------------------------------------------------------------

    def _empty(self) -> Diagnosis:
        able = [unit for unit in self.parts if can_empty(unit)]
        without = [only(self.plan, [u for u in self.parts if u != unit]) for unit in able]
        numbers = self._counts([plan for plan in without if not self._proved(plan)])
        left = iter(numbers)
        found = {
            unit.place: 0 if self._proved(plan) else next(left) or 0
            for unit, plan in zip(able, without, strict=True)
        }
        helping = [unit for unit in able if found[unit.place]]
        conflicts = self._conflicts()
        made = self._repairs(self.plan, helping) if helping else ()
        partial = () if helping else tuple(self._partial(conflicts))
        return Diagnosis(
            self.plan,
            0,
            tuple(tuple(unit.clause for unit in each) for each in conflicts),
            tuple(self._ranked(helping, conflicts, found, (*made, *partial))),
            made,
            partial,
            complete=self.complete,
        )

    def _conflicts(self) -> list[tuple[Unit, ...]]:
        sets = proved(self.plan, self.parts, self._proved)
        if not sets and self._in_time():
            try:
                with deadline(seconds_left() / 2):
                    sets = tried(self.plan, self.parts, self._failing)
            except StoreError as error:
                self._late(error)
        return sets

    def _failing(self, plans: Sequence[Plan]) -> list[bool]:
        living = alive(self.kg, plans)
        return [place not in living for place in range(len(plans))]

    def _partial(self, conflicts: Sequence[tuple[Unit, ...]]) -> Iterator[Repair]:
        """Yield a repair of each of two failing sets, the other one left out."""
        for conflict in conflicts[:_FAULTS]:
            others = [unit for each in conflicts for unit in each if unit not in conflict]
            rest = only(self.plan, [unit for unit in self.parts if unit not in others])
            yield from self._repairs(rest, conflict)[:1]

    def _repairs(self, plan: Plan, suspects: Sequence[Unit]) -> tuple[Repair, ...]:
        if not self._in_time():
            return ()
        try:
            return repairs(self.kg, plan, [unit.clause for unit in suspects], self.kernel)
        except StoreError as error:
            self._late(error)
            return ()

    def _ranked(
        self,
        helping: Sequence[Unit],
        conflicts: Sequence[tuple[Unit, ...]],
        without: dict[int, int],
        made: Sequence[Repair],
    ) -> Iterator[Guilty]:
        """Yield the clauses that repairs change, the best first, then the others of the failing sets."""
        chosen: list[Clause] = []
        for repair in made:
            if not any(repair.old is clause for clause in chosen):
                chosen.append(repair.old)
                around = next(unit for unit in self.parts if _holds(unit.clause, repair.old))
                yield self._guilty(repair.old, without.get(around.place, 0))
        suspects = helping or sorted({u.place: u for each in conflicts for u in each}.values(), key=_newest)
        for unit in suspects:
            if not any(_holds(unit.clause, clause) for clause in chosen):
                yield self._guilty(unit.clause, without.get(unit.place, 0))

    def _guilty(self, clause: Clause, without: int) -> Guilty:
        return Guilty(clause_text(clause, self.plan), without, clause)

    def _after_where(self) -> Diagnosis | None:
        """Return why nothing is left of the solutions of WHERE, where that is so."""
        plan = self.plan
        cut = plan.having or plan.values is not None or plan.offset or plan.limit == 0
        if plan.form != "select" or not cut or not self._in_time():
            return None
        guilty = []
        try:
            with deadline(seconds_left() / 2):
                if count_solutions(self.kg, plan, MOST_COUNTED):
                    return None
                for text, other in _relaxed(plan):
                    guilty.append(Guilty(text, count_solutions(self.kg, other, MOST_COUNTED)))
        except StoreError as error:
            self._late(error)
            if not guilty:
                return None
        helping = sorted((each for each in guilty if each.without), key=lambda each: -each.without)
        return Diagnosis(plan, 0, guilty=tuple(helping), complete=self.complete)

    # --- much -------------------------------------------------------------------------------------

    def _grown(self, matched: int | None) -> Diagnosis:
        steps: list[Growth] = []
        connecting: tuple[Join, ...] = ()
        try:
            with deadline(seconds_left() * _COUNTING):
                steps.extend(growth(self.kg, self.plan))
        except StoreError as error:
            self._late(error)
        try:
            if self._in_time():
                connecting = joins(self.kg, self.plan)
        except StoreError as error:
            self._late(error)
        return Diagnosis(self.plan, matched, growth=tuple(steps), joins=connecting, complete=self.complete)

    # --- what is known, and at what price -----------------------------------------------------------

    def _proved(self, plan: Plan) -> bool:
        return self.kernel is not None and not self.kernel.check(solutions_of(plan)).accepted

    def _counts(self, plans: Sequence[Plan]) -> list[int | None]:
        """Return the solutions of each plan: by one query, or where that takes too long by one for each."""
        if not self._in_time():
            return [None] * len(plans)
        try:
            with deadline(seconds_left() / 2):
                return list(counts(self.kg, plans))
        except StoreError as error:
            self._late(error)
        if len(plans) == 1:
            return [None]
        return [self._alone(plan, len(plans) - place + _LATER) for place, plan in enumerate(plans)]

    def _alone(self, plan: Plan, shares: int) -> int | None:
        if not self._in_time():
            return None
        try:
            with deadline(seconds_left() / shares):
                return counts(self.kg, [plan])[0]
        except StoreError as error:
            self._late(error)
            return None

    def _in_time(self) -> bool:
        in_time = seconds_left() > 0
        self.complete = self.complete and in_time
        return in_time

    def _late(self, error: StoreError) -> None:
        if error.category != "timeout":
            raise error
        self.complete = False


def _newest(unit: Unit) -> int:
    return -unit.place


def _holds(around: Clause, clause: Clause) -> bool:
    return any(part is clause for part in walk(around))


def _relaxed(plan: Plan) -> Iterator[tuple[str, Plan]]:
    """Yield what is said after WHERE and takes rows away, with the plan without it."""
    names = plan.prefixes.names()
    for condition in plan.having:
        text = f"HAVING {clause_text(condition, plan).removeprefix('FILTER')}"
        yield text, replace(plan, having=tuple(each for each in plan.having if each != condition))
    if plan.values is not None:
        yield plan.values.text(names), replace(plan, values=None)
    if plan.offset:
        yield f"OFFSET {plan.offset}", replace(plan, offset=0)
    if plan.limit == 0:
        yield "LIMIT 0", replace(plan, limit=None)
