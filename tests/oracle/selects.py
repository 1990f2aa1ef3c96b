"""The parts of each SELECT in a token list: what it selects, its pattern, its modifiers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from oracle.tokens import Token, closing

_TAIL: Final = ("GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "VALUES")
_FORMS: Final = ("SELECT", "CONSTRUCT", "DESCRIBE", "ASK")


class Select(NamedTuple):
    """Token indexes: SELECT itself, the `{` and `}` of its pattern, the end of its modifiers."""

    start: int
    opening: int
    closing: int
    end: int


def selects(tokens: Sequence[Token]) -> Iterator[Select]:
    """Yield every SELECT of the text, the outer ones first."""
    for start, token in enumerate(tokens):
        if not token.says("SELECT"):
            continue
        opening = next((i for i in range(start, len(tokens)) if tokens[i].says("{")), None)
        if opening is not None:
            shut = closing(tokens, opening)
            yield Select(start, opening, shut, _end(tokens, shut + 1))


def _end(tokens: Sequence[Token], index: int) -> int:
    """Return where the modifiers that begin at `index` end: at a closing bracket or at the end."""
    while index < len(tokens) - 1 and not tokens[index].says("}"):
        bracket = tokens[index].says("(", "{", "[")
        index = closing(tokens, index) + 1 if bracket else index + 1
    return min(index, len(tokens) - 1)


def outer(tokens: Sequence[Token]) -> Select | None:
    """Return the outermost SELECT when the query is of that form."""
    first = next((token for token in tokens if token.says(*_FORMS)), None)
    if first is None or not first.says("SELECT"):
        return None
    return next(selects(tokens), None)


def section(tokens: Sequence[Token], select: Select, word: str) -> tuple[int, int] | None:
    """Return the range of indexes of one modifier's arguments (after BY, if there is one)."""
    index = select.closing + 1
    start = None
    while index < select.end:
        if start is None and tokens[index].says(word):
            start = index + (2 if tokens[index + 1].says("BY") else 1)
        elif start is not None and index >= start and tokens[index].says(*_TAIL):
            return start, index
        bracket = tokens[index].says("(", "{", "[")
        index = closing(tokens, index) + 1 if bracket else index + 1
    return None if start is None else (start, select.end)


def aliases(tokens: Sequence[Token], select: Select) -> dict[str, list[Token]]:
    """Return the expressions that the SELECT clause names, by variable, each with its brackets off."""
    found: dict[str, list[Token]] = {}
    index = select.start + 1
    while index < select.opening:
        if not tokens[index].says("("):
            index += 1
            continue
        end = closing(tokens, index)
        if tokens[end - 2].says("AS") and tokens[end - 1].kind == "var":
            found[tokens[end - 1].text[1:]] = list(tokens[index + 1 : end - 2])
        index = end + 1
    return found
