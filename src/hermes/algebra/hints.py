"""Advice beside an observation: unknown names, products, what multiplies, what an aggregate is.

Hints cost no query, but for one where the result is empty and the count cost none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, Literal

from hermes.algebra.kind import Clause, GroupOperator, Kind
from hermes.algebra.observation import Hint, Observation, Solutions
from hermes.algebra.operators.filter import Filter
from hermes.algebra.operators.order import Order
from hermes.algebra.operators.triple import Triple
from hermes.algebra.plan import Plan
from hermes.algebra.ports import Graph
from hermes.sparql.expressions import Exists, Operation
from hermes.sparql.patterns import Group, TriplePattern
from hermes.sparql.tree import walk
from hermes.terms import IRI, RDF_TYPE, Term, Variable, display
from hermes.terms import Literal as LiteralTerm

Role = Literal["predicate", "class"]

_COMPARISONS: Final = frozenset({"=", "!=", "<", ">", "<=", ">="})


@dataclass(frozen=True, slots=True)
class Change:
    """What a step did: what it meant, and the plan and observation before and after."""

    meant: Kind
    text: str
    before: Plan
    plan: Plan
    seen_before: Observation
    seen: Observation


def hints(kg: Graph, change: Change) -> tuple[Hint, ...]:
    """Return the hints for a change."""
    return tuple(dict.fromkeys(_all(kg, change)))


def _all(kg: Graph, change: Change) -> Iterator[Hint]:
    if change.plan == change.before:
        yield Hint("no-change", "the plan says this already; nothing changed")
        return
    yield from _blank_labels(change)
    yield from _product(change)
    yield from _unknown_names(kg, change)
    yield from _multiplies(change)
    if isinstance(change.meant, Filter):
        yield from _datatypes(kg, change)
        yield from _join_by_filter(change)
    yield from _value(kg, change)
    yield from _answer_changed(change)
    if isinstance(change.meant, Order) and change.before.sliced:
        yield Hint(
            "order-before-slice", "ORDER BY is evaluated before LIMIT and OFFSET: they now cut this order"
        )


def new_groups(meant: Kind) -> Group:
    """Return a group with what an operator adds to WHERE; an empty one for other kinds."""
    return meant.add_to(Group()) if isinstance(meant, GroupOperator) else Group()


# --- names ------------------------------------------------------------------------------------


def _unknown_names(kg: Graph, change: Change) -> Iterator[Hint]:
    """Name what does not occur in the graph, with the nearest that does."""
    seen = change.seen
    one_query_left = isinstance(seen, Solutions) and seen.count == 0 and seen.derived
    if not (kg.vocabulary_known or one_query_left):
        return
    vocabulary = kg.vocabulary
    for role, iri in dict.fromkeys(_names(new_groups(change.meant))):
        known = vocabulary.predicates if role == "predicate" else vocabulary.classes
        if iri in known:
            continue
        unit = "triples" if role == "predicate" else "instances"
        nearest = ", ".join(
            f"{display(IRI(near), kg.prefixes)} ({count} {unit})" for near, count in kg.nearest(iri, role)
        )
        name = display(IRI(iri), kg.prefixes)
        yield Hint(f"unknown-{role}", f"{name} does not occur" + (f"; nearest: {nearest}" if nearest else ""))


def _names(group: Group) -> Iterator[tuple[Role, str]]:
    for part in walk(group):
        if not isinstance(part, TriplePattern):
            continue
        if isinstance(part.predicate, IRI) and part.predicate.value == RDF_TYPE:
            if isinstance(part.object, IRI):
                yield "class", part.object.value
        else:
            for name in walk(part.predicate):
                if isinstance(name, IRI) and name.value != RDF_TYPE:
                    yield "predicate", name.value


def _blank_labels(change: Change) -> Iterator[Hint]:
    if "_:" in change.text and any(v.blank for v in new_groups(change.meant).binds()):
        yield Hint(
            "blank-label",
            "a blank node label matches like a variable, not that node; reach a node through its properties",
        )


# --- sizes ------------------------------------------------------------------------------------


def _product(change: Change) -> Iterator[Hint]:
    """Warn of a clause that shares no variable with the plan: every pair of solutions is one."""
    if not isinstance(change.meant, Triple | Clause) or not change.before.where.elements:
        return
    new = [v for v in new_groups(change.meant).binds() if not v.reserved]
    old = [v for v in change.before.where.binds() if not v.reserved]
    if not new or not old or set(new) & set(change.before.where.binds()):
        return
    near = [
        f"did you mean {match[0]} for {variable}?"
        for variable in map(str, new)
        if (match := get_close_matches(variable, map(str, old), n=1, cutoff=0.7))
    ]
    yield Hint(
        "product",
        "disconnected: this shares no variable with the plan, so every pair of solutions is one; "
        + (near[0] if near else f"name one of {' '.join(map(str, old))}"),
    )


def _multiplies(change: Change) -> Iterator[Hint]:
    if not isinstance(change.seen, Solutions) or not isinstance(change.seen_before, Solutions):
        return
    count, before = change.seen.count, change.seen_before.count
    if isinstance(change.meant, Triple | Clause) and 0 < before < count:
        factor = f"{count / before:.3g}"
        yield Hint("multiplies", f"multiplies rows: {factor} for each row before, on average")


def _value(kg: Graph, change: Change) -> Iterator[Hint]:
    """Show the value of an aggregate over everything: one row is not one thing found."""
    plan, seen = change.plan, change.seen
    if not isinstance(seen, Solutions) or not plan.grouped or plan.group_by or len(seen.sample) != 1:
        return
    for name in seen.variables:
        value = seen.sample[0].get(name)
        shown = "unbound" if value is None else display(value, kg.prefixes)
        yield Hint("value", f"?{name} = {shown}")


def _answer_changed(change: Change) -> Iterator[Hint]:
    old, new = change.before.answer, change.plan.answer
    if change.meant.op == "remove" and change.plan.form == "select" and old != new and new is not None:
        yield Hint("answer-changed", f"the answer is now {new}, no longer {old}")


# --- filters ----------------------------------------------------------------------------------


def _comparisons(change: Change) -> Iterator[Operation]:
    if isinstance(change.meant, Filter):
        for part in walk(change.meant.expr, (Exists,)):
            if isinstance(part, Operation) and part.operators[0] in _COMPARISONS:
                yield part


def _datatypes(kg: Graph, change: Change) -> Iterator[Hint]:
    """Where a comparison leaves nothing, name a datatype that the values do not have."""
    if (
        not isinstance(change.seen, Solutions)
        or change.seen.count
        or not isinstance(change.seen_before, Solutions)
    ):
        return
    for comparison in _comparisons(change):
        left, right = comparison.operands
        if isinstance(left, LiteralTerm):
            left, right = right, left
        if not (isinstance(left, Variable) and isinstance(right, LiteralTerm)):
            continue
        found = _kinds(kg, (row.get(left.name) for row in change.seen_before.sample))
        wanted = display(IRI(right.datatype), kg.prefixes)
        if found and wanted not in found:
            yield Hint("datatype", f"{left} has values of {', '.join(found)}; compared with {wanted}")


def _kinds(kg: Graph, values: Iterable[Term | None]) -> list[str]:
    """Return the datatypes of the values, `IRIs` and `blank nodes` for those that have none."""
    kinds: dict[str, None] = {}
    for value in values:
        if isinstance(value, LiteralTerm):
            kinds[display(IRI(value.datatype), kg.prefixes)] = None
        elif value is not None:
            kinds["IRIs" if isinstance(value, IRI) else "blank nodes"] = None
    return list(kinds)


def _join_by_filter(change: Change) -> Iterator[Hint]:
    """Where a filter equates two variables of unconnected parts, a shared variable would join them."""
    for comparison in _comparisons(change):
        left, right = comparison.operands
        if (
            comparison.operators[0] != "="
            or not isinstance(left, Variable)
            or not isinstance(right, Variable)
        ):
            continue
        if right not in _connected(change.before.where, left):
            yield Hint(
                "join-by-filter",
                f"{left} and {right} meet only in this filter; where the same term is meant, "
                f"write {left} for {right} in the patterns: the product is then never made",
            )


def _connected(group: Group, start: Variable) -> set[Variable]:
    """Return the variables that clauses connect with `start`."""
    reached = {start}
    clauses = [set(element.binds()) for element in group.elements]
    while True:
        more = {name for names in clauses if names & reached for name in names} - reached
        if not more:
            return reached
        reached |= more
