"""Property paths as sets of pairs of tokens (SPARQL 1.1, section 18.4)."""

from __future__ import annotations

from hermes.sparql.paths import AlternativePath, InversePath, NegatedPath, Path, RepeatPath, SequencePath
from hermes.terms import IRI
from hermes.verifier.again.tokens import Token, Tokens
from hermes.verifier.again.views import View

Pairs = frozenset[tuple[Token, Token]]


class Paths:
    """The pairs of tokens that a path may connect in a view."""

    def __init__(self, tokens: Tokens, view: View) -> None:
        self.tokens = tokens
        self.view = view
        self._known: dict[Path, Pairs] = {}

    def of(self, path: Path) -> Pairs:
        """Return the pairs of start and end of a path."""
        found = self._known.get(path)
        if found is None:
            found = self._known[path] = frozenset(self._pairs(path))
        return found

    def _pairs(self, path: Path) -> Pairs:
        match path:
            case IRI(value):
                return frozenset(self.view.links(value))
            case InversePath(inner):
                return frozenset((end, start) for start, end in self.of(inner))
            case SequencePath(parts):
                first, *rest = (self.of(part) for part in parts)
                for part in rest:
                    first = _after(first, part)
                return first
            case AlternativePath(parts):
                return frozenset[tuple[Token, Token]]().union(*map(self.of, parts))
            case RepeatPath(inner, times):
                return self._repeated(self.of(inner), times)
            case NegatedPath(forward, backward):
                return self._negated(forward, backward)

    def _repeated(self, once: Pairs, times: str) -> Pairs:
        found = once
        while times != "?":
            more = found | _after(found, once)
            if more == found:
                break
            found = more
        return found if times == "+" else found | {(token, token) for token in self.tokens.every}

    def _negated(self, forward: tuple[IRI, ...], backward: tuple[IRI, ...]) -> Pairs:
        names = set(self.view.predicates)
        found: set[tuple[Token, Token]] = set()
        if forward or not backward:
            for name in names - {iri.value for iri in forward}:
                found |= self.of(IRI(name))
        if backward:
            for name in names - {iri.value for iri in backward}:
                found |= {(end, start) for start, end in self.of(IRI(name))}
        return frozenset(found)


def _after(first: Pairs, second: Pairs) -> Pairs:
    onward: dict[Token, set[Token]] = {}
    for start, end in second:
        onward.setdefault(start, set()).add(end)
    return frozenset((start, end) for start, middle in first for end in onward.get(middle, ()))
