"""Text as it is compared in a look-up: without case, accents and punctuation."""

from __future__ import annotations

import unicodedata
from typing import Final

FOLDING: Final = f"1, Unicode {unicodedata.unidata_version}"
"""Changes when the same text may be folded otherwise."""

LONGEST: Final = 300
"""Characters of a text that count: a label that goes on is found by its beginning."""

_LETTERS: Final = str.maketrans(
    {
        "ß": "ss",
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "æ": "ae",
        "œ": "oe",
        "\u0131": "i",
        "ħ": "h",
        "ŧ": "t",
    }
)
"""Letters that Unicode does not take apart into a letter and an accent."""


_ASCII: Final = {code: chr(code).lower() if chr(code).isalnum() else " " for code in range(128)}


def writable(text: str) -> str:
    """Return a text without halves of surrogate pairs, which are no characters and cannot be sent or kept."""
    return text.encode("utf-8", "ignore").decode()


def fold(text: str) -> str:
    """Return the words of a text in small letters without accents, with one space between them.

    A text without any letter or digit is its characters that are no spaces: it has no words.
    """
    text = text[:LONGEST]
    if text.isascii():  # most are, and this is ten times as fast
        return " ".join(text.translate(_ASCII).split()) or "".join(text.split())
    text = writable(text)
    # What a decomposition gives may have case again.
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    plain = "".join(each for each in plain if not unicodedata.combining(each)).translate(_LETTERS)
    words = "".join(each if _in_word(each) else " " for each in plain).split()
    return " ".join(words) or "".join(text.split())


def _in_word(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character) in ("Mn", "Mc")
