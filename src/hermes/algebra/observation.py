"""What comes back from a step: frozen values with a summary of one line; that of a read has more."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final, Literal, Self

from hermes.algebra.goal import Goal
from hermes.errors import HermesError, Stage
from hermes.finding_text import inspection_lines, lookup_lines, suggestion_lines
from hermes.findings import Inspection, Lookup, Suggestions
from hermes.terms import NO_PREFIXES, Prefixes, Row, TripleTerm


@dataclass(frozen=True, slots=True)
class Hint:
    """A line of advice beside an observation; `code` is stable and documented.

    `action` is the step that does what is advised, as JSON text, where there is one.
    """

    code: str
    text: str
    action: str = ""

    def __str__(self) -> str:
        return f"hint: {self.text}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome(ABC):
    """What is common to all observations. `hints` do not count for equality."""

    hints: tuple[Hint, ...] = field(default=(), compare=False)

    @abstractmethod
    def summary(self) -> str:
        """Return the observation in one line; that of a read has more, each an indented line of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Solutions(Outcome):
    """The rows of a SELECT plan.

    `count`, and `before` (the count before the step, None at the first), are exact, or at least so many
    where they are `capped`. `derived` says that the count follows from what was known, without a query of
    its own. `sample` are the first rows, `variables` their columns.
    """

    count: int
    variables: tuple[str, ...] = ()
    sample: tuple[Row, ...] = ()
    before: int | None = None
    before_capped: bool = False
    capped: bool = False
    derived: bool = field(default=False, compare=False)

    def summary(self) -> str:
        """Return `19 solutions` or `19 -> 8 solutions`."""
        text = _counted(self.count, "solution", capped=self.capped)
        return text if self.before is None else f"{self.before}{'+' * self.before_capped} -> {text}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked(Outcome):
    """The truth value of an ASK plan."""

    value: bool

    def summary(self) -> str:
        """Return `true` or `false`."""
        return "true" if self.value else "false"


@dataclass(frozen=True, slots=True, kw_only=True)
class Built(Outcome):
    """The triples of a CONSTRUCT or DESCRIBE plan: `count`, or more where `capped`, and the first ones."""

    count: int
    sample: tuple[TripleTerm, ...] = ()
    capped: bool = False

    def summary(self) -> str:
        """Return `12 triples`, or `12+ triples` where there are more."""
        return _counted(self.count, "triple", capped=self.capped)


@dataclass(frozen=True, slots=True, kw_only=True)
class Empty(Outcome):
    """The plan says nothing yet. It has one solution, the empty one (SPARQL 1.1, section 18.2.2)."""

    count: ClassVar[int] = 1

    def summary(self) -> str:
        """Return `empty plan`."""
        return "empty plan"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished(Outcome):
    """The policy says that the plan answers the question."""

    def summary(self) -> str:
        """Return `finished`."""
        return "finished"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected(Outcome):
    """The step was not taken; plan and undo history are as before."""

    stage: Stage
    code: str
    message: str

    @classmethod
    def of(cls, error: HermesError) -> Self:
        """Return the rejection that an error stands for."""
        return cls(stage=error.stage, code=error.code, message=str(error))

    def summary(self) -> str:
        """Return `rejected: <reason>`."""
        return f"rejected: {self.message}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LookedUp(Outcome):
    """The terms that a text may mean; `prefixes` only write them, and do not count for equality."""

    found: Lookup
    prefixes: Prefixes = field(default=NO_PREFIXES, compare=False, repr=False)

    def summary(self) -> str:
        """Return `3 entities for "Placid"`, then a line for each term."""
        return "\n".join(lookup_lines(self.found, self.prefixes))


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspected(Outcome):
    """What is around a term; `prefixes` only write it, and do not count for equality."""

    found: Inspection
    prefixes: Prefixes = field(default=NO_PREFIXES, compare=False, repr=False)

    def summary(self) -> str:
        """Return `ex:City "city": class, 13 instances`, then a line for each predicate."""
        return "\n".join(inspection_lines(self.found, self.prefixes))


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggested(Outcome):
    """The next steps of a plan."""

    found: Suggestions

    def summary(self) -> str:
        """Return `12 steps at ?city`, then a line for each step."""
        return "\n".join(suggestion_lines(self.found))


Found = LookedUp | Inspected | Suggested
"""What comes back from a read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared(Outcome):
    """The goal from here on; an empty one is none. `prefixes` only write it, as in a look-up."""

    goal: Goal
    prefixes: Prefixes = field(default=NO_PREFIXES, compare=False, repr=False)

    def summary(self) -> str:
        """Return `goal: rows of ex:City, mentions ex:USA, 1 to 10 rows`, or `no goal`."""
        return "no goal" if self.goal.empty else f"goal: {self.goal.text(self.prefixes)}"


Observation = Solutions | Asked | Built | Empty | Finished | Rejected | Found | Declared

Name = Literal[
    "solutions",
    "asked",
    "built",
    "empty",
    "finished",
    "rejected",
    "looked_up",
    "inspected",
    "suggested",
    "declared",
]

NAMES: Final[dict[type[Outcome], Name]] = {
    Solutions: "solutions",
    Asked: "asked",
    Built: "built",
    Empty: "empty",
    Finished: "finished",
    Rejected: "rejected",
    LookedUp: "looked_up",
    Inspected: "inspected",
    Suggested: "suggested",
    Declared: "declared",
}
"""The names of the observations in a trace."""


def after(observation: Observation, before: Observation) -> Observation:
    """Return `observation` as seen from `before`: with the count that was there."""
    if not isinstance(observation, Solutions):
        return observation
    if not isinstance(before, Solutions):
        return replace(observation, before=None, before_capped=False)
    return replace(observation, before=before.count, before_capped=before.capped)


def _counted(count: int, noun: str, *, capped: bool) -> str:
    return f"1 {noun}" if count == 1 and not capped else f"{count}{'+' * capped} {noun}s"
