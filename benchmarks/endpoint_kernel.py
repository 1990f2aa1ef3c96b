"""What is warned of where a graph is only sampled, as an endpoint is: gold queries and mutants by kind."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Final

from benchmarks.report import conditions, table
from benchmarks.samples import DATA
from benchmarks.timed_store import TimedStore
from hermes import KG
from hermes.algebra import Plan, render
from hermes.verifier import Kernel, Schema
from hermes.verifier.sources import expected_by
from oracle.gold_plans import LARGE, SMALL, Gold, gold
from oracle.mutant_corpus import PATIENCE, Corpus, corpus
from oracle.plan_mutants import KINDS

_NOTES: Final = """\
warned: of a dead mutant, what its original is not warned of. vocabulary: the names of predicates and classes
alone; then with the ontology that is in the graph, where there is one; then with Schema.sample besides.
False warnings are on gold queries with solutions and on live mutants, where the graph, read whole, does not
prove of a part (such as an OPTIONAL, or a branch of UNION) that it never matches."""

_ALL: Final = 0.95
_DOUBTS: Final = frozenset(
    {
        "unknown-predicate", "unknown-class", "unknown-term", "no-such-triple", "no-such-path",
        "no-common-terms", "no-such-link", "all-branches-empty", "no-row-matches", "never-true",
        "always-error", "always-matches", "minus-removes-all",
        "unexpected-subject", "unexpected-object", "disjoint-classes", "not-by-shape", "more-than-one-value",
    }
)  # fmt: skip
"""What says that nothing is found."""


@dataclass(slots=True)
class Tally:
    """What one kernel warned of."""

    caught: Counter[str] = field(default_factory=Counter)
    false: Counter[str] = field(default_factory=Counter)


def _warned(kernel: Kernel, plan: Plan) -> frozenset[str]:
    return frozenset(f"{each.code} {each.at}" for each in kernel.check(plan).warnings)


def _doubted(kernel: Kernel, plan: Plan) -> bool:
    return any(each.code in _DOUBTS for each in kernel.check(plan).warnings)


def _proved(kernel: Kernel, plan: Plan) -> bool:
    """Whether the graph, read whole, proves that a part of a plan never matches."""
    ends = ("-never-matches", "-never-true", "-over-nothing")
    return any(each.code.endswith(ends) for each in kernel.check(plan).warnings)


class Measured:
    """All that is counted over the graphs."""

    def __init__(self, shown: int) -> None:
        self.tallies = {"vocabulary": Tally(), "and ontology": Tally(), "and sample": Tally()}
        self.dead: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()
        self.sampled: list[tuple[str, int, int, float]] = []
        self.shown = shown

    def graph(self, kg: KG, each: Gold, found: Corpus) -> None:
        """Let both kernels look at the queries of one graph and at their mutants."""
        whole, kg.store = kg.store, TimedStore(kg.store)
        start = perf_counter()
        schema = Schema.sample(kg)
        triples = sum(kg.vocabulary.predicates.values())
        self.sampled.append((each.name, triples, kg.store.queries, perf_counter() - start))
        kg.store = whole
        by_ontology = expected_by(kg)
        bare = Schema(
            schema.fingerprint,
            schema.dataset,
            complete=False,
            predicates=schema.predicates,
            classes=schema.classes,
        )
        mined = Kernel(Schema.mine(kg))
        schemas = (bare, replace(bare, expected=by_ontology), replace(schema, expected=by_ontology))
        self.counts.update(gold=len(found.originals), live=len(found.live), graphs=1)
        self.dead.update(mutant.kind for mutant in found.dead)
        for (name, tally), kernel in zip(self.tallies.items(), map(Kernel, schemas), strict=True):
            for plan in found.originals:
                self._false(tally, "gold", kernel, mined, plan)
            for mutant in found.live:
                self._false(tally, "live", kernel, mined, mutant.plan)
            for mutant in found.dead:
                if _warned(kernel, mutant.plan) - _warned(kernel, mutant.original):
                    tally.caught[mutant.kind] += 1
                elif name == "and sample" and self.shown > 0:
                    self.shown -= 1
                    print(f"unseen: {each.name}: {mutant.kind}\n{render(mutant.plan)}\n")

    def _false(self, tally: Tally, what: str, kernel: Kernel, mined: Kernel, plan: Plan) -> None:
        if _doubted(kernel, plan) and not _proved(mined, plan):
            tally.false[what] += 1
            if self.shown > 0:
                self.shown -= 1
                print(f"false: {[str(each) for each in kernel.check(plan).warnings]}\n{render(plan)}\n")

    def print(self) -> bool:
        """Print the tables; return whether the targets of the sample are met."""
        rows = [
            self._row(kind, n, [tally.caught[kind] for tally in self.tallies.values()])
            for kind, n in self._kinds()
        ]
        total = sum(self.dead.values())
        rows.append(self._row("all", total, [tally.caught.total() for tally in self.tallies.values()]))
        for what in ("gold", "live"):
            counts = [f"{tally.false[what]:,}" for tally in self.tallies.values()]
            rows.append((f"{what}, falsely warned of", f"{self.counts[what]:,}", *counts))
        print(table(("warned", "n", *self.tallies), rows) + "\n")
        largest = sorted(self.sampled, key=lambda each: -each[1])[:6]
        sampled = [(name, f"{n:,}", str(queries), f"{seconds:.1f}") for name, n, queries, seconds in largest]
        print(table(("sampling, the largest graphs", "triples", "queries", "seconds"), sampled) + "\n")
        last = self.tallies["and sample"]
        met = last.caught.total() >= _ALL * total and not last.false.total()
        print(f"target: with a sample >= {_ALL:.0%}, none falsely: {'met' if met else 'MISSED'}\n")
        return met

    def _kinds(self) -> list[tuple[str, int]]:
        return [(kind, self.dead[kind]) for kind in KINDS if self.dead[kind]]

    @staticmethod
    def _row(kind: str, n: int, caught: Sequence[int]) -> tuple[str, ...]:
        return (kind, f"{n:,}", *(f"{part / n:.1%}" for part in caught))


def main(arguments: Sequence[str] = ()) -> int:
    """Print the tables; the exit code is 1 when a target is missed, 2 without the data."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--missed", type=int, default=0, metavar="N", help="show N mutants that pass unseen")
    parser.add_argument(
        "--sets", nargs="*", default=[*SMALL, *LARGE], help="the question sets (default: all)"
    )
    options = parser.parse_args(list(arguments))
    if not (DATA / SMALL[0]).is_dir():
        print("the shared data folder is absent (set HERMES_SHARED)")
        return 2
    print("\n".join(conditions("pyoxigraph")))
    print(_NOTES + "\n")
    measured = Measured(options.missed)
    for each in gold(DATA, options.sets):
        kg = KG.load(*each.sources, timeout=PATIENCE)
        measured.graph(kg, each, corpus(kg, each))
        kg.close()
        print(f"{each.name} done", file=sys.stderr, flush=True)
    return int(not measured.print())


if __name__ == "__main__":
    raise SystemExit(main())
