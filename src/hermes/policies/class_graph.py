"""The classes of a graph with what connects them: what a chase grows along."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from hermes.terms import OWL, RDF, RDFS
from hermes.verifier import Schema

_SCHEMA: Final = (RDF, RDFS, OWL)


@dataclass(frozen=True, slots=True, order=True)
class Link:
    """A predicate from the instances of one class to those of another."""

    subject: str
    predicate: str
    object: str

    def other(self, cls: str) -> str:
        """Return the class at the other end."""
        return self.object if cls == self.subject else self.subject


@dataclass(frozen=True)
class ClassGraph:
    """The classes and predicates of a graph.

    Args:
        attributes: the predicates with literals of the instances of a class.
        links: what connects two classes, with how many pairs of signatures say so.
        domains: the classes of the subjects of a predicate, the largest first.
    """

    attributes: Mapping[str, frozenset[str]] = field(default_factory=dict)
    links: Mapping[str, tuple[Link, ...]] = field(default_factory=dict)
    domains: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, schema: Schema) -> ClassGraph:
        """Return what a schema says of the classes."""
        attributes: defaultdict[str, set[str]] = defaultdict(set)
        links: defaultdict[str, set[Link]] = defaultdict(set)
        domains: defaultdict[str, Counter[str]] = defaultdict(Counter)
        signatures = schema.signatures
        for iri, predicate in schema.predicates.items():
            if iri.startswith(_SCHEMA) and iri != RDFS + "label":
                continue
            for one, other in predicate.links:
                subject, value = signatures[one], signatures[other]
                for name in subject.classes:
                    domains[iri][name] += subject.count
                    if value.kind == "literal":
                        attributes[name].add(iri)
                    for end in value.classes:
                        link = Link(name, iri, end)
                        links[name].add(link)
                        links[end].add(link)
        return cls(
            {name: frozenset(found) for name, found in attributes.items()},
            {name: tuple(sorted(found)) for name, found in links.items()},
            {iri: tuple(name for name, _ in counts.most_common()) for iri, counts in domains.items()},
        )

    def tree(self, start: str, ends: Collection[str], liked: Collection[str] = ()) -> tuple[Link, ...] | None:
        """Return links that connect a class with others: short paths, over predicates that are liked first.

        None where one cannot be reached.
        """
        reached = {start}
        chosen: dict[Link, None] = {}
        for end in sorted(ends, key=lambda each: (each != start, each)):
            if end in reached:
                continue
            path = self._path(reached, end, frozenset(liked))
            if path is None:
                return None
            for link in path:
                chosen[link] = None
                reached |= {link.subject, link.object}
        return tuple(chosen)

    def _path(self, starts: Collection[str], end: str, liked: Collection[str]) -> tuple[Link, ...] | None:
        """Return the shortest path from any start to a class (breadth first, liked predicates first)."""
        queue: deque[tuple[str, tuple[Link, ...]]] = deque((start, ()) for start in sorted(starts))
        seen = set(starts)
        while queue:
            at, path = queue.popleft()
            for link in sorted(self.links.get(at, ()), key=lambda each: (each.predicate not in liked, each)):
                other = link.other(at)
                if other == end:
                    return (*path, link)
                if other not in seen:
                    seen.add(other)
                    queue.append((other, (*path, link)))
        return None

    def all_links(self) -> Iterator[Link]:
        """Yield each link once."""
        yield from sorted({link for links in self.links.values() for link in links})
