"""Text from elsewhere, made safe to show on one line of a terminal."""

from __future__ import annotations

import re
from typing import Final

# Control characters, line separators, and marks that change the direction of what follows.
_UNSAFE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


def printable(text: str) -> str:
    r"""Return `text` with what could move the cursor or hide a part of it written as `\uXXXX`."""
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04X}", text)


def clip(text: str, width: int) -> str:
    """Return at most `width` characters of `text`, the last one `…` where it was longer."""
    return text if len(text) <= width else text[: width - 1] + "…"
