"""When a request is sent again, and how long to wait before it."""

from __future__ import annotations

import random
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final, Protocol

RETRIES: Final = 4
"""A request is sent again at most so many times, whatever went wrong."""
RETRIED: Final = frozenset([429, 502, 503, 504])
"""The statuses that say "later": too many requests, and what gateways say."""
LONGEST_WAIT: Final = 30.0
"""Seconds. A server that asks for more is not asked again in the same query."""

_FLOOR: Final = 1.0
_UNANSWERED: Final = 0.2
_JITTER: Final = 0.25


class Clock(Protocol):
    """Where time comes from; tests have one that does not wait."""

    def now(self) -> float:
        """Return seconds since some moment, never going back."""

    def today(self) -> datetime:
        """Return date and time, with its zone."""

    def sleep(self, seconds: float) -> None:
        """Wait."""


class SystemClock:
    """The clock of the machine."""

    def now(self) -> float:
        """Return seconds since some moment, never going back."""
        return time.monotonic()

    def today(self) -> datetime:
        """Return date and time in UTC."""
        return datetime.now(UTC)

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)


def wait_before(attempt: int, asked: float | None, *, answered: bool) -> float:
    """Return the seconds to wait before the request is sent again.

    Args:
        attempt: how many times it has been sent.
        asked: the seconds of the server's `Retry-After`.
        answered: whether the server has answered at all. A connection that failed is tried again soon; a
            server that said "later" gets at least a second, also where it asked for none.

    The wait doubles with each attempt and is at least what the server asked for. Up to a quarter is added
    at random, so that many clients do not come back together.
    """
    first = _FLOOR if answered else _UNANSWERED
    wait = max(first * 2.0 ** (attempt - 1), asked or 0.0)
    return wait * (1 + _JITTER * random.random())  # noqa: S311 - it spreads requests, it hides nothing


def retry_after(value: str, clock: Clock) -> float | None:
    """Return the seconds that a `Retry-After` asks for; it is a number or a date (RFC 9110, 10.2.3)."""
    text = value.strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        date = parsedate_to_datetime(text)
    except ValueError:
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    return max(0.0, (date - clock.today()).total_seconds())
