"""Fragments: which pieces of three characters the terms of a graph have, IRIs and literals.

A text that contains another has all its pieces. So a piece that no term of a signature has proves that none
of them contains it; that they have all pieces proves nothing. Numbers and dates, which stores may spell
in their own way, have no pieces: of them it is known that they are made of certain characters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Self

_LENGTH: Final = 3
_MOST_CHARACTERS: Final = 30_000_000
"""So much text is read (some seconds); the signatures of what is beyond are unread."""
_MOST_BITS: Final = 2**28
"""With more pieces times signatures (32 MiB) nothing is kept."""
_VALUES: Final = frozenset("0123456789+-.:eEINFaTZPYMDHStruefls")
"""The characters of numbers, dates, durations and truth values, in any spelling."""
_FOLDED_VALUES: Final = frozenset(character.lower() for character in _VALUES)

Places = int
"""A set of signatures: a bit for each, by its place in `Schema.signatures`."""


@dataclass(frozen=True)
class Fragments:
    """The pieces of texts.

    Args:
        pieces: by piece, the signatures that have a text with it. A shorter text is a piece itself.
        read: the signatures all of whose texts were read; of others nothing follows.
        values: those of `read` that are of numbers, dates and the like.
    """

    pieces: Mapping[str, Places] = field(default_factory=dict)
    read: Places = 0
    values: Places = 0

    @classmethod
    def of(cls, texts: Iterable[tuple[str, int]], values: Iterable[tuple[str, int]] = ()) -> Self:
        """Return the fragments of texts, and of numbers and the like, each with its place."""
        found: dict[int, set[str | tuple[str, ...]]] = {}
        unread: set[int] = set()
        plain: dict[int, bool] = {}
        for text, place in values:
            plain[place] = plain.get(place, True) and _VALUES.issuperset(text)
        left = _MOST_CHARACTERS
        for text, place in texts:
            known = found.setdefault(place, set())
            if left < 0:
                unread.add(place)
            elif len(text) < _LENGTH:
                known.add(text)
            else:
                known.update(zip(text, text[1:], text[2:], strict=False))
                left -= len(text)
        pieces: dict[str, Places] = {}
        for place in found.keys() - unread:
            for piece in map("".join, found[place]):
                pieces[piece] = pieces.get(piece, 0) | 1 << place
        if len(pieces) * max(found, default=0) > _MOST_BITS:
            return cls()
        spelt = sum(1 << place for place, kept in plain.items() if kept)
        return cls(pieces, spelt | sum(1 << place for place in found.keys() - unread), spelt)

    def containing(self, text: str, *, folded: bool = False) -> Places:
        """Return the signatures that may have a text with `text` in it, those that were not read left out.

        Args:
            text: what is looked for; in lower case and ASCII where `folded`.
            folded: whether the case of the texts does not count.
        """
        pieces = self._folded if folded else self.pieces
        values = self.values if (_FOLDED_VALUES if folded else _VALUES).issuperset(text) else 0
        if len(text) < _LENGTH:
            return values | _union(places for piece, places in pieces.items() if text in piece)
        found = -1
        for piece in _windows(text):
            found &= pieces.get(piece, 0)
        return values | found

    @cached_property
    def _folded(self) -> dict[str, Places]:
        """The pieces of the texts in lower case, in upper case brought to lower, and by case folding.

        A character may become several (`ß` is `SS`), so each piece gives all pieces of what it becomes.
        """
        found: dict[str, Places] = {}
        for piece, places in self.pieces.items():
            for text in {piece.lower(), piece.upper().lower(), piece.casefold()}:
                for part in _windows(text) if len(text) >= _LENGTH else (text,):
                    found[part] = found.get(part, 0) | places
        return found


def _windows(text: str) -> Iterator[str]:
    return (text[at : at + _LENGTH] for at in range(len(text) - _LENGTH + 1))


def _union(parts: Iterable[Places]) -> Places:
    found = 0
    for part in parts:
        found |= part
    return found
