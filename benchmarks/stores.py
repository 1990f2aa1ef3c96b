"""What hermes and its worker processes cost beside the bare store, and that queries can be ended."""

from __future__ import annotations

import gzip
import json
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from time import perf_counter, process_time, sleep
from typing import Final, cast

import pyoxigraph as ox

from benchmarks.examples import EXAMPLES
from benchmarks.report import Report, conditions, print_all
from benchmarks.samples import DATA, gold_queries
from benchmarks.timing import quiet
from hermes import KG
from hermes.algebra import Action, Explorer, parse_action, parse_query
from hermes.algebra.observation import Rejected
from hermes.errors import StoreError
from hermes.results import Table
from hermes.store import CachedStore, EmbeddedStore, Limits
from hermes.store.convert import from_ox
from hermes.store.engine import load_files
from hermes.terms import Row, Term

_LARGE: Final = "spider4sparql-large"
_MONDIAL: Final = DATA / "mondial-europe" / "mondial-europe.ttl.gz"
_FORMULA: Final = DATA / _LARGE / "kg" / "formula_1.nt.gz"

_ADDED_TARGET: Final = 0.6
_RATIO_TARGET: Final = 1.05
_LOAD_TARGET: Final = 1.3
_ROWS_TARGET: Final = 1.5
_LATE_TARGET: Final = 0.5

_MILLISECOND: Final = 1000
_NANOSECONDS: Final = 1e9
_MIB: Final = 2**20
_TURNS: Final = 5
_LOADS: Final = 3
_ROUNDS: Final = 3
_LIMIT: Final = 1.0
_ROWS: Final = "SELECT ?s ?p ?o { ?s ?p ?o } LIMIT 200000"
_RUNAWAY: Final = "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?i"
_COUNT: Final = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"


@dataclass(frozen=True, slots=True)
class Step:
    """What one step took, and what its queries take on the bare store; milliseconds.

    `*_cpu` is processor time, that of the worker too, which other programs of the machine hardly change.
    """

    graph: str
    whole: float
    bare: float
    whole_cpu: float
    bare_cpu: float


class Recorder:
    """The store inside a graph's cache, which remembers the queries that reach it."""

    def __init__(self, inner: EmbeddedStore) -> None:
        self.inner = inner
        self.engine, self.source, self.fingerprint = inner.engine, inner.source, inner.fingerprint
        self.queries: list[str] = []

    def select(self, query: str) -> Table:
        """Execute a SELECT query."""
        self.queries.append(query)
        return self.inner.select(query)

    def __getattr__(self, name: str) -> object:
        return getattr(self.inner, name)


# --- steps -------------------------------------------------------------------------------------------


def connected(actions: Sequence[Action]) -> list[Action]:
    """Return the actions, each triple after one that it shares a variable with, where there is one."""
    left, done, known = list(actions), [], set[str]()
    while left:
        run = 0
        while run < len(left) and left[run].op == "triple":
            run += 1
        at = next((i for i in range(run) if known & _variables(left[i])), 0)
        action = left.pop(at)
        known |= _variables(action)
        done.append(action)
    return done


def _variables(action: Action) -> set[str]:
    words = str(action.to_json()).replace('"', " ").replace("'", " ").split()
    return {word for word in words if word.startswith("?")}


def gold_steps() -> Iterator[Step]:
    """Yield the steps of the gold queries over the large graphs that hermes' cache does not answer."""
    path = DATA / _LARGE / "questions.dev.json"
    questions = json.loads(path.read_text(encoding="utf-8"))
    for graph, files in questions["dataset"]["kg"].items():
        paths = [path.parent / name for name in files]
        texts = sorted({q["query"]["sparql"] for q in questions["questions"] if q["kg"] == graph})
        bare = ox.Store()
        load_files(bare, paths, None)
        kg = KG.load(*paths)
        recorder = Recorder(kg.store.inner)  # type: ignore[attr-defined]
        rounds = []
        for _ in range(_ROUNDS):
            kg.store = CachedStore(recorder)  # type: ignore[arg-type]
            rounds.append([step for text in texts for step in _session(graph, kg, recorder, bare, text)])
        for turns in zip(*rounds, strict=True):
            yield Step(
                graph,
                min(turn.whole for turn in turns),
                min(turn.bare for turn in turns),
                min(turn.whole_cpu for turn in turns),
                min(turn.bare_cpu for turn in turns),
            )
        kg.close()


def _session(graph: str, kg: KG, recorder: Recorder, bare: ox.Store, text: str) -> Iterator[Step]:
    explorer = Explorer(kg)
    actions = [parse_action(json.dumps(a.to_json())) for a in parse_query(text).actions(kg.prefixes)]
    for action in connected(actions):
        recorder.queries.clear()
        cpu, start = processor_time(), perf_counter()
        seen = explorer.run(action)
        whole, whole_cpu = perf_counter() - start, processor_time() - cpu
        if isinstance(seen, Rejected):  # it ran too long: the bare store could not be stopped
            return
        if len(recorder.queries) == 0:  # answered from memory, or derived
            continue
        cpu, start = process_time(), perf_counter()
        for query in recorder.queries:
            list(cast("ox.QuerySolutions", bare.query(query)))
        both = (whole, perf_counter() - start, whole_cpu, process_time() - cpu)
        yield Step(graph, *(seconds * _MILLISECOND for seconds in both))


