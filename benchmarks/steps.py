"""What a step of the explorer costs beside the store, and how many queries it sends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median
from time import perf_counter_ns
from typing import Final

from benchmarks.report import Report
from benchmarks.sessions import Sessions
from benchmarks.timed_store import TimedStore
from benchmarks.timing import RUNS, quiet
from hermes.algebra import Explorer, Observation
from hermes.algebra.observation import Rejected

_OWN_TARGET: Final = 300.0
_QUERIES_TARGET: Final = 2.0
_MICROSECOND: Final = 1000


@dataclass(frozen=True, slots=True)
class Cost:
    """What one step took: microseconds in all and inside the store, and how many queries it sent."""

    whole: float
    inside: float
    queries: int
    rejected: bool = False

    @property
    def own(self) -> float:
        """The time that is not the store's."""
        return self.whole - self.inside


def cost(store: TimedStore, step: Callable[[], Observation]) -> Cost:
    """Measure one step."""
    queries, inside, start = store.queries, store.nanoseconds, perf_counter_ns()
    seen = step()
    whole = perf_counter_ns() - start
    return Cost(
        whole / _MICROSECOND,
        (store.nanoseconds - inside) / _MICROSECOND,
        store.queries - queries,
        isinstance(seen, Rejected),
    )


def run_all(sessions: Sessions, store: TimedStore) -> list[Cost]:
    """Return the cost of each step of all sessions."""
    found = []
    for actions in sessions.actions:
        explorer = Explorer(sessions.kg)
        found += [cost(store, partial(explorer.run, action)) for action in actions]
    return found


def free_steps(sessions: Sessions, store: TimedStore) -> dict[str, list[Cost]]:
    """Return the costs of the steps that need no query: undo, redo, and run after preview."""
    found: dict[str, list[Cost]] = {"run after preview": [], "undo": [], "redo": []}
    for actions in sessions.actions:
        explorer = Explorer(sessions.kg)
        for action in actions:
            explorer.preview(action)
            taken = cost(store, partial(explorer.run, action))
            if taken.rejected:
                break
            found["run after preview"].append(taken)
            found["undo"].append(cost(store, explorer.undo))
            found["redo"].append(cost(store, explorer.redo))
    return found


def _typical(rounds: Sequence[Sequence[Cost]]) -> list[Cost]:
    """Return each step's median over the rounds."""
    return [
        Cost(
            median(turn.whole for turn in turns),
            median(turn.inside for turn in turns),
            max(turn.queries for turn in turns),
            turns[0].rejected,
        )
        for turns in zip(*rounds, strict=True)
    ]


def measure(sessions: Sequence[Sessions]) -> Iterator[Report]:
    """Yield the tables of all sessions."""
    steps: list[Cost] = []
    free: dict[str, list[Cost]] = {}
    own = Report("hermes' own time a step", "µs")
    for one in sessions:
        store = one.kg.store = TimedStore(one.kg.store)
        with quiet():
            rounds = [run_all(one, store) for _ in range(RUNS + 1)]
            for what, costs in free_steps(one, store).items():
                free.setdefault(what, []).extend(costs)
        one.kg.store = store.inner
        found = _typical(rounds[1:])
        own.add(f"steps on {one.name}", [step.own for step in found])
        steps += [
            Cost(step.whole, step.inside, first.queries, step.rejected)
            for step, first in zip(found, rounds[0], strict=True)
        ]
    own.add("all steps", [step.own for step in steps], _OWN_TARGET)
    rejected = [step.own for step in steps if step.rejected]
    if rejected:
        own.add("of these, rejected", rejected)
    for what, costs in free.items():
        own.add(what, [step.own for step in costs])
    yield own
    yield _queries(steps, free)


def _queries(steps: Sequence[Cost], free: dict[str, list[Cost]]) -> Report:
    report = Report("store queries a step", "")
    counts = [float(step.queries) for step in steps]
    report.add("all steps, the first time", counts, _QUERIES_TARGET, by="largest")
    for what, costs in free.items():
        report.add(what, [float(step.queries) for step in costs], 0.0, by="largest")
    return report
