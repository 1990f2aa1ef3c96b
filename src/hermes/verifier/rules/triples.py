"""Triple patterns (SPARQL 1.1, sections 5.1 and 18.4).

A pattern says what its ends can be: the columns of its predicate. It also links them: what one end can be
follows from the other. Links hold in every solution, so they are followed until nothing changes. Each is of
the graph that its pattern is matched in; links of two graphs meet in the terms that stand in both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from hermes.sparql.paths import Path, RepeatPath, SequencePath
from hermes.sparql.patterns import End, TriplePattern
from hermes.sparql.tree import walk
from hermes.terms import IRI, RDF_TYPE, Variable
from hermes.verifier.rules.graph_space import GraphSpace, Values
from hermes.verifier.rules.solutions import Cause, Link, NoSolution, Solutions, joined
from hermes.verifier.rules.space import UNBOUND, Space

_ROUNDS: Final = 12
"""Links are followed so many times; to stop early leaves more values, which is safe."""


class Triples:
    """The rule of triple patterns in a space."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self._shorter: dict[tuple[TriplePattern, GraphSpace], TriplePattern] = {}

    def add(self, solutions: Solutions, pattern: TriplePattern, graph: GraphSpace) -> None:
        """Join `solutions` with a triple pattern that is matched in a graph, in place.

        Raises:
            NoSolution: the pattern matches nothing, or nothing that its variables can be.
        """
        subjects, objects = self.ends(pattern, graph)
        self._narrow(solutions, pattern, pattern.subject, subjects)
        self._narrow(solutions, pattern, pattern.object, objects)
        if isinstance(pattern.predicate, Variable):
            self._narrow(solutions, pattern, pattern.predicate, graph.predicates)
        solutions.links.append(Link(pattern, graph))

    def ends(self, pattern: TriplePattern, graph: GraphSpace) -> tuple[Values, Values]:
        """Return what subject and object can be in a graph for the sake of the predicate and of constants.

        Raises:
            NoSolution: the predicate does not occur, or a constant does not occur with it.
        """
        predicate, anything = self._shortened(pattern, graph).predicate, self.space.anything
        if isinstance(predicate, Variable):
            subjects, objects = graph.any_subject, graph.any_object
        else:
            subjects, objects = graph.back(predicate, anything), graph.ahead(predicate, anything)
            if not subjects or not objects:
                names = (part.value for part in walk(predicate) if isinstance(part, IRI))
                if all(name in graph.known for name in names):
                    raise NoSolution(Cause("no-such-path", pattern, predicate))
                raise NoSolution(Cause("unknown-predicate", pattern, predicate))
        if (
            predicate == _TYPE
            and isinstance(pattern.object, IRI)
            and pattern.object.value not in graph.classes
        ):
            raise NoSolution(Cause("unknown-class", pattern, pattern.object))
        fixed_object = self._fixed(pattern, pattern.object, objects, graph)
        fixed_subject = self._fixed(pattern, pattern.subject, subjects, graph)
        if isinstance(predicate, Variable):
            return subjects, objects
        if predicate == _TYPE and isinstance(pattern.object, IRI):
            subjects &= graph.classes.get(pattern.object.value, 0)
        elif fixed_object:
            subjects &= graph.back(predicate, fixed_object)
        if fixed_subject:
            objects &= graph.ahead(predicate, fixed_subject)
        return subjects, objects

    def _shortened(self, pattern: TriplePattern, graph: GraphSpace) -> TriplePattern:
        """Return the pattern without steps of its path that never lead to its constant end, or from it.

        `?x a/rdfs:subClassOf* ex:City` is `?x a ex:City` where nothing is said to be a subclass of it.
        """
        if not isinstance(pattern.predicate, SequencePath):
            return pattern
        found = self._shorter.get((pattern, graph))
        if found is None:
            parts = list(pattern.predicate.parts)
            while len(parts) > 1 and self._stays(parts[-1], pattern.object, graph.back):
                parts.pop()
            while len(parts) > 1 and self._stays(parts[0], pattern.subject, graph.ahead):
                parts.pop(0)
            path = parts[0] if len(parts) == 1 else SequencePath(tuple(parts))
            found = self._shorter[pattern, graph] = replace(pattern, predicate=path)
        return found

    def _stays(self, step: Path, end: End, lead: Callable[[Path, Values], Values]) -> bool:
        """Whether a step that may be left out never leads anywhere from (or to) a constant."""
        if isinstance(end, Variable) or not isinstance(step, RepeatPath) or step.times == "+":
            return False
        return not lead(step.path, self.space.of_term(end))

    def _fixed(self, pattern: TriplePattern, end: End, column: Values, graph: GraphSpace) -> Values:
        """Return what a constant can be in a column; 0 of a variable."""
        if isinstance(end, Variable):
            return 0
        anywhere = self.space.of_term(end)
        found = anywhere & column
        if not found:
            if anywhere & graph.terms:
                raise NoSolution(Cause("no-such-triple", pattern, end))
            raise NoSolution(Cause("unknown-term", pattern, end))
        return found

    def _narrow(self, solutions: Solutions, pattern: TriplePattern, end: End, values: Values) -> None:
        if isinstance(end, Variable):
            found = joined(solutions.of(end), values)
            if not found:
                before = solutions.of(end)
                raise NoSolution(Cause("no-common-terms", pattern, end, tuple(solutions.links), before))
            solutions.values[end] = found
        elif not self.space.of_term(end) & values:
            raise NoSolution(Cause("no-such-link", pattern, end))

    def follow(self, solutions: Solutions) -> None:
        """Narrow the variables along the links until nothing changes, in place.

        Raises:
            NoSolution: a link leads to nothing.
        """
        links = [link for link in solutions.links if not isinstance(link.pattern.predicate, Variable)]
        if len(links) < 2 and not any(link.pattern.subject == link.pattern.object for link in links):  # noqa: PLR2004
            links = [link for link in links if self._narrowed(solutions, link)]
        for _ in range(_ROUNDS):
            changed = [link for link in links if self._follow(solutions, link)]
            if not changed:
                return

    def _narrowed(self, solutions: Solutions, link: Link) -> bool:
        """Whether anything else than the link itself has narrowed its ends."""
        pattern = link.pattern
        ends = zip((pattern.subject, pattern.object), self.ends(*link), strict=True)
        return any(isinstance(end, Variable) and solutions.of(end) != values for end, values in ends)

    def _follow(self, solutions: Solutions, link: Link) -> bool:
        """Narrow the ends of one link; return whether one of them changed."""
        pattern, graph = link
        path = self._shortened(pattern, graph).predicate
        if isinstance(path, Variable):
            return False
        near = self._values(solutions, pattern.subject)
        far = self._values(solutions, pattern.object)
        new_far = far & graph.ahead(path, near)
        new_near = near & graph.back(path, new_far)
        if pattern.subject == pattern.object:
            new_near = new_far = new_near & new_far
        if not new_near or not new_far:
            raise NoSolution(Cause("no-such-link", pattern, pattern.subject, tuple(solutions.links)))
        changed = False
        for end, old, new in ((pattern.subject, near, new_near), (pattern.object, far, new_far)):
            if new != old and isinstance(end, Variable):
                solutions.values[end] = new
                changed = True
        return changed

    def _values(self, solutions: Solutions, end: End) -> Values:
        return solutions.of(end) & ~UNBOUND if isinstance(end, Variable) else self.space.of_term(end)


_TYPE: Final = IRI(RDF_TYPE)
