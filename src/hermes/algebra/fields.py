"""How the fields of an action are written in JSON: one rule for each kind of field.

A rule checks the JSON type, reads the value by the grammar, and writes it again.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from copy import copy
from dataclasses import MISSING, dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, Self, TypeVar, cast

from hermes.algebra.spelling import (
    Spelling,
    bracketed_texts,
    columns,
    one_text,
    several_texts,
    table,
    template,
)
from hermes.errors import ActionError
from hermes.sparql.expressions import Expression, expression_text
from hermes.sparql.modifiers import Column, GroupKey, OrderCondition, column_text, group_key_text
from hermes.sparql.parser import LARGEST, Context, Parser
from hermes.sparql.patterns import TriplePattern
from hermes.terms import IRI, IriWriter, Literal, Variable, term_text

if TYPE_CHECKING:
    from hermes.algebra.plan import Plan

T = TypeVar("T")


class Reader:
    """Reads the fields of one action beside a plan: its prefixes, and one scope for blank node labels."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.depth = 0
        self.context = Context(plan.prefixes, first_free=plan.first_free_blank)

    def deeper(self) -> Self:
        """Return the reader of an action inside this one: one context, one level deeper."""
        inner = copy(self)
        inner.depth += 1
        return inner

    def parse(self, text: str, what: str, rule: Callable[[Parser], T]) -> T:
        """Read the whole of `text` by one rule of the grammar."""
        parser = Parser(text, self.context)
        found = rule(parser)
        parser.expect_end(what)
        return found


@dataclass(frozen=True, slots=True)
class Rule(Generic[T]):
    """`wants` says in words what the JSON must be; the rest checks, reads and writes it.

    `short` is how the value is written in the short form of an action; by default as a plain word or JSON.
    """

    wants: str
    fits: Callable[[Any], bool]
    read: Callable[[Any, Reader], T]
    write: Callable[[T, IriWriter], Any]
    short: Spelling | None = None

    def check(self, value: object, where: str) -> None:
        """Raise an ActionError with code `wrong-type` unless the JSON has the right type."""
        if not self.fits(value):
            raise ActionError(f"{where} must be {self.wants}, not {describe(value)}", code="wrong-type")


def field(rule: Rule[T], *, default: Any = MISSING) -> T:
    """Declare a field of a kind, read and written by `rule`; with a default it may be left out."""
    return cast("T", dataclasses.field(default=default, metadata={"rule": rule}))


def describe(value: object) -> str:
    """Return a JSON value for a message."""
    match value:
        case str():
            return f'"{value[:40]}"'
        case list() | tuple():
            return f"a list of {len(value)}"
        case int() if value.bit_length() > LARGEST.bit_length():
            return "a number beyond all bounds"
        case None | bool() | int() | float():
            return json.dumps(value)
        case _:
            return "an object"


# --- JSON types -------------------------------------------------------------------------------


def is_text(value: object) -> bool:
    """Whether the JSON is a string."""
    return isinstance(value, str)


def is_texts(value: object) -> bool:
    """Whether the JSON is a list of at least one string."""
    return isinstance(value, list | tuple) and bool(value) and all(map(is_text, value))


def is_texts_or_none(value: object) -> bool:
    """Whether the JSON is a list of strings, perhaps an empty one."""
    return value in ([], ()) or is_texts(value)


