"""Look-up of terms by their labels: how long it takes and how often the right one comes first, of 100,000.

The labels are the distinct ones of the shared graphs (places, people, products, companies, songs), in order
of graph and of text, and then, up to 100,000, given and family names of these graphs put together by chance
with a fixed seed. Each is the label of one entity. The queries are made of labels drawn by chance: the label
itself; with one or two typos (a letter too much, one left out, another one, two changed, anywhere in it); its
first three fifths; two of its words in any order. Each is asked once. Beside hermes, which is asked through
`KG.lookup` and so also looks up types and counts, the same queries are put to SQLite FTS5 alone (words as
prefixes, ranked by bm25) and to rapidfuzz alone (the ratio with every label).
"""

from __future__ import annotations

import os
import random
import sqlite3
import string
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

from rapidfuzz import fuzz, process

from benchmarks.report import Report, conditions, print_all, table
from benchmarks.samples import DATA
from benchmarks.timing import quiet
from hermes import KG
from hermes.labels import fold
from hermes.store import direct
from hermes.terms import RDF_TYPE, RDFS, Literal

LABELS: Final = 100_000
QUERIES: Final = 250
_SEED: Final = 4
_SHORTEST: Final = 4
_PREFIX: Final = 0.6
_BEST: Final = 10
_MEDIAN_TARGET: Final = 5.0
_RECALL: Final[Mapping[str, float]] = {"exact": 0.95, "one typo": 0.90}
_NS: Final = "http://example.org/e"

_GRAPHS: Final = (
    "mondial-europe/mondial-europe.ttl.gz",
    "ck25/ck25.ttl.gz",
    "geoquery/kg/geo.nt.gz",
    *(f"spider4sparql/kg/{name}.nt.gz" for name in ("world_1", "wta_1", "flight_2", "tvshow")),
    *(f"spider4sparql-large/kg/{name}.nt.gz" for name in ("flight_4", "store_1", "sakila_1", "college_2")),
)

Find = Callable[[str], Sequence[int]]
"""Returns the numbers of the labels that a text means, the best first, ten at most."""


# --- labels and queries -----------------------------------------------------------------------


def stated(path: Path) -> Iterator[str]:
    """Yield the labels that a shared graph states, in order of text."""
    kg = KG.load(path)
    select = direct(kg.store)
    found = set()
    for name in kg.label_names:
        triples = " . ".join(f"?s <{iri}> ?o{number}" for number, iri in enumerate(name.predicates))
        for row in select(f"SELECT * {{ {triples} }}").rows:
            texts = [row[f"o{number}"] for number in range(len(name.predicates))]
            found.add(" ".join(text.lexical for text in texts if isinstance(text, Literal)))
    kg.close()
    yield from sorted(found)


def labels() -> tuple[list[str], int]:
    """Return the labels, no two of which are the same without case and accents, and how many are real."""
    found: dict[str, str] = {}
    for graph in _GRAPHS:
        for text in stated(DATA / graph):
            found.setdefault(fold(text), " ".join(text.split()))
    real = list(found.values())
    chance = random.Random(_SEED)  # noqa: S311 - not a secret
    people = [text.split(" ") for text in real if len(text.split(" ")) == 2]  # noqa: PLR2004 - given, family
    given, family = ([person[place] for person in people] for place in (0, 1))
    while len(found) < LABELS:
        text = f"{chance.choice(given)} {chance.choice(family)}"
        found.setdefault(fold(text), text)
    return list(found.values())[:LABELS], len(real)


def typo(text: str, chance: random.Random) -> str:
    """Return a text with one typo, anywhere in it."""
    at, letter = chance.randrange(len(text)), chance.choice(string.ascii_lowercase)
    return chance.choice(
        [
            text[:at] + letter + text[at:],
            text[:at] + text[at + 1 :],
            text[:at] + letter + text[at + 1 :],
            text[:at] + text[at + 1 : at + 2] + text[at] + text[at + 2 :],
        ]
    )


def queries(known: Sequence[str]) -> dict[str, list[tuple[str, int]]]:
    """Return for each kind of query its texts, each with the number of the label that it was made of."""
    chance = random.Random(_SEED + 1)  # noqa: S311 - not a secret
    long = [number for number, text in enumerate(known) if len(text) >= _SHORTEST]
    many = [number for number in long if len(set(fold(known[number]).split())) > 2]  # noqa: PLR2004 - of three

    def two(text: str) -> str:
        return " ".join(chance.sample(sorted(set(fold(text).split())), 2))

    makers: Mapping[str, tuple[Sequence[int], Callable[[str], str]]] = {
        "exact": (long, str),
        "one typo": (long, lambda text: typo(text, chance)),
        "two typos": (long, lambda text: typo(typo(text, chance), chance)),
        "beginning": (long, lambda text: text[: max(_SHORTEST, int(_PREFIX * len(text)))]),
        "two words": (many, two),
    }
    return {
        kind: [(make(known[number]), number) for number in chance.sample(choice, QUERIES)]
        for kind, (choice, make) in makers.items()
    }


