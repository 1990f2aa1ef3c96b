"""Text from elsewhere, made safe to show on one line of a terminal, and its width there."""

from __future__ import annotations

import unicodedata
from typing import Final

_KEPT: Final = frozenset("\u00a0\u200c\u200d")
"""Not printable by Unicode's word, but parts of ordinary text: no-break space and the joiners."""

_NO_WIDTH: Final = frozenset(["Mn", "Me", "Cf"])
"""The categories of what a terminal draws over or into the character before it."""

_CUT: Final = "…"


def printable(text: str) -> str:
    r"""Return `text` with what could move the cursor or hide a part of it written as `\uXXXX`.

    That is: control characters, line separators, marks of direction, halves of surrogate pairs.
    """
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() or character in _KEPT else f"\\u{ord(character):04X}"
        for character in text
    )


def clip(text: str, width: int) -> str:
    """Return at most `width` characters of `text`, the last one `…` where it was longer."""
    return text if len(text) <= width else text[: width - 1] + _CUT


def display_width(text: str) -> int:
    """Return the columns that printable `text` takes in a terminal (Unicode Standard Annex 11)."""
    return len(text) if text.isascii() else sum(map(_width_of, text))


def clip_columns(text: str, width: int) -> str:
    """Return as much of `text` as takes at most `width` columns, at its end `…` where it was longer."""
    if display_width(text) <= width:
        return text
    taken = 0
    for at, character in enumerate(text):
        taken += _width_of(character)
        if taken > width - 1:
            return text[:at] + _CUT
    return text


def _width_of(character: str) -> int:
    if unicodedata.category(character) in _NO_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
