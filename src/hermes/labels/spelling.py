"""The words of all names: those that contain a piece of a word, and those that a misspelt word may mean."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from rapidfuzz import process
from rapidfuzz.distance import OSA

_END: Final = "\n"


class Spelling:
    """The words of all names, in memory. May be shared between threads.

    Args:
        words: the words, without spaces.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self._known = frozenset(words)
        # One text, the shortest words first: Python searches it much faster than it can look at each word.
        ordered = sorted(self._known, key=lambda word: (len(word), word))
        self._text = _END + "".join(word + _END for word in ordered)
        self._by_length: defaultdict[int, list[str]] = defaultdict(list)
        self._by_end: defaultdict[tuple[int, bool, str], list[str]] = defaultdict(list)
        for word in ordered:
            self._by_length[len(word)].append(word)
            self._by_end[len(word), False, word[0]].append(word)
            if word[-1] != word[0]:
                self._by_end[len(word), True, word[-1]].append(word)

    def __contains__(self, word: str) -> bool:
        return word in self._known

    def containing(self, piece: str, most: int, *, begins: bool = False, ends: bool = False) -> list[str]:
        """Return at most so many words that contain a piece, the shortest first.

        With `begins` the piece begins the word, with `ends` it ends it.
        """
        needle = _END * begins + piece + _END * ends
        found: list[str] = []
        at = self._text.find(needle)
        while at >= 0 and len(found) < most:
            start = self._text.rindex(_END, 0, at + 1) + 1
            end = self._text.index(_END, at + begins + len(piece))
            found.append(self._text[start:end])
            at = self._text.find(needle, end)
        return found

    def near(self, word: str, typos: int, most: int) -> list[tuple[str, int]]:
        """Return at most so many words that a misspelt one may mean, and the typos between, fewest first.

        A typo is a letter too much, a letter left out, another letter, or two neighbours that changed places
        (optimal string alignment). Words whose first or last letter is right go before all others.
        """
        lengths = range(max(1, len(word) - typos), len(word) + typos + 1)
        ends = {
            each: None
            for length in lengths
            for key in ((length, False, word[0]), (length, True, word[-1]))
            for each in self._by_end.get(key, ())
        }
        found = _nearest(word, list(ends), typos, most)
        return found or _nearest(word, [w for n in lengths for w in self._by_length.get(n, ())], typos, most)

    def parts(self, word: str) -> list[tuple[str, str]]:
        """Return the pairs of known words that a word without its space may be: `newyork`, `newxyork`."""
        ends = ((at, after) for at in range(1, len(word)) for after in (at, at + 1))
        pairs = ((word[:at], word[after:]) for at, after in ends)
        return [pair for pair in pairs if pair[0] in self._known and pair[1] in self._known]


def _nearest(word: str, choices: Sequence[str], typos: int, most: int) -> list[tuple[str, int]]:
    found = process.extract(word, choices, scorer=OSA.distance, score_cutoff=typos, limit=None)
    return sorted(
        ((each, int(distance)) for each, distance, _ in found), key=lambda pair: (pair[1], pair[0])
    )[:most]
