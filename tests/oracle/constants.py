"""Constants of a query text as terms: IRIs, prefixed names, strings, numbers, truth values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import urljoin

from pyoxigraph import Literal, NamedNode

from oracle.tokens import Token

XSD: Final = "http://www.w3.org/2001/XMLSchema#"
_ESCAPES: Final = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}
_ESCAPE: Final = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)


def unescape(text: str) -> str:
    r"""Resolve the escapes of a string, an IRI or a local name (`\#`)."""

    def one(match: re.Match[str]) -> str:
        code = match[1] or match[2]
        return chr(int(code, 16)) if code else _ESCAPES.get(match[3], match[3])

    return _ESCAPE.sub(one, text) if "\\" in text else text


def string_value(text: str) -> str:
    """Return what the string token `text` says."""
    quotes = 3 if text[:3] in {'"""', "'''"} else 1
    return unescape(text[quotes:-quotes])


class Names:
    """The prologue: turns IRIs and prefixed names into absolute ones."""

    def __init__(self, prefixes: Mapping[str, str], base: str) -> None:
        self.prefixes = dict(prefixes)
        self.base = base

    def iri(self, token: Token) -> NamedNode:
        """Return the IRI that `token` names; an undeclared prefix gets a namespace of its own."""
        if token.kind == "iri":
            text = unescape(token.text[1:-1])
            # urljoin drops an empty fragment, and `PREFIX : <#>` needs it.
            mark = "#" if text.endswith("#") and ":" not in text else ""
            return NamedNode(text if ":" in text else urljoin(self.base, text) + mark)
        prefix, _, local = token.text.partition(":")
        return NamedNode(self.prefixes.get(prefix, f"urn:prefix:{prefix}:") + unescape(local))


def declared(tokens: Sequence[Token], prefixes: Mapping[str, str], base: str) -> Names:
    """Return the names in force in a text: `prefixes`, and what its prologue declares."""
    names = Names(prefixes, base)
    for index, token in enumerate(tokens):
        if token.says("PREFIX"):
            names.prefixes[tokens[index + 1].text[:-1]] = names.iri(tokens[index + 2]).value
        elif token.says("BASE"):
            names.base = names.iri(tokens[index + 1]).value
    return names


def _number(text: str) -> Literal:
    kind = "double" if "e" in text.lower() else "decimal" if "." in text else "integer"
    return Literal(text, datatype=NamedNode(XSD + kind))


def constant(tokens: Sequence[Token], index: int, names: Names) -> tuple[NamedNode | Literal, int] | None:
    """Return the constant at `index` and the index after it, or None where there is none."""
    token = tokens[index]
    if token.kind in {"iri", "name"}:
        return names.iri(token), index + 1
    if token.kind == "number":
        return _number(token.text), index + 1
    if token.says("-", "+") and tokens[index + 1].kind == "number":
        sign = "-" if token.text == "-" else ""
        return _number(sign + tokens[index + 1].text), index + 2
    if token.says("TRUE", "FALSE"):
        return Literal(token.text.lower(), datatype=NamedNode(XSD + "boolean")), index + 1
    return _string(tokens, index, names) if token.kind == "string" else None


def _string(tokens: Sequence[Token], index: int, names: Names) -> tuple[Literal, int]:
    """Return a string with its language tag or its datatype."""
    value, after = string_value(tokens[index].text), tokens[index + 1]
    if after.kind == "lang":
        return Literal(value, language=after.text[1:]), index + 2
    if after.says("^^"):
        return Literal(value, datatype=names.iri(tokens[index + 2])), index + 3
    return Literal(value), index + 1
