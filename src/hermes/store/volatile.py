"""Which queries may be answered otherwise the next time, though the graph stays the same."""

from __future__ import annotations

import re
from typing import Final

_WORDS: Final = r"RAND|NOW|UUID|STRUUID|BNODE|SERVICE"
# A quick look first: most queries hold none of the words, not even in a name or a string.
_MAYBE: Final = re.compile(rf"{_WORDS}|\\u", re.IGNORECASE)
# Strings, IRIs, comments, variables, tags and prefixed names are skipped whole: a word in one is no function.
# What follows a backslash is skipped in names and strings, so an escape that is found stands alone; it
# may spell a function, so it counts as one.
_FOUND: Final = re.compile(
    rf"""
    \"\"\"(?:[^"\\]|\\.|"(?!""))*\"\"\" | '''(?:[^'\\]|\\.|'(?!''))*'''
    | "(?:[^"\\\n\r]|\\.)*" | '(?:[^'\\\n\r]|\\.)*'
    | <[^<>"{{}}|^`\x00-\x20]*> | \#[^\n\r]* | [?$@]\w+
    | (?:[^\W\d_](?:[\w.-]*[\w-])?)?:(?:[\w.:%-]|\\[^uU])*
    | (?P<volatile>\b(?:{_WORDS})\b | \\[uU]) | \w+
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)


def is_volatile(query: str) -> bool:
    """Whether a query calls RAND, NOW, UUID, STRUUID or BNODE, or another host by SERVICE.

    The words count where SPARQL reads them as such: not in strings, IRIs, comments and names. When in doubt
    (a codepoint escape outside of strings may spell anything) a query is volatile.
    """
    if not _MAYBE.search(query):
        return False
    return any(found.lastgroup == "volatile" for found in _FOUND.finditer(query))
