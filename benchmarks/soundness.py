"""Whether what the kernel refuses has no solution: random plans, and plans with several wrong edits."""

from __future__ import annotations

from collections import Counter
from time import perf_counter
from typing import Final

from benchmarks.report import table
from hermes import KG
from hermes.algebra import render
from hermes.verifier import Kernel, recheck
from oracle.mutant_corpus import Corpus, has_solutions
from oracle.random_plans import plans

GRAPHS: Final = ("ck25", "geo", "world_1", "car_1", "dog_kennels")
_PATIENCE: Final = 2.0
"""Seconds that a refused plan may run; a product without solutions is not decided."""


class Soundness:
    """Counts over five graphs; `wrong` are the plans that were refused though they have solutions."""

    def __init__(self, number: int) -> None:
        self.number = number // len(GRAPHS)
        self.rows: list[tuple[str, ...]] = []
        self.wrong: list[str] = []
        self.contradicted = 0

    def graph(self, name: str, kg: KG, kernel: Kernel, found: Corpus) -> None:
        """Check plans of one graph and run those that are refused."""
        if name not in GRAPHS or not self.number:
            return
        counts: Counter[str] = Counter()
        start = perf_counter()
        for plan in plans(kg, found.originals, self.number, name):
            counts["plans"] += 1
            verdict = kernel.check(plan)
            counts[recheck(verdict, plan, kernel.schema)] += 1
            if verdict.accepted:
                continue
            counts["refused"] += 1
            alive = has_solutions(kg, plan, _PATIENCE)
            counts["unfinished"] += alive is None
            if alive:
                counts["wrong"] += 1
                self.wrong.append(render(plan))
        self.contradicted += counts["contradicted"]
        shown = ("plans", "refused", "unfinished", "wrong", "contradicted", "undecided")
        self.rows.append((name, *(f"{counts[each]:,}" for each in shown), f"{perf_counter() - start:.0f}"))

    def print(self) -> bool:
        """Print the table; return whether no refusal was wrong, and the recheck agrees with every verdict."""
        header = (
            "random and mutated",
            "plans",
            "refused",
            "not decided",
            "refused with solutions",
            "recheck contradicts",
            "undecided",
            "seconds",
        )
        print(table(header, self.rows) + "\n")
        for text in self.wrong[:5]:
            print(f"refused, but has solutions:\n{text}\n")
        return not self.wrong and not self.contradicted
