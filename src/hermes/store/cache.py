"""A store that remembers what it was asked, in memory and perhaps in a file."""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final, TypeVar

import pyoxigraph

from hermes.results import Result, Table, Triples, Truth
from hermes.store.cache_file import CacheFile, Stored
from hermes.store.compact import from_compact, to_compact
from hermes.store.scan import is_volatile
from hermes.store.tally import note_query
from hermes.terms import IRI, BlankNode, Literal, Term, TripleTerm
from hermes.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable

    from hermes.store.protocol import Store

DEFAULT_BYTES: Final = 64 * 2**20
DEFAULT_FILE_BYTES: Final = 1024 * 2**20

# Sizes of CPython objects, rounded: the estimate bounds memory, it does not account for it.
_ENTRY: Final = 400
_ROW: Final = 250
_TERM: Final = 130
_MEGABYTE: Final = 1_000_000
_SHOWN_SHORT: Final = 0.1

# A result also depends on who computed and who read it, and both may be mended.
_MADE_BY: Final = f"hermes {__version__}, pyoxigraph {pyoxigraph.__version__}"

_log: Final = logging.getLogger("hermes")
_R = TypeVar("_R", bound=Result)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A result, when it was computed, its estimated size, and its key in the file."""

    result: Result
    written: float
    size: int
    key: bytes


class CachedStore:
    """Wraps a store and answers from memory, or from a file, what it was asked before.

    A result is kept by the fingerprint of the store, the dataset, the limits, the form and the text of the
    query. Errors, incomplete results and volatile queries (`hermes.store.scan.is_volatile`) are never
    kept. In memory the least recently used results are dropped when the estimated size of all exceeds
    `max_bytes`. May be shared between threads: two that ask the same new query at the same time both execute
    it.

    Args:
        inner: the store that executes the queries.
        max_bytes: the bound of the memory (default 64 MiB).
        file: where results outlive the process, an SQLite file that processes may share; by default nowhere.
        max_file_bytes: the bound of the file (default 1 GiB).
        time_to_live: how many seconds a result may be used; by default for ever, which is right for triples
            that do not change. An endpoint's do.
        dataset: what the default graph is, where the fingerprint does not say so.
        limits: the limits under which queries run, as a text: with others a result may be another.
        clock: gives the time in seconds since 1970.

    Attributes:
        inner: the wrapped store.
        hits: how many queries were answered from memory or from the file.
        misses: how many were passed on.
        bytes: the estimated size of what is kept in memory.
    """

    def __init__(  # noqa: PLR0913 - options, all but the first two by keyword
        self,
        inner: Store,
        max_bytes: int = DEFAULT_BYTES,
        *,
        file: str | Path | None = None,
        max_file_bytes: int = DEFAULT_FILE_BYTES,
        time_to_live: float | None = None,
        dataset: str = "",
        limits: str = "",
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.inner = inner
        self.hits = 0
        self.misses = 0
        self.bytes = 0
        self._max_bytes = max_bytes
        self._time_to_live = time_to_live
        self._clock = clock
        self._scope = f"{_MADE_BY}\0{inner.engine}\0{dataset}\0{limits}"
        self._file = None if file is None else CacheFile(Path(file), max_file_bytes, clock)
        self._kept: OrderedDict[tuple[str, type, str], _Entry] = OrderedDict()
        self._lock = Lock()
        self._closed = False

    @property
    def engine(self) -> str:
        """The engine of the wrapped store."""
        return self.inner.engine

    @property
    def source(self) -> str:
        """The source of the wrapped store."""
        return self.inner.source

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the wrapped store."""
        return self.inner.fingerprint

    def select(self, query: str) -> Table:
        """Return the solutions of a SELECT query.

        Raises:
            StoreError: the wrapped store could not answer.
        """
        return self._answer(query, Table, self.inner.select)

    def ask(self, query: str) -> bool:
        """Return the answer of an ASK query.

        Raises:
            StoreError: the wrapped store could not answer.
        """
        return self._answer(query, Truth, lambda text: Truth(self.inner.ask(text))).value

    def construct(self, query: str) -> Triples:
        """Return the triples of a CONSTRUCT or DESCRIBE query.

        Raises:
            StoreError: the wrapped store could not answer.
        """
        return self._answer(query, Triples, self.inner.construct)

    def summary(self) -> str:
        """Return in one line what the cache did: `12 hits, 8 misses, 1.2 MB`, then the size of the file."""
        text = f"{self.hits} hits, {self.misses} misses, {_megabytes(self.bytes)}"
        size = None if self._file is None else self._file.size()
        return (
            text if self._file is None or size is None else f"{text}; {_megabytes(size)} in {self._file.path}"
        )

    def close(self) -> None:
        """Say on the logger `hermes` what the cache did, forget everything, and close file and store."""
        if not self._closed:
            _log.debug("cache: %s", self.summary())
        with self._lock:
            self._closed = True
            self._kept.clear()
            self.bytes = 0
        if self._file is not None:
            self._file.close()
        self.inner.close()

    # --- inside -----------------------------------------------------------------------------------

    def _answer(self, query: str, kind: type[_R], execute: Callable[[str], _R]) -> _R:
        note_query()
        key = (self.inner.fingerprint, kind, query)
        found = self._recall(key, kind)
        if found is not None:
            return found
        result = execute(query)
        if (isinstance(result, Truth) or result.complete) and not is_volatile(query):
            written, digest = self._clock(), self._digest(key)
            self._keep(key, result, written, digest)
            if self._file is not None:
                self._file.put(digest, Stored(to_compact(result), written))
        return result

    def _recall(self, key: tuple[str, type, str], kind: type[_R]) -> _R | None:
        """Return what is kept in memory or in the file, and count the hit or the miss."""
        with self._lock:
            entry = self._kept.get(key)
            if entry is not None and self._lives(entry.written) and isinstance(entry.result, kind):
                self._kept.move_to_end(key)
                self.hits += 1
                if self._file is not None:
                    self._file.touch(entry.key)
                return entry.result
        found = None if self._file is None else self._recall_from(self._file, key, kind)
        with self._lock:
            if found is None:
                self.misses += 1
            else:
                self.hits += 1
        return found

    def _recall_from(self, file: CacheFile, key: tuple[str, type, str], kind: type[_R]) -> _R | None:
        digest = self._digest(key)
        stored = file.get(digest)
        if stored is None or not self._lives(stored.written):
            return None
        try:
            result = from_compact(stored.value)
        except ValueError:
            return None
        if not isinstance(result, kind):
            return None
        file.touch(digest)
        self._keep(key, result, stored.written, digest)
        return result

    def _lives(self, written: float) -> bool:
        """Whether a result may still be used; one from the future may not, for its age is not known."""
        return self._time_to_live is None or 0 <= self._clock() - written < self._time_to_live

    def _digest(self, key: tuple[str, type, str]) -> bytes:
        fingerprint, kind, query = key
        text = f"{self._scope}\0{fingerprint}\0{kind.__name__}\0{query}"
        return sha256(text.encode("utf-8", "surrogatepass")).digest()

    def _keep(self, key: tuple[str, type, str], result: Result, written: float, digest: bytes) -> None:
        size = _ENTRY + len(key[-1]) + _size(result)
        if size > self._max_bytes:
            return
        with self._lock:
            if key in self._kept:
                self.bytes -= self._kept.pop(key).size
            self._kept[key] = _Entry(result, written, size, digest)
            self.bytes += size
            while self.bytes > self._max_bytes:
                self.bytes -= self._kept.popitem(last=False)[1].size


def _megabytes(size: int) -> str:
    megabytes = size / _MEGABYTE
    return f"{megabytes:.1f} MB" if megabytes >= _SHOWN_SHORT else f"{megabytes:.3f} MB"


def _size(result: Result) -> int:
    match result:
        case Table():
            return sum(_ROW + sum(map(_term_size, row.values())) for row in result.rows)
        case Triples():
            return sum(map(_term_size, result.triples))
        case Truth():
            return 0


def _term_size(term: Term) -> int:
    match term:
        case IRI(text) | BlankNode(text) | Literal(text):
            return _TERM + len(text)
        case TripleTerm(s, p, o):
            return _TERM + _term_size(s) + _term_size(p) + _term_size(o)
