"""When two terms of an answer are the same value.

Numbers are compared as numbers, points in time as moments, truth values as such; all other terms as RDF terms
(RDF 1.1 Concepts, section 3), a language tag without its case. Types are those of XML Schema 1.1, part 2.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Final

from hermes.terms import IRI, XSD, BlankNode, Literal, Term, TripleTerm
from hermes.verifier.literals import BOOLEAN, DATE_TIME, DECIMAL, DOUBLE, FLOAT, INTEGER, NUMERIC, family

TOLERANCE: Final = 1e-9
"""Two numbers are one where they differ by at most this part of the larger, and one of them is rounded."""

_DIGITS: Final = 15
"""A decimal with more digits than a double holds is a quotient that an engine has rounded."""
_EXACT: Final = {
    INTEGER: re.compile(r"[+-]?[0-9]+"),
    DECIMAL: re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)"),
}
_ROUNDED: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?INF")
_MOMENT: Final = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(\.[0-9]+)?(?:Z|([+-])([0-9]{2}):([0-9]{2}))"
)
_ZERO_ZONE: Final = re.compile(r"[+-]00:00$")
_FRACTION: Final = re.compile(r"(:[0-9]{2})(?:(\.[0-9]*[1-9])0*|\.0+)(?=Z|[+-]|$)")
_TRUTHS: Final = {"1": "true", "0": "false"}


def value_of(term: Term) -> Hashable:
    """Return what is the same for all spellings of one value; a number is a `Decimal`."""
    match term:
        case IRI(value):
            return ("iri", value)
        case Literal():
            return _literal_value(term)
        case TripleTerm(subject, predicate, object_):
            return ("triple", value_of(subject), value_of(predicate), value_of(object_))
        case BlankNode(label):
            return ("blank", label)


def _literal_value(literal: Literal) -> Hashable:
    if literal.language is not None:
        return ("@" + literal.language.lower(), literal.lexical)
    datatype, lexical = family(literal.datatype), literal.lexical.strip()
    if datatype in NUMERIC:
        number = number_of(literal)
        # NaN is not equal to itself as a number, and one answer all the same.
        return ("number", lexical) if number is None else number
    if datatype == BOOLEAN:
        return (datatype, _TRUTHS.get(lexical, lexical))
    if datatype == DATE_TIME and (moment := _MOMENT.fullmatch(lexical)):
        return (datatype, _in_utc(moment) or lexical)
    if datatype.startswith(XSD) and datatype not in (XSD + "string", XSD + "anyURI"):
        return (datatype, _FRACTION.sub(r"\1\2", _ZERO_ZONE.sub("Z", lexical)))
    return (datatype, literal.lexical)


def number_of(literal: Literal) -> Decimal | None:
    """Return the number that a literal is; None of what is no number, or none that its type allows."""
    datatype, lexical = family(literal.datatype), literal.lexical.strip()
    form = _ROUNDED if datatype in (DOUBLE, FLOAT) else _EXACT.get(datatype)
    if form is None or not form.fullmatch(lexical):
        return None
    try:
        # The shortest text of a double, so that 0.1 is the decimal 0.1.
        return Decimal(repr(float(lexical))) if form is _ROUNDED else Decimal(lexical)
    except (InvalidOperation, OverflowError):
        return None


def is_rounded(literal: Literal, number: Decimal) -> bool:
    """Whether a number may stand for one near to it: a double, a float, or a quotient of many digits."""
    if family(literal.datatype) in (DOUBLE, FLOAT):
        return True
    return len(number.as_tuple().digits) > _DIGITS and number != number.to_integral_value()


def _in_utc(moment: re.Match[str]) -> str | None:
    local, fraction, sign, hours, minutes = moment.groups()
    try:
        at = datetime.fromisoformat(local).replace(tzinfo=UTC)
        if sign:
            shift = timedelta(hours=int(hours), minutes=int(minutes))
            at += -shift if sign == "+" else shift
    except (ValueError, OverflowError):  # a year or a time outside of what Python counts
        return None
    return at.isoformat() + (fraction or "").rstrip("0").rstrip(".")


def merged(numbers: Mapping[Decimal, bool]) -> dict[Decimal, Decimal]:
    """Return for each number the one that stands for it and its neighbours.

    Neighbours are merged where they differ by at most `TOLERANCE` of the larger one and one is rounded.

    Args:
        numbers: each with whether it is rounded.
    """
    stands: dict[Decimal, Decimal] = {}
    before: Decimal | None = None
    for number in sorted(numbers):
        near = (
            before is not None
            and (numbers[number] or numbers[before])
            and _near(float(before), float(number))
        )
        stands[number] = stands[before] if near and before is not None else number
        before = number
    return stands


def _near(one: float, other: float) -> bool:
    return one == other or abs(one - other) <= TOLERANCE * max(abs(one), abs(other)) < float("inf")


def numbers_in(terms: Iterable[Term]) -> dict[Decimal, bool]:
    """Return the numbers among some terms, each with whether one of its spellings is rounded."""
    found: dict[Decimal, bool] = {}
    for term in terms:
        if isinstance(term, Literal) and (number := number_of(term)) is not None:
            found[number] = found.get(number, False) or is_rounded(term, number)
    return found
