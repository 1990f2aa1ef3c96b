"""Where the steps of two queries part, whatever their variables are called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from hermes.errors import SparqlSyntaxError
from hermes.sparql.tokens import tokenize

StepText = tuple[str, str]
"""A step: its text, and what it left."""


def first_difference(one: Sequence[StepText], other: Sequence[StepText]) -> int | None:
    """Return the place, from 0, of the first step where two queries differ in text or in what was left.

    Variables count as the same where they come in for the first time at the same place. Where one query is
    the beginning of the other, it is the first step that only one has.

    Returns:
        None where the steps are the same, or where a query has none, so that it cannot be told.
    """
    if not one or not other:
        return None
    pairs = zip_longest(_plain(one), _plain(other))
    return next((place for place, (left, right) in enumerate(pairs) if left != right), None)


def _plain(steps: Sequence[StepText]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the words of each step, its variables numbered as they come in."""
    numbers: dict[str, str] = {}
    for text, left in steps:
        yield tuple(_words(text, numbers)), left


def _words(text: str, numbers: dict[str, str]) -> Iterator[str]:
    try:
        tokens = tokenize(text)
    except SparqlSyntaxError:
        yield text
        return
    for kind, token in zip(tokens.kinds, tokens.texts, strict=True):
        yield numbers.setdefault(token[1:], f"?{len(numbers)}") if kind == "VAR" else token