def is_natural(value: object) -> bool:
    """Whether the JSON is a whole number >= 0 that every engine can read."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST


# --- rules for texts of the grammar -----------------------------------------------------------


def text_rule(what: str, rule: Callable[[Parser], T], write: Callable[[T, IriWriter], str]) -> Rule[T]:
    """Return the rule of a field that is one text, read by one rule of the grammar."""
    return Rule(
        f"the text of one {what}",
        is_text,
        lambda value, reader: reader.parse(value, what, rule),
        write,
        one_text(rule),
    )


def texts_rule(
    what: str, rule: Callable[[Parser], T], write: Callable[[T, IriWriter], str]
) -> Rule[tuple[T, ...]]:
    """Return the rule of a field that is a list of texts, each read by the same rule of the grammar."""
    return Rule(
        f"a list of texts, each one {what}",
        is_texts,
        lambda value, reader: tuple(reader.parse(item, what, rule) for item in value),
        lambda parts, names: [write(part, names) for part in parts],
        several_texts(rule),
    )


def _plain_triple(parser: Parser) -> TriplePattern:
    triple = parser.triple()
    if triple.is_path:
        parser.fault("a template has no property paths")
    return triple


def _read_template(value: list[str], reader: Reader) -> tuple[TriplePattern, ...]:
    reader.context.keep_blank = True
    return tuple(reader.parse(item, "triple pattern", _plain_triple) for item in value)


def data_value(parser: Parser) -> IRI | Literal:
    """Read a value of VALUES (rule 65)."""
    if parser.starts_iri():
        return parser.iri()
    if parser.starts_literal():
        return parser.literal()
    if parser.kinds[parser.at] == "BLANK":
        parser.fault("VALUES cannot hold a blank node: match it through its properties")
    parser.fail("an IRI or a literal (null for UNDEF)")


TRIPLE: Final[Rule[TriplePattern]] = text_rule(
    "triple pattern", Parser.triple, lambda part, names: part.text(names)
)
EXPRESSION: Final[Rule[Expression]] = text_rule("expression", Parser.expression, expression_text)
WITH_AGGREGATES: Final[Rule[Expression]] = text_rule("expression", Parser.with_aggregates, expression_text)
ORDER: Final[Rule[OrderCondition]] = text_rule(
    "sort key", Parser.order_condition, lambda part, names: part.text(names)
)
VARIABLE: Final[Rule[Variable]] = dataclasses.replace(
    text_rule("variable", Parser.variable, term_text), short=one_text(Parser.variable, word="AS")
)
GRAPH_IRI: Final[Rule[IRI]] = text_rule("IRI", Parser.iri, term_text)
VARIABLE_OR_IRI: Final[Rule[Variable | IRI]] = text_rule("variable or IRI", Parser.variable_or_iri, term_text)
VARIABLES: Final[Rule[tuple[Variable, ...]]] = dataclasses.replace(
    texts_rule("variable", Parser.variable, term_text), short=bracketed_texts(Parser.variable)
)
ANY_VARIABLES: Final[Rule[tuple[Variable, ...]]] = dataclasses.replace(VARIABLES, fits=is_texts_or_none)
VARIABLES_OR_IRIS: Final[Rule[tuple[Variable | IRI, ...]]] = texts_rule(
    "variable or IRI", Parser.variable_or_iri, term_text
)
GROUP_KEYS: Final[Rule[tuple[GroupKey, ...]]] = texts_rule(
    "variable or (expression AS ?name)", Parser.group_key, group_key_text
)
TEMPLATE: Final[Rule[tuple[TriplePattern, ...]]] = Rule(
    "a list of texts, each one triple pattern",
    is_texts_or_none,
    _read_template,
    lambda parts, names: [part.text(names) for part in parts],
    template(Parser.triple),
)


COLUMNS: Final[Rule[tuple[Column, ...]]] = Rule(
    'a list of variables or (expression AS ?name), or ["*"]',
    is_texts,
    lambda value, reader: (
        ()
        if list(value) == ["*"]
        else tuple(reader.parse(item, "variable or (expression AS ?name)", Parser.column) for item in value)
    ),
    lambda chosen, names: [column_text(column, names) for column in chosen] or ["*"],
    columns(Parser.column),
)
"""No column at all stands for `*`: everything in scope."""


# --- rules for plain values ---------------------------------------------------------------------

TEXT: Final[Rule[str]] = Rule("a text", is_text, lambda value, _: value, lambda value, _: value)
NAME: Final[Rule[IRI]] = dataclasses.replace(GRAPH_IRI, short=None)
"""An IRI among other fields that are named in the short form."""
NAMES: Final[Rule[tuple[IRI, ...]]] = Rule(
    "a list of texts, each one IRI",
    is_texts_or_none,
    lambda value, reader: tuple(reader.parse(item, "IRI", Parser.iri) for item in value),
    lambda iris, names: [term_text(iri, names) for iri in iris],
)
NATURAL: Final[Rule[int]] = Rule(
    "a whole number >= 0", is_natural, lambda value, _: value, lambda value, _: value
)


def number_up_to(most: int) -> Rule[int]:
    """Return the rule of a field that is a whole number from 1 to `most`."""
    return Rule(
        f"a whole number from 1 to {most}",
        lambda value: is_natural(value) and 1 <= value <= most,
        lambda value, _: value,
        lambda value, _: value,
    )


FLAG: Final[Rule[bool]] = Rule(
    "true or false", lambda value: isinstance(value, bool), lambda value, _: value, lambda value, _: value
)


def one_of(*words: str) -> Rule[str]:
    """Return the rule of a field that is one of a few words."""
    listed = ", ".join(f'"{word}"' for word in words)
    return Rule(
        f"one of {listed}",
        lambda value: isinstance(value, str) and value in words,
        lambda value, _: value,
        lambda value, _: value,
    )


DataRow = tuple[IRI | Literal | None, ...]


def _is_rows(value: object) -> bool:
    return isinstance(value, list | tuple) and all(
        isinstance(row, list | tuple) and all(cell is None or isinstance(cell, str) for cell in row)
        for row in value
    )


def _read_rows(value: list[list[str | None]], reader: Reader) -> tuple[DataRow, ...]:
    def cell(text: str | None) -> IRI | Literal | None:
        return None if text is None else reader.parse(text, "IRI or literal", data_value)

    return tuple(tuple(map(cell, row)) for row in value)


def _write_rows(rows: tuple[DataRow, ...], names: IriWriter) -> list[list[str | None]]:
    return [[None if cell is None else term_text(cell, names) for cell in row] for row in rows]


ROWS: Final[Rule[tuple[DataRow, ...]]] = Rule(
    "a list of rows, each a list of IRIs or literals as text, null for UNDEF",
    _is_rows,
    _read_rows,
    _write_rows,
    table(data_value),
)
