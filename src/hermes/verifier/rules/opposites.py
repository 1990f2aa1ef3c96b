"""Comparisons of one variable with constants that cannot all be true (SPARQL 1.1, section 17.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Final, NamedTuple

from hermes.sparql.expressions import Expression, Operation
from hermes.terms import IRI, Literal, Variable
from hermes.verifier.literals import DATE, DATE_TIME, NUMERIC, key_of, place_of, tag_of
from hermes.verifier.rules.scales import REVERSED
from hermes.verifier.rules.space import family_of

_ABOVE: Final = ("=", ">", ">=")
_BELOW: Final = ("=", "<", "<=")
_ROUNDING: Final = 1e-6
_ZONES: Final = 10.0
"""More than what zones of time can shift two dates on the scale of dates."""


class _Compared(NamedTuple):
    """A comparison that is true: `value operator constant`."""

    condition: Expression
    variable: Variable
    operator: str
    constant: IRI | Literal


def opposites(conditions: Iterable[Expression]) -> tuple[Expression, Expression] | None:
    """Return two conditions that are never true together; None where there are none that are known to be."""
    found = list(_comparisons(conditions))
    for one, other in combinations(found, 2):
        if one.variable == other.variable and (_apart(one, other) or _apart(other, one)):
            return one.condition, other.condition
    return None


def _comparisons(conditions: Iterable[Expression]) -> Iterator[_Compared]:
    for condition in conditions:
        match condition:
            case Operation(("&&", *_), operands):
                yield from _comparisons(operands)
            case Operation((operator,), (Variable() as variable, IRI() | Literal() as constant)):
                if operator in REVERSED and operator != "!=":
                    yield _Compared(condition, variable, operator, constant)
            case Operation((operator,), (IRI() | Literal() as constant, Variable() as variable)):
                if operator in REVERSED and operator != "!=":
                    yield _Compared(condition, variable, REVERSED[operator], constant)


def _apart(low: _Compared, high: _Compared) -> bool:
    """Whether no value meets both, the first as a lower and the second as an upper bound."""
    one, other = low.constant, high.constant
    if isinstance(one, IRI) or isinstance(other, IRI):
        return low.operator == high.operator == "=" and one != other
    families = {family_of(tag_of(one)), family_of(tag_of(other))}
    if "other" in families or len(families) > 1:
        return "other" not in families  # what is comparable with the one is not with the other
    if low.operator not in _ABOVE or high.operator not in _BELOW:
        return False
    if _same(one, other):
        return low.operator == ">" or high.operator == "<"
    return one.lexical > other.lexical if families == {"string"} else _greater(one, other)


def _same(one: Literal, other: Literal) -> bool:
    key = key_of(one)
    return key is not None and key == key_of(other) and tag_of(one) == tag_of(other)


def _greater(one: Literal, other: Literal) -> bool:
    """Whether a number or a date is greater than another, whatever is lost by rounding and by zones."""
    tags = {tag_of(one), tag_of(other)}
    first, second = place_of(tag_of(one), one.lexical), place_of(tag_of(other), other.lexical)
    if first is None or second is None:
        return False
    if tags <= NUMERIC:
        return first > second + _ROUNDING * (1 + abs(first) + abs(second))
    return tags in ({DATE}, {DATE_TIME}) and first > second + _ZONES
