"""What the instances of a class are called by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hermes.linking import Candidate
from hermes.linking.lexicon import Name
from hermes.policies.class_graph import ClassGraph
from hermes.policies.draft import Attribute
from hermes.policies.english import NAMING, ONE_WORD, PARTS_OF_NAMES


class InstanceNames:
    """Says by what the instances of a class are shown, where a table made them and their IRIs say nothing.

    Args:
        names: the names of predicates and classes, by IRI.
        graph: the classes.
    """

    def __init__(self, names: Mapping[str, Name], graph: ClassGraph) -> None:
        self._names = names
        self._graph = graph

    def shown(self, cls: str) -> Attribute:
        """Return what the instances of a class are shown by: their names, where a table made them."""
        best: tuple[int, int, str] | None = None
        of_class = set(self._names[cls].roots) if cls in self._names else set()
        for iri in sorted(self._graph.attributes.get(cls, ())):
            name = self._names.get(iri)
            if name is None or not name.of:
                continue
            others = [each for each in name.roots if each not in of_class and each not in name.of]
            if not NAMING.isdisjoint(name.roots):
                rated = (0, len(others), iri)
            elif not others:
                rated = (1, 0, iri)
            elif _is_id(name.roots):
                rated = (2, len(others), iri)
            else:
                rated = (3, len(others), iri)
            best = rated if best is None else min(best, rated)
        return Attribute(cls, best[2] if best else None)

    def full_name(self, cls: str) -> tuple[Attribute, ...]:
        """Return the first and the last name of a class whose instances have no other."""
        found: dict[str, str] = {}
        for iri in sorted(self._graph.attributes.get(cls, ())):
            name = self._names.get(iri)
            if name is None or not name.of:
                continue
            for part, roots in PARTS_OF_NAMES.items():
                if roots & set(name.roots) and (len(name.roots) > 1 or name.roots[0] in ONE_WORD):
                    found.setdefault(part, iri)
        plain = self.shown(cls)
        name = self._names.get(plain.predicate or "")
        others = set(name.roots) - set(name.of) - NAMING if name is not None else {""}
        if len(found) < len(PARTS_OF_NAMES) or not others:
            return ()
        return tuple(Attribute(cls, found[part]) for part in ("first", "last"))

    def only_names(self, candidate: Candidate) -> bool:
        """Whether a text is nothing but the name of things."""
        names = [self._names.get(each.value) for each in candidate.predicates]
        return all(name is None or not NAMING.isdisjoint(name.roots) for name in names)

    def named(self, cls: str) -> Attribute | None:
        """Return what gives the instances of a class their names, or else those that they are linked with."""
        for each in (cls, *sorted({link.other(cls) for link in self._graph.links.get(cls, ())})):
            shown = self.shown(each)
            name = self._names.get(shown.predicate or "")
            if name is not None and not NAMING.isdisjoint(name.roots):
                return shown
        shown = self.shown(cls)
        return shown if shown.predicate is not None else None

    def identified(self, cls: str) -> Attribute | None:
        """Return the attribute that identifies the instances of a class."""
        of_class = set(self._names[cls].roots) if cls in self._names else set()
        rated = [
            (sum(each not in of_class for each in name.roots), len(name.roots), iri)
            for iri in self._graph.attributes.get(cls, ())
            if (name := self._names.get(iri)) is not None and _is_id(name.roots)
        ]
        return Attribute(cls, min(rated)[2]) if rated else None


def _is_id(roots: Sequence[str]) -> bool:
    return any(each in ("id", "cod") or each.endswith("id") for each in roots)
