"""The grammar rules for terms: variables, IRIs, literals and blank nodes (rules 108 and 129 to 138)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from hermes.errors import PlanError
from hermes.sparql.iris import is_absolute, resolve
from hermes.sparql.parser.cursor import Cursor, shown
from hermes.sparql.tokens import unescape
from hermes.terms import (
    BLANK_PREFIX,
    IRI,
    RDF_LANG_STRING,
    RDF_TYPE,
    RESERVED,
    XSD,
    BlankNode,
    Literal,
    Variable,
)

_BLANK_NAME: Final = re.compile(BLANK_PREFIX + "([0-9]{1,9})")
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_LOCAL_ESCAPE: Final = re.compile(r"\\(.)")
_NUMBERS: Final = {"INTEGER": XSD + "integer", "DECIMAL": XSD + "decimal", "DOUBLE": XSD + "double"}


@dataclass(slots=True)
class Context:
    """What a text is read in: the prefixes, the base IRI, and the blank node labels met so far.

    One context serves all texts of one action or query, so a label means one node throughout. A label
    stands for a variable, except in a CONSTRUCT template (`keep_blank`).
    """

    prefixes: Mapping[str, str]
    base: str | None = None
    first_free: Callable[[], int] = lambda: 0
    _next: int | None = None
    keep_blank: bool = False
    blanks: dict[str, Variable] = field(default_factory=dict)
    homes: dict[str, int] = field(default_factory=dict)
    pattern: int = 0
    last_pattern: int = 0

    def next_pattern(self) -> None:
        """Begin another basic graph pattern: blank node labels do not reach across."""
        self.last_pattern += 1
        self.pattern = self.last_pattern

    def enter_pattern(self) -> int:
        """Begin another basic graph pattern and return the one outside, to come back to."""
        outside = self.pattern
        self.next_pattern()
        return outside

    def new_blank(self) -> Variable:
        """Return the variable of a blank node without a label."""
        number = self.first_free() if self._next is None else self._next
        self._next = number + 1
        return Variable(f"{BLANK_PREFIX}{number}")

    def avoid_names_in(self, text: str) -> None:
        """Give new blank nodes other numbers than those that `text` names."""
        named = [int(number) for number in _BLANK_NAME.findall(text)]
        if named:
            self._next = max(self.first_free() if self._next is None else self._next, max(named) + 1)


class TermRules(Cursor):
    """Reads terms."""

    def __init__(self, text: str, context: Context) -> None:
        super().__init__(text)
        self.context = context
        context.avoid_names_in(text)

    def variable(self, what: str = "a variable (?name)") -> Variable:
        """Read a variable; `?x` and `$x` are one."""
        if self.kinds[self.at] != "VAR":
            self.fail(what)
        name = self.texts[self.at][1:]
        if name.startswith(RESERVED) and not _BLANK_NAME.fullmatch(name):
            self.fault(f'names that begin with "{RESERVED}" are kept for hermes', code="reserved-name")
        self.at += 1
        return Variable(name)

    def starts_iri(self) -> bool:
        """Whether an IRI or a prefixed name comes next."""
        return self.kinds[self.at] in ("IRI", "PNAME")

    def iri(self, what: str = "an IRI (<...> or prefix:name)") -> IRI:
        """Read an IRI and make it absolute."""
        kind, text = self.kinds[self.at], self.texts[self.at]
        if kind == "PNAME":
            value = self._expand(text)
        elif kind == "IRI":
            value = self._resolve(unescape(text[1:-1], self.source, self.starts[self.at]))
        else:
            self.fail(what)
        self.at += 1
        return IRI(value)

    def _expand(self, name: str) -> str:
        prefix, _, local = name.partition(":")
        namespace = self.context.prefixes.get(prefix)
        if namespace is None:
            declared = ", ".join(f"{known}:" for known in self.context.prefixes) or "none"
            raise PlanError(
                f'the prefix "{prefix}:" of "{name}" is not declared; declared: {declared}',
                code="unknown-prefix",
            )
        return self._checked(namespace + (_LOCAL_ESCAPE.sub(r"\1", local) if "\\" in local else local))

    def _resolve(self, value: str) -> str:
        if not _SCHEME.match(value):
            if self.context.base is None:
                self.fault(f"<{shown(value)}> is relative; write the whole IRI", code="relative-iri")
            value = resolve(value, self.context.base)
        return self._checked(value)

    def _checked(self, value: str) -> str:
        if not is_absolute(value):
            self.fault(
                f"<{shown(value)}> is no IRI: [, ], spaces, and % without two hex digits are written %5B ...",
                code="bad-iri",
            )
        return value

    def starts_literal(self) -> bool:
        """Whether a literal comes next, a signed number too."""
        kind = self.kinds[self.at]
        if kind == "STRING" or kind in _NUMBERS:
            return True
        if kind == "PUNCT":
            return self._starts_signed_number()
        return self.keyword() in ("TRUE", "FALSE")

    def _starts_signed_number(self) -> bool:
        return (
            self.texts[self.at] in ("+", "-")
            and self.kinds[self.at + 1] in _NUMBERS
            and self.touches(self.at)
        )

    def literal(self) -> Literal:
        """Read a string, number or boolean."""
        kind, text = self.kinds[self.at], self.texts[self.at]
        if kind == "STRING":
            return self._string()
        sign = ""
        if kind == "PUNCT" and self._starts_signed_number():
            sign = text
            self.at += 1
            kind, text = self.kinds[self.at], self.texts[self.at]
        datatype = _NUMBERS.get(kind)
        if datatype is None:
            if self.keyword() not in ("TRUE", "FALSE"):
                self.fail("a literal")
            sign, text, datatype = "", text.lower(), XSD + "boolean"
        self.at += 1
        return Literal(sign + text, datatype)

    def string(self) -> str:
        """Read a string without datatype or language and return its value."""
        if self.kinds[self.at] != "STRING":
            self.fail("a string in quotes")
        text = self.texts[self.at]
        quotes = 3 if text[:3] in ('"""', "'''") else 1
        value = unescape(text[quotes:-quotes], self.source, self.starts[self.at])
        self.at += 1
        return value

    def _string(self) -> Literal:
        value = self.string()
        if self.kinds[self.at] == "LANGTAG":
            self.at += 1
            return Literal(value, RDF_LANG_STRING, self.texts[self.at - 1][1:])
        if self.take("^^"):
            return Literal(value, self.iri("the datatype's IRI").value)
        return Literal(value)

    def blank(self) -> Variable | BlankNode:
        """Read a blank node label. It stands for a variable; one label, one basic graph pattern."""
        label = self.texts[self.at][2:]
        context = self.context
        if context.keep_blank:
            self.at += 1
            return BlankNode(label)
        home = context.homes.setdefault(label, context.pattern)
        if home != context.pattern:
            raise PlanError(
                f"the blank node label _:{label} stands in two graph patterns; use a variable instead",
                code="blank-label-in-two-groups",
            )
        self.at += 1
        if label not in context.blanks:
            context.blanks[label] = context.new_blank()
        return context.blanks[label]

    def is_type_keyword(self) -> bool:
        """Whether the keyword `a` comes next: the only one that is sensitive to case."""
        return self.kinds[self.at] == "WORD" and self.texts[self.at] == "a"

    def verb_iri(self, what: str) -> IRI:
        """Read an IRI or `a`."""
        if self.is_type_keyword():
            self.at += 1
            return IRI(RDF_TYPE)
        return self.iri(what)
