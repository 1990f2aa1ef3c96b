"""What the sentence of a plan costs without its labels, and how many of them need SPARQL text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from benchmarks.report import Report, conditions, print_all
from benchmarks.samples import BASE, Query, gold_queries, real_queries
from benchmarks.timing import times
from hermes.algebra import Plan, parse_query
from hermes.errors import HermesError
from hermes.labels import label_of
from hermes.terms import IRI, WELL_KNOWN, Prefixes, Term
from hermes.verbalize import verbalize

_TARGET: Final = 5.0
_GOLD: Final = ("ck25", "geoquery", "spider4sparql", "spider4sparql-large")


class _LocalNames:
    """Labels that take no query."""

    prefixes: Prefixes = WELL_KNOWN

    def labels(self, terms: Iterable[Term]) -> Mapping[IRI, str]:
        """Return the local name in words."""
        return {term: label_of(term, self.prefixes) for term in terms if isinstance(term, IRI)}


def _plans(queries: Iterable[Query]) -> Iterator[tuple[str, Plan]]:
    for query in queries:
        try:
            yield query.collection, parse_query(query.text, base=BASE)
        except HermesError:
            continue


def measure() -> Iterator[Report]:
    """Yield the table of times and that of sentences with SPARQL text."""
    names = _LocalNames()
    gold: dict[str, list[Plan]] = {}
    for collection, plan in _plans(query for folder in _GOLD for query in gold_queries(folder)):
        gold.setdefault(collection, []).append(plan)
    cost = Report("sentence of a gold query", "ms")
    for collection, plans in gold.items():
        taken = times(lambda plan: verbalize(plan, names), plans)
        cost.add(collection, [microseconds / 1000 for microseconds in taken], _TARGET)
    yield cost
    copied: dict[str, list[float]] = {}
    for collection, plan in _plans(real_queries()):
        copied.setdefault(collection, []).append(float("`" in verbalize(plan, names)))
    shares = Report("sentences with SPARQL text", "")
    for collection, found in copied.items():
        shares.add(collection, found)
    yield shares


def main(_: Sequence[str] = ()) -> int:
    """Print the tables; the exit code is 1 when a target is missed."""
    print("\n".join(conditions()))
    return print_all(measure())


if __name__ == "__main__":
    raise SystemExit(main())
