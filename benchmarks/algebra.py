"""Rendering, applying, the explorer's steps, and `import hermes`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from benchmarks import sessions, steps
from benchmarks.examples import EIGHT_CLAUSES
from benchmarks.report import Report, conditions, print_all
from benchmarks.samples import DATA
from benchmarks.timing import RUNS, in_fresh_processes, times
from hermes.algebra import Plan, parse_action, parse_query, render

_RENDER_TARGET: Final = 100.0
_IMPORT_TARGET: Final = 80.0
_PROCESSES: Final = 15
_COPIES: Final = 200

_PROGRAMS: Final = {
    "bare python": "pass",
    "import hermes": "import hermes",
    "from hermes import KG": "from hermes import KG",
    "from hermes.algebra import Explorer": "from hermes.algebra import Explorer",
    "both": "from hermes import KG; from hermes.algebra import Explorer",
}


def plan_times() -> Report:
    """Measure what is done with a plan of eight clauses; each of the plans is used once a round."""
    report = Report("a plan of 8 clauses and a filter", "µs")
    plans = [parse_query(EIGHT_CLAUSES) for _ in range(_COPIES)]
    header = str(plans[0].prefixes)
    report.add("render, full IRIs", times(render, plans), _RENDER_TARGET)
    report.add("render, short names", times(lambda plan: render(plan, header), plans), _RENDER_TARGET)
    report.add("slips()", times(Plan.slips, plans))
    report.add("actions()", times(lambda plan: plan.actions(plan.prefixes), plans))
    if hasattr(Plan, "key"):
        read: Callable[[Plan], object] = lambda plan: getattr(plan, "key")  # noqa: B009, E731 - it may be absent
        report.add("key", times(read, plans))
    return report


def action_times(loaded: Sequence[sessions.Sessions]) -> Report:
    """Measure what is done with the actions of the sessions."""
    report = Report("the actions of the sessions", "µs")
    pairs = [pair for one in loaded for pair in sessions.plans(one)]
    report.add("parse_action, from JSON text", times(parse_action, [str(action) for action, _ in pairs]))
    report.add("apply", times(lambda pair: pair[0].apply(pair[1]), pairs))
    return report


def import_times() -> Report:
    """Measure how long a fresh process takes that only imports."""
    report = Report("a fresh process", "ms")
    found = in_fresh_processes(_PROGRAMS, _PROCESSES)
    bare = found["bare python"]
    for name, values in found.items():
        report.add(name, values, _IMPORT_TARGET if name == "import hermes" else None)
    for name, values in found.items():
        if values is not bare:
            report.add(
                f"{name}, less bare python",
                [max(0.0, whole - start) for whole, start in zip(values, bare, strict=True)],
            )
    return report


def reports() -> Iterator[Report]:
    """Yield the tables, each when it is measured."""
    yield plan_times()
    loaded = list(sessions.load())
    yield action_times(loaded)
    yield from steps.measure(loaded)
    yield import_times()


def main(_: Sequence[str] = ()) -> int:
    """Print the tables; the exit code is 1 when a target is missed."""
    print("\n".join(conditions("pyoxigraph")))
    if (DATA / "ck25").is_dir():
        print("sessions: the steps of the gold queries of ck25 and of the built-in examples on olympics")
    else:
        print("the shared data is absent (set HERMES_SHARED): sessions are the built-in examples on olympics")
    print(f"each item: the median of {RUNS} runs, all items in turn; processes: {_PROCESSES} runs in turn")
    print("own time: the whole step less the time inside the store that the graph holds")
    print("import hermes loads the store only when KG is asked for: the lines below it are what one pays\n")
    return print_all(reports())


if __name__ == "__main__":
    raise SystemExit(main())
