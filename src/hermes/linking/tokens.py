"""The words of a question, each with where it stands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hermes.labels.fold import fold
from hermes.labels.stems import SAYING_NOTHING, root
from hermes.linking.mentions import Span

MOST_WORDS: Final = 60
"""So many words of a question count."""
_WORD: Final = re.compile(r"[^\W_]+(?:[.&/][^\W_]+)*")
_OWNER: Final = re.compile(r"(?<=\w)['\u2019]s\b|(?<=s)['\u2019](?=\s|$)")
_QUOTED: Final = re.compile(
    r"""["\u201c\u201d\u00ab\u00bb]([^"\u201c\u201d\u00ab\u00bb]+)["\u201c\u201d\u00ab\u00bb]|(?<!\w)['\u2018]([^'\u2018\u2019]+)['\u2019](?!\w)"""
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a question.

    Args:
        span: where it stands.
        folded: the word without case and accents.
        root: what it has in common with words of the same root.
        capital: whether it begins with a capital, or has a digit.
    """

    span: Span
    folded: str
    root: str
    capital: bool

    @property
    def says(self) -> bool:
        """Whether it may name something."""
        return self.folded not in SAYING_NOTHING


def words_of(question: str) -> tuple[Word, ...]:
    """Return the first words of a question; the ending of an owner (`'s`) is no word."""
    plain = _OWNER.sub(lambda found: " " * len(found[0]), question)
    found: list[Word] = []
    for match in _WORD.finditer(plain):
        for at, text in _folded(match[0]):
            span = Span(match.start() + at, match.start() + at + len(text), text)
            folded = fold(text)
            found.append(Word(span, folded, root(folded), text[0].isupper() or text[0].isdigit()))
    return tuple(found[:MOST_WORDS])


def quoted(question: str) -> tuple[Span, ...]:
    """Return the texts of a question that stand in quotation marks."""
    return tuple(
        Span(match.start(number), match.end(number), match[number])
        for match in _QUOTED.finditer(question)
        for number in (1, 2)
        if match[number]
    )


def between(question: str, words: Sequence[Word]) -> Span:
    """Return the span from the first of some words to the last."""
    start, end = words[0].span.start, words[-1].span.end
    return Span(start, end, question[start:end])


def _folded(text: str) -> list[tuple[int, str]]:
    """Return the parts of a text that folding would part, with their places."""
    return [(found.start(), found[0]) for found in re.finditer(r"[^\W_]+", text)]
