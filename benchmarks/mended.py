"""Whether the original of a dead mutant is among its repairs, by kind of mistake."""

from __future__ import annotations

from collections import Counter, defaultdict
from random import Random
from statistics import median
from time import perf_counter
from typing import Final

from benchmarks.report import number, table
from benchmarks.timed_store import TimedStore
from hermes import KG
from hermes.algebra import Plan
from hermes.errors import StoreError
from hermes.repair import repairs
from hermes.verifier import Kernel
from oracle.mutant_corpus import Corpus
from oracle.plan_mutants import KINDS, Mutant

MOST: Final = 12
"""Mutants of one kind and graph that are repaired: the same ones each time."""
_TARGET: Final = 0.8


def chosen(found: Corpus, most: int = MOST) -> list[Mutant]:
    """Return at most `most` dead mutants of each kind."""
    by_kind: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in found.dead:
        by_kind[mutant.kind].append(mutant)
    dice = Random(found.name)  # noqa: S311 - the same mutants each time
    return [mutant for each in by_kind.values() for mutant in dice.sample(each, min(most, len(each)))]


def is_original(plan: Plan, mutant: Mutant) -> bool:
    """Whether a plan is what the mutant was made from."""
    return plan.where == mutant.original.where or plan.key == mutant.original.key


class Mended:
    """Counts over all graphs."""

    def __init__(self) -> None:
        self.n: Counter[str] = Counter()
        self.first: Counter[str] = Counter()
        self.among: Counter[str] = Counter()
        self.any: Counter[str] = Counter()
        self.queries: list[int] = []
        self.seconds: list[float] = []
        self.refused = 0
        self.failed = 0

    def graph(self, kg: KG, kernel: Kernel, found: Corpus) -> None:
        """Repair some of the mutants of one graph."""
        kg.store = store = TimedStore(kg.store)
        for mutant in chosen(found):
            before, start = store.queries, perf_counter()
            self.n[mutant.kind] += 1
            try:
                made = repairs(kg, mutant.plan, kernel=kernel)
            except StoreError:
                self.failed += 1
                continue
            self.seconds.append(perf_counter() - start)
            self.queries.append(store.queries - before)
            right = [is_original(each.plan, mutant) for each in made]
            self.any[mutant.kind] += bool(made)
            self.first[mutant.kind] += bool(right and right[0])
            self.among[mutant.kind] += any(right)
            self.refused += sum(not kernel.check(each.plan).accepted or not each.count for each in made)

    def print(self) -> bool:
        """Print the table; return whether the target is met."""
        rows = [self._row(kind, [kind]) for kind in KINDS if self.n[kind]]
        rows.append(self._row("all", list(self.n)))
        header = ("repairs", "n", "some repair", "original first", "in the first 3", "target")
        print(table(header, rows))
        times = [1000 * seconds for seconds in self.seconds]
        print(
            f"at most {MOST} mutants of a kind and graph; store queries of one: at most {max(self.queries)}; "
            f"milliseconds: median {number(median(times))}, most {max(times):,.0f}\n"
            f"out of time: {self.failed}; repairs that the kernel refuses or that are empty: {self.refused}\n"
        )
        return all(self.among[kind] >= _TARGET * n for kind, n in self.n.items()) and not self.refused

    def _row(self, name: str, kinds: list[str]) -> tuple[str, ...]:
        n = sum(self.n[kind] for kind in kinds)
        shares = [sum(part[kind] for kind in kinds) / n for part in (self.any, self.first, self.among)]
        return (
            name,
            f"{n:,}",
            *(f"{share:.1%}" for share in shares),
            f">= {_TARGET:.0%} {'met' if shares[-1] >= _TARGET else 'MISSED'}",
        )
