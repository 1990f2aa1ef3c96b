"""A plan made ready for words, its meaning unchanged.

Sequences and inverse paths become the triple patterns that define them (SPARQL 1.1, section 18.2.2.4), a
conjunction in a filter becomes two filters, and a hidden variable of a sub-query gets a name of its own
where the query around it uses the same name for another thing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from hermes.algebra.operators import Subquery
from hermes.algebra.plan import Plan
from hermes.sparql.expressions import Expression, Operation
from hermes.sparql.paths import InversePath, SequencePath
from hermes.sparql.patterns import Element, Group, TriplePattern
from hermes.sparql.tree import rewrite, walk
from hermes.terms import BLANK_PREFIX, Variable
from hermes.verbalize.clauses import has_words


def prepared(plan: Plan) -> Plan:
    """Return the plan with simple paths spelled out and with one meaning for each name of a variable."""
    blanks = (Variable(f"{BLANK_PREFIX}{number}") for number in count(plan.first_free_blank()))
    expanded: Plan = rewrite(plan, lambda part: _group(part, blanks) if isinstance(part, Group) else None)
    return _separate(expanded, set())


def _group(group: Group, blanks: Iterator[Variable]) -> Group:
    def inside(part: object) -> object | None:
        return _group(part, blanks) if isinstance(part, Group) else None

    elements: list[Element] = []
    for element in group.elements:
        if isinstance(element, TriplePattern):
            elements += _steps(element, blanks)
        elif _shown_as_text(element):
            elements.append(element)
        else:
            elements.append(rewrite(element, inside))
    filters = [rewrite(part, inside) for condition in group.filters for part in _conjuncts(condition)]
    return Group(tuple(elements), tuple(filters))


def _steps(triple: TriplePattern, blanks: Iterator[Variable]) -> Iterator[TriplePattern]:
    match triple.predicate:
        case InversePath(path):
            yield from _steps(TriplePattern(triple.object, path, triple.subject), blanks)
        case SequencePath(parts):
            ends = [triple.subject, *(next(blanks) for _ in parts[1:]), triple.object]
            for start, part, end in zip(ends, parts, ends[1:], strict=False):
                yield from _steps(TriplePattern(start, part, end), blanks)
        case _:
            yield triple


def _conjuncts(condition: Expression) -> Iterator[Expression]:
    if isinstance(condition, Operation) and condition.operators[0] == "&&":
        for operand in condition.operands:
            yield from _conjuncts(operand)
    else:
        yield condition


def _separate(plan: Plan, outside: set[str]) -> Plan:
    """Return the plan with hidden variables of sub-queries renamed where their name is taken already."""
    taken = outside | {part.name for part in walk(plan, (Subquery,)) if isinstance(part, Variable)}
    for part in walk(plan, (Subquery,)):
        if isinstance(part, Subquery):
            taken |= {column.name for column in part.actions.columns}

    def change(part: object) -> object | None:
        if not isinstance(part, Subquery):
            return part if _shown_as_text(part) else None
        inner = _renamed(part.actions, taken)
        separated = _separate(inner, taken - {column.name for column in inner.columns})
        taken.update(each.name for each in walk(separated) if isinstance(each, Variable))
        return Subquery(separated)

    return rewrite(plan, change)


def _shown_as_text(part: object) -> bool:
    return isinstance(part, Element) and not isinstance(part, TriplePattern) and not has_words(part)


def _renamed(plan: Plan, taken: set[str]) -> Plan:
    columns = set(plan.columns)
    names = {part.name for part in walk(plan) if isinstance(part, Variable) and part not in columns}
    new: dict[Variable, Variable] = {}
    for name in sorted(names & taken):
        fresh = next(f"{name}_{n}" for n in count(2) if f"{name}_{n}" not in taken | names)
        new[Variable(name)] = Variable(fresh)
        names.add(fresh)
    if not new:
        return plan
    return rewrite(plan, lambda part: new.get(part) if isinstance(part, Variable) else None)
