"""What an inspection takes the first time, on a graph of 1.2 million triples, beside the bare store."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final, cast

import pyoxigraph as ox

import hermes
from benchmarks.report import Report, conditions, print_all
from benchmarks.samples import DATA
from benchmarks.timing import quiet
from hermes import KG
from hermes.findings import Role
from hermes.store.engine import load_files
from hermes.terms import IRI, RDF_TYPE

_FORMULA: Final = DATA / "spider4sparql-large" / "kg" / "formula_1.nt.gz"
_SMALL: Final = Path(hermes.__file__).parent / "datasets" / "olympics.ttl"
_TARGET: Final = 400.0
_ROUNDS: Final = 3
_MILLISECOND: Final = 1000
_PLAIN: Final = (
    "SELECT ?p (COUNT(*) AS ?n) (COUNT(DISTINCT ?s) AS ?k) (SAMPLE(?o) AS ?e) "
    f"{{{{ ?s <{RDF_TYPE}> {{}} . {{}} }}}} GROUP BY ?p"
)
_CALLED: Final[dict[Role, str]] = {
    "class": "all classes",
    "predicate": "all predicates",
    "entity": "an entity of each class",
}


def _graph() -> Path:
    return _FORMULA if _FORMULA.is_file() else _SMALL


def _terms(kg: KG) -> dict[Role, list[IRI]]:
    """Return all classes, the largest first, all predicates, and an entity of each class."""
    classes = [IRI(name) for name in kg.vocabulary.classes]
    entities = [
        row["s"]
        for each in classes
        for row in kg.select(f"SELECT ?s {{ ?s <{RDF_TYPE}> {each} FILTER(isIRI(?s)) }} LIMIT 1").rows
    ]
    return {
        "class": classes,
        "predicate": [IRI(name) for name in kg.vocabulary.predicates],
        "entity": [each for each in entities if isinstance(each, IRI)],
    }


def _elapsed(look: Callable[[], object]) -> float:
    start = perf_counter()
    look()
    return (perf_counter() - start) * _MILLISECOND


def reports() -> Iterator[Report]:
    """Inspect each term once in a graph that was just loaded, in several rounds; classes by hand in turn."""
    bare = ox.Store()
    load_files(bare, [_graph()], None)
    first: list[float] = []
    plain: list[list[float]] = []
    rounds: dict[Role, list[list[float]]] = {role: [] for role in _CALLED}
    for _ in range(_ROUNDS):
        kg = KG.load(_graph())
        largest = IRI(next(iter(kg.vocabulary.classes)))
        with quiet():
            first.append(_elapsed(partial(kg.inspect, largest)))
        kg.close()
        kg = KG.load(_graph())
        kg.label(largest)  # which predicates give names is found once for a graph
        terms = _terms(kg)
        with quiet():
            pairs = [
                (_elapsed(partial(kg.inspect, term, role="class")), _elapsed(partial(_count, bare, term)))
                for term in terms["class"]
            ]
            rounds["class"].append([ours for ours, _ in pairs])
            plain.append([theirs for _, theirs in pairs])
            for role in ("predicate", "entity"):
                rounds[role].append([_elapsed(partial(kg.inspect, term, role=role)) for term in terms[role]])
        kg.close()
    report = Report("inspection, the first time", "ms")
    report.add("the largest class, right after loading", first, _TARGET)
    for role, called in _CALLED.items():
        report.add(called, _medians(rounds[role]), _TARGET, by="largest")
    report.add("the counts of all classes on the bare store", _medians(plain))
    yield report


def _medians(rounds: Sequence[Sequence[float]]) -> list[float]:
    return [median(times) for times in zip(*rounds, strict=True)]


def _count(store: ox.Store, term: IRI) -> None:
    """Count what is around the instances of a class by the plain queries, in this process."""
    for way in ("?s ?p ?o", "?o ?p ?s"):
        _all(store, _PLAIN.format(term, way))


def _all(store: ox.Store, query: str) -> list[ox.QuerySolution]:
    return list(cast("ox.QuerySolutions", store.query(query)))


def main(_: Sequence[str] = ()) -> int:
    """Print the tables; the exit code is 1 when a target is missed."""
    print("\n".join(conditions("pyoxigraph")))
    print(
        f"graph: {_graph().name}; the median of {_ROUNDS} rounds, each in a graph loaded anew, empty cache\n"
    )
    return print_all(reports())


if __name__ == "__main__":
    raise SystemExit(main())
