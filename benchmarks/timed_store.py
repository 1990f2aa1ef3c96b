"""A store that measures the store inside it."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter_ns
from typing import TypeVar

from hermes.results import Table, Triples
from hermes.store import Store

R = TypeVar("R")


class TimedStore:
    """Counts the queries that pass through, and the nanoseconds that they take."""

    def __init__(self, inner: Store) -> None:
        self.inner = inner
        self.queries = 0
        self.nanoseconds = 0

    @property
    def engine(self) -> str:
        """The engine of the store inside."""
        return self.inner.engine

    @property
    def source(self) -> str:
        """The source of the store inside."""
        return self.inner.source

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the store inside."""
        return self.inner.fingerprint

    def select(self, query: str) -> Table:
        """Execute a SELECT query."""
        return self._timed(self.inner.select, query)

    def ask(self, query: str) -> bool:
        """Execute an ASK query."""
        return self._timed(self.inner.ask, query)

    def construct(self, query: str) -> Triples:
        """Execute a CONSTRUCT or DESCRIBE query."""
        return self._timed(self.inner.construct, query)

    def close(self) -> None:
        """Close the store inside."""
        self.inner.close()

    def _timed(self, execute: Callable[[str], R], query: str) -> R:
        self.queries += 1
        start = perf_counter_ns()
        try:
            return execute(query)
        finally:
            self.nanoseconds += perf_counter_ns() - start
