"""What is caught of wrong edits that no rule was made for, on graphs with questions and without."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from benchmarks.checkers import REFUSED, Check, kernel_check
from benchmarks.report import table
from benchmarks.samples import DATA
from hermes import KG
from hermes.algebra import Plan, render
from hermes.verifier import Kernel, Schema, recheck
from oracle.mutant_corpus import has_solutions
from oracle.other_mutants import EDITS, WRAPPED, Other, other_mutants
from oracle.plan_mutants import Names
from oracle.walks import walks

GRAPHS: Final = ("ck25", "geo", "world_1", "car_1", "dog_kennels", "concert_singer", "college_2")
_ORIGINALS: Final = 25
"""So many queries of each graph are edited."""
_PATIENCE: Final = 3.0
_WALKED: Final = ("mondial-europe", "olympics", "ck25")


class Others:
    """Counts over some graphs."""

    def __init__(self) -> None:
        self.dead: Counter[str] = Counter()
        self.caught: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.live: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.contradicted = 0
        self.missed: list[Other] = []

    def walked(self) -> None:
        """Edit queries made by random walks in graphs that need no questions for that."""
        for name in _WALKED:
            files = sorted((DATA / name).glob("*.ttl.gz")) or sorted((DATA / name).glob("*.ttl"))
            kg = KG.load(*(files if name != "olympics" else [name]), timeout=_PATIENCE)
            kernel = Kernel(Schema.mine(kg))
            self.edited(name, kg, kernel, list(walks(kg, _ORIGINALS, name)))
            kg.close()

    def edited(self, name: str, kg: KG, kernel: Kernel, originals: Sequence[Plan]) -> None:
        """Look at the mutants of some queries of a graph."""
        names = Names(tuple(sorted(kg.vocabulary.predicates)), tuple(sorted(kg.vocabulary.classes)))
        check = kernel_check(kg, kernel)
        for plan in originals[:_ORIGINALS]:
            before = check(plan)
            for other in other_mutants(plan, names, name):
                self._one(kg, kernel, check, other, before)

    def _one(self, kg: KG, kernel: Kernel, check: Check, other: Other, before: frozenset[str]) -> None:
        seen = check(other.plan)
        verdict = kernel.check(other.plan)
        self.contradicted += recheck(verdict, other.plan, kernel.schema) == "contradicted"
        alive = has_solutions(kg, other.plan, _PATIENCE)
        if alive:
            self.live[other.kind] += 1
            if seen == REFUSED:
                self.wrong.append(render(other.plan))
        silent = alive and other.bare is not None and has_solutions(kg, other.bare, _PATIENCE) is False
        if alive is False or silent:
            self.dead[other.kind] += 1
            self.refused[other.kind] += seen == REFUSED
            caught = seen == REFUSED or bool(seen - before)
            self.caught[other.kind] += caught
            if not caught:
                self.missed.append(other)

    def print(self) -> bool:
        """Print the table; return whether no refusal was wrong, and the recheck agrees with every verdict."""
        rows = [self._row(kind, [kind]) for kind in (*EDITS, *WRAPPED) if self.dead[kind]]
        rows.append(self._row("all", list(self.dead)))
        header = ("other edits", "wrong", "caught", "of these refused", "with solutions", "wrongly refused")
        print(table(header, rows))
        print(
            "wrong: without solutions, or with a part that never matches in OPTIONAL, MINUS or a branch\n"
            f"refused though there are solutions: {len(self.wrong)}; "
            f"verdicts that the recheck contradicts: {self.contradicted}\n"
        )
        for text in self.wrong[:5]:
            print(f"refused, but has solutions:\n{text}\n")
        return not self.wrong and not self.contradicted

    def _row(self, name: str, kinds: list[str]) -> tuple[str, ...]:
        n, caught, refused, live = (
            sum(part[kind] for kind in kinds) for part in (self.dead, self.caught, self.refused, self.live)
        )
        wrongly = f"{len(self.wrong)}" if name == "all" else ""
        return (name, f"{n:,}", f"{caught / n:.1%}", f"{refused / n:.1%}", f"{live:,}", wrongly)
