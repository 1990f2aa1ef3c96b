"""Progress of what takes long, for people: on the logger `hermes`, after a second, then ever less often."""

from __future__ import annotations

import logging
from time import monotonic
from typing import Final

_FIRST: Final = 1.0
_LONGEST: Final = 16.0

_log: Final = logging.getLogger("hermes")


class Progress:
    """Says how much was done, when it takes more than a second.

    Args:
        doing: what is done, such as `indexing the labels`.
    """

    def __init__(self, doing: str) -> None:
        self._doing = doing
        self._start = monotonic()
        self._next = self._wait = _FIRST

    def __call__(self, done: int) -> None:
        """Take note of how much was done so far."""
        now = monotonic() - self._start
        if now >= self._next:
            self._wait = min(2 * self._wait, _LONGEST)
            self._next = now + self._wait
            _log.info("%s: %s read, %.0f s", self._doing, f"{done:,}", now)
