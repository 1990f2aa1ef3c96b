"""Numbers and dates by order: which signatures have a value below, above or equal to a given one."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import accumulate
from operator import or_
from typing import Final

from hermes.terms import Literal
from hermes.verifier.literals import DECIMAL, DOUBLE, INTEGER, NUMERIC, TEMPORAL, key_of, place_of, tag_of
from hermes.verifier.schema import Signature

_WHOLE: Final = 2.0**53
"""Whole numbers below are exact as doubles."""
_DIGITS: Final = 16
"""A decimal with fewer characters is not rounded to a whole number as a double."""
_ROUNDING: Final = 1e-6
"""More than what is lost between an exact number and a single-precision one, in proportion."""
_ZONES: Final = 5.0
"""More than what zones of time can shift a date (one day) makes on a scale, also where a short month ends."""

REVERSED: Final = {"=": "=", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
"""The comparison with its sides exchanged."""


class _Scale:
    """Signatures by their least and greatest value."""

    def __init__(self, spans: Iterable[tuple[float, float, int]]) -> None:
        found = list(spans)
        by_low = sorted((low, bit) for low, _, bit in found)
        by_high = sorted(((high, bit) for _, high, bit in found), reverse=True)
        self._lows = [low for low, _ in by_low]
        self._highs = [-high for high, _ in by_high]
        self._up_to: list[int] = [0, *accumulate((bit for _, bit in by_low), or_)]
        self._from: list[int] = [0, *accumulate((bit for _, bit in by_high), or_)]

    def reaching_down(self, value: float, *, itself: bool) -> int:
        """Return the signatures with a value below `value`, or equal to it where `itself`."""
        return self._up_to[_place(self._lows, value, itself=itself)]

    def reaching_up(self, value: float, *, itself: bool) -> int:
        """Return the signatures with a value above `value`, or equal to it where `itself`."""
        return self._from[_place(self._highs, -value, itself=itself)]

    def satisfying(self, operator: str, value: float, slack: float) -> int:
        """Return the signatures that may have an x for which `x operator value`, give or take `slack`."""
        itself = slack > 0 or operator in ("=", "<=", ">=")
        found = -1
        if operator in ("=", "<", "<="):
            found &= self.reaching_down(value + slack, itself=itself)
        if operator in ("=", ">", ">="):
            found &= self.reaching_up(value - slack, itself=itself)
        return found


def _place(ordered: list[float], value: float, *, itself: bool) -> int:
    return bisect_right(ordered, value) if itself else bisect_left(ordered, value)


class Scales:
    """The scales of whole numbers, of other numbers and of dates."""

    def __init__(self, signatures: Iterable[tuple[Signature, int]]) -> None:
        spans: dict[str, list[tuple[float, float, int]]] = {"whole": [], "number": [], "moment": []}
        for signature, bit in signatures:
            if signature.low is None or signature.high is None:
                continue
            scale = (
                "whole" if signature.tag == INTEGER else "number" if signature.tag in NUMERIC else "moment"
            )
            spans[scale].append((signature.low, signature.high, bit))
        self._whole, self._number, self._moment = (_Scale(each) for each in spans.values())

    def comparable(self, operator: str, literal: Literal) -> int | None:
        """Return the signatures that may have a value x for which `x operator literal` is true.

        None where the literal has no place on a scale. `!=` is not for scales.
        """
        tag = tag_of(literal)
        place = place_of(tag, literal.lexical)
        if place is None or operator == "!=":
            return None
        if tag in TEMPORAL:
            return self._moment.satisfying(operator, place, _ZONES)
        slack = abs(place) * _ROUNDING + _ROUNDING
        found = self._number.satisfying(operator, place, slack)
        return found | self._whole.satisfying(operator, place, 0.0 if _exact(literal, place) else slack)

    def overlapping(self, signatures: Iterable[Signature]) -> int:
        """Return the signatures of numbers that may have one in common with some, by value."""
        spans = [
            (each.low, each.high) for each in signatures if each.low is not None and each.high is not None
        ]
        if not spans:
            return 0
        low, high = min(span[0] for span in spans), max(span[1] for span in spans)
        low, high = low - abs(low) * _ROUNDING - _ROUNDING, high + abs(high) * _ROUNDING + _ROUNDING
        found = 0
        for scale in (self._whole, self._number):
            found |= scale.reaching_down(high, itself=True) & scale.reaching_up(low, itself=True)
        return found


def _exact(literal: Literal, place: float) -> bool:
    """Whether a number compares with whole numbers just as its place does."""
    tag = tag_of(literal)
    short = tag in (INTEGER, DOUBLE) or (tag == DECIMAL and len(literal.lexical) < _DIGITS)
    return short and abs(place) < _WHOLE


def whole_key(literal: Literal) -> str | None:
    """Return the key of the whole number that equals a number; None where there may be several or none.

    A number that is exactly whole, and small enough to be exact in every type, equals one whole number.
    """
    place = place_of(tag_of(literal), literal.lexical)
    if place is None or not place.is_integer() or not _exact(literal, place):
        return None
    return key_of(Literal(str(int(place)), INTEGER))
