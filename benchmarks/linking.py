"""Which terms of gold queries are found in their questions: recall, against three plain ways; and time."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from statistics import median
from time import perf_counter
from typing import Final

from rapidfuzz import fuzz, process

from benchmarks.gold_terms import SETS, Gold, gold_of
from benchmarks.report import conditions
from benchmarks.samples import DATA
from hermes import KG
from hermes.evaluation import read_questions
from hermes.labels import fold, words
from hermes.linking import Mentions, link
from hermes.linking.mentions import Kind
from hermes.terms import IRI, Literal

TOP: Final = 10
KINDS: Final[tuple[Kind, ...]] = ("class", "predicate", "entity", "value")
_LONGEST_RUN: Final = 4
_LEAST_RATIO: Final = 60
_TARGET_SETS: Final = ("ck25", "geoquery", "spider4sparql")
_TARGETS: Final = {"all": 0.80, "entity": 0.90, "value": 0.90}
_DEFINITION: Final = f"""\
recall@{TOP}: the part of the terms of gold queries (each IRI but rdf:type and rdfs:subClassOf, each literal;
once a query) that are among the first {TOP} candidates of their kind for the question. A literal also counts
where the question has the number, or has the text in quotation marks; two literals with the same text or
number are the same.
"""

Term = IRI | Literal
Names = Mapping[Kind, Sequence[tuple[str, Term]]]
"""The folded names of the terms of each kind."""
Finder = Callable[[str, Names], Mapping[Kind, Sequence[Term]]]


@dataclass(slots=True)
class Tally:
    """How many gold terms there are of each kind in each set, and how many each way found."""

    there: Counter[tuple[str, Kind]] = field(default_factory=Counter)
    found: defaultdict[str, Counter[tuple[str, Kind]]] = field(default_factory=lambda: defaultdict(Counter))
    seconds: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def share(self, way: str, sets: Iterable[str], kinds: Iterable[Kind]) -> float:
        """Return the part of the terms that a way found."""
        cells = [(name, kind) for name in sets for kind in kinds]
        there = sum(self.there[cell] for cell in cells)
        return sum(self.found[way][cell] for cell in cells) / there if there else 1.0


def ours(kg: KG) -> Callable[[str], Mapping[Kind, Sequence[Term]]]:
    """Return what links a question by hermes."""

    def find(question: str) -> Mapping[Kind, Sequence[Term]]:
        found: Mentions = link(question, kg)
        ranked: dict[Kind, Sequence[Term]] = {
            kind: [each.term for each in found.ranked(kind, TOP)] for kind in KINDS
        }
        said = [*(number.value for number in found.numbers), *(Literal(span.text) for span in found.quoted)]
        return {**ranked, "value": [*ranked["value"], *said]}

    return find


def names_of(kg: KG) -> Names:
    """Return the names that the plain ways look through: labels, or local names in words, and texts."""
    known = kg.vocabulary
    found: dict[Kind, list[tuple[str, Term]]] = {
        "class": [(fold(known.labels.get(iri) or iri), IRI(iri)) for iri in known.classes],
        "predicate": [(fold(known.labels.get(iri) or iri), IRI(iri)) for iri in known.predicates],
        "value": [],
        "entity": [],
    }
    values = kg.select("SELECT DISTINCT ?o { ?s ?p ?o FILTER(isLiteral(?o) && STRLEN(STR(?o)) <= 100) }")
    for row in values.rows:
        if isinstance(value := row.get("o"), Literal):
            found["value"].append((fold(value.lexical), value))
    terms = [row["s"] for row in kg.select("SELECT DISTINCT ?s { ?s ?p ?o FILTER(isIRI(?s)) }").rows]
    stated = kg.stated_labels(terms)
    for term in terms:
        if isinstance(term, IRI) and (name := stated.get(term) or words(term.value)):
            found["entity"].append((fold(name), term))
    return found


def exact(question: str, names: Names) -> Mapping[Kind, Sequence[Term]]:
    """Find names that stand in the question as they are, the longest first."""
    text = f" {fold(question)} "
    return {
        kind: [
            term
            for name, term in sorted(each, key=lambda pair: (-len(pair[0]), str(pair[1])))
            if name and f" {name} " in text
        ][:TOP]
        for kind, each in names.items()
    }


def ratio(question: str, names: Names) -> Mapping[Kind, Sequence[Term]]:
    """Find the names most like a run of at most four words of the question, by rapidfuzz.fuzz.ratio."""
    said = fold(question).split()
    runs = {
        " ".join(said[start:end])
        for start in range(len(said))
        for end in range(start + 1, min(start + _LONGEST_RUN, len(said)) + 1)
    }
    return {kind: _most_alike(sorted(runs), each) for kind, each in names.items()}


def _most_alike(runs: Sequence[str], names: Sequence[tuple[str, Term]]) -> Sequence[Term]:
    texts = [name for name, _ in names]
    best: dict[int, float] = {}
    for run in runs:
        for _, score, at in process.extract(
            run, texts, scorer=fuzz.ratio, limit=TOP, score_cutoff=_LEAST_RATIO
        ):
            best[at] = max(best.get(at, 0.0), score)
    ordered = sorted(best, key=lambda at: (-best[at], str(names[at][1])))
    return [names[at][1] for at in ordered[:TOP]]


class Bm25:
    """Finds names by the words of a question, as the full-text search of SQLite ranks them (BM25)."""

    def __init__(self, names: Names) -> None:
        self._database = sqlite3.connect(":memory:")
        self._terms: dict[Kind, list[Term]] = {}
        for kind, each in names.items():
            self._database.execute(f"CREATE VIRTUAL TABLE {kind} USING fts5 (name, tokenize='porter')")
            rows = [(number, name) for number, (name, _) in enumerate(each)]
            self._database.executemany(f"INSERT INTO {kind} (rowid, name) VALUES (?, ?)", rows)  # noqa: S608 - ours
            self._terms[kind] = [term for _, term in each]

    def __call__(self, question: str, _: Names) -> Mapping[Kind, Sequence[Term]]:
        """Return the best names of each kind."""
        query = " OR ".join(f'"{word}"' for word in dict.fromkeys(fold(question).split()))
        found: dict[Kind, Sequence[Term]] = {}
        for kind, terms in self._terms.items():
            text = f"SELECT rowid FROM {kind} WHERE name MATCH ? ORDER BY bm25({kind}), rowid LIMIT ?"  # noqa: S608 - ours
            found[kind] = [terms[row] for (row,) in self._database.execute(text, (query, TOP))]
        return found

    def close(self) -> None:
        """Forget all names."""
        self._database.close()


def same(one: Term, other: Term) -> bool:
    """Whether two terms are the same, literals by their text or their number."""
    if isinstance(one, IRI) or isinstance(other, IRI):
        return one == other
    if one.lexical == other.lexical:
        return True
    try:
        return float(one.lexical) == float(other.lexical)
    except ValueError:
        return False


def count(tally: Tally, name: str, golds: Sequence[Gold], graphs: Mapping[str, Sequence[object]]) -> None:
    """Ask all questions of a set, a graph at a time; the plain ways only on small graphs."""
    for graph in sorted({gold.question.kg for gold in golds}):
        kg = KG.load(*map(str, graphs[graph]))
        start = perf_counter()
        link("", kg)
        tally.seconds["index"].append(perf_counter() - start)
        names = names_of(kg) if name in _TARGET_SETS else {}
        with closing(Bm25(names)) as bm25:
            own = ours(kg)
            ways: dict[str, Finder] = {"hermes": lambda text, _, own=own: own(text)}  # type: ignore[misc]
            if names:
                ways |= {"exact label": exact, "BM25": bm25, "rapidfuzz ratio": ratio}
            for gold in golds:
                if gold.question.kg == graph:
                    _ask(tally, name, gold, ways, names)
        kg.close()


def _ask(tally: Tally, name: str, gold: Gold, ways: Mapping[str, Finder], names: Names) -> None:
    for kind, _ in gold.terms:
        tally.there[name, kind] += 1
    for way, find in ways.items():
        start = perf_counter()
        found = find(gold.question.text, names)
        tally.seconds[way].append(perf_counter() - start)
        for kind, term in gold.terms:
            if any(same(term, each) for each in found.get(kind, ())):
                tally.found[way][name, kind] += 1


def lines(tally: Tally) -> Iterator[str]:
    """Yield the tables."""
    sets = [name for name in SETS if any(tally.there[name, kind] for kind in KINDS)]
    ways = [way for way in tally.seconds if way != "index"]
    yield "recall@10".ljust(34) + "".join(f"{kind:>12}" for kind in (*KINDS, "all"))
    for way in ways:
        for name in (*sets, "the first three") if way == "hermes" else ("the first three",):
            part = _TARGET_SETS if name == "the first three" else (name,)
            cells = [tally.share(way, part, [kind]) for kind in KINDS]
            shown = "".join(f"{cell:12.3f}" for cell in (*cells, tally.share(way, part, KINDS)))
            yield f"{way}, {name}".ljust(34) + shown
    yield ""
    yield f"terms: {sum(tally.there.values()):,}"
    for way in ways:
        taken = sorted(tally.seconds[way])
        late = taken[int(len(taken) * 0.95)]
        yield f"milliseconds a question, {way}: median {1000 * median(taken):.1f}, 95 % {1000 * late:.1f}"
    slowest = max(tally.seconds["index"])
    yield f"seconds for the indexes and the schema of a graph, where not kept: most {slowest:.1f}"


def main(_: Sequence[str] = ()) -> int:
    """Print the tables; the exit code is 1 when a target is missed."""
    print("\n".join(conditions("rapidfuzz")))
    print(_DEFINITION)
    tally = Tally()
    for name in SETS:
        golds = list(gold_of(name))
        if golds:
            count(tally, name, golds, read_questions(DATA / name / "questions.dev.json").graphs)
    if not tally.there:
        print("the shared data is absent (set HERMES_SHARED)")
        return 0
    print("\n".join(lines(tally)))
    missed = [
        f"{kind} {share:.3f} < {least}"
        for kind, least in _TARGETS.items()
        if (share := tally.share("hermes", _TARGET_SETS, KINDS if kind == "all" else [kind])) < least  # type: ignore[list-item]
    ]
    print(f"targets: {'missed: ' + ', '.join(missed) if missed else 'met'}")
    return int(bool(missed))


if __name__ == "__main__":
    raise SystemExit(main())
