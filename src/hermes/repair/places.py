"""Where a plan may be wrong: its clauses, wherever they stand, and the constants in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from hermes.algebra.plan import Plan
from hermes.repair.candidate import Clause, put
from hermes.sparql.expressions import Call, Exists, Expression, Membership, Operation, has_aggregate
from hermes.sparql.patterns import Group, TriplePattern
from hermes.sparql.tree import Node, walk
from hermes.terms import IRI, RDF_TYPE, Literal, Variable

_COMPARISONS: Final = frozenset({"=", "!=", "<", ">", "<=", ">="})
_INSIDE: Final = frozenset({"CONTAINS", "STRSTARTS", "STRENDS"})


@dataclass(frozen=True, slots=True)
class Constant:
    """A term that a clause demands.

    `where` gives the values that could stand for it, as those of `value`; `inside` says that it is a part of
    the value; `names` are the variables after which it may be called.
    """

    clause: Clause
    holder: Node
    place: int
    term: IRI | Literal
    where: Group
    value: Expression
    inside: bool = False
    ordered: bool = False

    def filled(self, term: IRI | Literal) -> Clause:
        """Return the clause with another term in this place."""
        return put(self.clause, self.holder, _filled(self.holder, self.place, term))


def is_type(triple: TriplePattern) -> bool:
    """Whether a triple pattern says the class of something."""
    return isinstance(triple.predicate, IRI) and triple.predicate.value == RDF_TYPE


def clauses(plan: Plan) -> Iterator[Clause]:
    """Yield the triple patterns and filters of a plan, those inside other clauses too, in order."""
    for part in walk(plan.where):
        if isinstance(part, TriplePattern):
            yield part
        elif isinstance(part, Group):
            yield from (each for each in part.filters if not isinstance(each, Exists))


def constants(plan: Plan, clause: Clause, free: Variable) -> Iterator[Constant]:
    """Yield the constants of a clause; `free` is a variable that the plan does not have."""
    if isinstance(clause, TriplePattern):
        for place, end in enumerate((clause.subject, clause.object)):
            named_class = place == 1 and is_type(clause)
            if isinstance(end, IRI | Literal) and not named_class:
                opened = _filled(clause, place, free)
                yield Constant(clause, clause, place, end, put(plan.where, clause, opened), free)
        return
    where = _without_filter(plan.where, clause)
    for part in walk(clause, (Exists,)):
        yield from _compared(clause, part, where)


def _compared(clause: Clause, part: object, where: Group) -> Iterator[Constant]:
    if isinstance(part, Operation) and part.operators[0] in _COMPARISONS:
        ordered = part.operators[0] not in {"=", "!="}
        for place, other in ((0, 1), (1, 0)):
            term, value = part.operands[place], part.operands[other]
            if isinstance(term, IRI | Literal) and not _is_constant(value):
                yield Constant(clause, part, place, term, where, value, ordered=ordered)
    elif isinstance(part, Membership):
        for place, term in enumerate(part.choices):
            if isinstance(term, IRI | Literal) and not _is_constant(part.operand):
                yield Constant(clause, part, place, term, where, part.operand)
    elif isinstance(part, Call) and part.function in _INSIDE:
        value, term = part.arguments
        if isinstance(term, IRI | Literal) and not _is_constant(value):
            yield Constant(clause, part, 1, term, where, value, inside=True)


def _is_constant(expression: Expression) -> bool:
    return isinstance(expression, IRI | Literal) or has_aggregate(expression)


def _filled(holder: Node, place: int, term: IRI | Literal | Variable) -> Node:
    if isinstance(holder, TriplePattern):
        return replace(holder, object=term) if place else replace(holder, subject=term)
    name = {Operation: "operands", Membership: "choices", Call: "arguments"}[type(holder)]
    parts = getattr(holder, name)
    return replace(holder, **{name: (*parts[:place], term, *parts[place + 1 :])})


def _without_filter(where: Group, condition: Clause) -> Group:
    """Return WHERE without this one filter, wherever it stands."""
    for part in walk(where):
        if isinstance(part, Group) and any(each is condition for each in part.filters):
            return put(
                where, part, replace(part, filters=tuple(e for e in part.filters if e is not condition))
            )
    return where
