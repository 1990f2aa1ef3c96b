"""Words of English without their endings, and those that name nothing in a graph."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

_LISTED: Final = """
a about all also am an and any are as at be been by can could count did different do does each every
find for from get give had has have having her his how i in is it its list many me much my number of
on or our please return s show tell than that the their them there these they this those to under
was we were what when where which who whom whose why will with would you your
"""
SAYING_NOTHING: Final = frozenset(_LISTED.split())
"""Words that name nothing in a graph."""
_HISSING: Final = ("ches", "shes", "sses", "xes")


def stems(words: Iterable[str]) -> set[str]:
    """Return the stems of the words that say something."""
    return {stem(word) for word in words if word not in SAYING_NOTHING}


def stem(word: str) -> str:
    """Return a noun in the singular, by its ending: "cities" is "city", "names" is "name"."""
    if len(word) <= 3 or not word.endswith("s") or word.endswith("ss"):  # noqa: PLR2004 - bus, gas
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if word.endswith(_HISSING) else word[:-1]


_ENDINGS_LISTED: Final = """\
ations ation ities ions ings ity ion ing ous ers ors ies ed es er or al s e y
"""
_ENDINGS: Final = _ENDINGS_LISTED.split()
"""Longer endings first."""
_SHORTEST: Final = 3


def root(word: str) -> str:
    """Return what words of one root have in common, for comparing: hire, hires, hired, hiring are `hir`.

    It is no word, and words of other meanings may share it.
    """
    short = stem(word)
    for ending in _ENDINGS:
        cut = short[: -len(ending)]
        if short.endswith(ending) and len(cut) >= _SHORTEST:
            return cut[:-1] if len(cut) > _SHORTEST and cut[-1] == cut[-2] and cut[-1] not in "ls" else cut
    return short
