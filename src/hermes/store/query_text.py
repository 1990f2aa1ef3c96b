"""What can be seen of a query without reading all of it: its form, its FROM, its last LIMIT."""

from __future__ import annotations

import re
from typing import Final

_SKIPPED: Final = r"""
    \"\"\"(?:[^"\\]|\\.|"(?!""))*\"\"\" | '''(?:[^'\\]|\\.|'(?!''))*'''
    | "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*'
    | <[^<>"{}|^`\\\s]*> | \#[^\n]* | [?$@]\w+ | [\w.-]*:(?:[\w.:%-]|\\.)*
"""
# FROM is a keyword of the dataset clause alone, so one outside of strings, names and comments is it.
_FROM: Final = re.compile(
    _SKIPPED + r"| (?P<from>\bFROM\b) | \w+",
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
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


def has_from(query: str) -> bool:
    """Whether a query chooses its own dataset with FROM or FROM NAMED."""
    return "from" in query.lower() and any(token.lastgroup for token in _FROM.finditer(query))


def last_limit(query: str) -> int | None:
    """Return the LIMIT at the end of a query, None where it has none."""
    found = _LIMIT.search(query)
    return int(found[1]) if found else None
