"""What the phrases of a question say of the classes of a graph, and how far these are apart."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from hermes.labels.stems import root
from hermes.linking.english import meant_by
from hermes.linking.lexicon import Name
from hermes.policies.class_graph import ClassGraph, Link
from hermes.policies.draft import Attribute
from hermes.policies.instance_names import InstanceNames
from hermes.policies.reading import Phrase, Reading

FAR: Final = 0.12
"""What each link between classes takes from a score."""
UNREACHED: Final = 9.0
SAID: Final = 0.45
"""The least fit of a phrase to an attribute."""
_CLASS: Final = 0.75
"""The same to a class."""

_MENTIONED: Final = 0.05
"""What a link has more for each of its classes that the question says."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What a graph is made of, as drafting needs it.

    Args:
        graph: its classes.
        numeric: the predicates with numbers or dates as objects.
        nameless: the classes of which all instances are blank nodes.
    """

    graph: ClassGraph
    numeric: frozenset[str]
    nameless: frozenset[str] = frozenset()


class Phrases:
    """What the phrases of one question say of a graph.

    Args:
        reading: the question.
        ground: the graph.

    Attributes:
        reading: see above.
        instances: what the instances of classes are called by.
    """

    def __init__(self, reading: Reading, ground: Ground) -> None:
        self.reading = reading
        self._reading = reading
        self._graph = ground.graph
        self._numeric = ground.numeric
        self._names = {name.term.value: name for name in reading.lexicon.names}
        self.instances = InstanceNames(self._names, ground.graph)
        self._liked = frozenset(
            name.term.value
            for name in reading.lexicon.names
            if name.role == "predicate"
            and any(reading.fit(phrase, name) >= SAID for phrase in reading.phrases)
        )
        self._links = tuple(ground.graph.all_links())
        self._distances: dict[tuple[str, str], float] = {}

    def class_of(self, phrase: Phrase) -> tuple[float, str]:
        """Return the class that a phrase says best, with how well."""
        rated = [
            (self._reading.fit(phrase, name), name.count, name.term.value)
            for name in self._names.values()
            if name.role == "class"
        ]
        fit, _, cls = max(rated, default=(0.0, 0, ""))
        return fit, cls

    def attribute_of(
        self, phrase: Phrase, cls: str, *, numeric: bool = False
    ) -> tuple[float, Attribute | None]:
        """Return the attribute that a phrase says best, of a class or of one that is not far from it."""
        best: tuple[float, Attribute | None] = (0.0, None)
        for name in self._names.values():
            if name.role != "predicate" or (numeric and name.term.value not in self._numeric):
                continue
            fit = self._reading.fit(phrase, name)
            if fit < SAID:
                continue
            for domain in self._graph.domains.get(name.term.value, ()):
                if name.term.value not in self._graph.attributes.get(domain, ()):
                    continue
                score = fit - FAR * self.distance(cls, domain)
                if score > best[0]:
                    best = score, Attribute(domain, name.term.value)
        return best

    def link_of(self, phrase: Phrase, cls: str, needed: Collection[str] = ()) -> tuple[float, Link | None]:
        """Return the link that a phrase says best, near to a class; of equal ones that to a class needed."""
        best: tuple[float, Link | None] = (0.0, None)
        for link in self._links:
            name = self._names.get(link.predicate)
            fit = 0.0 if name is None else self._reading.fit(phrase, name)
            if fit < SAID:
                continue
            near = min(self.distance(cls, link.subject), self.distance(cls, link.object))
            wanted = {*needed, *(each for _, each in self.classes.values())}
            ends = wanted & {link.subject, link.object}
            rated = fit - FAR * near + _MENTIONED * len(ends)
            if rated > best[0]:
                best = rated, link
        return best

    def meant_attribute(self, words: Sequence[str], cls: str) -> tuple[float, Attribute | None]:
        """Return the number that words for a quality ask for: "oldest" an age, of a class or near it."""
        order = [each for word in words for each in meant_by(word)]
        far = 2.5 * FAR
        best: tuple[float, Attribute | None] = (0.0, None)
        for name in self._names.values():
            iri = name.term.value
            if iri not in self._numeric or not set(order) & set(name.roots):
                continue
            place = min(order.index(each) for each in name.roots if each in order)
            for domain in self._graph.domains.get(iri, ()):
                score = 0.8 - 0.08 * place - far * self.distance(cls, domain) - 0.05 * (len(name.roots) - 1)
                if score > best[0]:
                    best = score, Attribute(domain, iri)
        return best

    def distance(self, one: str, other: str) -> float:
        """Return how many links lie between two classes."""
        if (one, other) not in self._distances:
            path = self._graph.tree(one, [other])
            self._distances[one, other] = UNREACHED if path is None else float(len(path))
        return self._distances[one, other]

    def tree(self, cls: str, others: Sequence[str]) -> tuple[Link, ...] | None:
        """Return what connects a class with others."""
        return self._graph.tree(cls, others, self._liked)

    def namesake(self, text: str, phrase: Phrase, cls: str) -> str | None:
        """Return an attribute of a class that has a word for a function in its own name, and is said."""
        for iri, name in self.named_with(root(text)):
            if iri in self._graph.attributes.get(cls, ()) and self._reading.fit(phrase, name) >= SAID:
                return iri
        return None

    def named_with(self, said: str) -> list[tuple[str, Name]]:
        """Return the predicates that have a root in their own name."""
        return [
            (iri, name)
            for iri, name in sorted(self._names.items())
            if said in name.roots and name.role == "predicate"
        ]

    def name(self, iri: str) -> Name | None:
        """Return the name of a predicate or a class."""
        return self._names.get(iri)

    @cached_property
    def classes(self) -> dict[Phrase, tuple[float, str]]:
        """The class that each phrase says, where it says one."""
        found = {phrase: self.class_of(phrase) for phrase in self._reading.phrases}
        return {phrase: each for phrase, each in found.items() if each[0] >= _CLASS}

    def domains(self, predicate: str) -> tuple[str, ...]:
        """Return the classes of the subjects of a predicate."""
        return self._graph.domains.get(predicate, ())

    def is_numeric(self, predicate: str | None) -> bool:
        """Whether a predicate has numbers or dates."""
        return predicate in self._numeric
