"""What helps to choose between terms: their classes, and how many triples are around them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hermes.results import Table
from hermes.terms import IRI, RDF_TYPE, Literal, full_iri

_TYPE: Final = full_iri(RDF_TYPE)
_MOST_TYPES: Final = 5


@dataclass(frozen=True, slots=True)
class Facts:
    """The number of triples with a term as subject or object, and some of its classes, the rarest first."""

    count: int = 0
    types: tuple[IRI, ...] = ()


def facts(
    select: Callable[[str], Table], terms: Sequence[IRI], classes: Mapping[str, int]
) -> dict[IRI, Facts]:
    """Return the facts of some terms, by one query.

    Args:
        select: executes it.
        terms: as many as are shown.
        classes: the instances of the classes, where that is known.

    Raises:
        StoreError: the store could not answer.
    """
    if not terms:
        return {}
    listed = f"VALUES ?t {{ {' '.join(map(str, terms))} }}"
    around = f"SELECT ?t (COUNT(*) AS ?n) {{ {listed} {{ ?t ?p ?o }} UNION {{ ?s ?p ?t }} }} GROUP BY ?t"
    table = select(f"SELECT ?t ?n ?c {{ {{ {around} }} UNION {{ {listed} ?t {_TYPE} ?c }} }}")
    counts: dict[IRI, int] = {}
    types: defaultdict[IRI, dict[IRI, None]] = defaultdict(dict)
    for row in table.rows:
        term, number, kind = row.get("t"), row.get("n"), row.get("c")
        if isinstance(term, IRI) and isinstance(number, Literal):
            counts[term] = int(number.lexical)
        elif isinstance(term, IRI) and isinstance(kind, IRI):
            types[term][kind] = None
    found = {}
    for term in terms:
        rarest = sorted(types[term], key=lambda kind: (classes.get(kind.value, 0), kind.value))
        found[term] = Facts(counts.get(term, 0), tuple(rarest[:_MOST_TYPES]))
    return found