def processor_time() -> float:
    """Return the seconds that this process and those below it have run."""
    below = 0
    for pid in _below(os.getpid()):
        with suppress(OSError):
            below += int(Path(f"/proc/{pid}/schedstat").read_text(encoding="ascii").split()[0])
    return process_time() + below / _NANOSECONDS


def step_reports() -> Iterator[Report]:
    """Measure the steps of the gold queries."""
    with quiet():
        steps = list(gold_steps())
    added = Report("a step less its queries on the bare store", "ms")
    for graph in dict.fromkeys(step.graph for step in steps):
        added.add(graph, [step.whole - step.bare for step in steps if step.graph == graph])
    added.add("all", [step.whole - step.bare for step in steps], _ADDED_TARGET)
    added.add("all, processor time", [step.whole_cpu - step.bare_cpu for step in steps], _ADDED_TARGET)
    yield added
    whole = Report("all steps / their queries on the bare store", "")
    for graph in dict.fromkeys(step.graph for step in steps):
        whole.add(graph, [_ratio([step for step in steps if step.graph == graph])])
    whole.add("all", [_ratio(steps)], _RATIO_TARGET)
    processor = sum(step.whole_cpu for step in steps) / sum(step.bare_cpu for step in steps)
    whole.add("all, processor time", [processor], _RATIO_TARGET)
    yield whole


def _ratio(steps: Sequence[Step]) -> float:
    return sum(step.whole for step in steps) / sum(step.bare for step in steps)


# --- loading and large answers ------------------------------------------------------------------------


def load_report() -> Report:
    """Load the largest graph, with hermes and into the bare store, in turn."""
    ours, theirs = [], []
    for _ in range(_LOADS):
        start = perf_counter()
        store = ox.Store()
        load_files_bare(store, _FORMULA)
        bare = perf_counter() - start
        del store
        start = perf_counter()
        kg = KG.load(_FORMULA)
        whole = perf_counter() - start
        kg.close()
        ours.append(whole)
        theirs.append(bare)
    report = Report("load formula_1, 1,167,135 triples", "")
    report.add("bare pyoxigraph, s", theirs)
    report.add("KG.load, with fingerprint and prefixes, s", ours)
    report.add("KG.load / bare, the quickest of each", [min(ours) / min(theirs)], _LOAD_TARGET)
    return report


def load_files_bare(store: ox.Store, path: Path) -> None:
    """Load a packed file of N-Triples as a program without hermes would."""
    with gzip.open(path) as stream:
        store.bulk_load(BufferedReader(stream), ox.RdfFormat.N_TRIPLES)


def rows_report() -> Report:
    """Read 200,000 rows through a worker and in this process, in turn."""
    inside = ox.Store()
    load_files_bare(inside, _FORMULA)
    store = EmbeddedStore([_FORMULA])
    ours, theirs = [], []
    with quiet():
        for _ in range(_TURNS):
            start = perf_counter()
            here = read_here(inside, _ROWS)
            theirs.append((perf_counter() - start) * _MILLISECOND)
            count = len(here)
            del here
            start = perf_counter()
            there = store.select(_ROWS)
            ours.append((perf_counter() - start) * _MILLISECOND)
            assert len(there.rows) == count  # noqa: S101 - else the times mean nothing
            del there
    store.close()
    report = Report("200,000 rows of three terms", "")
    report.add("in this process, ms", theirs)
    report.add("through a worker, ms", ours)
    report.add("worker / in process", [a / b for a, b in zip(ours, theirs, strict=True)], _ROWS_TARGET)
    return report


def read_here(store: ox.Store, query: str) -> list[Row]:
    """Return the rows of a query that runs in this process, each term converted once."""
    solutions = cast("ox.QuerySolutions", store.query(query))
    names = [variable.value for variable in solutions.variables]
    known: dict[object, Term] = {}
    rows: list[Row] = []
    for solution in solutions:
        row: dict[str, Term] = {}
        for name, found in zip(names, solution, strict=True):
            if found is not None:
                term = known.get(found)
                if term is None:
                    term = known[found] = from_ox(found)
                row[name] = term
        rows.append(row)
    return rows


# --- what goes wrong ----------------------------------------------------------------------------------


