"""Triple patterns and property paths (SPARQL 1.1, sections 5.1, 9 and 18.4).

A pattern says what its ends can be: the columns of its predicate. It also links them: what one end can be
follows from the other. Links hold in every solution, so they are followed until nothing changes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hermes.sparql.paths import (
    AlternativePath,
    InversePath,
    NegatedPath,
    Path,
    RepeatPath,
    SequencePath,
)
from hermes.sparql.patterns import End, TriplePattern
from hermes.sparql.tree import walk
from hermes.terms import IRI, RDF_TYPE, Variable
from hermes.verifier.rules.solutions import Cause, NoSolution, Solutions, joined
from hermes.verifier.rules.space import UNBOUND, Space, Values

_ROUNDS: Final = 12
"""Links are followed so many times; to stop early leaves more values, which is safe."""


class Triples:
    """The rule of triple patterns in a space."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self._shorter: dict[TriplePattern, TriplePattern] = {}

    def add(self, solutions: Solutions, pattern: TriplePattern) -> None:
        """Join `solutions` with a triple pattern, in place.

        Raises:
            NoSolution: the pattern matches nothing, or nothing that its variables can be.
        """
        subjects, objects = self.ends(pattern)
        self._narrow(solutions, pattern, pattern.subject, subjects)
        self._narrow(solutions, pattern, pattern.object, objects)
        if isinstance(pattern.predicate, Variable):
            self._narrow(solutions, pattern, pattern.predicate, self.space.predicates)
        solutions.links.append(pattern)

    def ends(self, pattern: TriplePattern) -> tuple[Values, Values]:
        """Return what subject and object can be for the sake of the predicate and of constants.

        Raises:
            NoSolution: the predicate does not occur, or a constant does not occur with it.
        """
        space, predicate = self.space, self._shortened(pattern).predicate
        if isinstance(predicate, Variable):
            subjects, objects = space.any_subject, space.any_object
        else:
            subjects, objects = self._start(predicate), self._end(predicate)
            if not subjects or not objects:
                names = (part.value for part in walk(predicate) if isinstance(part, IRI))
                if all(name in space.schema.predicates for name in names):
                    raise NoSolution(Cause("no-such-path", pattern, predicate))
                raise NoSolution(Cause("unknown-predicate", pattern, predicate))
        if (
            predicate == _TYPE
            and isinstance(pattern.object, IRI)
            and pattern.object.value not in space.classes
        ):
            raise NoSolution(Cause("unknown-class", pattern, pattern.object))
        fixed_object = self._fixed(pattern, pattern.object, objects)
        fixed_subject = self._fixed(pattern, pattern.subject, subjects)
        if isinstance(predicate, Variable):
            return subjects, objects
        if predicate == _TYPE and isinstance(pattern.object, IRI):
            subjects &= space.classes.get(pattern.object.value, 0)
        elif fixed_object:
            subjects &= self.back(predicate, fixed_object)
        if fixed_subject:
            objects &= self.ahead(predicate, fixed_subject)
        return subjects, objects

    def _shortened(self, pattern: TriplePattern) -> TriplePattern:
        """Return the pattern without steps of its path that never lead to its constant end, or from it.

        `?x a/rdfs:subClassOf* ex:City` is `?x a ex:City` where nothing is said to be a subclass of it.
        """
        if not isinstance(pattern.predicate, SequencePath):
            return pattern
        found = self._shorter.get(pattern)
        if found is None:
            parts = list(pattern.predicate.parts)
            while len(parts) > 1 and self._stays(parts[-1], pattern.object, forwards=False):
                parts.pop()
            while len(parts) > 1 and self._stays(parts[0], pattern.subject, forwards=True):
                parts.pop(0)
            path = parts[0] if len(parts) == 1 else SequencePath(tuple(parts))
            found = self._shorter[pattern] = replace(pattern, predicate=path)
        return found

    def _stays(self, step: Path, end: End, *, forwards: bool) -> bool:
        """Whether a step that may be left out never leads anywhere from (or to) a constant."""
        if isinstance(end, Variable) or not isinstance(step, RepeatPath) or step.times == "+":
            return False
        lead = self.ahead if forwards else self.back
        return not lead(step.path, self.space.of_term(end))

    def _fixed(self, pattern: TriplePattern, end: End, column: Values) -> Values:
        """Return what a constant can be in a column; 0 of a variable."""
        if isinstance(end, Variable):
            return 0
        anywhere = self.space.of_term(end)
        found = anywhere & column
        if not found:
            if anywhere & self.space.terms:
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
        links = [link for link in solutions.links if not isinstance(link.predicate, Variable)]
        if len(links) < 2 and not any(link.subject == link.object for link in links):  # noqa: PLR2004
            links = [link for link in links if self._narrowed(solutions, link)]
        for _ in range(_ROUNDS):
            changed = [link for link in links if self._follow(solutions, link)]
            if not changed:
                return

    def _narrowed(self, solutions: Solutions, link: TriplePattern) -> bool:
        """Whether anything else than the link itself has narrowed its ends."""
        ends = zip((link.subject, link.object), self.ends(link), strict=True)
        return any(isinstance(end, Variable) and solutions.of(end) != values for end, values in ends)

    def _follow(self, solutions: Solutions, link: TriplePattern) -> bool:
        """Narrow the ends of one link; return whether one of them changed."""
        path = self._shortened(link).predicate
        if isinstance(path, Variable):
            return False
        near = self._values(solutions, link.subject)
        far = self._values(solutions, link.object)
        new_far = far & self.ahead(path, near)
        new_near = near & self.back(path, new_far)
        if link.subject == link.object:
            new_near = new_far = new_near & new_far
        if not new_near or not new_far:
            raise NoSolution(Cause("no-such-link", link, link.subject, tuple(solutions.links)))
        changed = False
        for end, old, new in ((link.subject, near, new_near), (link.object, far, new_far)):
            if new != old and isinstance(end, Variable):
                solutions.values[end] = new
                changed = True
        return changed

    def _values(self, solutions: Solutions, end: End) -> Values:
        return solutions.of(end) & ~UNBOUND if isinstance(end, Variable) else self.space.of_term(end)

    # --- paths ----------------------------------------------------------------------------------

    def _start(self, path: Path) -> Values:
        return self.back(path, self.space.anything)

    def _end(self, path: Path) -> Values:
        return self.ahead(path, self.space.anything)

    def ahead(self, path: Path, start: Values) -> Values:
        """Return where a path can lead from `start`; paths of length zero stay where they are."""
        match path:
            case IRI(value):
                return self.space.ahead(value, start)
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
                return self.space.back(value, end)
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
        space = self.space
        one, other = space.any_subject, space.any_object
        found = 0
        # `!(^a)` alone goes backwards only, `!a` alone forwards only (section 9.1).
        if path.forward or not path.backward:
            near, far = (one, other) if forwards else (other, one)
            found |= far if start & near else 0
        if path.backward:
            near, far = (other, one) if forwards else (one, other)
            found |= far if start & near else 0
        return found


_TYPE: Final = IRI(RDF_TYPE)
