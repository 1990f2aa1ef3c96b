"""SPARQL text as tokens, so that the oracles can edit a query without a grammar.

A token keeps the blanks and comments before it: joining the tokens of a text gives the text back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

_ESCAPE: Final = r"\\[_~.\-!$&'()*+,;=/?#@%]|%[0-9A-Fa-f]{2}"
_PATTERN: Final = re.compile(
    rf"""
    (?P<lead>(?:\s+|\#[^\n\r]*)*)
    (?:
      (?P<string>\"\"\"(?:\"{{0,2}}(?:[^\"\\]|\\.))*\"\"\"|'''(?:'{{0,2}}(?:[^'\\]|\\.))*'''
        |\"(?:[^\"\\\n\r]|\\.)*\"|'(?:[^'\\\n\r]|\\.)*')
    | (?P<iri><(?:[^<>\"{{}}|^`\\\x00-\x20]|\\[uU][0-9A-Fa-f]+)*>)
    | (?P<var>[?$]\w+)
    | (?P<blank>_:\w(?:[\w.\-]*[\w\-])?)
    | (?P<name>(?:[^\W\d_](?:[\w.\-]*[\w\-])?)?:
        (?:(?:[\w:]|{_ESCAPE})(?:(?:[\w:.\-]|{_ESCAPE})*(?:[\w:\-]|{_ESCAPE}))?)?)
    | (?P<number>(?:\d+\.\d*|\.\d+|\d+)[eE][+\-]?\d+|\d*\.\d+|\d+)
    | (?P<word>[^\W\d_]\w*)
    | (?P<lang>@[a-zA-Z]+(?:-[a-zA-Z0-9]+)*)
    | (?P<op>\^\^|&&|\|\||!=|<=|>=|.)
    | (?P<end>\Z)
    )
    """,
    re.VERBOSE | re.DOTALL,
)


class Token(NamedTuple):
    """One token: its kind, its text, and what stood between it and the token before."""

    kind: str
    text: str
    lead: str = " "

    def says(self, *words: str) -> bool:
        """Whether this is one of the keywords, in any case, or one of the operators `words`."""
        return (self.kind == "word" and self.text.upper() in words) or (
            self.kind == "op" and self.text in words
        )


def tokenize(text: str) -> list[Token]:
    """Split `text`; a closing token of kind `end` carries the blanks and comments at the end."""
    found = []
    for match in _PATTERN.finditer(text):
        kind = match.lastgroup or "end"
        found.append(Token(kind, match[kind], match["lead"]))
        if kind == "end":
            break
    return found


def join(tokens: Iterable[Token]) -> str:
    """Return the text of `tokens`."""
    return "".join(token.lead + token.text for token in tokens)


def closing(tokens: Sequence[Token], start: int) -> int:
    """Return the index of the bracket that closes the one at `start` (the last token if none does)."""
    depth = 0
    for index in range(start, len(tokens)):
        if tokens[index].says("(", "{", "["):
            depth += 1
        elif tokens[index].says(")", "}", "]"):
            depth -= 1
            if depth == 0:
                return index
    return len(tokens) - 1
