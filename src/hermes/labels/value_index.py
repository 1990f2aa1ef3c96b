"""The index of values: the short texts that occur in a graph, each as the name of itself."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from time import monotonic
from typing import Final

from hermes.labels.fold import fold
from hermes.labels.graph import Graph
from hermes.labels.hits import Named
from hermes.labels.index_build import build_from, pages
from hermes.labels.kept_index import KeptIndex
from hermes.labels.progress import Progress
from hermes.store import direct
from hermes.terms import RDF_LANG_STRING, XSD_STRING, Literal

LONGEST: Final = 100
"""A text of more characters is none that somebody names."""
_TEXTS: Final = (
    "SELECT DISTINCT ?o { ?s ?p ?o FILTER(isLiteral(?o) && "
    f"(LANG(?o) != '' || DATATYPE(?o) = <{XSD_STRING}>) "
    f"&& STRLEN(STR(?o)) <= {LONGEST}) }}"
)

_log: Final = logging.getLogger("hermes")


class ValueIndex:
    """Finds the texts that occur in a graph.

    Attributes:
        index: the index; the `iri` of what is found there is read by `literal_of`.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self.index = KeptIndex(graph, "values", self._fill)

    def _fill(self, database: sqlite3.Connection, key: str) -> None:
        start = monotonic()
        build_from(database, self._named(), key)
        _log.debug("the values are indexed, %.1f s", monotonic() - start)

    def _named(self) -> Iterator[Named]:
        progress, read = Progress("indexing the values"), 0
        for rows in pages(direct(self._graph.store), "?o", _TEXTS):
            for row in rows:
                term = row.get("o")
                if isinstance(term, Literal) and (folded := fold(term.lexical)):
                    yield Named(_key(term), "entity", term.lexical, folded)
            read += len(rows)
            progress(read)

    def close(self) -> None:
        """Close the index."""
        self.index.close()


def literal_of(key: str) -> Literal:
    """Return the literal that the index of values has under a key."""
    language, _, lexical = key.partition(" ")
    return Literal(lexical, RDF_LANG_STRING, language) if language else Literal(lexical)


def _key(term: Literal) -> str:
    return f"{term.language or ''} {term.lexical}"
