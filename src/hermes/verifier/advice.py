"""Warnings that need no proof: what SPARQL allows and the graph answers, but hardly as it is meant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from hermes.algebra.operators.graph import Graph
from hermes.algebra.plan import Plan
from hermes.sparql.expressions import Aggregate, Expression, expression_text, variables_of
from hermes.sparql.paths import RepeatPath
from hermes.sparql.patterns import Element, Group, TriplePattern
from hermes.sparql.tree import walk
from hermes.terms import IRI, Names, Variable, term_text
from hermes.verifier.schema import Predicate
from hermes.verifier.verdict import Warned

_COUNTING: Final = ("COUNT", "SUM", "AVG")


def advice(plan: Plan, facts: Mapping[str, Predicate], names: Names) -> tuple[Warned, ...]:
    """Return the warnings of a plan and of the sub-queries in it.

    `facts` is what is known of the predicates of its default graph.
    """
    found: list[Warned] = []
    inner = list(_sub_queries(plan))
    elsewhere = _in_named_graphs(plan) if inner else set()
    for part in (plan, *inner):
        found += _product(part.where)
        found += _open_paths(part.where, names)
        found += _unordered(part)
        found += _multiplied(part, {} if id(part) in elsewhere else facts, names)
    return tuple(dict.fromkeys(found))


def _sub_queries(plan: Plan) -> Iterator[Plan]:
    for part in walk((plan.where, plan.having)):
        if isinstance(part, Plan):
            yield part


def _in_named_graphs(plan: Plan) -> set[int]:
    """Return the identities of what stands in GRAPH."""
    clauses = (clause for clause in walk(plan.where) if isinstance(clause, Graph))
    return {id(part) for clause in clauses for part in walk(clause)}


def _product(group: Group) -> Iterator[Warned]:
    """Warn of parts that share no variable and that no filter compares."""
    parts: list[set[Variable]] = []
    links = [set(element.binds()) | set(_read(element)) for element in group.elements]
    links += [set(variables_of(condition)) for condition in group.filters]
    for names in links:
        if names:
            touching = [part for part in parts if part & names]
            parts = [part for part in parts if not part & names] + [names.union(*touching)]
    parts = [part for part in parts if part & set(group.binds())]
    if len(parts) > 1:
        shown = " and ".join(_some(part) for part in parts)
        yield Warned("product", f"{shown} share no variable, so every pair of their solutions is one")


def _some(part: set[Variable]) -> str:
    names = sorted(str(name) for name in part if not name.reserved) or ["a pattern"]
    return names[0] if len(names) == 1 else f"{names[0]}, ..."


def _read(element: Element) -> Iterator[Variable]:
    """Yield the variables of an element that it does not bind, such as those of a BIND."""
    for part in walk(element):
        if isinstance(part, Variable):
            yield part


def _open_paths(group: Group, names: Names) -> Iterator[Warned]:
    """Warn of paths of any length whose two ends nothing else binds."""
    for element in group.elements:
        if not isinstance(element, TriplePattern) or not element.is_path:
            continue
        others = [name for other in group.elements if other is not element for name in other.binds()]
        free = all(
            isinstance(end, Variable) and end not in others for end in (element.subject, element.object)
        )
        steps = (step for step in walk(element.predicate) if isinstance(step, RepeatPath))
        if free and any(step.times != "?" for step in steps):
            text = element.text(names)
            yield Warned("open-path", f"{text} goes through the whole graph: bind one of its ends", text)


def _unordered(plan: Plan) -> Iterator[Warned]:
    if plan.sliced and plan.limit != 0 and not plan.order_by and (plan.group_by or not plan.grouped):
        said = "OFFSET" if plan.limit is None else f"LIMIT {plan.limit}"
        yield Warned("limit-without-order", f"{said} without ORDER BY keeps any rows, not certain ones", said)


def _multiplied(plan: Plan, facts: Mapping[str, Predicate], names: Names) -> Iterator[Warned]:
    """Warn of a COUNT or SUM of values that a pattern repeats, one whose other end is used nowhere."""
    for aggregate in walk((plan.projection, plan.having, plan.order_by)):
        if not isinstance(aggregate, Aggregate) or aggregate.distinct or aggregate.function not in _COUNTING:
            continue
        if aggregate.argument is None:
            continue
        counted = set(variables_of(aggregate.argument))
        for pattern in _repeating(plan, facts, counted):
            text = pattern.text(names)
            said = f"{aggregate.function}({_text(aggregate.argument, names)})"
            yield Warned(
                "multiplied-aggregate", f"{said} has a value once for each match of {text}: DISTINCT?", text
            )


def _text(argument: Expression, names: Names) -> str:
    return term_text(argument, names) if isinstance(argument, Variable) else expression_text(argument, names)


def _repeating(plan: Plan, facts: Mapping[str, Predicate], counted: set[Variable]) -> Iterator[TriplePattern]:
    uses = list(walk((plan.where, plan.projection, plan.group_by, plan.having, plan.order_by)))
    for element in plan.where.elements:
        if not isinstance(element, TriplePattern) or not isinstance(element.predicate, IRI):
            continue
        known = facts.get(element.predicate.value)
        if known is None:
            continue
        for end, other, single in (
            (element.object, element.subject, known.functional),
            (element.subject, element.object, known.inverse_functional),
        ):
            once = isinstance(end, Variable) and end not in counted and uses.count(end) == 1
            if once and not single and isinstance(other, Variable):
                yield element
