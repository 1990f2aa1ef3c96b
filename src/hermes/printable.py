"""Text from elsewhere, made safe to show on one line of a terminal."""

from __future__ import annotations

from typing import Final

_KEPT: Final = frozenset("\u00a0\u200c\u200d")
"""Not printable by Unicode's word, but parts of ordinary text: no-break space and the joiners."""


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
    return text if len(text) <= width else text[: width - 1] + "…"
