"""Names that a misspelt text may mean: its words with a slip or two, a space too much or one too few."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rapidfuzz.distance import OSA

from hermes.findings import Role
from hermes.labels.hits import Named
from hermes.labels.index import Index
from hermes.labels.spelling import Spelling

_SHORT: Final = 3
"""A word of at most so many letters, alone, has no slip: it would mean any other."""
_LONG: Final = 6
"""From so many letters on a word may have two slips; below, one."""
_MOST_FORMS: Final = 40
"""Words that one word may mean."""

Forms = Mapping[tuple[str, ...], int]
"""What a word may mean, one word or two, and the slips between."""


def misspelt(
    index: Index, words: Sequence[str], role: Role | None, most: int, *, bold: bool
) -> list[tuple[Named, int, int]]:
    """Return the names that a text with slips may mean, with the slips in its words and those in the whole.

    Only words that no name has are taken for misspelt; with `bold`, where that gives nothing, all may be, and
    have more slips. A word of digits is what it is.
    """
    for boldly in (False, True) if bold else (False,):
        for said in _spacings(words, index.spelling):
            forms = [_forms(word, index.spelling, alone=len(said) == 1, bold=boldly) for word in said]
            if not all(forms):
                continue
            found = index.any_of_each(forms, role, most)
            if found:
                whole = " ".join(words)
                return [(name, _slips(name, forms), OSA.distance(whole, name.folded)) for name in found]
    return []


def _spacings(words: Sequence[str], spelling: Spelling) -> Iterator[Sequence[str]]:
    """Yield the words, and those with a space left out where that makes a known word."""
    yield words
    for at in range(len(words) - 1):
        joined = words[at] + words[at + 1]
        if joined in spelling:
            yield [*words[:at], joined, *words[at + 2 :]]


def _forms(word: str, spelling: Spelling, *, alone: bool, bold: bool) -> Forms:
    known: dict[tuple[str, ...], int] = {(word,): 0} if word in spelling or word.isdigit() else {}
    if word.isdigit() or (known and not bold):
        return known
    slips = 2 if len(word) >= _LONG - bold else 1
    if alone and len(word) <= _SHORT:
        return known
    near = {(each,): distance for each, distance in spelling.near(word, slips, _MOST_FORMS)}
    return near | dict.fromkeys(spelling.parts(word), 1) | known


def _slips(name: Named, forms: Sequence[Forms]) -> int:
    """Return how many slips lie between the words of a text and those of a name."""
    between = f" {name.folded} "
    return sum(
        min((slips for words, slips in each.items() if f" {' '.join(words)} " in between), default=0)
        for each in forms
    )
