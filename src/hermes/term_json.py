"""RDF terms as JSON objects, as SPARQL 1.1 Query Results JSON writes them (section 3.2.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from hermes.terms import (
    IRI,
    RDF_DIR_LANG_STRING,
    RDF_LANG_STRING,
    XSD_STRING,
    BlankNode,
    Literal,
    Term,
    TripleTerm,
)

_PARTS: Final = ("subject", "predicate", "object")


def term_to_json(term: Term) -> Mapping[str, Any]:
    """Return a term as a JSON object."""
    match term:
        case IRI(value):
            return {"type": "uri", "value": value}
        case BlankNode(label):
            return {"type": "bnode", "value": label}
        case Literal():
            return _literal_to_json(term)
        case TripleTerm(s, p, o):
            return {"type": "triple", "value": dict(zip(_PARTS, map(term_to_json, (s, p, o)), strict=True))}


def _literal_to_json(literal: Literal) -> Mapping[str, str]:
    found = {"type": "literal", "value": literal.lexical}
    if literal.language is None:
        return found if literal.datatype == XSD_STRING else found | {"datatype": literal.datatype}
    # The results format of SPARQL 1.2 has the base direction in a key of its own.
    tag, _, direction = literal.language.partition("--")
    return found | {"xml:lang": tag} | ({"its:dir": direction} if direction else {})


def term_from_json(found: Mapping[str, Any]) -> Term:
    """Return the term of a JSON object; the old type `typed-literal` is a literal too.

    Raises:
        ValueError: the object is no term.
    """
    match found:
        case {"type": "uri", "value": str(value)}:
            return IRI(value)
        case {"type": "bnode", "value": str(value)}:
            return BlankNode(value)
        case {"type": "literal" | "typed-literal", "value": str(value)}:
            return _literal_from_json(value, found)
        case {"type": "triple", "value": {"subject": s, "predicate": p, "object": o}}:
            return TripleTerm(term_from_json(s), term_from_json(p), term_from_json(o))
        case _:
            raise ValueError(f"no RDF term: {found!r:.80}")


def _literal_from_json(value: str, found: Mapping[str, Any]) -> Literal:
    language, direction = found.get("xml:lang"), found.get("its:dir")
    if language is None:
        return Literal(value, found.get("datatype", XSD_STRING))
    if direction is not None:
        return Literal(value, RDF_DIR_LANG_STRING, f"{language}--{direction}")
    return Literal(value, RDF_LANG_STRING, language)
