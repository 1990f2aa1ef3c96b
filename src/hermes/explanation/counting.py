"""Counts that a query may fail to give: one query that takes too long does not end an explanation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import perf_counter
from typing import Final

from hermes.algebra.observe import observe_count
from hermes.algebra.plan import Plan
from hermes.algebra.ports import Graph
from hermes.errors import HermesError, StoreError

_OF_THE_STORE: Final = frozenset({"unreachable", "forbidden", "rate_limited", "moved"})
"""What the next query would meet too."""


@dataclass(frozen=True, slots=True)
class Count:
    """A number of solutions, at least so many where it is `capped`; None where it could not be had."""

    number: int | None
    capped: bool = False
    elapsed: float = 0.0
    failure: str = ""
    derived: bool = False

    @property
    def exact(self) -> int | None:
        """The number, where it is all of them."""
        return None if self.capped else self.number

    def taken_from(self, total: int | None) -> Count:
        """Return how many of `total` are not among these."""
        left = None if total is None or self.exact is None else total - self.exact
        return replace(self, number=left, capped=False)


NOT_COUNTED: Final = Count(None)


def count(kg: Graph, plan: Plan) -> Count:
    """Return the number of solutions of a plan, or why there is none.

    Raises:
        StoreError: no other query would be answered either.
    """
    start = perf_counter()
    try:
        seen = observe_count(kg, plan)
    except StoreError as error:
        raise_if_general(error)
        return Count(None, elapsed=perf_counter() - start, failure=str(error))
    return Count(seen.count, seen.capped, perf_counter() - start)


def raise_if_general(error: HermesError) -> None:
    """Raise an error again that is not of one query, but of the store.

    Raises:
        StoreError: it is.
    """
    if isinstance(error, StoreError) and error.category in _OF_THE_STORE:
        raise error
