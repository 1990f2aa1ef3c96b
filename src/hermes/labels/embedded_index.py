"""An index of the embedded store, made when it is first needed: of its names, or of its values."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from threading import Lock
from typing import Final, TypeVar

from hermes.kept_files import cache_folder
from hermes.labels.graph import Graph
from hermes.labels.index import Index
from hermes.labels.index_file import Fill, in_memory, key_of, open_index
from hermes.store import embedded

T = TypeVar("T")

_SMALL: Final = 100_000
"""The index of a graph of at most so many triples is made in memory, each time (about half a second)."""

_log: Final = logging.getLogger("hermes")


class EmbeddedIndex:
    """Keeps one index of a graph. May be shared between threads.

    Args:
        graph: the graph.
        of: what is in the index, `names` or `values`.
        fill: fills an empty database.
    """

    def __init__(self, graph: Graph, of: str, fill: Fill) -> None:
        self._graph = graph
        self._of = of
        self._fill = fill
        self._index: Index | None = None
        self._making = Lock()

    def ask(self, question: Callable[[Index], T]) -> T:
        """Return what an index answers; one that is broken is made anew.

        Raises:
            StoreError: the store could not answer.
            sqlite3.Error: an index cannot be made at all.
        """
        try:
            return question(self._kept())
        except sqlite3.Error as error:
            _log.warning("the index of %s is broken and made anew: %s", self._of, error)
        with self._making:
            self._index = in_memory("", self._fill)
        return question(self._index)

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
                    self._index = open_index(key_of(store.fingerprint, self._of), self._fill, folders)
            return self._index
