"""The names that a graph uses, counted: one query that every store answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

USAGE_QUERY: Final = """\
SELECT ?role ?term ?n {
  { SELECT ("predicate" AS ?role) ?term (COUNT(*) AS ?n) { ?s ?term ?o } GROUP BY ?term }
  UNION
  { SELECT ("class" AS ?role) ?term (COUNT(*) AS ?n)
    { ?s <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> ?term } GROUP BY ?term }
}"""
"""Its rows are for `Usage.of`, as texts and numbers; a class may be no IRI."""


@dataclass(frozen=True, slots=True)
class Usage:
    """The predicates of a dataset with their triples, and its classes with their direct instances.

    The names are IRIs, the most frequent first.
    """

    predicates: dict[str, int]
    classes: dict[str, int]

    @classmethod
    def of(cls, rows: Iterable[tuple[str, str, int]]) -> Usage:
        """Return what the rows of the query say: the role, the IRI and the number of each."""
        found: dict[str, Counter[str]] = {"predicate": Counter(), "class": Counter()}
        for role, term, n in rows:
            found[role][term] += n
        return cls(_ranked(found["predicate"]), _ranked(found["class"]))


def _ranked(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
