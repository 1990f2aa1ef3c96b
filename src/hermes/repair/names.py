"""Changes of names and directions: other predicates and classes, the edge turned round, a step between."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from hermes.algebra.plan import Plan
from hermes.algebra.ports import Vocabulary
from hermes.repair.candidate import Candidate, put
from hermes.repair.likeness import alike, local, meant_by
from hermes.repair.places import is_type
from hermes.sparql.paths import InversePath, SequencePath
from hermes.sparql.patterns import TriplePattern
from hermes.sparql.tree import walk
from hermes.terms import IRI, RDF_TYPE, Literal, Variable

_REVERSED: Final = 0.8
_RENAMED: Final = 0.34
_HOP: Final = 0.335
_SUITABLE: Final = 0.9
"""A name after which the variable at its end is called was hardly a slip: `?x ex:year ?x_year`."""
_REPEATED: Final = 0.6
"""A subject seldom has the same predicate twice in a query."""
_SIMILAR: Final = 0.6
"""From here on a name may be a slip for another."""
_FEW: Final = 200
"""A hop is looked for where a graph has so few predicates."""


def changes(plan: Plan, triple: TriplePattern, vocabulary: Vocabulary) -> Iterator[Candidate]:
    """Yield what a triple pattern may have been meant to say, by the names of the graph alone."""
    if is_type(triple):
        for other in vocabulary.classes:
            yield from class_change(triple, other, vocabulary)
        return
    for name in walk(triple.predicate):
        if isinstance(name, IRI) and name.value != RDF_TYPE:
            for other in vocabulary.predicates:
                yield from predicate_change(plan, triple, name, other, vocabulary)


def turned(triple: TriplePattern) -> Iterator[Candidate]:
    """Yield the triple pattern the other way round."""
    if not is_type(triple) and not isinstance(triple.object, Literal):
        other = replace(triple, subject=triple.object, object=triple.subject)
        yield Candidate(triple, other, "reversed", _REVERSED)


def renamed(plan: Plan, triple: TriplePattern) -> Iterator[Candidate]:
    """Yield the triple pattern about another variable of the plan."""
    others = [name for name in plan.where.scope() if name not in {triple.subject, triple.object}]
    for place in ("subject", "object"):
        if isinstance(getattr(triple, place), Variable) and not (place == "object" and is_type(triple)):
            for other in others:
                ends: dict[str, Any] = {place: other}
                yield Candidate(triple, replace(triple, **ends), "variable", _RENAMED)


def predicate_change(
    plan: Plan, triple: TriplePattern, name: IRI, other: str, vocabulary: Vocabulary
) -> Iterator[Candidate]:
    """Yield the triple pattern with `other` in the place of the predicate `name`, or of one in its path."""
    if other in {name.value, RDF_TYPE}:
        return
    called = meant_by(local(other), triple.object)
    unknown = bool(vocabulary.predicates) and name.value not in vocabulary.predicates
    score = _likely(alike(local(name.value), local(other)), called, unknown=unknown)
    if not unknown and meant_by(local(name.value), triple.object) >= max(called, _SUITABLE):
        score *= _SUITABLE
    path = put(triple.predicate, name, IRI(other))
    repeated = _REPEATED if _used(plan, triple, other) else 1
    yield Candidate(triple, replace(triple, predicate=path), "predicate", score * repeated)


def class_change(triple: TriplePattern, other: str, vocabulary: Vocabulary) -> Iterator[Candidate]:
    """Yield the triple pattern with `other` in the place of its class."""
    name = triple.object
    if isinstance(name, IRI) and other != name.value:
        called = meant_by(local(other), triple.subject)
        unknown = bool(vocabulary.classes) and name.value not in vocabulary.classes
        score = _likely(alike(local(name.value), local(other)), called, unknown=unknown)
        if not unknown and meant_by(local(name.value), triple.subject) >= max(called, _SUITABLE):
            score *= _SUITABLE
        yield Candidate(triple, replace(triple, object=IRI(other)), "class", score)


def _likely(similar: float, called: float, *, unknown: bool) -> float:
    """Return how likely a name was meant, by its likeness to the wrong one and by the variable at its end."""
    if unknown:
        slip = similar if similar >= _SIMILAR else similar / 2
        return max(slip, 0.3 + 0.35 * called) + 0.02 * called
    return 0.33 + 0.35 * called + 0.05 * similar


def _used(plan: Plan, triple: TriplePattern, predicate: str) -> bool:
    """Whether the subject has the predicate elsewhere in the plan."""
    return any(
        isinstance(part, TriplePattern)
        and part is not triple
        and part.subject == triple.subject
        and part.predicate == IRI(predicate)
        for part in walk(plan.where)
    )


def hops(triple: TriplePattern, vocabulary: Vocabulary) -> Iterator[Candidate]:
    """Yield the triple pattern with one more step, before or after its predicate."""
    predicate = triple.predicate
    if isinstance(predicate, Variable) or is_type(triple) or len(vocabulary.predicates) > _FEW:
        return
    for other in vocabulary.predicates:
        if other != RDF_TYPE:
            step = IRI(other)
            for parts in ((step, predicate), (predicate, step), (InversePath(step), predicate)):
                yield Candidate(triple, replace(triple, predicate=SequencePath(parts)), "hop", _HOP)
