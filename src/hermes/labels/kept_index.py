"""One index of a graph, of its names or its values: made when it is first needed, kept where it is large."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from typing import Final, TypeVar

from hermes.kept_files import cache_folder
from hermes.labels.graph import Graph
from hermes.labels.index import Index
from hermes.labels.index_file import Fill, in_memory, kept, key_of, open_index
from hermes.store import embedded, is_endpoint

T = TypeVar("T")

_SMALL: Final = 100_000
"""The index of a graph of at most so many triples is made in memory, each time (about half a second)."""

_log: Final = logging.getLogger("hermes")


class KeptIndex:
    """Keeps one index of a graph. May be shared between threads.

    That of an embedded store is made when it is first asked; that of an endpoint only by `make`, as reading
    all its names may take long.

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
        self._looked = False
        self._making = Lock()

    @property
    def there(self) -> bool:
        """Whether it can be asked: of an endpoint, whether it has been made."""
        if not is_endpoint(self._graph.store):
            return True
        with self._making:
            if self._index is None and not self._looked:
                self._looked = True
                self._index = kept(self._key(), self._folders())
            return self._index is not None

    def ask(self, question: Callable[[Index], T]) -> T:
        """Return what the index answers; one that is broken is made anew.

        Raises:
            StoreError: the store could not answer.
            sqlite3.Error: an index cannot be made at all.
        """
        try:
            return question(self._opened())
        except sqlite3.Error as error:
            _log.warning("the index of %s is broken and made anew: %s", self._of, error)
        with self._making:
            self._index = in_memory("", self._fill)
        return question(self._index)

    def make(self) -> int:
        """Make the index, where it is not kept already, and return how many names are in it.

        Raises:
            StoreError: the store could not answer.
            sqlite3.Error: it cannot be made.
        """
        return self.ask(Index.size)

    def close(self) -> None:
        """Close the index."""
        with self._making:
            if self._index is not None:
                self._index.close()
                self._index = None

    def _opened(self) -> Index:
        """Return the index; where there is none yet, it is opened or made."""
        with self._making:
            if self._index is None:
                store = embedded(self._graph.store)
                if store is not None and store.size <= _SMALL:
                    self._index = in_memory("", self._fill)
                else:
                    self._index = open_index(self._key(), self._fill, self._folders())
            return self._index

    def _key(self) -> str:
        return key_of(self._graph.store.fingerprint, self._of)

    def _folders(self) -> Sequence[Path]:
        store = embedded(self._graph.store)
        own = None if store is None else store.directory
        return [folder for folder in (own, cache_folder()) if folder is not None]
