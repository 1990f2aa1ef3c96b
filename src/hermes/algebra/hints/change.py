"""What a step did to the plan and to what is seen of it."""

from __future__ import annotations

from dataclasses import dataclass

from hermes.algebra.kind import Clause, GroupOperator, Kind, Operator
from hermes.algebra.observation import Observation, Solutions
from hermes.algebra.operators.triple import Triple
from hermes.algebra.plan import Plan
from hermes.sparql.patterns import Group


@dataclass(frozen=True, slots=True)
class Change:
    """A step: what it meant, its text, and the plan and observation before and after it."""

    meant: Kind
    text: str
    before: Plan
    plan: Plan
    seen_before: Observation
    seen: Observation

    @property
    def added(self) -> Group:
        """What the step added to WHERE, as a group of its own; empty for other steps."""
        if not isinstance(self.meant, GroupOperator):
            return Group()
        old, new = self.before.where, self.plan.where
        return Group(new.elements[len(old.elements) :], new.filters[len(old.filters) :])

    def meant_on(self, plan: Plan) -> Plan:
        """Return another plan after the same step.

        Raises:
            PlanError: it does not fit there.
        """
        return self.meant.apply(plan) if isinstance(self.meant, Operator) else plan

    @property
    def joins(self) -> bool:
        """Whether the step added a clause."""
        return isinstance(self.meant, Triple | Clause)

    @property
    def counts(self) -> tuple[int, int] | None:
        """The numbers of solutions before and after, where both are known."""
        if isinstance(self.seen_before, Solutions) and isinstance(self.seen, Solutions):
            return self.seen_before.count, self.seen.count
        return None

    @property
    def empty(self) -> bool:
        """Whether the step leaves no solution."""
        return isinstance(self.seen, Solutions) and self.seen.count == 0
