"""What ontologies and shapes expect of a graph. A graph may do otherwise, so nothing is proved by it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final
from typing import Literal as OneOf

from hermes.terms import Literal, Term

if TYPE_CHECKING:
    from hermes.verifier.schema import Kind

Source = OneOf["ontology", "shapes"]
Place = tuple[OneOf["class", "subject", "object"], str]
"""Where a term stands: an instance of a class, or a subject or an object of a predicate."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a source expects of the terms in one place; what is empty or None is not said.

    Args:
        source: who says so.
        of: the place of the terms.
        given: where the other end of the triple has to stand for this to be said.
        classes: IRIs and blank nodes are of one of these, or of classes below or above.
        kinds: what terms may be.
        datatypes: literals have one of these (`rdf:langString` for a language tag).
        languages: language tags, of which a literal has one, or a finer one.
        values: the terms that may stand there.
        low: the least number or date; that it may be excluded is not kept.
        high: the greatest.
    """

    source: Source
    of: Place
    given: Place | None = None
    classes: frozenset[str] = frozenset()
    kinds: frozenset[Kind] = frozenset()
    datatypes: frozenset[str] = frozenset()
    languages: frozenset[str] = frozenset()
    values: frozenset[Term] = frozenset()
    low: Literal | None = None
    high: Literal | None = None


@dataclass(frozen=True)
class Expectations:
    """All that ontologies and shapes expect.

    Args:
        of: by place, what is expected of the terms there.
        broader: for a class or a predicate those directly above it; equivalent ones are above each other.
        disjoint: pairs of classes without common instances.
        closed: for a class the only predicates that its instances have, by a closed shape.
        single: the predicates with at most one object for a subject.
        deprecated: predicates and classes that are not to be used any more.
    """

    of: Mapping[Place, tuple[Expectation, ...]] = field(default_factory=dict)
    broader: Mapping[str, frozenset[str]] = field(default_factory=dict)
    disjoint: frozenset[frozenset[str]] = frozenset()
    closed: Mapping[str, frozenset[str]] = field(default_factory=dict)
    single: frozenset[str] = frozenset()
    deprecated: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.of or self.disjoint or self.closed or self.single or self.deprecated)

    def above(self, name: str) -> frozenset[str]:
        """Return a class or a predicate with all that is above it."""
        return _reached(name, self.broader, self._above)

    def below(self, name: str) -> frozenset[str]:
        """Return a class or a predicate with all that is below it."""
        return _reached(name, self._narrower, self._below)

    @cached_property
    def _above(self) -> dict[str, frozenset[str]]:
        return {}

    @cached_property
    def _below(self) -> dict[str, frozenset[str]]:
        return {}

    @cached_property
    def _narrower(self) -> Mapping[str, frozenset[str]]:
        found: dict[str, set[str]] = defaultdict(set)
        for name, broader in self.broader.items():
            for each in broader:
                found[each].add(name)
        return {name: frozenset(narrower) for name, narrower in found.items()}

    @cached_property
    def known_classes(self) -> frozenset[str]:
        """The classes that an expectation or the hierarchy names."""
        found = {name for all_ in self.of.values() for each in all_ for name in each.classes}
        found |= {each.given[1] for all_ in self.of.values() for each in all_ if each.given is not None}
        found |= self.broader.keys() | self.closed.keys()
        return frozenset(found.union(*self.broader.values(), *self.disjoint))

    def may_share(self, one: str, other: str) -> bool:
        """Whether two classes are one below the other, or have a class below both."""
        related = one in self.above(other) or other in self.above(one)
        return related or not self.below(one).isdisjoint(self.below(other))

    def are_disjoint(self, one: str, other: str) -> bool:
        """Whether two classes, or classes above them, are said to have no instance in common."""
        above = self.above(other)
        return any(frozenset({each, far}) in self.disjoint for each in self.above(one) for far in above)

    def at(self, place: Place) -> Iterable[Expectation]:
        """Yield what is expected in a place, of predicates above the one that is named too."""
        role, name = place
        for each in sorted(self.above(name)):
            yield from self.of.get((role, each), ())

    def __or__(self, other: Expectations) -> Expectations:
        """Return what either expects."""
        of, broader, closed = dict(self.of), dict(self.broader), dict(self.closed)
        for place, expected in other.of.items():
            of[place] = (*of.get(place, ()), *expected)
        for name, above in other.broader.items():
            broader[name] = broader.get(name, frozenset()) | above
        for name, allowed in other.closed.items():
            closed[name] = closed[name] & allowed if name in closed else allowed
        return Expectations(
            of,
            broader,
            self.disjoint | other.disjoint,
            closed,
            self.single | other.single,
            self.deprecated | other.deprecated,
        )


def _reached(
    name: str, links: Mapping[str, frozenset[str]], known: dict[str, frozenset[str]]
) -> frozenset[str]:
    """Return a name with all that links lead to, which may go in a ring."""
    found = known.get(name)
    if found is None:
        reached, ahead = {name}, [name]
        while ahead:
            new = links.get(ahead.pop(), frozenset()) - reached
            reached |= new
            ahead += new
        found = known[name] = frozenset(reached)
    return found


NOTHING_EXPECTED: Final = Expectations()
