"""Bounds on the number of rows of a plan, from the sizes of predicates, classes, tables and signatures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Final, NamedTuple

from hermes.algebra.operators.bind import Bind
from hermes.algebra.operators.minus import Minus
from hermes.algebra.operators.values import Values as Table
from hermes.algebra.plan import Plan
from hermes.sparql.patterns import Element, TriplePattern
from hermes.terms import IRI, RDF_TYPE, Variable
from hermes.verifier.rules.graph_space import Values
from hermes.verifier.rules.space import ALL_FRESH, UNBOUND, Space
from hermes.verifier.schema import Predicate, Schema
from hermes.verifier.verdict import Multiplicity

_LEAST: Final[Mapping[Multiplicity, int]] = {"one": 1}
_MOST: Final[Mapping[Multiplicity, int]] = {"none": 0, "one": 1, "at most one": 1}


class Bounds(NamedTuple):
    """At least and at most so many rows; None where there is no bound."""

    least: int
    most: int | None


def row_bounds(plan: Plan, rows: Multiplicity, space: Space, values: Mapping[Variable, Values]) -> Bounds:
    """Return the bounds of a plan; `rows` is what is known already, `values` what its variables can be.

    A SELECT is bounded by its LIMIT, by the numbers of different terms that its columns can be where each row
    is there once, and by the product of what its patterns have, where those that are functional have one.
    """
    schema = space.schema
    if rows in _MOST:
        return Bounds(_LEAST.get(rows, 0), _MOST[rows])
    most: int | None = None
    least = 0
    if schema.complete and not plan.dataset and plan.form == "select":
        most = _smallest(_patterned(plan, schema), _different(plan, space, values))
        least = _exactly(plan, schema) or 0
    return _sliced(plan, Bounds(least, most))


def _sliced(plan: Plan, found: Bounds) -> Bounds:
    least = max(0, found.least - plan.offset)
    most = None if found.most is None else max(0, found.most - plan.offset)
    if plan.limit is None:
        return Bounds(least, most)
    return Bounds(min(least, plan.limit), _smallest(most, plan.limit))


def _smallest(*bounds: int | None) -> int | None:
    return min((bound for bound in bounds if bound is not None), default=None)


# --- by the columns ----------------------------------------------------------------------------


def _different(plan: Plan, space: Space, values: Mapping[Variable, Values]) -> int | None:
    """Return how many different rows there can be, where each is there once."""
    if plan.group_by:
        keys: Sequence[object] = plan.group_by
    elif plan.distinct and not plan.grouped:
        keys = plan.projection
    else:
        return None
    if plan.values is not None:
        return None
    sizes = [_terms(space, values.get(key)) if isinstance(key, Variable) else None for key in keys]
    known = [size for size in sizes if size is not None]
    return prod(known) if len(known) == len(sizes) else None


def _terms(space: Space, values: Values | None) -> int | None:
    """Return how many terms these are; None where there may be some that the graph does not have."""
    if values is None or values & ALL_FRESH:
        return None
    return sum(signature.count for signature in space.signatures(values & ~UNBOUND)) + bool(values & UNBOUND)


# --- by the patterns ---------------------------------------------------------------------------


def _patterned(plan: Plan, schema: Schema) -> int | None:
    """Return how many solutions the patterns can have at most, each joined with those before it."""
    if plan.values is not None:
        return None
    settled: set[object] = set()
    left: list[Element] = [each for each in plan.where.elements if not isinstance(each, Bind | Minus)]
    most = 1
    while left:
        sizes = [_matches(element, settled, schema) for element in left]
        known = [(size, place) for place, size in enumerate(sizes) if size is not None]
        if not known:
            return None
        size, place = min(known)
        most *= size
        settled.update(left.pop(place).binds())
    return most


def _matches(element: Element, settled: set[object], schema: Schema) -> int | None:
    """Return how many matches an element has at most for each solution so far."""
    if isinstance(element, Table):
        return len(element.rows) if all(None not in row for row in element.rows) else None
    if not isinstance(element, TriplePattern) or element.is_path:
        return None
    if not isinstance(element.predicate, IRI):
        return schema.triples
    return _triples(element, element.predicate, settled, schema)


def _triples(pattern: TriplePattern, predicate: IRI, settled: set[object], schema: Schema) -> int:
    known = schema.predicates.get(predicate.value, Predicate(0))
    subject, object_ = (
        not isinstance(end, Variable) or end in settled for end in (pattern.subject, pattern.object)
    )
    if subject and (object_ or known.functional):
        return 1
    if subject:
        return known.objects
    if predicate.value == RDF_TYPE and isinstance(pattern.object, IRI):
        return schema.classes.get(pattern.object.value, 0)
    if object_:
        return 1 if known.inverse_functional else known.subjects
    return known.triples


def _exactly(plan: Plan, schema: Schema) -> int | None:
    """Return how many rows there are, where WHERE is one pattern with two free ends, or the type of one."""
    if plan.grouped or plan.reduced or plan.values is not None or plan.where.filters:
        return None
    match plan.where.elements:
        case (TriplePattern(Variable(), IRI(predicate), IRI(name)),) if predicate == RDF_TYPE:
            return None if plan.distinct and not plan.scope else schema.classes.get(name)
        case (TriplePattern(Variable() as subject, IRI(name), Variable() as object_),) if subject != object_:
            known = schema.predicates.get(name, Predicate(0))
        case _:
            return None
    columns = set(plan.projection)
    if not plan.distinct or {subject, object_} <= columns:
        return known.triples
    return known.subjects if columns == {subject} else known.objects if columns == {object_} else None
