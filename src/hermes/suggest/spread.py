"""Steps to the values of a focus: one of those that occur, or a range of numbers or dates."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final
from typing import Literal as OneOf

from hermes.algebra.kind import Operator
from hermes.algebra.operators.filter import Filter
from hermes.algebra.operators.values import Values
from hermes.sparql.expressions import Operation
from hermes.suggest.counting import Spread
from hermes.suggest.site import Site
from hermes.terms import IRI, XSD_STRING, Literal, Term
from hermes.verifier.literals import DATE, DATE_TIME, NUMERIC, TEMPORAL, key_of, tag_of

_TEXTUAL: Final = re.compile(r"\d{4}(-\d\d(-\d\d(T\d\d:\d\d:\d\d)?)?)?")
"""Dates whose order as texts is their order in time: no time zone, no fraction of a second."""
_ORDERED_BY_ALL: Final = frozenset({DATE_TIME, DATE})
"""SPARQL 1.1 (section 17.3) orders only xsd:dateTime; engines order dates too, but few order a gYear."""
_FEWEST: Final = 4
"""Of fewer different values no range is a step: each value is one."""
_QUARTERS: Final = ((">=", 2), ("<", 2), (">=", 3), ("<", 1))
"""A comparison, and the quartile that it is with."""

Place = tuple[Decimal, str]
"""Where a number, or a date, stands among others of its sort."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A step to some of the values of a focus, and what it leaves."""

    step: OneOf["value", "range"]
    term: Term
    operator: Operator
    solutions: int
    values: int


def choices(site: Site, spread: Spread, engine: str) -> Iterator[Choice]:
    """Yield the values that can be asked for, the most frequent first, then ranges.

    Args:
        site: the focus.
        spread: its values.
        engine: what executes the query: not all order all dates.
    """
    if spread.complete and len(spread.values) == 1:  # that is no choice
        return
    unlike = _unlike(spread)
    for term, count in spread.values:
        operator = _equal(site, term, alone=term in unlike)
        if operator is not None:
            yield Choice("value", term, operator, count, 1)
    if spread.complete and _additive(site):
        yield from _ranges(site, spread.values, engine)


def _equal(site: Site, term: Term, *, alone: bool) -> Operator | None:
    """Return the step that keeps one value: a comparison where no other value equals it, else a table."""
    if isinstance(term, IRI) or (isinstance(term, Literal) and (_is_text(term) or alone)):
        return Filter(Operation(("=",), (site.focus, term)))
    if isinstance(term, Literal) and site.focus in site.certain:
        return Values((site.focus,), ((term,),))
    return None


def _is_text(term: Literal) -> bool:
    return term.datatype == XSD_STRING or term.language is not None


def _unlike(spread: Spread) -> frozenset[Term]:
    """Return the numbers that no other value equals, where all values are numbers of one sort."""
    if not spread.complete:
        return frozenset()
    numbers = {term: (tag_of(term), key_of(term)) for term, _ in spread.values if isinstance(term, Literal)}
    tags = {tag for tag, _ in numbers.values()}
    if len(numbers) != len(spread.values) or len(tags) != 1 or not tags <= NUMERIC:
        return frozenset()
    often = Counter(numbers.values())
    return frozenset(term for term, found in numbers.items() if often[found] == 1 and found[1] is not None)


def _additive(site: Site) -> bool:
    """Whether each value of the focus has solutions of its own, so that those of several add up."""
    return site.plain or site.focus in (site.plan.keys if site.plan.grouped else site.plan.columns)


def _ranges(site: Site, values: Sequence[tuple[Term, int]], engine: str) -> Iterator[Choice]:
    placed = [(found, term, count) for term, count in values if (found := _place(term, engine)) is not None]
    sorts = {tag_of(term) for _, term, _ in placed if isinstance(term, Literal)}
    places = sorted({found for found, _, _ in placed})
    if len(placed) != len(values) or len(sorts) != 1 or len(places) < _FEWEST:
        return
    for sign, quarter in _QUARTERS:
        cut = places[len(places) * quarter // 4]
        term = min((term for found, term, _ in placed if found == cut), key=str)
        inside = [count for found, _, count in placed if (found < cut) == (sign == "<")]
        if isinstance(term, Literal):
            operator = Filter(Operation((sign,), (site.focus, term)))
            yield Choice("range", term, operator, sum(inside), len(inside))


def _place(term: Term, engine: str) -> Place | None:
    """Return where a literal stands; None where it has no order, or not on every engine."""
    if not isinstance(term, Literal):
        return None
    tag = tag_of(term)
    if tag in NUMERIC:
        key = key_of(term)
        number = Decimal(key) if key is not None else Decimal("NaN")
        return (number, "") if number.is_finite() else None
    if tag not in TEMPORAL or (tag not in _ORDERED_BY_ALL and engine != "oxigraph"):
        return None
    return (Decimal(0), term.lexical) if _TEXTUAL.fullmatch(term.lexical) else None
