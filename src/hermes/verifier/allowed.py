"""Whether a constant is what is expected in a place."""

from __future__ import annotations

from typing import Final

from hermes.terms import IRI, IriWriter, Literal, term_text
from hermes.verifier.expectations import Expectation
from hermes.verifier.literals import NUMERIC, family, key_of, place_of, tag_of

_SLACK: Final = 1e-9
"""Places are rounded, so what is out of a range by less than this share of it is in it."""


def fault_of(expected: Expectation, value: IRI | Literal, names: IriWriter) -> str:
    """Return the text of a constant that is not expected; nothing of one that may be."""
    kind = "iri" if isinstance(value, IRI) else "literal"
    if expected.kinds and kind not in expected.kinds:
        return term_text(value, names)
    if expected.values and not any(_same(value, other) for other in expected.values):
        return term_text(value, names)
    if isinstance(value, IRI) or all(rule(expected, value) for rule in (_typed, _tagged, _within)):
        return ""
    return term_text(value, names)


def _same(value: IRI | Literal, other: object) -> bool:
    if isinstance(value, Literal) and isinstance(other, Literal):
        return tag_of(value) == tag_of(other) and key_of(value) == key_of(other)
    return value == other


def _typed(expected: Expectation, value: Literal) -> bool:
    """Whether a literal has one of the datatypes; numbers of all datatypes compare with each other."""
    if not expected.datatypes:
        return True
    mine = family(value.datatype)
    wanted = {family(each) for each in expected.datatypes}
    if mine in NUMERIC and wanted & NUMERIC:
        return True
    return mine in wanted


def _tagged(expected: Expectation, value: Literal) -> bool:
    if not expected.languages or value.language is None:
        return True
    mine = value.language.lower()
    return any(mine == tag.lower() or mine.startswith(tag.lower() + "-") for tag in expected.languages)


def _within(expected: Expectation, value: Literal) -> bool:
    place = _place(value)
    if place is None:
        return True
    slack = _SLACK * max(1.0, abs(place))
    low, high = (None if limit is None else _place(limit) for limit in (expected.low, expected.high))
    return (low is None or place >= low - slack) and (high is None or place <= high + slack)


def _place(literal: Literal) -> float | None:
    return place_of(tag_of(literal), literal.lexical)
