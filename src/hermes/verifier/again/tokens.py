"""Tokens: what stands for terms when solutions are enumerated over a schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from hermes.terms import IRI, RDF_LANG_STRING, XSD, XSD_STRING, BlankNode, Literal, TripleTerm, Variable
from hermes.verifier.literals import NUMERIC, TEMPORAL, key_of, tag_of
from hermes.verifier.schema import Schema

Token = int | str
"""A signature by its place; or `new:` and a sort, for a term that the graph does not have; or `ANYTHING`."""

ANYTHING: Final = "anything"
"""Any term or no value: nothing is concluded from it."""

Solution = Mapping[Variable, Token]
"""One solution with tokens for terms; a variable without a value has no key."""


def sort_of(tag: str) -> str:
    """Return the sort of the terms of a tag: kinds of terms, and of literals those that compare."""
    if tag in ("iri", "blank", "triple"):
        return tag
    if tag.startswith("@"):
        return "tagged"
    if tag == XSD_STRING:
        return "string"
    if tag == XSD + "boolean":
        return "boolean"
    if tag in NUMERIC:
        return "number"
    return "moment" if tag in TEMPORAL else "other"


@dataclass(frozen=True)
class Tokens:
    """The tokens of a schema."""

    schema: Schema

    def constant(self, term: IRI | Literal | BlankNode | TripleTerm) -> frozenset[Token]:
        """Return what may stand for a constant: signatures, and a term that the graph does not have."""
        if isinstance(term, BlankNode | TripleTerm):
            return frozenset({ANYTHING})
        tag = tag_of(term) if isinstance(term, Literal) else "iri"
        key = key_of(term) if isinstance(term, Literal) else term.value
        new: Token = f"new:{sort_of(tag)}"
        if key is None:
            places = {at for at, each in enumerate(self.schema.signatures) if each.tag == tag}
            return frozenset({new, *places})
        known = self.schema.occurrences.get(tag)
        return frozenset({new, *(known.signatures_of(key) if known is not None else ())})

    def sort(self, token: Token) -> str:
        """Return the sort of a token other than `ANYTHING`."""
        if isinstance(token, str):
            return token.removeprefix("new:")
        return sort_of(self.schema.signatures[token].tag)

    @cached_property
    def every(self) -> frozenset[Token]:
        """All tokens but `ANYTHING`."""
        sorts = ("iri", "blank", "triple", "string", "tagged", "number", "boolean", "moment", "other")
        return frozenset({*range(len(self.schema.signatures)), *(f"new:{sort}" for sort in sorts)})

    def datatype(self, token: Token) -> Iterator[str]:
        """Yield the datatype of the literals of a signature, after `family`."""
        if isinstance(token, int):
            tag = self.schema.signatures[token].tag
            yield RDF_LANG_STRING if tag.startswith("@") else tag
