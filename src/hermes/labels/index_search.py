"""Search in the index of the names of a graph."""

from __future__ import annotations

import logging
import sqlite3
from time import monotonic
from typing import Final

from hermes.findings import Role
from hermes.labels.graph import Graph
from hermes.labels.hits import Hits
from hermes.labels.index_build import Source, build
from hermes.labels.kept_index import KeptIndex
from hermes.labels.progress import Progress
from hermes.labels.search import search
from hermes.store import direct

_log: Final = logging.getLogger("hermes")


class IndexSearch:
    """Finds the terms of a graph in the index of its names. May be shared between threads.

    Attributes:
        index: the index of names.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self.index = KeptIndex(graph, "names", self._fill)

    def search(self, text: str, role: Role | None, enough: int) -> Hits:
        """Return the names that contain a text (see `hermes.labels.search`).

        Raises:
            StoreError: the store could not answer.
            sqlite3.Error: an index cannot be made at all.
        """
        return self.index.ask(lambda index: search(index, text, role, enough))

    def close(self) -> None:
        """Close the index."""
        self.index.close()

    def _fill(self, database: sqlite3.Connection, key: str) -> None:
        graph = self._graph
        known = graph.vocabulary
        source = Source(direct(graph.store), graph.label_names, known.predicates, known.classes)
        start = monotonic()
        build(database, source, key, Progress("indexing the labels"))
        _log.debug("the labels are indexed, %.1f s", monotonic() - start)