def runaway_report() -> Report:
    """End queries that would not end by themselves."""
    report = Report(f"a runaway on MONDIAL, limit {_LIMIT:g} s", "")
    store = EmbeddedStore([_MONDIAL], limits=Limits(time=_LIMIT))
    store.ask("ASK {}")
    before = _memory()
    late, held, after, following = [], [], [], []
    for query in (_COUNT, _RUNAWAY):
        for _ in range(_TURNS):
            most = _Most()
            start = perf_counter()
            try:
                store.select(query)
            except StoreError as error:
                if error.category != "timeout":
                    raise
            late.append(perf_counter() - start - _LIMIT)
            held.append((most.end() - before) / _MIB)
            start = perf_counter()
            store.ask("ASK { ?s ?p ?o }")
            following.append((perf_counter() - start) * _MILLISECOND)
            sleep(0.2)
            after.append((_memory() - before) / _MIB)
    store.close()
    report.add("late by, s", late, _LATE_TARGET, by="largest")
    report.add("the next query, in a new worker, ms", following)
    report.add("memory taken at most, MiB", held)
    report.add("memory not given back 0.2 s later, MiB", after, 20.0, by="largest")
    return report


class _Most(threading.Thread):
    """Watches the most memory that the processes of this program take."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._most = 0
        self._ended = threading.Event()
        self.start()

    def run(self) -> None:
        """Look ten times a second."""
        while not self._ended.wait(0.1):
            self._most = max(self._most, _memory())

    def end(self) -> int:
        """Return the most, in bytes."""
        self._ended.set()
        self.join()
        return self._most


def _memory() -> int:
    """Return the bytes that all processes below this one take, shared pages shared out between them."""
    total = 0
    for pid in _below(os.getpid()):
        try:
            text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in text.split("\n") if line.startswith("Pss:"))
    return total * 1024


def _below(root: int) -> list[int]:
    found, todo = [], [root]
    while todo:
        try:
            text = Path(f"/proc/{todo[-1]}/task/{todo.pop()}/children").read_text(encoding="ascii")
        except OSError:
            continue
        children = [int(word) for word in text.split()]
        found += children
        todo += children
    return found


def killed_report() -> Report:
    """Kill the worker at every k-th query of a session; count what does not come out as it should."""
    faults, k = [], 0
    rejected = True
    while rejected:
        k += 1
        rejected, fault = _killed_session(k)
        faults.append(float(fault))
    report = Report("a worker killed at the k-th query of a session", "")
    report.add("k with another outcome than one rejected step", faults, 0.0, by="largest")
    return report


def _killed_session(k: int) -> tuple[bool, bool]:
    """Return whether a step was rejected, and whether anything else was wrong."""
    kg = KG.load("olympics")
    inner: EmbeddedStore = kg.store.inner  # type: ignore[attr-defined]
    calls, rejected, fault = 0, 0, False

    class Killing(Recorder):
        def select(self, query: str) -> Table:
            nonlocal calls
            calls += 1
            if calls != k:
                return super().select(query)
            before = set(_below(os.getpid()))
            threading.Timer(0.05, _kill, (before,)).start()
            return super().select(
                "SELECT (COUNT(*) AS ?n) {" + " ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
            )

    kg.store.inner = Killing(inner)  # type: ignore[attr-defined]
    explorer = Explorer(kg)
    for text in EXAMPLES[:2]:
        for action in parse_query(text).actions(kg.prefixes):
            plan = explorer.plan
            seen = explorer.run(parse_action(json.dumps(action.to_json())))
            if isinstance(seen, Rejected) and seen.stage == "run":
                rejected += 1
                fault = fault or explorer.plan != plan or seen.code != "internal"
                seen = explorer.run(parse_action(json.dumps(action.to_json())))
                fault = fault or (isinstance(seen, Rejected) and seen.stage == "run")
    kg.close()
    return rejected > 0, fault or rejected > 1


def _kill(_: set[int]) -> None:
    for pid in _below(os.getpid()):
        if not _below(pid):  # a worker; a keeper has one
            os.kill(pid, signal.SIGKILL)


def reports() -> Iterator[Report]:
    """Yield the tables, each when it is measured."""
    yield killed_report()
    if _MONDIAL.is_file():
        yield runaway_report()
    if _FORMULA.is_file():
        yield load_report()
        yield rows_report()
        yield from step_reports()


def main(_: Sequence[str] = ()) -> int:
    """Print the tables; the exit code is 1 when a target is missed."""
    print("\n".join(conditions("pyoxigraph")))
    print("bare: pyoxigraph in this process, the rows read as its own objects")
    if _FORMULA.is_file():
        count = len(gold_queries(_LARGE))
        print(f"steps: those of the {count} gold queries of {_LARGE}, each clause after one that it shares a")
        print(
            "variable with; first execution of each: what the cache answers is left out, the cache is empty"
        )
        print(f"at the start of each of {_ROUNDS} rounds, and the quickest round counts, for either side")
        print(f"loads: {_LOADS} in turn; rows: {_TURNS} in turn, no garbage collection meanwhile\n")
    else:
        print("the shared data is absent (set HERMES_SHARED): only the sessions on olympics\n")
    return print_all(reports())


if __name__ == "__main__":
    raise SystemExit(main())
