"""How numbers are said."""

from __future__ import annotations


def counted(count: int, noun: str, plural: str = "") -> str:
    """Return a count with its noun: `1 row`, `2,000 rows`."""
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"