# --- who answers -------------------------------------------------------------------------------


def hermes(known: Sequence[str], folder: Path) -> Find:
    """Return the look-up of hermes over a graph with these labels; its index is made beforehand."""
    path = folder / "labels.nt"
    lines = (
        f"<{_NS}{number}> <{RDFS}label> {Literal(text)} .\n<{_NS}{number}> <{RDF_TYPE}> <{_NS}> .\n"
        for number, text in enumerate(known)
    )
    path.write_text("".join(lines), encoding="utf-8")
    os.environ["XDG_CACHE_HOME"] = str(folder)
    kg = KG.load(path)
    start = perf_counter()
    kg.lookup("nothing")
    size = sum(each.stat().st_size for each in (folder / "hermes").iterdir())
    print(f"the index of hermes: made in {perf_counter() - start:.1f} s, {size / 1e6:.0f} MB\n")
    return lambda text: [
        int(entry.term.value.removeprefix(_NS) or 0) for entry in kg.lookup(text, "entity").entries
    ]


def sqlite_alone(known: Sequence[str], _: Path) -> Find:
    """Return the look-up of SQLite FTS5: names with all the words as prefixes, else with any."""
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE label USING fts5 (text, tokenize='unicode61 remove_diacritics 2')")
    rows = enumerate(known)
    database.executemany("INSERT INTO label (rowid, text) VALUES (?, ?)", rows)

    def find(text: str) -> Sequence[int]:
        words = [f'"{word}"*' for word in fold(text).split()]
        for joined in (" ".join(words), " OR ".join(words)):
            query = "SELECT rowid FROM label WHERE label MATCH ? ORDER BY rank LIMIT ?"
            found = [number for (number,) in database.execute(query, (joined, _BEST))]
            if found:
                return found
        return []

    return find


def rapidfuzz_alone(known: Sequence[str], _: Path) -> Find:
    """Return the look-up of rapidfuzz: the names whose ratio with the text is largest."""
    choices = [fold(text) for text in known]
    return lambda text: [
        number for _, _, number in process.extract(fold(text), choices, scorer=fuzz.ratio, limit=_BEST)
    ]


_SYSTEMS: Final[Mapping[str, Callable[[Sequence[str], Path], Find]]] = {
    "hermes": hermes,
    "SQLite FTS5": sqlite_alone,
    "rapidfuzz": rapidfuzz_alone,
}


# --- figures -----------------------------------------------------------------------------------


def answered(find: Find, texts: Sequence[str]) -> tuple[list[float], list[Sequence[int]]]:
    """Return the milliseconds and the answer of each query, asked once: what was asked before is quicker."""
    took, answers = [], []
    with quiet():
        find("warm up")
        for text in texts:
            start = perf_counter()
            answers.append(find(text))
            took.append(1000 * (perf_counter() - start))
    return took, answers


def recall(answers: Sequence[Sequence[int]], asked: Sequence[tuple[str, int]], best: int) -> float:
    """Return how often the right label is among the best."""
    right = (number for _, number in asked)
    return sum(number in answer[:best] for answer, number in zip(answers, right, strict=True)) / len(asked)


def main(_: Sequence[str]) -> int:
    """Print the tables; return 1 if a target was missed."""
    if not DATA.is_dir():
        print("cannot run: the shared data folder is absent")
        return 2
    print("\n".join(conditions("rapidfuzz")))
    known, real = labels()
    asked = queries(known)
    print(f"{len(known):,} labels, {real:,} of them of the shared graphs; {QUERIES} queries of each kind")
    report = Report("look-up", "ms")
    rows, missed = [], False
    with TemporaryDirectory() as folder:
        systems = {name: make(known, Path(folder)) for name, make in _SYSTEMS.items()}
        for kind, pairs in asked.items():
            for name, find in systems.items():
                took, answers = answered(find, [text for text, _ in pairs])
                report.add(f"{kind}, {name}", took, _MEDIAN_TARGET if name == "hermes" else None)
                first, ten = (recall(answers, pairs, best) for best in (1, _BEST))
                target = _RECALL.get(kind) if name == "hermes" else None
                bad = target is not None and first < target
                missed = missed or bad
                said = "" if target is None else f">= {target:.2f} {'MISSED' if bad else 'met'}"
                rows.append((f"{kind}, {name}", f"{first:.3f}", f"{ten:.3f}", said))
    code = print_all([report])
    print(table(("right label", "first", "in ten", "target"), rows))
    return max(code, int(missed))
