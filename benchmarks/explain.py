"""What `hermes explain` costs beside its queries on the bare store, over the gold queries of large graphs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import Final, cast

import pyoxigraph as ox

from benchmarks.report import Report, conditions, print_all
from benchmarks.samples import DATA
from benchmarks.stores import Recorder, processor_time
from benchmarks.timing import quiet
from hermes import KG
from hermes.algebra import parse_query
from hermes.explanation.lines import Lines
from hermes.explanation.steps import in_order, steps
from hermes.store import CachedStore
from hermes.store.engine import load_files
from hermes.verbalize import verbalize

_FOLDER: Final = DATA / "spider4sparql-large"
_TARGET: Final = 1.3
_ROUNDS: Final = 3
_LONG: Final = 10
_MILLISECOND: Final = 1000


@dataclass(frozen=True, slots=True)
class Explained:
    """One query: milliseconds of its explanation, and of the same queries and the query itself, bare.

    `*_cpu` is processor time, that of the worker too, which other programs of the machine hardly change.
    """

    graph: str
    queries: int
    whole: float
    bare: float
    itself: float
    whole_cpu: float
    bare_cpu: float


def explained() -> Iterator[Explained]:
    """Yield the gold queries over the large graphs, each explained with nothing remembered from before."""
    questions = json.loads((_FOLDER / "questions.dev.json").read_text(encoding="utf-8"))
    for graph, files in questions["dataset"]["kg"].items():
        paths = [_FOLDER / name for name in files]
        texts = sorted({q["query"]["sparql"] for q in questions["questions"] if q["kg"] == graph})
        bare = ox.Store()
        load_files(bare, paths, None)
        kg = KG.load(*paths)
        recorder = Recorder(kg.store.inner)  # type: ignore[attr-defined]
        for text in texts:
            yield min(
                (_measured(graph, kg, recorder, bare, text) for _ in range(_ROUNDS)),
                key=lambda one: one.whole / one.bare,
            )
        kg.close()


def _measured(graph: str, kg: KG, recorder: Recorder, bare: ox.Store, text: str) -> Explained:
    fresh = KG(
        CachedStore(recorder),  # type: ignore[arg-type]
        kg.prefixes,
        dataset=kg.dataset,
        vocabulary=kg.vocabulary,
    )
    recorder.queries.clear()
    cpu, start = processor_time(), perf_counter()
    _explain(fresh, text)
    whole, whole_cpu = perf_counter() - start, processor_time() - cpu
    queries = tuple(recorder.queries)
    cpu, start = process_time(), perf_counter()
    for query in queries:
        _run(bare, query)
    bare_time, bare_cpu = perf_counter() - start, process_time() - cpu
    start = perf_counter()
    _run(bare, text)
    itself = perf_counter() - start
    seconds = (whole, bare_time, itself, whole_cpu, bare_cpu)
    return Explained(graph, len(queries), *(one * _MILLISECOND for one in seconds))


def _explain(kg: KG, text: str) -> None:
    """Do what the command does between the query and what is printed."""
    plan = parse_query(text, prefixes=kg.prefixes)
    verbalize(plan, kg)
    ordered = in_order(kg, plan)
    lines = Lines(ordered)
    for number, step in enumerate(steps(kg, ordered), start=1):
        list(lines.of_step(number, step))


def _run(bare: ox.Store, query: str) -> None:
    found = bare.query(query)
    if not isinstance(found, ox.QueryBoolean):
        list(cast("ox.QuerySolutions", found))


def reports() -> Iterator[Report]:
    """Measure the explanations."""
    with quiet():
        found = list(explained())
    ratios = Report("explanations / their queries on the bare store", "")
    for graph in dict.fromkeys(one.graph for one in found):
        ratios.add(graph, [_ratio([one for one in found if one.graph == graph])])
    ratios.add("all", [_ratio(found)], _TARGET)
    processor = sum(one.whole_cpu for one in found) / sum(one.bare_cpu for one in found)
    ratios.add("all, processor time", [processor], _TARGET)
    yield ratios
    each = Report("one explanation", "")
    long = [one for one in found if one.bare >= _LONG]
    each.add(
        f"/ its queries, where these take {_LONG} ms or more", [one.whole / one.bare for one in long], _TARGET
    )
    each.add("/ its queries on the bare store", [one.whole / one.bare for one in found], _TARGET)
    each.add("/ the query itself on the bare store", [one.whole / one.itself for one in found])
    each.add("ms", [one.whole for one in found])
    each.add(
        "ms more a query than on the bare store", [(one.whole - one.bare) / one.queries for one in found]
    )
    each.add("queries", [float(one.queries) for one in found])
    yield each


def _ratio(found: Sequence[Explained]) -> float:
    return sum(one.whole for one in found) / sum(one.bare for one in found)


def main(arguments: Sequence[str] = ()) -> int:
    """Print the tables; return 1 if a target was missed."""
    del arguments
    print("\n".join(conditions("pyoxigraph")) + "\n")
    if not _FOLDER.is_dir():
        print("the shared data is absent (set HERMES_SHARED): nothing is measured")
        return 2
    return print_all(reports())
