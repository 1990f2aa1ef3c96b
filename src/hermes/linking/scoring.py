"""How well some words of a question name a term."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from hermes.linking.lexicon import Lexicon, Said
from hermes.linking.named import Found
from hermes.terms import IRI

_BY_LENGTH: Final = (0.0, 0.7, 0.85, 0.92)
"""How well words name something that is just them: one, two, three or more."""
_CAPITAL: Final = 0.1
_QUOTED: Final = 0.2
_QUOTES: Final = "\"'\u201c\u2018\u00ab"
_INSIDE: Final = 0.3
"""What is taken off where the words stand inside of others that are a name."""
_INFLECTED: Final = 0.05
_KNOWN: Final = 0.25
"""What is taken off where a single word says a predicate or a class too."""
_PARTLY: Final = 0.6
_LEAST: Final = 0.05
_SAID_TOO: Final = 0.08
"""What is added where the question says a predicate of the text, or a class of the entity, too."""


class Scores:
    """Scores what was found in one question, from 0 to 1.

    Args:
        question: its text.
        lexicon: the names of the predicates and classes.
        said: what of them the question says.
        found: all names that were found.
    """

    def __init__(
        self, question: str, lexicon: Lexicon, said: Mapping[str, Said], found: Collection[Found]
    ) -> None:
        self._question = question
        self._said = said
        self._exact = {frozenset(each.words) for each in found if each.evidence in ("exact", "inflected")}
        self._terms = frozenset(
            name.term for name in lexicon.names if any(each in said for each in (*name.roots, *name.of))
        )

    def of(self, found: Found) -> float:
        """Return how well some words name a term, by themselves and beside the other names."""
        first, *others = words = found.words
        score = _BY_LENGTH[min(len(words), len(_BY_LENGTH) - 1)]
        start = first.span.start
        if any(word.capital and word.span.start for word in words):
            score += _CAPITAL
        if start and self._question[start - 1] in _QUOTES:
            score += _QUOTED
        if found.evidence == "inflected":
            score -= _INFLECTED
        elif found.evidence != "exact":
            score *= _PARTLY * (1 + found.part) / 2
        if not others and not first.capital and first.root in self._said:
            score -= _KNOWN
        if any(frozenset(words) < other for other in self._exact):
            score -= _INSIDE
        return min(1.0, max(_LEAST, score))

    def beside(self, terms: Iterable[IRI]) -> float:
        """Return what is added where the question says one of these predicates or classes too."""
        return _SAID_TOO if any(term in self._terms for term in terms) else 0.0
