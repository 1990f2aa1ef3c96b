"""How far numbers reach, and comparisons that exclude each other (SPARQL 1.1, section 17.3)."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, floor, inf, isfinite
from typing import Final

from hermes.sparql.expressions import Call, Expression, Operation, Prefixed
from hermes.terms import IRI, Literal, Variable
from hermes.verifier.again.tokens import Solution, Tokens, sort_of
from hermes.verifier.literals import DATE, DATE_TIME, NUMERIC, key_of, place_of, tag_of

Reach = tuple[float, float]
"""From where to where numbers go."""

NOTHING: Final[Reach] = (inf, -inf)
"""What is no number at all."""

_FIXED: Final[dict[str, Reach]] = {
    "STRLEN": (0, inf), "MONTH": (1, 12), "DAY": (1, 31), "HOURS": (0, 24), "MINUTES": (0, 60),
    "SECONDS": (0, 61),
}  # fmt: skip
_LOSS: Final = 1e-6
_TOO_LARGE: Final = 1e37
_YEAR: Final = 372
_MIRRORED: Final = {"=": "=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


def never(operator: str, left: Expression, right: Expression, solution: Solution, tokens: Tokens) -> bool:
    """Whether the numbers of two expressions never stand in a relation, by how far they reach."""
    one, other = (reach(side, solution, tokens) for side in (left, right))
    if one is None or other is None:
        return False
    no_lower, no_higher = one[0] > other[1], one[1] < other[0]
    if operator in ("<", "<="):
        return no_lower
    return no_higher if operator in (">", ">=") else no_lower or no_higher


def reach(expression: Expression, solution: Solution, tokens: Tokens) -> Reach | None:
    """Return how far an expression reaches; None where that is not known."""
    found: Reach | None = None
    match expression:
        case Literal():
            place = place_of(tag_of(expression), expression.lexical)
            found = _loose((place, place)) if place is not None and tag_of(expression) in NUMERIC else None
        case Variable():
            found = _ends(solution, expression, tokens, NUMERIC)
        case Prefixed("-", operand):
            inner = reach(operand, solution, tokens)
            found = inner if inner is None or inner == NOTHING else (-inner[1], -inner[0])
        case Operation(operators, operands) if not set(operators) - set("+-*"):
            found = reach(operands[0], solution, tokens)
            for operator, operand in zip(operators, operands[1:], strict=True):
                found = _combined(operator, found, reach(operand, solution, tokens))
        case Call("YEAR", (Variable() as variable,)):
            found = _ends(solution, variable, tokens, {DATE, DATE_TIME}, loose=False)
            if found is not None and found != NOTHING:
                found = ceil((found[0] - 403) / _YEAR), floor((found[1] - 31) / _YEAR)
        case Call(str() as name):
            found = _FIXED.get(name)
    return found


def _ends(
    solution: Solution, variable: Variable, tokens: Tokens, tags: Iterable[str], *, loose: bool = True
) -> Reach | None:
    token = solution.get(variable)
    if not isinstance(token, int) or tokens.schema.signatures[token].tag not in tags:
        return None
    signature = tokens.schema.signatures[token]
    if signature.low is None or signature.high is None:
        return NOTHING
    return _loose((signature.low, signature.high)) if loose else (signature.low, signature.high)


def _combined(operator: str, left: Reach | None, right: Reach | None) -> Reach | None:
    if left is None or right is None or NOTHING in (left, right):
        return NOTHING if NOTHING in (left, right) else None
    if operator == "*":
        ends = [a * b for a in left for b in right]
    else:
        sign = 1 if operator == "+" else -1
        ends = [a + sign * b for a in left for b in right]
    if not all(isfinite(end) for end in ends):
        return None
    return _loose((min(ends), max(ends)), max(abs(end) for end in (*ends, *left, *right)))


def _loose(found: Reach, size: float | None = None) -> Reach | None:
    size = max(abs(end) for end in found) if size is None else size
    return (found[0] - size * _LOSS - _LOSS, found[1] + size * _LOSS + _LOSS) if size < _TOO_LARGE else None


# --- comparisons that exclude each other ----------------------------------------------------------


def exclude(conditions: Iterable[Expression]) -> bool:
    """Whether some conditions are never all true, for the sake of one variable that they compare."""
    known: dict[Variable, list[tuple[str, IRI | Literal]]] = {}
    for condition in _each(conditions):
        match condition:
            case Operation((operator,), (Variable() as variable, IRI() | Literal() as constant)):
                pass
            case Operation((operator,), (IRI() | Literal() as constant, Variable() as variable)):
                operator = _MIRRORED.get(operator, operator)
            case _:
                continue
        if operator in _MIRRORED:
            known.setdefault(variable, []).append((operator, constant))
    return any(
        _excluding(one, other)
        for bounds in known.values()
        for place, one in enumerate(bounds)
        for other in bounds[:place] + bounds[place + 1 :]
    )


def _each(conditions: Iterable[Expression]) -> Iterable[Expression]:
    for condition in conditions:
        if isinstance(condition, Operation) and condition.operators[0] == "&&":
            yield from _each(condition.operands)
        else:
            yield condition


def _excluding(lower: tuple[str, IRI | Literal], upper: tuple[str, IRI | Literal]) -> bool:
    """Whether nothing is `lower` (taken as from here on) and `upper` (up to here) at once."""
    (first, low), (second, high) = lower, upper
    if not isinstance(low, Literal) or not isinstance(high, Literal):
        return first == second == "=" and low != high
    sorts = sort_of(tag_of(low)), sort_of(tag_of(high))
    if "other" in sorts or sorts[0] != sorts[1]:
        return "other" not in sorts
    if "<" in first or ">" in second:
        return False
    if tag_of(low) == tag_of(high) and key_of(low) is not None and key_of(low) == key_of(high):
        return first == ">" or second == "<"
    return high.lexical < low.lexical if sorts[0] == "string" else _after(low, high)


def _after(low: Literal, high: Literal) -> bool:
    """Whether a number or a date is certainly greater than another."""
    begin, end = place_of(tag_of(low), low.lexical), place_of(tag_of(high), high.lexical)
    if begin is None or end is None:
        return False
    if {tag_of(low), tag_of(high)} <= NUMERIC:
        return end + _LOSS * (1 + abs(begin) + abs(end)) < begin
    return tag_of(low) == tag_of(high) and tag_of(low) in (DATE, DATE_TIME) and end + 10 < begin
