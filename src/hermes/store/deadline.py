"""A deadline for several queries: what is sent under it may take what is left, on whatever store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from time import monotonic
from typing import Final

from hermes.errors import StoreError

_end: Final[ContextVar[float]] = ContextVar("end", default=inf)


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Let no query that this thread sends inside run longer than until `seconds` from now.

    An earlier deadline around it stays. Each query keeps its own limit of time too.
    """
    before = _end.set(min(_end.get(), monotonic() + seconds))
    try:
        yield
    finally:
        _end.reset(before)


def seconds_left() -> float:
    """Return how many seconds are left until the deadline; `math.inf` where there is none."""
    return _end.get() - monotonic()


def allowed(seconds: float) -> float:
    """Return how long a query may run that by itself may run for so many `seconds`.

    Raises:
        StoreError: the deadline is over.
    """
    left = seconds_left()
    if left <= 0:
        raise StoreError("no time is left for the query", category="timeout")
    return min(seconds, left)
