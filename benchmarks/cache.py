"""What a step costs in the store when its queries are cached: in memory, in a file, and not at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks import sessions
from benchmarks.report import Report, conditions, print_all
from benchmarks.steps import Cost, run_all
from benchmarks.timed_store import TimedStore
from benchmarks.timing import RUNS, quiet
from hermes.store import CachedStore, Store

_STEP_TARGET: Final = 50.0


def _rounds(one: sessions.Sessions, store: Store, count: int) -> list[list[Cost]]:
    """Take all steps `count` times over `store`."""
    before, timed = one.kg.store, TimedStore(store)
    one.kg.store = timed
    try:
        with quiet():
            return [run_all(one, timed) for _ in range(count)]
    finally:
        one.kg.store = before


def _inside(rounds: Sequence[Sequence[Cost]]) -> list[float]:
    """Return the store time of each step that sent queries: the median of the rounds, in microseconds."""
    return [median(step.inside for step in turns) for turns in zip(*rounds, strict=True) if turns[0].queries]


def measure(loaded: Sequence[sessions.Sessions], folder: Path) -> Iterator[Report]:
    """Yield the table of times and the table of hits."""
    times, hits = Report("store time of a step", "µs"), Report("queries of the second round", "")
    for one in loaded:
        store, file = one.kg.store, folder / f"{one.name}.sqlite"
        inner = store.inner if isinstance(store, CachedStore) else store
        times.add(f"{one.name}: no cache", _inside(_rounds(one, inner, RUNS)))
        first = CachedStore(inner, file=file)
        times.add(f"{one.name}: the first time, kept in memory and file", _inside(_rounds(one, first, 1)))
        asked = first.misses
        in_memory = _rounds(one, CachedStore(inner), RUNS + 1)[1:]
        times.add(f"{one.name}: from memory", _inside(in_memory), _STEP_TARGET, by="largest")
        with_file = _rounds(one, first, RUNS)
        times.add(f"{one.name}: from memory, with a file", _inside(with_file), _STEP_TARGET)
        from_file = [_rounds(one, CachedStore(inner, file=file), 1)[0] for _ in range(RUNS)]
        times.add(f"{one.name}: from the file, in a new process's place", _inside(from_file))
        hits.add(f"{one.name}: passed on to the store", [float(first.misses - asked)], 0.0)
        print(f"{one.name}: {first.summary().replace(str(folder), '...')}")
    print()
    yield times
    yield hits


def main(_: Sequence[str] = ()) -> int:
    """Print the tables; the exit code is 1 when a target is missed."""
    print("\n".join(conditions("pyoxigraph")))
    print("steps: the gold queries of ck25 and the built-in examples on olympics, those that send queries")
    print(f"each step: the median of {RUNS} rounds over all steps; a step sends at most two queries\n")
    with TemporaryDirectory() as folder:
        return print_all(measure(list(sessions.load()), Path(folder)))


if __name__ == "__main__":
    raise SystemExit(main())
