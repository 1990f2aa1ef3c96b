"""What an explanation is made of: steps, what stands inside them, and their counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hermes.algebra.action import Action
from hermes.algebra.observation import Observation, Solutions
from hermes.algebra.plan import Plan
from hermes.sparql.patterns import Slip

Mark = Literal["empty", "explodes", "product"]
"""What stands out: the first step that leaves nothing; many times more solutions; every pair is one."""

Meaning = Literal["matched", "removed", "solutions"]
"""What the count of a part says: how many of the solutions before the step have a match; how many of them
are removed; or how many solutions the part gives, joined with those before the step."""


@dataclass(frozen=True, slots=True)
class Tally:
    """A count of something inside a step.

    `of` is the number of solutions of which these are some. `capped` says that there are at least so many;
    `derived` that the count follows from others.
    """

    count: int
    meaning: Meaning
    of: int | None = None
    capped: bool = False
    derived: bool = False

    def __str__(self) -> str:
        """Return `2 of 19 matched`, `5 of 19 removed` or `8 solutions`."""
        count = f"{self.count}{'+' * self.capped}"
        if self.meaning == "solutions":
            return f"{count} solution{'' if count == '1' else 's'}"
        return f"{count} of {self.of} {self.meaning}"


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a step: what a group has after its items up to this one.

    `tally` is None where nothing was counted: what stands inside has counts of its own, the step had no
    solutions to begin with, or the count could not be had, which `failure` says why.
    """

    text: str
    tally: Tally | None = None
    elapsed: float = 0.0
    failure: str = ""
    parts: tuple[Part | Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One operator: its text, what came back, and the seconds that took.

    `action` is the operator as hermes reads and writes it; `plan` is the plan after it. `seen` is a
    `Rejected` where the step could not be observed; the steps after it are, where they can.
    """

    text: str
    action: Action
    plan: Plan
    seen: Observation
    elapsed: float
    mark: Mark | None = None
    parts: tuple[Part | Step, ...] = ()

    @property
    def times(self) -> float | None:
        """How many times as many solutions there are as before, where both numbers are known."""
        if not isinstance(self.seen, Solutions) or not self.seen.before:
            return None
        return self.seen.count / self.seen.before


@dataclass(frozen=True, slots=True)
class Explanation:
    """A query step by step: the plan in the order that is shown, its steps, and the slips it came with."""

    plan: Plan
    steps: tuple[Step, ...]
    warnings: tuple[Slip, ...] = ()

    @property
    def seen(self) -> Observation | None:
        """What was seen of the whole query; None where it has no step."""
        return self.steps[-1].seen if self.steps else None
