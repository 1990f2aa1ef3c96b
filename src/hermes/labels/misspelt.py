"""Names that a misspelt text may mean: its words with a typo or two, a space too much or one too few."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final

from rapidfuzz.distance import OSA

from hermes.findings import Role
from hermes.labels.hits import Named
from hermes.labels.index import Index
from hermes.labels.spelling import Spelling

_SHORT: Final = 3
"""A word of at most so many letters, alone, has no typo: it would mean any other."""
_LONG: Final = 6
"""From so many letters on a word may have two typos; below, one."""
_LONG_AMONG_OTHERS: Final = 4
"""The same, for a word that has others beside it, where nothing else is found."""
_MOST_FORMS: Final = 40
"""Words that one word may mean."""

_MOST_TYPOS: Final = 3
"""Typos in a text of which a word means nothing."""

Forms = Mapping[tuple[str, ...], int]
"""What a word may mean, one word or two, and the typos between."""


def misspelt(
    index: Index, words: Sequence[str], role: Role | None, most: int, *, bold: bool
) -> list[tuple[Named, int, int]]:
    """Return the names that a text with typos may mean, with the typos in its words and those in the whole.

    Only words that no name has are taken for misspelt; with `bold`, where that gives nothing, all may be, and
    have more typos; and where that gives nothing, words that mean nothing may be left out, if the whole is
    still near. A word of digits is what it is.
    """
    whole, tried = " ".join(words), []
    for said, boldly in product(tuple(_spacings(words, index.spelling)), (False, True)[: 1 + bold]):
        forms = [_forms(word, index.spelling, alone=len(said) == 1, bold=boldly) for word in said]
        if all(forms) and (found := index.any_of_each(forms, role, most)):
            return [(name, _typos(name, forms), OSA.distance(whole, name.folded)) for name in found]
        tried.append(forms)
    for forms in filter(any, tried):
        found = index.any_of_each(filter(None, forms), role, most)
        near = [(name, OSA.distance(whole, name.folded, score_cutoff=_MOST_TYPOS)) for name in found]
        if near := [(name, typos) for name, typos in near if typos <= _MOST_TYPOS]:
            return [(name, typos, typos) for name, typos in near]
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
    if alone and len(word) <= _SHORT:
        return known
    typos = 2 if len(word) >= (_LONG_AMONG_OTHERS if bold and not alone else _LONG) else 1
    near = {(each,): distance for each, distance in spelling.near(word, typos, _MOST_FORMS)}
    return near | dict.fromkeys(spelling.parts(word), 1) | known


def _typos(name: Named, forms: Sequence[Forms]) -> int:
    """Return how many typos lie between the words of a text and those of a name."""
    between = f" {name.folded} "
    return sum(
        min((typos for words, typos in each.items() if f" {' '.join(words)} " in between), default=0)
        for each in forms
    )
