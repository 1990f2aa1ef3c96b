"""The triple patterns of a group: in which order they are joined, and which every solution meets."""

from __future__ import annotations

from hermes.algebra.operators.join import Join
from hermes.sparql.patterns import Element, Group, TriplePattern
from hermes.terms import IRI, RDF_TYPE, Variable


def joined_first(elements: tuple[Element, ...]) -> list[Element]:
    """Return the elements, runs of triple patterns in an order that shares variables early: joins commute."""
    found: list[Element] = []
    run: list[TriplePattern] = []
    for element in elements:
        if isinstance(element, TriplePattern):
            run.append(element)
            continue
        found += _chained(run)
        run = []
        found.append(element)
    return [*found, *_chained(run)]


def _chained(run: list[TriplePattern]) -> list[TriplePattern]:
    found: list[TriplePattern] = []
    seen: set[Variable] = set()
    left = list(run)
    while left:
        pattern = min(left, key=lambda each: (not seen & set(each.binds()), len(set(each.binds()) - seen)))
        left.remove(pattern)
        found.append(pattern)
        seen |= set(pattern.binds())
    return found


def stated_in(group: Group) -> list[TriplePattern]:
    """Return the triple patterns that every solution of a group meets."""
    return [pattern for element in group.elements for pattern in stated_by(element)]


def stated_by(element: Element) -> list[TriplePattern]:
    """Return the triple patterns that every solution meets for the sake of an element."""
    if isinstance(element, Join):
        return stated_in(element.patterns)
    return [element] if isinstance(element, TriplePattern) else []


def class_of(pattern: TriplePattern) -> str | None:
    """Return the class of `?x a ex:Class`."""
    typed = pattern.predicate == IRI(RDF_TYPE) and isinstance(pattern.object, IRI)
    return pattern.object.value if typed and isinstance(pattern.object, IRI) else None
