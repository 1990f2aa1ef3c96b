"""Breaks a long line of SPARQL text at its braces, for people. Only white space changes."""

from __future__ import annotations

from typing import Final

from hermes.sparql.tokens import tokenize

WIDTH: Final = 100
"""Lines up to this many characters stay whole."""

_INDENT: Final = "  "
_BEGIN_A_LINE: Final = frozenset(
    {
        "FILTER", "OPTIONAL", "MINUS", "BIND", "GRAPH", "SERVICE", "VALUES", "SELECT", "WHERE", "GROUP",
        "HAVING", "ORDER", "LIMIT", "OFFSET",
    }
)  # fmt: skip


def layout(line: str, width: int = WIDTH) -> list[str]:
    """Return `line` as one line if it is short, else with a line for each element of its groups."""
    return [line] if len(line) <= width or "{" not in line else _Layout(line).lines


class _Layout:
    """Goes through the tokens of a line once."""

    def __init__(self, text: str) -> None:
        self.lines: list[str] = []
        self._line = ""
        self._depth = 0
        tokens = tokenize(text)
        parentheses = 0
        in_data = False
        for place, (kind, token) in enumerate(zip(tokens.kinds, tokens.texts, strict=True)):
            parentheses += (token == "(") - (token == ")") if kind == "PUNCT" else 0
            free = parentheses == 0 and not in_data
            if kind == "WORD" and free and token in _BEGIN_A_LINE:
                self._end_line()
                in_data = token == "VALUES"
            spaced = place > 0 and not _touches(tokens.starts, tokens.texts, place)
            self._add(kind, token, tokens.texts[place + 1 : place + 2], spaced=spaced, free=free)
            in_data = in_data and token != "}"
        self._end_line()

    def _add(self, kind: str, token: str, following: list[str], *, spaced: bool, free: bool) -> None:
        brace = token if kind == "PUNCT" and free and token in "{}." else ""
        if brace == "}":
            self._end_line()
            self._depth -= 1
        self._line += (" " if spaced and self._line else "") + token
        if brace == "{":
            self._end_line()
            self._depth += 1
        elif brace == "." or (brace == "}" and following != ["UNION"]):
            self._end_line()

    def _end_line(self) -> None:
        if self._line:
            self.lines.append(_INDENT * self._depth + self._line)
            self._line = ""


def _touches(starts: list[int], texts: list[str], place: int) -> bool:
    return starts[place - 1] + len(texts[place - 1]) == starts[place]
