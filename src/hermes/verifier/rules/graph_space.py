"""The columns of one graph as bits, and where its paths lead (SPARQL 1.1, sections 9 and 18.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, Self, TypeVar

from hermes.sparql.paths import (
    AlternativePath,
    InversePath,
    NegatedPath,
    Path,
    RepeatPath,
    SequencePath,
)
from hermes.terms import IRI
from hermes.verifier.schema import Predicate

K = TypeVar("K")

Values = int
"""A set of bits: what a variable or an expression can be."""

Links = dict[str, dict[Values, Values]]
"""By predicate: for each bit at one end of its triples, the bits at the other."""


class _Standing(Protocol):
    """What says in which columns of a graph terms stand."""

    @property
    def classes(self) -> tuple[str, ...]: ...
    @property
    def subject_of(self) -> tuple[str, ...]: ...
    @property
    def object_of(self) -> tuple[str, ...]: ...
    @property
    def predicate(self) -> bool: ...


class GraphSpace:
    """Which signatures stand in the columns of a graph, or of several taken together.

    Attributes:
        name: of a named graph; None of the default graph; empty where it is one of several.
        known: its predicates, and what is known of each.
        subjects: the signatures that are subjects of a predicate.
        objects: the same of objects.
        classes: the same of instances of a class.
        predicates: the signatures that are predicates.
        has_out: the signatures all of whose terms are subjects of a predicate.
        has_in: the same of objects.
        has_class: the same of instances of a class.
        any_subject: the signatures that are subjects of any predicate.
        any_object: the same of objects.
        links_ahead: for each graph taken together, what follows from the subjects of a predicate.
        links_back: the same from its objects.
    """

    def __init__(self, name: str | None) -> None:
        self.name = name
        self.known: Mapping[str, Predicate] = {}
        self.subjects: dict[str, Values] = {}
        self.objects: dict[str, Values] = {}
        self.classes: dict[str, Values] = {}
        self.has_out: dict[str, Values] = {}
        self.has_in: dict[str, Values] = {}
        self.has_class: dict[str, Values] = {}
        self.predicates = 0
        self.any_subject = 0
        self.any_object = 0
        self.links_ahead: list[Links] = []
        self.links_back: list[Links] = []

    def add(self, columns: _Standing, bit: Values, *, exact: bool) -> None:
        """Say in which columns a signature stands; with all of its terms where `exact`."""
        sides = (
            (columns.subject_of, self.subjects, self.has_out),
            (columns.object_of, self.objects, self.has_in),
            (columns.classes, self.classes, self.has_class),
        )
        for names, some, every in sides:
            for name in names:
                include(some, name, bit)
                if exact:
                    include(every, name, bit)
        self.predicates |= bit if columns.predicate else 0
        self.any_subject |= bit if columns.subject_of else 0
        self.any_object |= bit if columns.object_of else 0

    def link(self, predicates: Mapping[str, Predicate], bits: Sequence[Values]) -> None:
        """Say which signatures the predicates connect; `bits` are the signatures by place."""
        self.known = predicates
        ahead: Links = {}
        back: Links = {}
        for name, predicate in predicates.items():
            out, into = ahead.setdefault(name, {}), back.setdefault(name, {})
            for subject, object_ in predicate.links:
                include(out, bits[subject], bits[object_])
                include(into, bits[object_], bits[subject])
        self.links_ahead, self.links_back = [ahead], [back]

    @classmethod
    def merged(cls, parts: Sequence[GraphSpace], name: str | None = None) -> Self:
        """Return the graph that has the triples of all parts (section 13.1)."""
        found = cls(name)
        found.known = _known(parts)
        for part in parts:
            for own, theirs in zip(found.columns, part.columns, strict=True):
                for each, bits in theirs.items():
                    include(own, each, bits)
            found.predicates |= part.predicates
            found.any_subject |= part.any_subject
            found.any_object |= part.any_object
            found.links_ahead += part.links_ahead
            found.links_back += part.links_back
        return found

    @classmethod
    def any_of(cls, parts: Sequence[GraphSpace]) -> Self:
        """Return what holds of a graph that is one of the parts, not known which."""
        found = cls.merged(parts, "")
        found.has_out = _in_all([part.has_out for part in parts])
        found.has_in = _in_all([part.has_in for part in parts])
        found.has_class = _in_all([part.has_class for part in parts])
        return found

    @property
    def columns(self) -> tuple[dict[str, Values], ...]:
        """The columns by predicate and by class."""
        return self.subjects, self.objects, self.classes, self.has_out, self.has_in, self.has_class

    @property
    def terms(self) -> Values:
        """All terms of the graph."""
        return self.any_subject | self.any_object | self.predicates

    @property
    def triples(self) -> int:
        """How many triples there are; of several graphs, those that they share more than once."""
        return sum(each.triples for each in self.known.values())

    # --- where paths lead -----------------------------------------------------------------------

    def ahead(self, path: Path, start: Values) -> Values:
        """Return where a path can lead from `start`; paths of length zero stay where they are."""
        match path:
            case IRI(value):
                return _step(self.links_ahead, self.subjects, self.objects, value, start)
            case InversePath(inner):
                return self.back(inner, start)
            case SequencePath(parts):
                for part in parts:
                    start = self.ahead(part, start)
                return start
            case AlternativePath(parts):
                found = 0
                for part in parts:
                    found |= self.ahead(part, start)
                return found
            case RepeatPath():
                return self._repeated(path, start, forwards=True)
            case NegatedPath():
                return self._negated(path, start, forwards=True)

    def back(self, path: Path, end: Values) -> Values:
        """Return where a path can come from that leads to `end`."""
        match path:
            case IRI(value):
                return _step(self.links_back, self.objects, self.subjects, value, end)
            case InversePath(inner):
                return self.ahead(inner, end)
            case SequencePath(parts):
                for part in reversed(parts):
                    end = self.back(part, end)
                return end
            case AlternativePath(parts):
                found = 0
                for part in parts:
                    found |= self.back(part, end)
                return found
            case RepeatPath():
                return self._repeated(path, end, forwards=False)
            case NegatedPath():
                return self._negated(path, end, forwards=False)

    def _repeated(self, path: RepeatPath, start: Values, *, forwards: bool) -> Values:
        step = self.ahead if forwards else self.back
        found = step(path.path, start)
        if path.times != "?":
            new = found
            while new:
                new = step(path.path, new) & ~found
                found |= new
        return found if path.times == "+" else found | start

    def _negated(self, path: NegatedPath, start: Values, *, forwards: bool) -> Values:
        """Any other predicate may lead anywhere that some predicate leads."""
        one, other = self.any_subject, self.any_object
        found = 0
        # `!(^a)` alone goes backwards only, `!a` alone forwards only (section 9.1).
        if path.forward or not path.backward:
            near, far = (one, other) if forwards else (other, one)
            found |= far if start & near else 0
        if path.backward:
            near, far = (other, one) if forwards else (one, other)
            found |= far if start & near else 0
        return found


def _step(
    links: list[Links], near: Mapping[str, Values], far: Mapping[str, Values], predicate: str, start: Values
) -> Values:
    all_near = near.get(predicate, 0)
    start &= all_near
    linked = any(part.get(predicate) for part in links)
    if start == all_near or (start and not linked):  # no links: which ends go together is not known
        return far.get(predicate, 0)
    reached = 0
    for part in links:
        steps = part.get(predicate, {})
        left = start
        while left:
            bit = left & -left
            reached |= steps.get(bit, 0)
            left ^= bit
    return reached


def _known(parts: Sequence[GraphSpace]) -> dict[str, Predicate]:
    """Return the predicates of several graphs; of one that more than one has, only the triples."""
    found: dict[str, Predicate] = {}
    for part in parts:
        for name, predicate in part.known.items():
            other = found.get(name)
            found[name] = predicate if other is None else Predicate(other.triples + predicate.triples)
    return found


def include(found: dict[K, Values], key: K, bits: Values) -> None:
    """Add bits to those of a key."""
    found[key] = found.get(key, 0) | bits


def _in_all(parts: Iterable[Mapping[str, Values]]) -> dict[str, Values]:
    found: dict[str, Values] | None = None
    for part in parts:
        if found is None:
            found = dict(part)
        else:
            found = {name: bits & part.get(name, 0) for name, bits in found.items()}
    return found or {}
