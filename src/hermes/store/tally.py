"""How many queries a thread asks, those too that a cache answers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final


@dataclass(slots=True)
class Tally:
    """The number of queries so far."""

    queries: int = 0


_tally: Final[ContextVar[Tally | None]] = ContextVar("tally", default=None)


@contextmanager
def tallied() -> Iterator[Tally]:
    """Count the queries that this thread asks inside; those of an inner count are not counted outside."""
    found = Tally()
    before = _tally.set(found)
    try:
        yield found
    finally:
        _tally.reset(before)


def note_query() -> None:
    """Take note of one query."""
    tally = _tally.get()
    if tally is not None:
        tally.queries += 1
