"""Stores over scripted servers, and a clock that does not wait."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest

from hermes.errors import StoreError
from hermes.store import Caller, EndpointStore, Limits

TODAY = datetime(2026, 6, 1, 12, tzinfo=UTC)


@dataclass
class FakeClock:
    """Time passes only where somebody sleeps."""

    seconds: float = 0.0
    slept: list[float] = field(default_factory=list)

    def now(self) -> float:
        """Return the seconds that were slept."""
        return self.seconds

    def today(self) -> datetime:
        """Return a fixed date and the seconds that were slept."""
        return TODAY + timedelta(seconds=self.seconds)

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        self.slept.append(seconds)
        self.seconds += seconds


def open_store(  # noqa: PLR0913 - each has a default
    url: str,
    clock: FakeClock | None = None,
    *,
    graph: str | None = None,
    limits: Limits | None = None,
    parallel: int = 1,
    caller: Caller | None = None,
) -> EndpointStore:
    """Open a store that does not look at the environment."""
    limits = limits or Limits(time=20)
    return EndpointStore(url, graph, limits=limits, parallel=parallel, caller=caller or Caller(), clock=clock)


def refusal(store: EndpointStore, query: str = "SELECT * { ?s ?p ?o }") -> StoreError:
    """Return the error of a query."""
    with pytest.raises(StoreError) as caught:
        store.select(query)
    return caught.value
