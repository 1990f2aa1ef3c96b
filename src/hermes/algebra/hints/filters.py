"""Hints on filters: what cannot be compared, what is unbound, and joins made by a filter.

They look at the sample before the step, so they speak of what was seen and cost no query.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hermes.algebra.hints.change import Change
from hermes.algebra.observation import Hint, Solutions
from hermes.algebra.operators.filter import Filter
from hermes.algebra.ports import Graph
from hermes.sparql.expressions import Call, Exists, Expression, Operation, variables_of
from hermes.sparql.patterns import Group
from hermes.sparql.tree import walk
from hermes.terms import IRI, XSD, Literal, Term, Variable, display, quote

_COMPARISONS: Final = frozenset({"=", "!=", "<", ">", "<=", ">="})
_NUMERIC: Final = frozenset(
    XSD + name
    for name in (
        "integer", "decimal", "double", "float", "long", "int", "short", "byte", "nonNegativeInteger",
        "positiveInteger", "nonPositiveInteger", "negativeInteger", "unsignedLong", "unsignedInt",
        "unsignedShort", "unsignedByte",
    )
)  # fmt: skip


def _condition(change: Change) -> Expression | None:
    """Return the condition of a filter that took rows away."""
    lost = change.counts is not None and change.counts[1] < change.counts[0]
    return change.meant.expr if isinstance(change.meant, Filter) and lost else None


def _comparisons(change: Change) -> Iterator[tuple[str, Expression, Expression]]:
    """Yield operator and operands of the comparisons, a constant on the right."""
    for part in walk(_condition(change), (Exists,)):
        if isinstance(part, Operation) and part.operators[0] in _COMPARISONS:
            left, right = part.operands
            if isinstance(left, Literal):
                left, right = right, left
            yield part.operators[0], left, right


def _seen(change: Change, variable: Variable) -> list[Term | None]:
    rows = change.seen_before.sample if isinstance(change.seen_before, Solutions) else ()
    return [row.get(variable.name) for row in rows]


def datatypes(kg: Graph, change: Change) -> Iterator[Hint]:
    """Name the kinds of values that cannot be compared with the constant of the filter."""
    for _, left, right in _comparisons(change):
        if not (isinstance(left, Variable) and isinstance(right, Literal)):
            continue
        wanted = _family(right)
        others = {
            _kind(value, kg): None
            for value in _seen(change, left)
            if value is not None and _family(value) != wanted
        }
        if others:
            kinds = ", ".join(others)
            yield Hint("datatype", f"{left} has values of {kinds}; compared with {_kind(right, kg)}")


def _family(value: Term) -> str:
    """Return what a value may be compared with (section 17.3)."""
    if not isinstance(value, Literal):
        return type(value).__name__
    return "number" if value.datatype in _NUMERIC else value.datatype


def _kind(value: Term, kg: Graph) -> str:
    if isinstance(value, Literal):
        return display(IRI(value.datatype), kg.prefixes)
    return "IRIs" if isinstance(value, IRI) else "blank nodes"


def language_tags(_: Graph, change: Change) -> Iterator[Hint]:
    """Advise LANGMATCHES where a language tag is compared as a string and nothing is left."""
    if not change.empty:
        return
    for _operator, left, right in _comparisons(change):
        if isinstance(left, Call) and left.function == "LANG" and isinstance(right, Literal):
            text = f"LANGMATCHES(LANG({left.arguments[0]}), {quote(right.lexical)})"
            yield Hint("language-tag", f"stores spell language tags in their own way; {text} ignores case")


def unbound_rows(_: Graph, change: Change) -> Iterator[Hint]:
    """Say that a filter drops the rows in which its variable is unbound."""
    condition = _condition(change)
    if condition is None or any(
        isinstance(part, Call) and part.function in ("BOUND", "COALESCE") for part in walk(condition)
    ):
        return
    for variable in variables_of(condition):
        if variable in change.before.scope and None in _seen(change, variable):
            yield Hint(
                "unbound-rows",
                f"{variable} is unbound in some rows, which go; to keep them: !BOUND({variable}) || ...",
            )


def join_by_filter(_: Graph, change: Change) -> Iterator[Hint]:
    """Where a filter equates variables of unconnected parts, a shared variable would join them."""
    for operator, left, right in _comparisons(change):
        if operator != "=" or not isinstance(left, Variable) or not isinstance(right, Variable):
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
