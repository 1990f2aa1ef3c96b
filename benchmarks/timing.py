"""Times that can be compared: a quiet process, warmed up, the items in turn, and medians.

Every figure is a median: first of the runs of one item, then of the items. Of two candidates each run of one
is followed at once by a run of the other, so that what slows the machine down slows both.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter_ns
from typing import Final, TypeVar

T = TypeVar("T")

RUNS: Final = 5
"""How often each item is run."""
WARM_UP: Final = 100
"""How many items are run beforehand, without being counted."""

_MICROSECOND: Final = 1000
_MILLISECOND: Final = 1_000_000
_FEW: Final = 2


@dataclass(frozen=True, slots=True)
class Spread:
    """The median, the 95th percentile and the largest of some numbers."""

    median: float
    high: float
    largest: float
    n: int

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """Summarize `values`, of which there is at least one."""
        high = quantiles(values, n=20, method="inclusive")[-1] if len(values) >= _FEW else values[0]
        return cls(median(values), high, max(values), len(values))


@contextmanager
def quiet() -> Iterator[None]:
    """Collect garbage now, and none while times are taken."""
    was_enabled = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def elapsed(run: Callable[[T], object], item: T) -> int:
    """Return the nanoseconds of one call."""
    start = perf_counter_ns()
    run(item)
    return perf_counter_ns() - start


def times(run: Callable[[T], object], items: Sequence[T], runs: int = RUNS) -> list[float]:
    """Return the microseconds of each item: the median of `runs` calls.

    All items take their turn before one is run again, so that none is measured hot from the run before.
    """
    with quiet():
        for item in items[:WARM_UP]:
            run(item)
        rounds = [[elapsed(run, item) for item in items] for _ in range(runs)]
    return [median(found) / _MICROSECOND for found in zip(*rounds, strict=True)]


def pairs(
    ours: Callable[[T], object], theirs: Callable[[T], object], items: Sequence[T], runs: int = RUNS
) -> list[tuple[float, float]]:
    """Return the microseconds of each item for two candidates, run in turn on each item."""
    with quiet():
        for item in items[: WARM_UP // 10]:
            ours(item)
            theirs(item)
        rounds = [[(elapsed(ours, item), elapsed(theirs, item)) for item in items] for _ in range(runs)]
    found = []
    for turns in zip(*rounds, strict=True):
        left, right = zip(*turns, strict=True)
        found.append((median(left) / _MICROSECOND, median(right) / _MICROSECOND))
    return found


def in_fresh_processes(programs: Mapping[str, str], runs: int) -> dict[str, list[float]]:
    """Return the milliseconds that each program takes from start to end, the programs run in turn.

    All that is imported is compiled beforehand, as the installation of a package does.
    """
    found: dict[str, list[float]] = {name: [] for name in programs}
    with TemporaryDirectory() as compiled:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": compiled}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for turn in range(runs + 1):
            for name, program in programs.items():
                start = perf_counter_ns()
                command = [sys.executable, "-W", "ignore", "-c", program]
                subprocess.run(command, check=True, env=environment)  # noqa: S603 - a program of our own
                if turn:  # the first turn compiles
                    found[name].append((perf_counter_ns() - start) / _MILLISECOND)
    return found
