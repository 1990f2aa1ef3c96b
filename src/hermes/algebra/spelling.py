"""How the fields of an action are written on one line without JSON: one spelling for each kind of field."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

from hermes.errors import HermesError
from hermes.sparql.parser import Parser
from hermes.terms import IriWriter

if TYPE_CHECKING:
    from hermes.algebra.fields import Reader

T = TypeVar("T")

Grammar = Callable[[Parser], object]
"""A rule of the grammar."""

UNDEF: Final = "UNDEF"


@dataclass(frozen=True, slots=True)
class Spelling:
    """Reads the JSON value of a field from SPARQL text, and writes it as such.

    `read` stops behind the field. `word` stands before the field where another one precedes it. A field that
    comes last takes the rest of the line: as it is where `whole`, in braces that may be left out where
    `braced`.
    """

    read: Callable[[Parser, IriWriter], Any]
    write: Callable[[Any, Reader], str]
    word: str = ""
    whole: bool = False
    braced: bool = False


def taken(parser: Parser, rule: Grammar) -> str:
    """Step over what a rule of the grammar reads, and return its text as it was given."""
    start = parser.starts[parser.at]
    rule(parser)
    last = parser.at - 1
    return parser.source[start : parser.starts[last] + len(parser.texts[last])]


def one_text(rule: Grammar, word: str = "") -> Spelling:
    """Return the spelling of a field that is one text of the grammar."""
    return Spelling(lambda parser, _: taken(parser, rule), lambda value, _: str(value), word, whole=True)


def several_texts(rule: Grammar) -> Spelling:
    """Return the spelling of a list of such texts: one after the other, with or without commas."""
    return Spelling(lambda parser, _: _several(parser, rule), lambda value, _: " ".join(value))


def bracketed_texts(rule: Grammar) -> Spelling:
    """Return the spelling of a list of such texts, which may stand in parentheses."""

    def read(parser: Parser, _: IriWriter) -> list[str]:
        opened = parser.take("(")
        found = _several(parser, rule)
        if opened:
            parser.expect(")")
        return found

    return Spelling(read, lambda value, _: " ".join(value))


def columns(rule: Grammar) -> Spelling:
    """Return the spelling of a list of such texts that may be `*` instead."""
    return Spelling(
        lambda parser, _: ["*"] if parser.take("*") else _several(parser, rule),
        lambda value, _: " ".join(value),
    )


def template(rule: Grammar) -> Spelling:
    """Return the spelling of triples in braces, with dots between them."""

    def read(parser: Parser, _: IriWriter) -> list[str]:
        parser.context.keep_blank = True
        parser.expect("{")
        found = []
        while not parser.take("}"):
            found.append(taken(parser, rule).removesuffix("."))
        return found

    return Spelling(read, lambda value, _: f"{{ {' . '.join(value)} }}", braced=True)


def table(cell: Grammar) -> Spelling:
    """Return the spelling of rows: `ex:A ex:B`, or `(ex:A 1) (ex:B UNDEF)`; braces may stand around them."""

    def one(parser: Parser) -> str | None:
        return None if parser.take_word(UNDEF) else taken(parser, cell)

    def row(parser: Parser) -> list[str | None]:
        if not parser.take("("):
            return [one(parser)]
        found = []
        while not parser.take(")"):
            found.append(one(parser))
        return found

    def read(parser: Parser, _: IriWriter) -> list[list[str | None]]:
        opened = parser.take("{")
        rows = []
        while not (parser.kinds[parser.at] == "END" or parser.next_is("}")):
            rows.append(row(parser))
        if opened:
            parser.expect("}")
        return rows

    def write(rows: list[list[str | None]], _: Reader) -> str:
        cells = [[UNDEF if each is None else each for each in row] for row in rows]
        return " ".join(row[0] if len(row) == 1 else f"({' '.join(row)})" for row in cells)

    return Spelling(read, write)


def _several(parser: Parser, rule: Grammar) -> list[str]:
    found = [taken(parser, rule)]
    while parser.kinds[parser.at] != "END":
        parser.take(",")
        at = parser.at
        try:
            found.append(taken(parser, rule))
        except HermesError:
            if parser.at > at:  # it is such a text, and wrong; else another field begins here
                raise
            break
    return found
