"""How many solutions an element is likely to give for each solution before it.

A rough model, as in System R: a predicate has about as many triples for each subject as any other, and as
many different objects as the square root of its triples. It orders what is read, and decides nothing else.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import Final

from hermes.algebra.operators.graph import Graph
from hermes.algebra.operators.join import Join
from hermes.algebra.operators.subquery import Subquery
from hermes.algebra.operators.union import Union
from hermes.algebra.operators.values import Values
from hermes.algebra.ports import Vocabulary
from hermes.explanation.binding import NONE, Variables
from hermes.sparql.expressions import Call, Expression, Membership, Operation
from hermes.sparql.patterns import Element, Group, TriplePattern
from hermes.terms import IRI, RDF_TYPE, Literal, Variable

_TRIPLES: Final = 10_000.0
"""Triples of a predicate, where the vocabulary is not known."""
_INSTANCES: Final = 1_000.0
"""Instances of a class, where the vocabulary is not known."""
_RARELY: Final = 0.1
"""Solutions where both ends of a pattern are known already: it only keeps or drops."""
_KEPT: Final = 0.5
"""Solutions where a pattern asks for the class of what is known already."""
_REMOTE: Final = 1e9


def estimate(element: Element, known: Variables, vocabulary: Vocabulary | None) -> float:
    """Return the number of solutions of `element` for each solution that binds the `known` variables.

    A name that the graph does not use is said to give very many: it comes last, so that what does match is
    seen first.
    """
    match element:
        case TriplePattern():
            return _of_triple(element, known, vocabulary)
        case Values():
            return _RARELY if known.issuperset(element.vars) else float(len(element.rows))
        case Union():
            return sum(_of_group(branch, known, vocabulary) for branch in element.branches)
        case Join() | Graph():
            return _of_group(element.patterns, known, vocabulary)
        case Subquery():
            inner = _of_group(element.actions.where, frozenset(), vocabulary)
            limit = inf if element.actions.limit is None else element.actions.limit
            return min(inner, limit)
        case _:
            return _REMOTE


def chosen_by(condition: Expression) -> Variables:
    """Return the variables that a condition compares with constants by `=`, `IN` or `SAMETERM`."""
    match condition:
        case Operation(operators=("&&", *_), operands=parts):
            return NONE.union(*map(chosen_by, parts))
        case Operation(operators=("||", *_), operands=parts):
            return frozenset.intersection(*map(chosen_by, parts))
        case Operation(operators=("=",), operands=parts) | Call(function="SAMETERM", arguments=parts):
            named = frozenset(part for part in parts if isinstance(part, Variable))
            return named if any(isinstance(part, IRI | Literal) for part in parts) else NONE
        case Membership(operand=Variable() as name, choices=parts, negated=False):
            return frozenset([name]) if all(isinstance(part, IRI | Literal) for part in parts) else NONE
        case _:
            return NONE


def _of_group(group: Group, known: Variables, vocabulary: Vocabulary | None) -> float:
    return min((estimate(element, known, vocabulary) for element in group.elements), default=1.0)


def _of_triple(triple: TriplePattern, known: Variables, vocabulary: Vocabulary | None) -> float:
    subject = _is_known(triple.subject, known)
    value = _is_known(triple.object, known)
    if triple.predicate == IRI(RDF_TYPE) and isinstance(triple.object, IRI):
        instances = _used(vocabulary.classes.get(triple.object.value, 0)) if vocabulary else _INSTANCES
        return min(_KEPT, instances) if subject and instances < inf else instances
    triples = _triples(triple, vocabulary)
    if triples == inf:
        return inf
    if subject and value:
        return _RARELY
    if value:
        return sqrt(triples)
    return 1.0 if subject else triples


def _triples(triple: TriplePattern, vocabulary: Vocabulary | None) -> float:
    """Return the number of triples that the predicate may have; a path has those of the whole graph."""
    if vocabulary is None:
        return _TRIPLES if isinstance(triple.predicate, IRI) else _TRIPLES * _TRIPLES
    if isinstance(triple.predicate, IRI):
        return _used(vocabulary.predicates.get(triple.predicate.value, 0))
    return float(sum(vocabulary.predicates.values()))


def _used(count: int) -> float:
    return float(count) or inf


def _is_known(end: object, known: Variables) -> bool:
    return end in known if isinstance(end, Variable) else True
