"""What one query may take: time, rows, bytes and memory."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

TIME_LIMIT: Final = 60.0
"""Seconds that a query may run."""
ROW_LIMIT: Final = 1_000_000
"""Rows, or triples, of an answer; what is beyond is cut and said to be cut."""
BYTE_LIMIT: Final = 2**30
"""Bytes of the text of an answer (1 GiB); what is beyond is cut and said to be cut."""
MEMORY_LIMIT: Final = 4 * 2**30
"""Bytes of address space that a query may take beside the graph (4 GiB)."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one query may take.

    Args:
        time: seconds, more than 0 (default 60); `math.inf` is no limit.
        rows: rows or triples of an answer (default 1,000,000).
        bytes: bytes of the text of an answer (default 1 GiB).
        memory: bytes of address space beside the graph (default 4 GiB), where the system can hold to it.

    Raises:
        ValueError: one of them is not more than 0.
    """

    time: float = TIME_LIMIT
    rows: int = ROW_LIMIT
    bytes: int = BYTE_LIMIT
    memory: int = MEMORY_LIMIT

    def __post_init__(self) -> None:
        for name in ("time", "rows", "bytes", "memory"):
            value = getattr(self, name)
            if not value > 0:
                raise ValueError(f"the limit of {name} must be more than 0, not {value}")

    @classmethod
    def of_time(cls, seconds: float | None) -> Limits:
        """Return the default limits with another time limit; None is no limit.

        Raises:
            ValueError: `seconds` is not more than 0.
        """
        return cls(time=math.inf if seconds is None else seconds)
