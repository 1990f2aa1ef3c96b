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
        equal = low.operator == high.operator == "="
        return equal and one != other
    tags = tag_of(one), tag_of(other)
    families = {family_of(tag) for tag in tags}
    if "other" in families:
        return False
    if len(families) > 1:
        return True  # what is comparable with the one is not with the other
    if low.operator not in _ABOVE or high.operator not in _BELOW:
        return False
    strict = low.operator == ">" or high.operator == "<"
    if strict and tags[0] == tags[1] and key_of(one) is not None and key_of(one) == key_of(other):
        return True
    if families == {"string"}:
        return one.lexical > other.lexical
    places = place_of(tags[0], one.lexical), place_of(tags[1], other.lexical)
    if places[0] is None or places[1] is None:
        return False
    if all(tag in NUMERIC for tag in tags):
        return places[0] > places[1] + _ROUNDING * (1 + abs(places[0]) + abs(places[1]))
    return tags[0] == tags[1] and tags[0] in (DATE, DATE_TIME) and places[0] > places[1] + _ZONES
