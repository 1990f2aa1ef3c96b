"""What is found wrong before it runs: gold queries, their mutants by kind, random plans; and the repairs."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Final

from benchmarks.checkers import CHECKERS, REFUSED, Check
from benchmarks.mended import Mended
from benchmarks.others import GRAPHS as OTHER_GRAPHS
from benchmarks.others import Others
from benchmarks.report import Report, conditions, table
from benchmarks.samples import DATA
from benchmarks.soundness import Soundness
from benchmarks.timed_store import TimedStore
from benchmarks.timing import times
from hermes import KG
from hermes.algebra import Plan, render
from hermes.verifier import Kernel
from hermes.verifier.mining import mine
from oracle.gold_plans import LARGE, SMALL, Gold, gold
from oracle.mutant_corpus import PATIENCE, Corpus, corpus, has_solutions
from oracle.plan_mutants import KINDS, Mutant

_TARGET: Final = 150.0
_ALL: Final = 0.99
_EACH: Final = 0.95
_NOTES: Final = """\
mutants: one wrong edit of a gold query; dead ones have no solution in the graph, live ones have. Entities are
mutated in gold queries, and in those whose first subject was replaced by an entity of a solution.
caught: refused, or warned of what the original is not warned of. look-up: the graph is read once, as (class,
predicate, class or datatype); with constants: each is asked for with its predicate, which runs queries; and
MIN, MAX: numbers are compared with the least and greatest of a predicate. sparql-llm's validator: unchanged,
with an empty module for the embedding model that its package imports and it does not use.
A step whose WHERE really is empty is rightly refused: the whole query counts what there is none of."""


Graph = tuple[Gold, KG, Kernel, Corpus, float]


@dataclass(slots=True)
class Tally:
    """What one checker found."""

    caught: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    live: int = 0
    gold: int = 0
    steps: int = 0
    empty: int = 0
    seconds: float = 0.0


class Measured:
    """All that is counted over the graphs."""

    def __init__(self) -> None:
        self.checkers = [checker for checker in CHECKERS if not checker.missing]
        self.tallies = {checker.name: Tally() for checker in self.checkers}
        self.dead: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()
        self.plans: list[tuple[Kernel, Plan]] = []
        self.mined: list[tuple[str, float, int]] = []
        self.queries = 0
        self.missed: list[tuple[str, Mutant]] = []

    def graph(self, each: Gold, kg: KG, kernel: Kernel, found: Corpus) -> None:
        """Let every checker look at the queries of one graph and at their mutants."""
        self.counts.update(graphs=1, questions=each.questions, different=len(each.plans))
        self.counts.update(
            live=len(found.live), undecided=len(found.open), with_solutions=len(found.originals)
        )
        self.dead.update(mutant.kind for mutant in found.dead)
        steps = [step for plan in each.plans for step in _steps(plan)]
        self.counts.update(steps=len(steps))
        self.plans += [(kernel, plan) for plan in (*each.plans, *steps[::7])]
        for checker in self.checkers:
            check, tally = checker.make(kg, kernel), self.tallies[checker.name]
            start = perf_counter()
            tally.gold += sum(_refused(kg, check, each.plans)[0])
            wrong, right = _refused(kg, check, steps)
            tally.steps += sum(wrong)
            tally.empty += sum(right)
            tally.live += sum(check(mutant.plan) == REFUSED for mutant in found.live)
            original = {id(plan): check(plan) for plan in (*found.originals, *found.grounded)}
            for mutant in found.dead:
                self._dead(tally, check(mutant.plan), original[id(mutant.original)], mutant, each.name)
            tally.seconds += perf_counter() - start

    def _dead(
        self, tally: Tally, seen: frozenset[str], before: frozenset[str], mutant: Mutant, graph: str
    ) -> None:
        tally.refused[mutant.kind] += seen == REFUSED
        caught = seen == REFUSED or bool(seen - before)
        tally.caught[mutant.kind] += caught
        if not caught and tally is self.tallies["hermes kernel"]:
            self.missed.append((graph, mutant))


def _steps(plan: Plan) -> Iterator[Plan]:
    """Yield the plans on the way to a plan, an action at a time."""
    now = Plan(prefixes=plan.prefixes)
    for action in plan.actions():
        now = action.apply(now)
        yield now


def _refused(kg: KG, check: Check, plans: Sequence[Plan]) -> tuple[list[bool], list[bool]]:
    """Return for each refused plan whether that is wrong, and whether it is right."""
    empty = [has_solutions(kg, plan) is False for plan in plans if check(plan) == REFUSED]
    return [not each for each in empty], empty


def measure(names: Sequence[str], patience: float = PATIENCE) -> Iterator[Graph]:
    """Yield the named graphs, or all, each with its kernel, its corpus and the seconds that mining took."""
    for each in gold(DATA, (*SMALL, *LARGE)):
        if names and each.name not in names:
            continue
        kg = KG.load(*each.sources, timeout=patience)
        start = perf_counter()
        kernel = Kernel(mine(kg))
        seconds = perf_counter() - start
        yield each, kg, kernel, corpus(kg, each), seconds
        kg.close()


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "-"


def print_caught(measured: Measured) -> bool:
    """Print what was caught of the dead mutants by kind; return whether the targets of the kernel are met."""
    names = list(measured.tallies)
    rows = [
        (kind, f"{n:,}", *(_share(measured.tallies[name].caught[kind], n) for name in names))
        for kind in KINDS
        if (n := measured.dead[kind])
    ]
    total = sum(measured.dead.values())
    rows.append(
        ("all", f"{total:,}", *(_share(measured.tallies[name].caught.total(), total) for name in names))
    )
    rows.append(
        ("of these refused", "", *(_share(measured.tallies[name].refused.total(), total) for name in names))
    )
    rows.append(
        ("live, refused", f"{measured.counts['live']:,}", *(f"{measured.tallies[n].live:,}" for n in names))
    )
    for what, counted, part in (
        ("gold, refused", "different", "gold"),
        ("their steps, wrongly refused", "steps", "steps"),
        ("and rightly: without solutions", "", "empty"),
    ):
        number = f"{measured.counts[counted]:,}" if counted else ""
        rows.append((what, number, *(f"{getattr(measured.tallies[n], part):,}" for n in names)))
    rows.append(("seconds for all", "", *(f"{measured.tallies[name].seconds:.1f}" for name in names)))
    print(table(("caught", "n", *names), rows) + "\n")
    own = measured.tallies["hermes kernel"]
    each = all(own.caught[kind] >= _EACH * n for kind, n in measured.dead.items())
    met = each and own.caught.total() >= _ALL * total and not (own.live or own.gold or own.steps)
    print(
        f"target: all >= {_ALL:.0%}, each kind >= {_EACH:.0%}, none of the others refused: "
        f"{'met' if met else 'MISSED'}\n"
    )
    return met


def print_times(measured: Measured) -> bool:
    """Print what a check costs; return whether the target is met."""
    report = Report("a check", "µs")
    report.add(
        "gold queries and their steps", times(lambda one: one[0].check(one[1]), measured.plans), _TARGET
    )
    report.print()
    print(f"store queries of all these verdicts: {measured.queries}\n")
    return not report.missed


def print_mined(measured: Measured) -> None:
    """Print how long mining took."""
    largest = sorted(measured.mined, key=lambda each: -each[2])[:5]
    rows = [(name, f"{triples:,}", f"{seconds:.2f}") for name, seconds, triples in largest]
    print(table(("mining, the largest graphs", "triples", "seconds"), rows) + "\n")


def main(arguments: Sequence[str] = ()) -> int:
    """Print the tables; the exit code is 1 when a target is missed, 2 without the data."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--missed", type=int, default=0, metavar="N", help="show N mutants that pass unseen")
    parser.add_argument("--plans", type=int, default=100_000, help="random plans (default 100,000)")
    parser.add_argument("--graphs", default="", metavar="NAMES", help="these graphs only, by commas")
    options = parser.parse_args(list(arguments))
    only = [name for name in options.graphs.split(",") if name]
    if not (DATA / SMALL[0]).is_dir():
        print("the shared data folder is absent (set HERMES_SHARED)")
        return 2
    print("\n".join(conditions("pyoxigraph", "rdflib", "sparql-llm")))
    print(_NOTES + "\n")
    measured, mended, sound, others = Measured(), Mended(), Soundness(options.plans), Others()
    for each, kg, kernel, found, seconds in measure(only):
        measured.mined.append((each.name, seconds, sum(kg.vocabulary.predicates.values())))
        measured.graph(each, kg, kernel, found)
        kg.store = counted = TimedStore(kg.store)
        for plan in each.plans:
            kernel.check(plan)
        measured.queries += counted.queries
        mended.graph(kg, kernel, found)
        sound.graph(each.name, kg, kernel, found)
        if each.name in OTHER_GRAPHS:
            others.edited(each.name, kg, kernel, found.originals)
        print(f"{each.name} done", file=sys.stderr, flush=True)
    others.walked()
    print(
        "{questions} questions, {different} different queries, {with_solutions} with solutions, "
        "{graphs} graphs; {undecided} mutants not decided in time\n".format(**measured.counts)
    )
    for name, mutant in measured.missed[: options.missed]:
        print(f"unseen: {name}: {mutant.kind}\n{render(mutant.plan)}\n")
    for other in others.missed[: options.missed]:
        print(f"unseen: {other.kind}\n{render(other.plan)}\n")
    met = [print_caught(measured), print_times(measured)]
    print_mined(measured)
    met += [mended.print(), others.print(), sound.print()]
    return int(not all(met))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
