"""Literals by value: what a store may match one by, and where it stands among numbers and dates.

Stores differ in how they keep literals: Oxigraph takes `"010"^^xsd:integer` and `"10"^^xsd:int` for 10. So a
literal is looked up by a key that is the same for all spellings that any store may take for the same term.
Where a value has no such key, nothing is concluded from it.
"""

from __future__ import annotations

import re
import struct
from decimal import Decimal, InvalidOperation
from typing import Final

from hermes.terms import XSD, Literal

INTEGER: Final = XSD + "integer"
DECIMAL: Final = XSD + "decimal"
DOUBLE: Final = XSD + "double"
FLOAT: Final = XSD + "float"
BOOLEAN: Final = XSD + "boolean"
DATE_TIME: Final = XSD + "dateTime"
DATE: Final = XSD + "date"

_INTEGERS: Final = frozenset(
    XSD + name
    for name in (
        "integer", "long", "int", "short", "byte", "nonNegativeInteger", "positiveInteger",
        "nonPositiveInteger", "negativeInteger", "unsignedLong", "unsignedInt", "unsignedShort",
        "unsignedByte",
    )
)  # fmt: skip
NUMERIC: Final = frozenset({INTEGER, DECIMAL, DOUBLE, FLOAT})
"""The datatypes of numbers, after `family`."""
_DURATIONS: Final = frozenset(XSD + name for name in ("duration", "dayTimeDuration", "yearMonthDuration"))
TEMPORAL: Final = frozenset(
    {DATE_TIME, DATE}
    | {XSD + name for name in ("time", "gYear", "gYearMonth", "gMonth", "gMonthDay", "gDay")}
)
"""The datatypes of points in time, after `family`."""
VALUED: Final = NUMERIC | TEMPORAL | _DURATIONS | {BOOLEAN}
"""The datatypes whose literals are compared by value, after `family`."""

_MOMENT: Final = re.compile(
    r"(-?[0-9]{4,}(?:-[0-9]{2}(?:-[0-9]{2})?)?|--[0-9]{2}(?:-[0-9]{2})?|---[0-9]{2})?"
    r"(?:T?((?:[01][0-9]|2[0-3]):[0-9]{2}:[0-9]{2})(\.[0-9]+)?)?"
    r"(Z|[+-][0-9]{2}:[0-9]{2})?"
)
_DAY: Final = re.compile(r"(-?[0-9]{4,})(?:-([0-9]{2})(?:-([0-9]{2}))?)?")


def family(datatype: str) -> str:
    """Return the datatype under which literals are kept: one for all integers, and one for dateTimes."""
    if datatype in _INTEGERS:
        return INTEGER
    return DATE_TIME if datatype == XSD + "dateTimeStamp" else datatype


def tag_of(literal: Literal) -> str:
    """Return the sort of a literal: `@` and its language in lower case, or its datatype after `family`."""
    return family(literal.datatype) if literal.language is None else "@" + literal.language.lower()


def key_of(literal: Literal) -> str | None:
    """Return what all spellings of a term have in common within its tag; None where that is not known."""
    lexical = literal.lexical
    if literal.language is not None:
        return lexical
    datatype = family(literal.datatype)
    if datatype in NUMERIC:
        return _number_key(datatype, lexical)
    if datatype == BOOLEAN:
        return {"1": "true", "0": "false"}.get(lexical, lexical)
    if datatype in TEMPORAL:
        return _moment_key(lexical)
    return None if datatype in _DURATIONS else lexical


def _number_key(datatype: str, lexical: str) -> str | None:
    try:
        if datatype == INTEGER:
            return str(int(lexical))
        if datatype == DECIMAL:
            return str(Decimal(lexical).normalize() + 0)
        value = float(lexical)
        if datatype == FLOAT:
            value = struct.unpack("f", struct.pack("f", value))[0]
        return repr(value + 0.0)
    except (ValueError, InvalidOperation, OverflowError):
        return None


def _moment_key(lexical: str) -> str | None:
    found = _MOMENT.fullmatch(lexical)
    if found is None:
        return None
    day, time, fraction, zone = (part or "" for part in found.groups())
    zone = "Z" if zone in ("+00:00", "-00:00") else zone
    return f"{day}T{time}{fraction.rstrip('0').rstrip('.')}{zone}"


def place_of(tag: str, lexical: str) -> float | None:
    """Return where a number or a date stands on its scale; None for what has no place or is not read.

    Numbers are rounded to a double; dates are days of a calendar with 31 days a month, years are 372 of them.
    What compares places must allow for rounding, and for zones of time.
    """
    if tag in NUMERIC:
        try:
            value = float(lexical)
        except (ValueError, OverflowError):
            return None
        return None if value != value else value  # noqa: PLR0124 - NaN has no place
    if tag in TEMPORAL and (found := _DAY.match(lexical)) is not None:
        year, month, day = found.groups()
        return int(year) * 372.0 + int(month or 1) * 31.0 + int(day or 1)
    return None
