"""How much of real SPARQL comes through a plan unchanged: `python -m benchmarks.coverage [--failures]`."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Final

from oracle.real_queries import Outcome, collections, examine, queries
from oracle.rebuild import rebuild
from shared import DATA

_COLUMNS: Final = (
    *("as-is", "with-prefixes", "repaired", "read in", "rebuilt", "equivalent", "telling", "loose"),
)
_NOTES: Final = """
as-is, with-prefixes, repaired: how the query is marked in its collection; the rest are not SPARQL 1.1.
equivalent: the same results as the published text on every graph made for it. telling: on one of these
graphs at least the result was not that of the empty graph. loose: not telling, and it names a variable
that nothing binds. SERVICE is run as a nested group, and an alias in HAVING as its expression, in both texts.
"""


def count(outcomes: Iterable[Outcome]) -> Counter[str]:
    """Count how far queries came."""
    counts: Counter[str] = Counter()
    for outcome in outcomes:
        counts[outcome.query.marked] += 1
        counts["read in"] += outcome.read
        counts["rebuilt"] += outcome.rebuilt
        counts["equivalent"] += outcome.passed
        counts["telling"] += outcome.verdict.telling > 0
        counts["loose"] += outcome.verdict.telling == 0 and outcome.verdict.loose
    return counts


def measure(name: str) -> list[Outcome]:
    """Take every query of one collection through the plan."""
    return [examine(query, rebuild) for query in queries(DATA / "queries", name)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; the exit code is 1 when a query did not come through, 2 without the data."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--failures", action="store_true", help="list every query that did not come through")
    parser.add_argument(
        "--silent", action="store_true", help="list the queries that no graph told anything of"
    )
    options = parser.parse_args(arguments)
    names = collections(DATA / "queries")
    if not names:
        print("the shared data folder is absent (set HERMES_SHARED)")
        return 2
    print(f"{'':24}" + "".join(f"{column:>14}" for column in _COLUMNS))
    total: Counter[str] = Counter()
    failed: list[Outcome] = []
    silent: list[Outcome] = []
    with ProcessPoolExecutor() as pool:
        for name, outcomes in zip(names, pool.map(measure, names), strict=True):
            counts = count(outcomes)
            total += counts
            failed += [outcome for outcome in outcomes if not outcome.passed]
            silent += [o for o in outcomes if o.passed and not o.verdict.telling and not o.verdict.loose]
            print(_line(name, counts))
    print(_line("all", total) + "\n" + _NOTES)
    for outcome in failed if options.failures else []:
        print(f"{outcome.query.id}: {outcome.verdict.reason}")
    for outcome in silent if options.silent else []:
        print(f"silent: {outcome.query.id}")
    return int(bool(failed))


def _line(name: str, counts: Counter[str]) -> str:
    return f"{name:24}" + "".join(f"{counts[column]:>14}" for column in _COLUMNS)


if __name__ == "__main__":
    raise SystemExit(main())
