"""Wrong edits of a plan: each kind changes what the plan asks, wherever it finds something to change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any, Final

from hermes.algebra import Plan
from hermes.algebra.operators import Bind, Graph, Join, Minus, Optional, Union, Values
from hermes.errors import PlanError
from hermes.sparql.expressions import Aggregate, Call, Exists, Membership, Operation, Prefixed
from hermes.sparql.modifiers import Alias, Column, OrderCondition
from hermes.sparql.paths import AlternativePath, RepeatPath
from hermes.sparql.patterns import Group, TriplePattern
from hermes.sparql.tree import rewrite, walk
from hermes.terms import IRI, RDF_TYPE, XSD, Literal, Variable

_SWAPS: Final = {
    "=": "!=", "!=": "=", "<": "<=", "<=": ">", ">": ">=", ">=": "<", "||": "&&", "&&": "||",
    "+": "-", "-": "+", "*": "/", "/": "*", "MIN": "MAX", "MAX": "SUM", "SUM": "AVG", "AVG": "COUNT",
    "COUNT": "SAMPLE", "SAMPLE": "MIN", "CONTAINS": "STRSTARTS", "STR": "LCASE", "YEAR": "MONTH",
    "ISIRI": "ISLITERAL", "LANG": "DATATYPE", "LANGMATCHES": "CONTAINS", "ISURI": "ISBLANK",
}  # fmt: skip
_TIMES: Final[dict[str, Any]] = {"*": "+", "+": "?", "?": "*"}


def edits(plan: Plan, random: Random) -> Iterator[tuple[str, Plan]]:
    """Yield the name and the plan of one wrong edit of each kind that the plan allows."""
    for name, change in _CHANGES.items():
        places = [part for part in walk(plan) if change(part) is not None]
        if places:
            chosen = random.choice(places)
            with suppress(PlanError):  # the edit would leave SPARQL
                yield name, _changed(plan, chosen, change)
    for name, slots in _slots(plan, random):
        with suppress(PlanError):
            yield name, replace(plan, **slots)


Change = Callable[[object], object | None]


def _changed(plan: Plan, chosen: object, change: Change) -> Plan:
    if chosen is plan:
        made = change(plan)
        assert isinstance(made, Plan)
        return made
    return rewrite(plan, lambda part: change(part) if part is chosen else None)


def _constant(part: object) -> object | None:
    match part:
        case IRI(value) if value != RDF_TYPE:
            return IRI("http://example.org/olympics/Another")
        case Literal(lexical, datatype, None) if datatype in (XSD + "integer", XSD + "string"):
            return Literal(lexical + "7", datatype)
        case Literal(lexical, datatype, language) if language:
            return Literal(lexical, datatype, "fr" if language != "fr" else "es")
    return None


def _flip(part: object) -> object | None:
    """Turn a pattern around, at a constant: between two hidden variables that may change nothing."""
    match part:
        case TriplePattern(subject, predicate, IRI() | Variable() as end) if IRI in (
            type(subject),
            type(end),
        ):
            return TriplePattern(end, predicate, subject)
    return None


def _operator(part: object) -> object | None:
    match part:
        case Operation(operators, operands) if operators[0] in _SWAPS:
            return (
                Operation((_SWAPS[operators[0]], *operators[1:]), operands) if len(operators) == 1 else None
            )
        case Call(str() as function, arguments, distinct) if function in _SWAPS and len(arguments) < 3:
            return Call(_SWAPS[function], arguments, distinct)
        case Aggregate(function, argument, distinct, None) if function in _SWAPS and argument is not None:
            return Aggregate(_SWAPS[function], argument, distinct)
    return None


def _negation(part: object) -> object | None:
    match part:
        case Exists() | Membership():
            return replace(part, negated=not part.negated)
        case Prefixed("!", operand):
            return operand
    return None


def _negated_filter(part: object) -> object | None:
    if isinstance(part, Group) and part.filters:
        return replace(part, filters=(Prefixed("!", part.filters[0]), *part.filters[1:]))
    return None


def _no_element(part: object) -> object | None:
    return Group(part.elements[1:], part.filters) if isinstance(part, Group) and part.elements else None


def _no_last_element(part: object) -> object | None:
    return Group(part.elements[:-1], part.filters) if isinstance(part, Group) and part.elements else None


def _no_filter(part: object) -> object | None:
    return Group(part.elements, part.filters[1:]) if isinstance(part, Group) and part.filters else None


def _kind(part: object) -> object | None:
    match part:
        case Optional(patterns):
            return Join(patterns)
        case Minus(patterns):
            return Optional(patterns)
        case Join(patterns):
            return Minus(patterns)
        case Graph(_, patterns):
            return Join(patterns)
    return None


def _branch(part: object) -> object | None:
    match part:
        case Union(branches):
            return Union(branches[1:]) if len(branches) > 2 else Join(branches[0])
    return None


def _path(part: object) -> object | None:
    match part:
        case RepeatPath(path, times):
            return RepeatPath(path, _TIMES[times])
        case AlternativePath(parts):
            return parts[0]
    return None


def _row(part: object) -> object | None:
    return replace(part, rows=part.rows[1:]) if isinstance(part, Values) and part.rows else None


def _aggregate(part: object) -> object | None:
    if isinstance(part, Aggregate):
        return replace(part, distinct=not part.distinct)
    return None


def _direction(part: object) -> object | None:
    if isinstance(part, OrderCondition):
        return replace(part, descending=not part.descending)
    return None


def _distinct(part: object) -> object | None:
    if isinstance(part, Plan) and part.form == "select":
        return replace(part, distinct=not part.distinct, reduced=False)
    return None


def _limit(part: object) -> object | None:
    if isinstance(part, Plan) and part.form == "select":
        return replace(part, limit=5 if part.limit is None else part.limit + 1)
    return None


def _offset(part: object) -> object | None:
    if isinstance(part, Plan) and part.form == "select":
        return replace(part, offset=part.offset + 1)
    return None


def _bind(part: object) -> object | None:
    return replace(part, expr=Call("STR", (part.expr,))) if isinstance(part, Bind) else None


_CHANGES: Final[dict[str, Change]] = {
    "constant": _constant,
    "flip": _flip,
    "operator": _operator,
    "negation": _negation,
    "negated filter": _negated_filter,
    "first element removed": _no_element,
    "last element removed": _no_last_element,
    "filter removed": _no_filter,
    "kind of clause": _kind,
    "branch": _branch,
    "path": _path,
    "row": _row,
    "aggregate": _aggregate,
    "direction": _direction,
    "distinct": _distinct,
    "limit": _limit,
    "offset": _offset,
    "bind": _bind,
}


def _shown(column: Column) -> object:
    """Return what a column shows, whatever its name."""
    return column.expression if isinstance(column, Alias) else column


def _slots(plan: Plan, random: Random) -> Iterator[tuple[str, dict[str, Any]]]:
    if plan.having:
        yield "having removed", {"having": plan.having[1:]}
    if plan.order_by:
        yield "order removed", {"order_by": plan.order_by[1:]}
    if plan.dataset:
        yield "dataset removed", {"dataset": plan.dataset[1:]}
    if plan.values is not None:
        yield "values removed", {"values": None}
    if len(plan.projection) > 1:
        left_out = random.choice(plan.projection)
        yield "column removed", {"projection": tuple(c for c in plan.projection if c != left_out)}
    if len({_shown(column) for column in plan.projection}) > 1:
        yield "columns reversed", {"projection": plan.projection[::-1]}
    if len(plan.template) > 1:
        yield "template", {"template": plan.template[1:]}
    if len(plan.described) > 1:
        yield "described", {"described": plan.described[1:]}
