"""What can be seen of a query without reading all of it: its form, and its last LIMIT."""

from __future__ import annotations

import re
from typing import Final

_PROLOGUE: Final = re.compile(
    r"(?:\s+ | \#[^\n]* | BASE\s*<[^>]*> | PREFIX\s+[^\s:]*:\s*<[^>]*> )*", re.VERBOSE | re.IGNORECASE
)
_WORD: Final = re.compile(r"\w+")
_LIMIT: Final = re.compile(r"\bLIMIT\s+(\d+)(?:\s+OFFSET\s+\d+)?\s*\Z", re.IGNORECASE)


def form_of(query: str) -> str:
    """Return the first word after the prologue in capitals, such as `SELECT`; empty where there is none."""
    start = _PROLOGUE.match(query)
    found = _WORD.match(query, start.end() if start else 0)
    return found[0].upper() if found else ""


def last_limit(query: str) -> int | None:
    """Return the LIMIT at the end of a query, None where it has none."""
    found = _LIMIT.search(query)
    return int(found[1]) if found else None
