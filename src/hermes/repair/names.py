"""Changes of names and directions: other predicates and classes, the edge turned round, a step between."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from hermes.algebra.plan import Plan
from hermes.algebra.ports import Vocabulary
from hermes.repair.candidate import Candidate, put
from hermes.repair.likeness import alike, local, meant_by
from hermes.repair.places import is_type
from hermes.sparql.paths import SequencePath
from hermes.sparql.patterns import TriplePattern
from hermes.sparql.tree import walk
from hermes.terms import IRI, RDF_TYPE, Literal, Variable

_REVERSED: Final = 0.8
_HOP: Final = 0.2
_REPEATED: Final = 0.6
"""A subject seldom has the same predicate twice in a query."""
_SIMILAR: Final = 0.6
"""From here on a name may be a slip for another."""
_FEW: Final = 200
"""A hop is looked for where a graph has so few predicates."""


def changes(plan: Plan, triple: TriplePattern, vocabulary: Vocabulary) -> Iterator[Candidate]:
    """Yield what a triple pattern may have been meant to say, by the names of the graph alone."""
    if is_type(triple):
        if isinstance(triple.object, IRI):
            yield from _classes(triple, triple.object, vocabulary)
        return
    for name in walk(triple.predicate):
        if isinstance(name, IRI) and name.value != RDF_TYPE:
            yield from _predicates(plan, triple, name, vocabulary)
    if not isinstance(triple.object, Literal):
        turned = replace(triple, subject=triple.object, object=triple.subject)
        yield Candidate(triple, turned, "reversed", _REVERSED)


def _predicates(plan: Plan, triple: TriplePattern, name: IRI, vocabulary: Vocabulary) -> Iterator[Candidate]:
    unknown = name.value not in vocabulary.predicates
    used = _used(plan, triple)
    for other in vocabulary.predicates:
        if other in {name.value, RDF_TYPE}:
            continue
        called = meant_by(local(other), triple.object)
        score = _likely(alike(local(name.value), local(other)), called, unknown=unknown)
        path = put(triple.predicate, name, IRI(other))
        yield Candidate(
            triple, replace(triple, predicate=path), "predicate", score * (_REPEATED if other in used else 1)
        )


def _classes(triple: TriplePattern, name: IRI, vocabulary: Vocabulary) -> Iterator[Candidate]:
    unknown = name.value not in vocabulary.classes
    for other in vocabulary.classes:
        if other != name.value:
            called = meant_by(local(other), triple.subject)
            score = _likely(alike(local(name.value), local(other)), called, unknown=unknown)
            yield Candidate(triple, replace(triple, object=IRI(other)), "class", score)


def _likely(similar: float, called: float, *, unknown: bool) -> float:
    """Return how likely a name was meant, by its likeness to the wrong one and by the variable at its end."""
    if unknown:
        slip = similar if similar >= _SIMILAR else similar / 2
        return max(slip, 0.3 + 0.35 * called) + 0.02 * called
    return 0.33 + 0.35 * called + 0.05 * similar


def _used(plan: Plan, triple: TriplePattern) -> set[str]:
    """Return the predicates that the subject has elsewhere in the plan."""
    return {
        part.predicate.value
        for part in walk(plan.where)
        if isinstance(part, TriplePattern)
        and part is not triple
        and part.subject == triple.subject
        and isinstance(part.predicate, IRI)
    }


def hops(triple: TriplePattern, vocabulary: Vocabulary) -> Iterator[Candidate]:
    """Yield the triple pattern with one more step, before or after its predicate."""
    predicate = triple.predicate
    if isinstance(predicate, Variable) or is_type(triple) or len(vocabulary.predicates) > _FEW:
        return
    for other in vocabulary.predicates:
        if other != RDF_TYPE:
            for parts in ((IRI(other), predicate), (predicate, IRI(other))):
                yield Candidate(triple, replace(triple, predicate=SequencePath(parts)), "hop", _HOP)
