"""Why a query is empty, or has too much: is the clause to blame named, is the original among the repairs."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from statistics import median
from time import perf_counter
from typing import Final

from benchmarks.mended import MOST, chosen, is_original
from benchmarks.report import conditions, number, table
from benchmarks.samples import DATA
from benchmarks.timed_store import TimedStore
from hermes import KG
from hermes.algebra import Plan
from hermes.repair import diagnose
from hermes.verifier import Kernel, Schema
from oracle.gold_plans import LARGE, SMALL, gold
from oracle.left_out import left_out
from oracle.mutant_corpus import PATIENCE, Corpus, corpus
from oracle.plan_mutants import KINDS

_GUILTY: Final = 0.9
_ORIGINAL: Final = 0.8
_FEWER: Final = 4
"""Mutants of one kind and graph that are diagnosed without a kernel: queries of large graphs take long."""
_LEFT_OUT: Final = 6
"""Queries of one graph that lack a triple pattern."""
_SPARE: Final = 10
"""Queries beside one for each clause that a diagnosis may send."""
_NOTES: Final = f"""\
mutants: one wrong edit of a gold query that leaves no solution, at most {MOST} of a kind and graph, without
a kernel {_FEWER} (see `python -m benchmarks kernel`). guilty first: the edited clause is blamed first.
too many: a triple pattern that holds two parts of a gold query together is left out, {_LEFT_OUT} a graph."""


class Diagnosed:
    """Counts over all graphs, with a kernel or without."""

    def __init__(self, name: str, most: int) -> None:
        self.name = name
        self.most = most
        self.n: Counter[str] = Counter()
        self.guilty: Counter[str] = Counter()
        self.among: Counter[str] = Counter()
        self.queries: list[int] = []
        self.over: int = 0
        self.cut: int = 0
        self.seconds: list[float] = []

    def graph(self, kg: KG, kernel: Kernel | None, found: Corpus) -> None:
        """Diagnose some of the mutants of one graph."""
        kg.store = store = TimedStore(kg.store)
        for mutant in chosen(found, self.most):
            before, start = store.queries, perf_counter()
            seen = diagnose(kg, mutant.plan, kernel)
            self.seconds.append(perf_counter() - start)
            queries = store.queries - before
            where = mutant.plan.where
            self.queries.append(queries)
            self.over += queries > len(where.elements) + len(where.filters) + _SPARE
            self.cut += not seen.complete
            self.n[mutant.kind] += 1
            self.guilty[mutant.kind] += bool(seen.guilty) and seen.guilty[0].clause == mutant.wrong
            self.among[mutant.kind] += any(is_original(each.plan, mutant) for each in seen.repairs)

    def print(self) -> bool:
        """Print the table; return whether the targets are met."""
        rows = [self._row(kind, [kind]) for kind in KINDS if self.n[kind]]
        rows.append(self._row("all", list(self.n)))
        print(table((self.name, "n", "guilty first", "original in the first 3"), rows))
        times = [1000 * seconds for seconds in self.seconds]
        met = all(
            self.guilty[kind] >= _GUILTY * n and self.among[kind] >= _ORIGINAL * n
            for kind, n in self.n.items()
        )
        print(
            f"store queries: median {median(self.queries):g}, most {max(self.queries)}; "
            f"more than n + {_SPARE}: {self.over}; not complete in time: {self.cut}\n"
            f"milliseconds: median {number(median(times))}, most {max(times):,.0f}\n"
            f"target for each kind: guilty first >= {_GUILTY:.0%}, the original >= {_ORIGINAL:.0%}: "
            f"{'met' if met else 'MISSED'}\n"
        )
        return met and not self.over

    def _row(self, name: str, kinds: Sequence[str]) -> tuple[str, ...]:
        n = sum(self.n[kind] for kind in kinds)
        shares = [sum(part[kind] for kind in kinds) / n for part in (self.guilty, self.among)]
        return (name, f"{n:,}", *(f"{share:.1%}" for share in shares))


class TooMany:
    """Counts over queries that lack a triple pattern: is it named, and the clause that multiplies?"""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.seconds: list[float] = []

    def graph(self, kg: KG, plans: Sequence[Plan]) -> None:
        """Diagnose some queries of one graph."""
        kg.store = store = TimedStore(kg.store)
        for each in islice((one for plan in plans for one in left_out(plan)), _LEFT_OUT):
            before, start = store.queries, perf_counter()
            seen = diagnose(kg, each.plan)
            self.seconds.append(perf_counter() - start)
            joins = [join.pattern for join in seen.joins]
            self.counts["n"] += 1
            self.counts["multiplies"] += seen.multiplies is not None
            self.counts["first"] += joins[:1] == [each.pattern]
            self.counts["among"] += each.pattern in joins
            self.counts["over"] += store.queries - before > len(each.plan.where.elements) + _SPARE
            self.counts["cut"] += not seen.complete

    def print(self) -> bool:
        """Print the table; return whether the targets are met."""
        counts, n = self.counts, self.counts["n"]
        times = [1000 * seconds for seconds in self.seconds]
        shares = (f"{counts[name] / n:.1%}" for name in ("multiplies", "first", "among"))
        header = ("too many", "n", "a clause multiplies", "missing pattern first", "in the first 3")
        print(table(header, [("left out", f"{n:,}", *shares)]))
        print(
            f"more than n + {_SPARE} store queries: {counts['over']}; not complete in time: {counts['cut']}; "
            f"milliseconds: median {number(median(times))}, most {max(times):,.0f}\n"
        )
        return counts["among"] >= _ORIGINAL * n and not counts["over"]


def main(arguments: Sequence[str] = ()) -> int:
    """Print the tables; the exit code is 1 when a target is missed, 2 without the data."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", default="", metavar="NAMES", help="these graphs only, by commas")
    only = [name for name in parser.parse_args(list(arguments)).graphs.split(",") if name]
    if not (DATA / SMALL[0]).is_dir():
        print("the shared data folder is absent (set HERMES_SHARED)")
        return 2
    print("\n".join(conditions("pyoxigraph")))
    print(_NOTES + "\n")
    proving, trying, too_many = Diagnosed("with a kernel", MOST), Diagnosed("without one", _FEWER), TooMany()
    for each in gold(DATA, (*SMALL, *LARGE)):
        if only and each.name not in only:
            continue
        kg = KG.load(*each.sources, timeout=PATIENCE)
        found = corpus(kg, each)
        proving.graph(kg, Kernel(Schema.mine(kg)), found)
        trying.graph(kg, None, found)
        too_many.graph(kg, found.originals)
        kg.close()
        print(f"{each.name} done", file=sys.stderr, flush=True)
    met = [proving.print(), trying.print(), too_many.print()]
    return int(not all(met))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
