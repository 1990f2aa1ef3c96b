"""Search on the embedded store: the index of its names, made when it is first needed."""

from __future__ import annotations

import logging
import sqlite3
from threading import Lock
from time import monotonic
from typing import Final

from hermes.findings import Role
from hermes.kept_files import cache_folder
from hermes.labels.graph import Graph
from hermes.labels.hits import Hits
from hermes.labels.index import Index
from hermes.labels.index_build import Source, build
from hermes.labels.index_file import in_memory, key_of, open_index
from hermes.labels.progress import Progress
from hermes.labels.search import search
from hermes.store import direct, embedded

_SMALL: Final = 100_000
"""The index of a graph of at most so many triples is made in memory, each time (about half a second)."""

_log: Final = logging.getLogger("hermes")


class EmbeddedSearch:
    """Finds the terms of an embedded store by their names. May be shared between threads."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._index: Index | None = None
        self._making = Lock()

    def search(self, text: str, role: Role | None, enough: int) -> Hits:
        """Return the names that contain a text (see `hermes.labels.search`).

        Raises:
            StoreError: the store could not answer.
            sqlite3.Error: an index cannot be made at all.
        """
        try:
            return search(self._kept(), text, role, enough)
        except sqlite3.Error as error:
            _log.warning("the index of labels is broken and made anew: %s", error)
        with self._making:
            self._index = in_memory("", self._fill)
        return search(self._index, text, role, enough)

    def close(self) -> None:
        """Close the index."""
        with self._making:
            if self._index is not None:
                self._index.close()
                self._index = None

    def _kept(self) -> Index:
        """Return the index; where there is none yet, it is opened or made."""
        with self._making:
            if self._index is None:
                store = embedded(self._graph.store)
                if store is None or store.size <= _SMALL:
                    self._index = in_memory("", self._fill)
                else:
                    folders = [folder for folder in (store.directory, cache_folder()) if folder is not None]
                    self._index = open_index(key_of(store.fingerprint), self._fill, folders)
            return self._index

    def _fill(self, database: sqlite3.Connection, key: str) -> None:
        graph = self._graph
        known = graph.vocabulary
        source = Source(direct(graph.store), graph.label_names, known.predicates, known.classes)
        start = monotonic()
        build(database, source, key, Progress("indexing the labels"))
        _log.debug("the labels are indexed, %.1f s", monotonic() - start)
