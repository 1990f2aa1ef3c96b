"""Numbers that an expression can be: from where to where (SPARQL 1.1, sections 17.3 and 17.4.4).

A span holds every number that the expression can be, with more than what is lost by rounding. It is given
only where the expression can be nothing but a number, or fails.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final, NamedTuple

from hermes.sparql.expressions import Call, Expression, Operation, Prefixed
from hermes.terms import Literal, Variable
from hermes.verifier.literals import DATE, DATE_TIME, NUMERIC, place_of, tag_of
from hermes.verifier.rules.expressions import Expressions
from hermes.verifier.rules.solutions import Solutions
from hermes.verifier.rules.space import FRESH, UNBOUND

_ROUNDING: Final = 1e-6
_LARGEST: Final = 1e37
"""Beyond, single-precision numbers are infinite."""
_MONTHS: Final = 372
"""A year on the scale of dates (see `place_of`)."""


class Span(NamedTuple):
    """The least and the greatest number."""

    low: float
    high: float


_PARTS: Final = {
    "STRLEN": Span(0, math.inf),
    "MONTH": Span(1, 12),
    "DAY": Span(1, 31),
    "HOURS": Span(0, 24),
    "MINUTES": Span(0, 60),
    "SECONDS": Span(0, 61),
}


def may_hold(operator: str, left: Span, right: Span) -> bool:
    """Whether a number of one span may stand in this relation to one of another; `!=` is not for spans."""
    below, above = left.low <= right.high, left.high >= right.low
    return {"<": below, "<=": below, ">": above, ">=": above, "=": below and above}[operator]


def span_of(expression: Expression, solutions: Solutions, expressions: Expressions) -> Span | None:
    """Return the span of an expression; None where it may be something else than a number, or any number."""
    found: Span | None = None
    match expression:
        case Literal():
            place = place_of(tag_of(expression), expression.lexical)
            found = None if place is None or tag_of(expression) not in NUMERIC else _widened(place, place)
        case Variable():
            found = _of_variable(expression, solutions, expressions)
        case Prefixed("-", operand):
            inner = span_of(operand, solutions, expressions)
            found = None if inner is None else Span(-inner.high, -inner.low)
        case Operation(operators, operands) if set(operators) <= set("+-*"):
            spans = [span_of(operand, solutions, expressions) for operand in operands]
            found = _calculated(operators, spans)
        case Call("YEAR", (Variable() as variable,)):
            found = _years(variable, solutions, expressions)
        case Call(str() as name):
            found = _PARTS.get(name)
    return found


def _of_variable(variable: Variable, solutions: Solutions, expressions: Expressions) -> Span | None:
    space = expressions.space
    values = expressions.of(variable, solutions) & ~UNBOUND
    if not values or values & FRESH["number"] or values & ~space.families["number"]:
        return None
    ends = [
        end for each in space.signatures(values) for end in (each.low, each.high) if end is not None
    ]  # a literal without a place, such as "abc"^^xsd:integer, is no number
    return _widened(min(ends), max(ends)) if ends else None


def _years(variable: Variable, solutions: Solutions, expressions: Expressions) -> Span | None:
    """Return the years of dates, from their places (see `place_of`)."""
    space = expressions.space
    values = expressions.of(variable, solutions) & expressions.functions.takes["YEAR"]
    known = space.tags.get(DATE, 0) | space.tags.get(DATE_TIME, 0)
    if not values or values & ~known:
        return None
    ends = [end for each in space.signatures(values) for end in (each.low, each.high) if end is not None]
    if not ends:
        return None
    last = 12 * 31 + 31  # the place of 31 December in year 0; that of 1 January is 32
    # One day more: `24:00:00` is the first moment of the next day.
    return Span(math.ceil((min(ends) - last) / _MONTHS), math.floor((max(ends) + 1 - 32) / _MONTHS))


def _calculated(operators: tuple[str, ...], spans: list[Span | None]) -> Span | None:
    found = spans[0]
    for operator, span in zip(operators, spans[1:], strict=True):
        if found is None or span is None:
            return None
        ends = list(_ends(operator, found, span))
        if not all(map(math.isfinite, ends)):
            return None
        # What is lost by rounding goes by the size of what is added, not of the sum.
        size = max(map(abs, (*ends, *found, *span)))
        found = _widened(min(ends), max(ends), size)
    return found


def _ends(operator: str, left: Span, right: Span) -> Iterator[float]:
    for a in left:
        for b in right:
            yield {"+": a + b, "-": a - b, "*": a * b}[operator]


def _widened(low: float, high: float, size: float | None = None) -> Span | None:
    """Return a span with what rounding may add; None of what may overflow."""
    size = max(abs(low), abs(high)) if size is None else size
    if not size < _LARGEST:
        return None
    slack = size * _ROUNDING + _ROUNDING
    return Span(low - slack, high + slack)
