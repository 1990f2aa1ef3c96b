"""RDF terms and query variables, prefixes, escaping and display.

Terms are plain frozen values, equal by RDF term equality (RDF 1.1 Concepts, section 3). Variables
keep their `?` in public text; the keys of a row do not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from hermes.errors import SparqlSyntaxError
from hermes.printable import clip, printable

RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS: Final = "http://www.w3.org/2000/01/rdf-schema#"
XSD: Final = "http://www.w3.org/2001/XMLSchema#"
OWL: Final = "http://www.w3.org/2002/07/owl#"
RDF_TYPE: Final = RDF + "type"
XSD_STRING: Final = XSD + "string"
RDF_LANG_STRING: Final = RDF + "langString"
RDF_DIR_LANG_STRING: Final = RDF + "dirLangString"

RESERVED: Final = "_hermes_"
"""Names of variables that hermes makes for itself begin so; people may not use them."""


@dataclass(frozen=True, slots=True)
class IRI:
    """An absolute IRI, without its angle brackets."""

    value: str

    def __str__(self) -> str:
        return f"<{self.value}>"


@dataclass(frozen=True, slots=True)
class BlankNode:
    """A blank node of a result or of a CONSTRUCT template. A plan cannot name one of a result."""

    label: str

    def __str__(self) -> str:
        return f"_:{self.label}"


@dataclass(frozen=True, slots=True)
class Literal:
    """A literal: lexical form, datatype IRI, and a language tag where the datatype is langString."""

    lexical: str
    datatype: str = XSD_STRING
    language: str | None = None

    def __str__(self) -> str:
        return literal_text(self, full_iri)


@dataclass(frozen=True, slots=True)
class TripleTerm:
    """A triple as a term (RDF 1.2). It is shown and exported; a plan cannot name one."""

    subject: Term
    predicate: Term
    object: Term

    def __str__(self) -> str:
        return f"<<( {self.subject} {self.predicate} {self.object} )>>"


@dataclass(frozen=True, slots=True)
class Variable:
    """A query variable; `name` has no `?`, `str()` has.

    A blank node of a pattern becomes a variable of its own kind (`blank`): it is printed as a
    variable, but is never in scope (SPARQL 1.1, section 4.1.4).
    """

    name: str

    def __str__(self) -> str:
        return "?" + self.name

    @property
    def reserved(self) -> bool:
        """Whether hermes made this name for itself."""
        return self.name.startswith(RESERVED)

    @property
    def blank(self) -> bool:
        """Whether this variable stands for a blank node of a pattern."""
        return self.name.startswith(BLANK_PREFIX)


BLANK_PREFIX: Final = RESERVED + "b"
TRUE: Final = Literal("true", XSD + "boolean")
FALSE: Final = Literal("false", XSD + "boolean")

Term = IRI | BlankNode | Literal | TripleTerm
"""What a solution binds a variable to."""

Row = Mapping[str, Term]
"""One solution: variable names without `?`; an unbound variable has no key."""


# --- escaping ---------------------------------------------------------------------------------

_ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_TO_ESCAPE: Final = re.compile(r'[\\"\x00-\x1f\x7f\u2028\u2029]')
_SHORT_NUMBER: Final = {
    XSD + "integer": re.compile(r"[+-]?[0-9]+"),
    XSD + "decimal": re.compile(r"[+-]?[0-9]*\.[0-9]+"),
    XSD + "double": re.compile(r"[+-]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)[eE][+-]?[0-9]+"),
    XSD + "boolean": re.compile(r"true|false"),
}


IriWriter = Callable[[str], str]
"""Writes an IRI as query text: `Names`, or the full form in angle brackets."""


def quote(text: str) -> str:
    """Return `text` as a SPARQL string in double quotes (SPARQL 1.1, section 19.7)."""
    return '"' + _TO_ESCAPE.sub(lambda m: _ESCAPES.get(m[0]) or f"\\u{ord(m[0]):04X}", text) + '"'


def literal_text(literal: Literal, names: IriWriter) -> str:
    """Return the shortest SPARQL spelling of a literal that reads back as the same term."""
    if literal.language is not None:
        return f"{quote(literal.lexical)}@{literal.language}"
    if literal.datatype == XSD_STRING:
        return quote(literal.lexical)
    short = _SHORT_NUMBER.get(literal.datatype)
    if short and short.fullmatch(literal.lexical):
        return literal.lexical
    return f"{quote(literal.lexical)}^^{names(literal.datatype)}"


def term_text(term: Term | Variable, names: IriWriter) -> str:
    """Return `term` as SPARQL text, IRIs written by `names`."""
    match term:
        case Variable():
            return "?" + term.name
        case IRI():
            return names(term.value)
        case Literal():
            return literal_text(term, names)
        case BlankNode():
            return str(term)
        case TripleTerm(s, p, o):
            return f"<<( {term_text(s, names)} {term_text(p, names)} {term_text(o, names)} )>>"


def display(term: Term, prefixes: Prefixes, width: int = 60) -> str:
    """Return `term` for a person: short names, values quoted and escaped, clipped to `width` characters.

    The result is one line whatever the graph holds.
    """
    return clip(printable(term_text(term, prefixes.names())), width)


# --- prefixes ---------------------------------------------------------------------------------

_MOST_REMEMBERED: Final = 10_000
"""IRIs whose short form is remembered; then it begins anew."""
_LONGEST_LOCAL: Final = 1000
"""Longer local names are not shortened: each of their ends would be tried."""
_WRITABLE: Final = re.compile(r"(?:[A-Za-z](?:[A-Za-z0-9_.\-]*[A-Za-z0-9_\-])?)?")
_LOCAL_START: Final = re.compile(r"[A-Za-z_]")
_LOCAL_CHAR: Final = re.compile(r"[A-Za-z0-9_-]")
_PREFIX: Final = r"(?:[^\W\d_](?:[\w.\-]*[\w\-])?)?"
_PREFIX_LINE: Final = re.compile(
    rf"\s*@?prefix\s+({_PREFIX}):\s*<([^<>\"{{}}|^`\\\s]*)>\s*\.?", re.IGNORECASE
)


class Names:
    """Writes IRIs: as a prefixed name where every engine reads it, else in full.

    `used` collects the prefixes that were needed, in order of first use.
    """

    __slots__ = ("_prefixes", "used")

    def __init__(self, prefixes: Prefixes) -> None:
        self._prefixes = prefixes
        self.used: dict[str, str] = {}

    def __call__(self, iri: str) -> str:
        """Return the text of an IRI."""
        prefix, text = self._prefixes.shorten(iri)
        if prefix is not None and prefix not in self.used:
            self.used[prefix] = self._prefixes[prefix]
        return text


class Prefixes(Mapping[str, str]):
    """An immutable map from prefix to namespace: the prologue of a query without its BASE."""

    __slots__ = ("_by_namespace", "_map", "_short")

    def __init__(self, namespaces: Mapping[str, str] | None = None) -> None:
        self._map = dict(namespaces or {})
        # The first prefix of a namespace writes it; all of them read it.
        writable = ((ns, prefix) for prefix, ns in reversed(self._map.items()) if _WRITABLE.fullmatch(prefix))
        self._by_namespace = dict(writable)
        self._short: dict[str, tuple[str | None, str]] = {}

    def __getitem__(self, prefix: str) -> str:
        return self._map[prefix]

    def __iter__(self) -> Iterator[str]:
        return iter(self._map)

    def __len__(self) -> int:
        return len(self._map)

    def __hash__(self) -> int:
        return hash(frozenset(self._map.items()))

    def __repr__(self) -> str:
        return f"Prefixes({self._map!r})"

    def __str__(self) -> str:
        """Return the prologue: one `PREFIX` line for each prefix."""
        return "".join(f"PREFIX {prefix}: <{ns}>\n" for prefix, ns in self._map.items())

    def __or__(self, other: Mapping[str, str]) -> Prefixes:
        return Prefixes(self._map | dict(other))

    def names(self) -> Names:
        """Return a fresh writer of IRIs over these prefixes."""
        return Names(self)

    def shorten(self, iri: str) -> tuple[str | None, str]:
        """Return the text of an IRI and the prefix in it; None and the full form where none fits.

        Only local parts `[A-Za-z_][A-Za-z0-9_-]*` are shortened: engines disagree about the others.
        """
        found = self._short.get(iri)
        if found is None:
            if len(self._short) >= _MOST_REMEMBERED:
                self._short.clear()
            found = self._short[iri] = self._shortened(iri)
        return found

    def _shortened(self, iri: str) -> tuple[str | None, str]:
        start, stop = len(iri) - 1, max(0, len(iri) - _LONGEST_LOCAL)
        while start > stop and _LOCAL_CHAR.match(iri[start]):
            prefix = self._by_namespace.get(iri[:start])
            if prefix is not None and _LOCAL_START.match(iri[start]):
                return prefix, f"{prefix}:{iri[start:]}"
            start -= 1
        return None, f"<{iri}>"

    @classmethod
    def parse(cls, header: str) -> Prefixes:
        """Read a prologue; Turtle's `@prefix ... .` is accepted beside SPARQL's `PREFIX ...`.

        Raises:
            SparqlSyntaxError: a line that is neither.
        """
        found: dict[str, str] = {}
        at = 0
        while header[at:].strip():
            line = _PREFIX_LINE.match(header, at)
            if line is None:
                at += len(header[at:]) - len(header[at:].lstrip())
                raise SparqlSyntaxError(
                    f"expected PREFIX ex: <http://example.org/>, found {header[at : at + 40]!r}",
                    source=header,
                    offset=at,
                )
            found[line[1]] = line[2]
            at = line.end()
        return cls(found)


@lru_cache(maxsize=64)
def parse_header(header: str) -> Prefixes:
    """Read a prologue, remembering the last ones: the same header is used for every query of a graph."""
    return Prefixes.parse(header)


def full_iri(iri: str) -> str:
    """Write an IRI in angle brackets, whatever the prefixes."""
    return f"<{iri}>"


NO_PREFIXES: Final = Prefixes()
WELL_KNOWN: Final = Prefixes(
    {
        "rdf": RDF,
        "rdfs": RDFS,
        "xsd": XSD,
        "owl": OWL,
        "skos": "http://www.w3.org/2004/02/skos/core#",
        "foaf": "http://xmlns.com/foaf/0.1/",
        "dcterms": "http://purl.org/dc/terms/",
        "schema": "http://schema.org/",
    }
)
"""What `Plan()` reads without a declaration."""
