"""Small wrong edits of a query: a judge is as good as the share of them that it notices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from oracle.selects import outer
from oracle.tokens import Token, closing, join, tokenize

_SWAPS: Final = {
    "=": "!=",
    "!=": "=",
    "<": ">=",
    ">": "<=",
    "<=": ">",
    ">=": "<",
    "&&": "||",
    "||": "&&",
    "DESC": "ASC",
    "ASC": "DESC",
    "MIN": "MAX",
    "MAX": "MIN",
    "SUM": "AVG",
    "AVG": "SUM",
    "OPTIONAL": "",
    "MINUS": "OPTIONAL",
    "UNION": "",
    "NOT": "",
    "DISTINCT": "",
}
"""What each keyword or operator of WHERE and the modifiers is wrongly replaced with."""


def mutants(text: str, dice: Random) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of one wrong edit of each kind that `text` allows."""
    tokens = tokenize(text)
    start = next((i for i, token in enumerate(tokens) if token.says("SELECT", "ASK", "{")), 0)
    places: dict[str, list[int]] = {}
    for index in range(start, len(tokens) - 1):
        name = _kind(tokens, index)
        if name:
            places.setdefault(name, []).append(index)
    for name, indexes in places.items():
        yield name, join(_edit(tokens, dice.choice(indexes), name))
    yield from _without_filter(tokens, dice)


def _kind(tokens: Sequence[Token], index: int) -> str:
    """Return the name of the edit that can be made at a token, or an empty text."""
    token = tokens[index]
    word = token.text.upper()
    if token.kind in {"word", "op"} and word in _SWAPS:
        return f"{word} to {_SWAPS[word] or 'nothing'}"
    if token.says("*", "+") and tokens[index - 1].kind in {"name", "iri"}:
        return "path length"
    if token.kind == "number" and not tokens[index - 1].says("LIMIT", "OFFSET"):
        return "number"
    if token.kind in {"iri", "name"} and tokens[index - 1].kind in {"iri", "name", "var"}:
        return "term"
    return "string" if token.kind == "string" and not tokens[index - 1].says("=") else ""


def _edit(tokens: Sequence[Token], index: int, name: str) -> list[Token]:
    token = tokens[index]
    if name == "path length":
        text = "+" if token.text == "*" else "*"
    elif name == "number":
        text = str(int(float(token.text)) + 7)
    elif name == "term":
        text = "<http://example.org/another>"
    elif name == "string":
        text = '"another"'
    else:
        text = _SWAPS[token.text.upper()]
    return [*tokens[:index], Token(token.kind, text, token.lead), *tokens[index + 1 :]]


def _without_filter(tokens: Sequence[Token], dice: Random) -> Iterator[tuple[str, str]]:
    """Yield the query without one of its bracketed filters, and without the last of its columns."""
    filters = [i for i, token in enumerate(tokens) if token.says("FILTER") and tokens[i + 1].says("(")]
    if filters:
        index = dice.choice(filters)
        yield "filter dropped", join([*tokens[:index], *tokens[closing(tokens, index + 1) + 1 :]])
    select = outer(tokens)
    if select is not None:
        columns = [i for i in range(select.start, select.opening) if tokens[i].kind == "var"]
        plain = [i for i in columns if not tokens[i - 1].says("AS", "(")]
        if len(plain) > 1:
            yield "column dropped", join([*tokens[: plain[-1]], *tokens[plain[-1] + 1 :]])
