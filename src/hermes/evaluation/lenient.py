"""What counts as the same in the lenient score: a label for its IRI, a text for a literal of another type."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping

from hermes.evaluation.rows import Asked, Match, Reading, Rows, match
from hermes.evaluation.values import number_of, value_of
from hermes.terms import IRI, Literal, Term
from hermes.verifier.literals import DOUBLE


def lenient_matches(asked: Asked, given: Rows, labels: Mapping[IRI, Collection[str]]) -> Iterator[Match]:
    """Yield how an answer agrees when each of the columns that one of the two has more is left out.

    Args:
        asked: the right answer.
        given: the answer to score.
        labels: the labels of IRIs in both.
    """
    reading = _reading(asked, given, labels)
    wider = given.width - asked.certain.width
    if wider == 0:
        yield match(asked, given, reading)
    elif wider == 1 and asked.certain.width:
        yield from (match(asked, given.without(column), reading) for column in range(given.width))
    elif wider == -1 and given.width:
        yield from (match(asked.without(column), given, reading) for column in range(asked.certain.width))


def _reading(asked: Asked, given: Rows, labels: Mapping[IRI, Collection[str]]) -> Reading:
    """Return what reads terms: an IRI as that label of it that one of the answers has as a text."""
    terms = {cell for part in (*asked.parts, given) for row in part.rows for cell in row}
    texts = {term.lexical for term in terms if isinstance(term, Literal)}
    said = {
        iri: min(texts.intersection(names)) for iri, names in labels.items() if not texts.isdisjoint(names)
    }

    def read(term: Term) -> Hashable:
        match term:
            case IRI():
                return value_of(term) if term not in said else _text(said[term])
            case Literal():
                number = number_of(term)
                return _text(term.lexical) if number is None else number
            case _:
                return value_of(term)

    return read


def _text(text: str) -> Hashable:
    number = number_of(Literal(text, DOUBLE))
    return ("text", text) if number is None else number
