"""A store that remembers what it was asked."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Final, TypeVar

from hermes.results import Result, Table, Triples, Truth
from hermes.terms import IRI, BlankNode, Literal, Term, TripleTerm

if TYPE_CHECKING:
    from collections.abc import Callable

    from hermes.store.protocol import Store

DEFAULT_BYTES: Final = 64 * 2**20

# Sizes of CPython objects, rounded: the estimate bounds memory, it does not account for it.
_ENTRY: Final = 400
_ROW: Final = 250
_TERM: Final = 130

_R = TypeVar("_R", bound=Result)


class CachedStore:
    """Wraps a store and answers from memory what it was asked before.

    The least recently used results are dropped when the estimated size of all exceeds `max_bytes`
    (by default 64 MiB). Errors and incomplete results are never kept. May be shared between threads: two that
    ask the same new query at the same time both execute it.

    Attributes:
        inner: the wrapped store.
        hits: how many queries were answered from memory.
        misses: how many were passed on.
        bytes: the estimated size of what is kept.
    """

    def __init__(self, inner: Store, max_bytes: int = DEFAULT_BYTES) -> None:
        self.inner = inner
        self.hits = 0
        self.misses = 0
        self.bytes = 0
        self._max_bytes = max_bytes
        self._kept: OrderedDict[str, tuple[Result, int]] = OrderedDict()
        self._lock = Lock()

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

    def close(self) -> None:
        """Forget everything and close the wrapped store."""
        with self._lock:
            self._kept.clear()
            self.bytes = 0
        self.inner.close()

    def _answer(self, query: str, kind: type[_R], execute: Callable[[str], _R]) -> _R:
        with self._lock:
            kept = self._kept.get(query)
            if kept is not None and isinstance(kept[0], kind):
                self._kept.move_to_end(query)
                self.hits += 1
                return kept[0]
            self.misses += 1
        result = execute(query)
        if isinstance(result, Truth) or result.complete:
            self._keep(query, result)
        return result

    def _keep(self, query: str, result: Result) -> None:
        size = _ENTRY + len(query) + _size(result)
        if size > self._max_bytes:
            return
        with self._lock:
            if query in self._kept:
                self.bytes -= self._kept.pop(query)[1]
            self._kept[query] = (result, size)
            self.bytes += size
            while self.bytes > self._max_bytes:
                self.bytes -= self._kept.popitem(last=False)[1][1]


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
