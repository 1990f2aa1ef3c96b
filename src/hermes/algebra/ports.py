"""What the explorer asks of the world outside the algebra: a graph, and perhaps a kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from hermes.findings import Inspection, Lookup, Role, Suggestions
from hermes.results import Table, Triples
from hermes.terms import IRI, Prefixes, Variable

if TYPE_CHECKING:
    from hermes.algebra.goal import Goal, Part
    from hermes.algebra.hints.change import Change
    from hermes.algebra.observation import Hint
    from hermes.algebra.plan import Plan


class Vocabulary(Protocol):
    """The predicates of a graph with their triples, and its classes with their instances."""

    @property
    def predicates(self) -> Mapping[str, int]:
        """Number of triples of each predicate."""

    @property
    def classes(self) -> Mapping[str, int]:
        """Number of instances of each class."""


class Graph(Protocol):
    """A knowledge graph that executes queries and knows its names; `hermes.KG` is one.

    Query methods raise `StoreError`.
    """

    @property
    def prefixes(self) -> Prefixes:
        """The prefixes that actions may use."""

    @property
    def header(self) -> str:
        """The prologue of queries."""

    @property
    def engine(self) -> str:
        """The name of what executes queries, such as `oxigraph`: some engines differ in known ways."""

    @property
    def source(self) -> str:
        """Where the triples came from."""

    @property
    def fingerprint(self) -> str:
        """Changes when the triples change."""

    @property
    def dataset(self) -> str:
        """What the default graph is: `default`, `union`, or the IRI of a named graph."""

    @property
    def allow_services(self) -> frozenset[str]:
        """The hosts that SERVICE may call."""

    @property
    def vocabulary_known(self) -> bool:
        """Whether asking for the vocabulary costs no query, and it is all of it."""

    @property
    def vocabulary(self) -> Vocabulary:
        """The predicates and classes in use; costs one query the first time, which may come to nothing."""

    def nearest(self, iri: str, role: Role, n: int = 3) -> list[tuple[str, int]]:
        """Return the names in use that are nearest to `iri`, with their counts."""

    def lookup(self, text: str, role: Role | None = None, limit: int = 10) -> Lookup:
        """Return the terms whose labels contain `text`: all, or those of one role; the best first."""

    def inspect(self, term: IRI, limit: int = 40, *, role: Role | None = None) -> Inspection:
        """Return what is around a term, at most `limit` predicates.

        Of the roles that it has the most telling is looked at, or the one that is asked for.
        """

    def select(self, query: str) -> Table:
        """Execute a SELECT query."""

    def ask(self, query: str) -> bool:
        """Execute an ASK query."""

    def construct(self, query: str) -> Triples:
        """Execute a CONSTRUCT or DESCRIBE query."""


class Warned(Protocol):
    """What a kernel allows, but takes for a mistake."""

    @property
    def code(self) -> str:
        """A stable word."""

    @property
    def message(self) -> str:
        """What is hardly meant, in one line."""

    @property
    def at(self) -> str:
        """The clause it is about, as hermes prints it; empty for the whole plan."""


class Verdict(Protocol):
    """What a kernel says of a plan: accepted, or refused for a reason that names the repair."""

    @property
    def accepted(self) -> bool:
        """Whether the plan may run."""

    @property
    def reason(self) -> str:
        """Why not, in one line."""

    @property
    def code(self) -> str:
        """Why not, as a stable word."""

    @property
    def at(self) -> str:
        """The clause or condition that leaves nothing, as hermes prints it."""

    @property
    def warnings(self) -> Sequence[Warned]:
        """What is hardly meant."""

    @property
    def goal(self) -> Sequence[Part]:
        """How each part of the goal stands, where one was given."""


class Kernel(Protocol):
    """Checks a plan before it runs."""

    def check(self, plan: Plan, goal: Goal | None = None) -> Verdict:
        """Return the verdict on a plan, and how a goal stands."""


class Adviser(Protocol):
    """What is said beside a session by a kernel that refuses none of its steps, and what mends a step."""

    def kernel(self, *, needed: bool) -> Kernel | None:
        """Return the kernel to take advice from; None where there is none.

        What takes a moment is done only where it is `needed`: a step left nothing, or there is a goal.
        """

    def repairs(self, change: Change, verdict: Verdict, kernel: Kernel, *, taken: bool) -> tuple[Hint, ...]:
        """Return what could be said instead of a step that leaves nothing, the likeliest first.

        By a few queries; none where the store has no time for them. `taken` says whether the plan has the
        step now, or it was refused.
        """


class Suggester(Protocol):
    """Finds next steps that have solutions; `hermes.suggest.GraphSuggester` is one."""

    def suggest(self, plan: Plan, focus: Variable | None, text: str, limit: int | None) -> Suggestions:
        """Return at most `limit` next steps at a variable of a plan; those that a text says come first.

        Raises:
            PlanError: nothing binds the focus, or the plan has a limit or an offset.
            StoreError: the store could not answer.
        """


@dataclass(frozen=True, slots=True)
class View:
    """What a read looks at: a graph, the plan so far, and what finds next steps."""

    kg: Graph
    plan: Plan
    suggester: Suggester
