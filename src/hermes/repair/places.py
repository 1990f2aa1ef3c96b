"""Where a plan may be wrong: its clauses, wherever they stand, and the constants in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final
from typing import Literal as OneOf

from hermes.algebra.operators.minus import Minus
from hermes.algebra.operators.subquery import Subquery
from hermes.algebra.plan import Plan
from hermes.repair.candidate import Clause, put
from hermes.sparql.expressions import Call, Exists, Expression, Membership, Operation, has_aggregate
from hermes.sparql.patterns import Group, TriplePattern
from hermes.sparql.tree import Node, walk
from hermes.terms import IRI, RDF_TYPE, Literal, Variable

_ENDS: Final = ("subject", "object", "predicate")
_TYPE: Final = IRI(RDF_TYPE)
_COMPARISONS: Final = frozenset({"=", "!=", "<", ">", "<=", ">="})
_INSIDE: Final = frozenset({"CONTAINS", "STRSTARTS", "STRENDS"})


@dataclass(frozen=True, slots=True)
class Constant:
    """A term that a clause demands.

    Attributes:
        clause: the triple pattern or filter.
        holder: the triple pattern, comparison, list or call directly around the term.
        place: which part of the holder it is.
        term: the term.
        where: the patterns that are left when the term may be any; `value` then gives what it can be.
        value: see above.
        role: whether it is a predicate, a class or another term.
        inside: whether it is a part of the text of the value.
        ordered: whether it is only compared by `<` and the like.
    """

    clause: Clause
    holder: Node
    place: int
    term: IRI | Literal
    where: Group
    value: Expression
    role: OneOf["term", "predicate", "class"] = "term"
    inside: bool = False
    ordered: bool = False

    def filled(self, term: IRI | Literal) -> Clause:
        """Return the clause with another term in this place."""
        return put(self.clause, self.holder, _filled(self.holder, self.place, term))


def is_type(triple: TriplePattern) -> bool:
    """Whether a triple pattern says the class of something."""
    return triple.predicate == _TYPE


def clauses(plan: Plan) -> Iterator[Clause]:
    """Yield the triple patterns and filters of a plan, those inside other clauses too, in order."""
    for part in walk(plan.where):
        if isinstance(part, TriplePattern):
            yield part
        elif isinstance(part, Group):
            yield from (each for each in part.filters if not isinstance(each, Exists))


def constants(plan: Plan, clause: Clause, free: Variable) -> Iterator[Constant]:
    """Yield the constants of a clause; `free` is a variable that the plan does not have."""
    around = _around(plan.where, clause)
    if isinstance(clause, TriplePattern):
        for place, name in enumerate(_ENDS):
            term = getattr(clause, name)
            if isinstance(term, IRI | Literal) and term != _TYPE:
                where = put(around, clause, _filled(clause, place, free))
                role = "predicate" if name == "predicate" else _role_of_object(clause) if place else "term"
                yield Constant(clause, clause, place, term, where, free, role)
        return
    where = _without_filter(around, clause)
    for part in walk(clause, (Exists,)):
        yield from _compared(clause, part, where)


def _role_of_object(triple: TriplePattern) -> OneOf["term", "class"]:
    return "class" if is_type(triple) else "term"


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
        ends: dict[str, Any] = {_ENDS[place]: term}
        return replace(holder, **ends)
    name = {Operation: "operands", Membership: "choices", Call: "arguments"}[type(holder)]
    parts = getattr(holder, name)
    return replace(holder, **{name: (*parts[:place], term, *parts[place + 1 :])})


def _around(where: Group, clause: Clause) -> Group:
    """Return the innermost patterns around a clause out of which a variable can be selected."""
    found = where
    for part in walk(where):
        inner: Group | None = None
        if isinstance(part, Subquery):
            inner = part.actions.where
        elif isinstance(part, Minus):
            inner = part.patterns
        elif isinstance(part, Exists):
            inner = part.group
        if inner is not None and any(each is clause for each in walk(inner)):
            found = inner
    return found


def _without_filter(where: Group, condition: Clause) -> Group:
    """Return WHERE without this one filter, wherever it stands."""
    for part in walk(where):
        if isinstance(part, Group) and any(each is condition for each in part.filters):
            return put(
                where, part, replace(part, filters=tuple(e for e in part.filters if e is not condition))
            )
    return where
