"""Between pyoxigraph's terms and those of hermes."""

from __future__ import annotations

from typing import Final

import pyoxigraph as ox

from hermes.terms import IRI, BlankNode, Literal, Term, TripleTerm

OxTerm = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple

DIRECTION_MARK: Final = "--"
"""Between a language tag and a base direction, as in Turtle 1.2: `ar--rtl`."""


def from_ox(term: OxTerm) -> Term:
    """Return a term of pyoxigraph as a term of hermes."""
    if isinstance(term, ox.NamedNode):
        return IRI(term.value)
    if isinstance(term, ox.Literal):
        return _literal(term)
    if isinstance(term, ox.BlankNode):
        return BlankNode(term.value)
    return triple_from_ox(term)


def _literal(term: ox.Literal) -> Literal:
    language = term.language
    if language is None:
        return Literal(term.value, term.datatype.value)
    if term.direction is not None:
        language += DIRECTION_MARK + term.direction.value
    return Literal(term.value, term.datatype.value, language)


def triple_from_ox(triple: ox.Triple | ox.Quad) -> TripleTerm:
    """Return a triple of pyoxigraph, or that of a quad, as one of hermes."""
    return TripleTerm(from_ox(triple.subject), from_ox(triple.predicate), from_ox(triple.object))


def triple_to_ox(triple: TripleTerm) -> ox.Triple:
    """Return a triple of hermes as one of pyoxigraph.

    Raises:
        ValueError: the triple is not RDF, for instance because its subject is a literal.
    """
    subject, predicate, object_ = map(_to_ox, (triple.subject, triple.predicate, triple.object))
    if isinstance(subject, ox.NamedNode | ox.BlankNode) and isinstance(predicate, ox.NamedNode):
        return ox.Triple(subject, predicate, object_)
    raise ValueError(f"not an RDF triple: {triple}")


def _to_ox(term: Term) -> OxTerm:
    match term:
        case IRI(value):
            return ox.NamedNode(value)
        case BlankNode(label):
            return ox.BlankNode(label)
        case TripleTerm():
            return triple_to_ox(term)
        case Literal():
            return _literal_to_ox(term)


def _literal_to_ox(term: Literal) -> ox.Literal:
    if term.language is None:
        return ox.Literal(term.lexical, datatype=ox.NamedNode(term.datatype))
    tag, _, direction = term.language.partition(DIRECTION_MARK)
    if not direction:
        return ox.Literal(term.lexical, language=tag)
    return ox.Literal(term.lexical, language=tag, direction=ox.BaseDirection(direction))
