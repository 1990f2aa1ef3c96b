"""Suggestions: has each the solutions that it says, is the right one there, and how long does it take."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

from benchmarks.gold_terms import SETS, Gold, gold_of
from benchmarks.report import conditions
from benchmarks.samples import DATA
from hermes import KG
from hermes.algebra import Explorer, Plan, parse_action, parse_query
from hermes.algebra.observation import Solutions
from hermes.errors import HermesError
from hermes.evaluation import Question, read_questions
from hermes.findings import Suggestion
from hermes.sparql.patterns import TriplePattern
from hermes.suggest import suggest
from hermes.terms import IRI, RDF_TYPE, Variable, full_iri

_STEPS: Final = 1000
_CHECKED: Final = 2
"""So many suggestions of each step of a walk are run."""
_LONGEST_PLAN: Final = 5
_LARGE: Final = 100_000
"""A walk begins anew from a plan with more solutions."""
_AGAIN: Final = 0.1
_WALKS: Final[Mapping[str, tuple[str | Path, ...]]] = {
    "olympics": ("olympics",),
    "ck25": (DATA / "ck25" / "ck25.ttl.gz",),
    "mondial-europe": (DATA / "mondial-europe" / "mondial-europe.ttl.gz",),
    "geo": (DATA / "geoquery" / "kg" / "geo.nt.gz",),
    "world_1": (DATA / "spider4sparql" / "kg" / "world_1.nt.gz",),
}
_TOP: Final = 20
_TIMED: Final = {"formula_1": (150.0, 1000.0), "olympics": (5.0, 1000.0)}
"""The largest median and 95th percentile, in milliseconds."""
_RECALL: Final = (0.99, 0.70)


@dataclass(slots=True)
class Walk:
    """What a random walk saw."""

    steps: int = 0
    checked: int = 0
    wrong: int = 0
    estimated: int = 0
    seconds: list[float] = field(default_factory=list)


def walk(kg: KG, seed: int) -> Walk:
    """Walk from suggestion to suggestion, running some of them beside: each must leave what it says."""
    dice, seen = random.Random(seed), Walk()  # noqa: S311 - a walk that can be repeated
    explorer = Explorer(kg, sample_size=1)
    while seen.steps < _STEPS:
        seen.steps += 1
        now = explorer.observation
        large = isinstance(now, Solutions) and now.count > _LARGE
        if large or len(explorer.plan.where.elements) > _LONGEST_PLAN or dice.random() < _AGAIN:
            explorer = Explorer(kg, sample_size=1)
        plan = explorer.plan
        focus = None if plan.empty else dice.choice(plan.scope)
        start = perf_counter()
        found = suggest(kg, plan, focus, limit=None)
        seen.seconds.append(perf_counter() - start)
        sure = [item for item in found.items if not item.estimated]
        seen.estimated += len(found.items) - len(sure)
        if not sure:
            explorer = Explorer(kg, sample_size=1)
            continue
        for item in dice.sample(sure, min(_CHECKED, len(sure))):
            seen.checked += 1
            seen.wrong += not _right(explorer, item, found.focus)
        explorer.run(parse_action(dice.choice(sure).action))
    return seen


def _right(explorer: Explorer, item: Suggestion, focus: str) -> bool:
    action = parse_action(item.action)
    after = explorer.preview(action)
    if not isinstance(after, Solutions) or after.count != item.solutions or item.solutions < 1:
        return False
    plan = action.apply(explorer.plan)
    name = focus or str(plan.scope[0].name)
    query = f"SELECT DISTINCT ?{name} WHERE {plan.where.text(full_iri)}"
    return len(explorer.kg.select(query).rows) == item.values


# --- the true next triple -------------------------------------------------------------------------


@dataclass(slots=True)
class Next:
    """How often the next triple of a gold query was suggested."""

    there: Counter[str] = field(default_factory=Counter)
    any: Counter[str] = field(default_factory=Counter)
    top: Counter[str] = field(default_factory=Counter)


def prefixes(plan: Plan) -> Iterator[tuple[Plan, TriplePattern]]:
    """Yield each beginning of the triple patterns of a plan with the next pattern that shares a variable."""
    triples = [each for each in plan.where.elements if isinstance(each, TriplePattern) and not each.is_path]
    so_far = Plan()
    while triples:
        near = [each for each in triples if so_far.empty or set(so_far.scope) & set(each.binds())]
        if not near:
            return
        if not isinstance(near[0].predicate, Variable):
            yield so_far, near[0]
        triples.remove(near[0])
        so_far = so_far.evolve(where=so_far.where.add(near[0]))


def foci(plan: Plan, triple: TriplePattern) -> Iterator[Variable | None]:
    """Yield the variables of a plan at which a triple pattern could be suggested."""
    if plan.empty:
        yield None
    yield from (
        each for each in (triple.subject, triple.object) if each in plan.scope and isinstance(each, Variable)
    )


def says(item: Suggestion, triple: TriplePattern, focus: Variable | None) -> bool:
    """Whether a suggestion is a triple pattern, but for the name of what is new and for a constant."""
    if triple.predicate == IRI(RDF_TYPE) and isinstance(triple.object, IRI) and item.step == "class":
        return item.term == triple.object
    step = "in" if focus is not None and triple.object == focus else "out"
    return item.step == step and item.term == triple.predicate


def look_for(kg: KG, name: str, gold: Gold, seen: Next) -> None:
    """Look for each next triple of a gold query, with the question and without a limit."""
    for plan, triple in prefixes(gold.plan):
        hits: list[int] = []
        for focus in foci(plan, triple):
            items = suggest(kg, plan, focus, gold.question.text, limit=None).items
            hits += [place for place, item in enumerate(items) if says(item, triple, focus)][:1]
        seen.there[name] += 1
        seen.any[name] += bool(hits)
        seen.top[name] += bool(hits) and min(hits) < _TOP


# --- time -----------------------------------------------------------------------------------------


def timed(kg: KG, golds: Sequence[Gold]) -> list[float]:
    """Return the milliseconds of suggestions at each variable of each beginning of some queries."""
    taken: list[float] = []
    for plan in dict.fromkeys(plan for gold in golds for plan, _ in prefixes(gold.plan)):
        for focus in plan.scope or (None,):
            start = perf_counter()
            try:
                suggest(kg, plan, focus)
            except HermesError as error:
                print(f"failed at {focus}: {error}")
            taken.append(1000 * (perf_counter() - start))
    return taken


def olympics() -> list[Gold]:
    """Return the beginnings of the documented session as if they were a gold query."""
    text = (
        "PREFIX ex: <http://example.org/olympics/> SELECT ?city { ?city ex:hosted ?g . ?city ex:country ?k . "
        "?g ex:season ?s . ?g ex:year ?y . ?k a ex:Country . ?city ex:population ?p }"
    )
    return [Gold(Question("documented", "", sparql=text), parse_query(text), frozenset())]


def main(_: Sequence[str] = ()) -> int:
    """Print the tables; the exit code is 1 when a target is missed."""
    print("\n".join(conditions()))
    missed = [*_walks(), *_next(), *_times()]
    print(f"targets: {'missed: ' + ', '.join(missed) if missed else 'met'}")
    return int(bool(missed))


def _walks() -> Iterator[str]:
    print(f"\nrandom walks of {_STEPS:,} steps; wrong: not the solutions or not the values that it said")
    print(f"{'graph':16}{'run':>8}{'wrong':>8}{'estimated':>11}{'median ms':>11}{'95 % ms':>9}")
    for name, files in _WALKS.items():
        if not all(isinstance(file, str) or file.is_file() for file in files):
            print(f"{name:16} is absent")
            continue
        kg = KG.load(*map(str, files))
        seen = walk(kg, seed=1)
        ordered = sorted(seen.seconds)
        late = 1000 * ordered[int(len(ordered) * 0.95)]
        print(
            f"{name:16}{seen.checked:8,}{seen.wrong:8}{seen.estimated:11,}"
            f"{1000 * median(ordered):11.1f}{late:9.1f}"
        )
        kg.close()
        if seen.wrong:
            yield f"{seen.wrong} wrong on {name}"


def _next() -> Iterator[str]:
    seen = Next()
    for name in SETS[:3]:
        golds = list(gold_of(name))
        graphs = read_questions(DATA / name / "questions.dev.json").graphs if golds else {}
        for graph in sorted(graphs):
            kg = KG.load(*map(str, graphs[graph]))
            for gold in golds:
                if gold.question.kg == graph:
                    look_for(kg, name, gold, seen)
            kg.close()
    total = sum(seen.there.values())
    if not total:
        return
    print(f"\nthe true next triple of gold queries{'among all':>14}{f'first {_TOP}':>12}")
    for name in seen.there:
        print(
            f"{name:32}{seen.there[name]:5,}{seen.any[name] / seen.there[name]:13.3f}"
            f"{seen.top[name] / seen.there[name]:12.3f}"
        )
    for what, found, least in (("all", seen.any, _RECALL[0]), (f"first {_TOP}", seen.top, _RECALL[1])):
        share = sum(found.values()) / total
        print(f"{what}: {share:.3f} of {total:,}, target {least}")
        if share < least:
            yield f"next triple, {what} {share:.3f}"


def _times() -> Iterator[str]:
    large = {gold.question.kg for gold in gold_of("spider4sparql-large")}
    print(f"\nevery variable of every beginning{'foci':>8}{'median ms':>12}{'95 % ms':>10}")
    for name, (most_median, most_late) in _TIMED.items():
        if name == "olympics":
            kg, golds = KG.load("olympics"), olympics()
        elif name in large:
            graphs = read_questions(DATA / "spider4sparql-large" / "questions.dev.json").graphs
            kg = KG.load(*map(str, graphs[name]))
            golds = [gold for gold in gold_of("spider4sparql-large") if gold.question.kg == name]
        else:
            continue
        taken = sorted(timed(kg, golds))
        middle, late = median(taken), taken[int(len(taken) * 0.95)]
        aims = f"targets {most_median:.0f} and {most_late:.0f}"
        print(f"{name:33}{len(taken):8,}{middle:12.1f}{late:10.1f}   {aims}")
        kg.close()
        if middle > most_median or late > most_late:
            yield f"{name} {middle:.0f} and {late:.0f} ms"


if __name__ == "__main__":
    raise SystemExit(main())
