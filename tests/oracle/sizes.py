"""Whether a plan is small enough to run on an engine that cannot be stopped."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from hermes.algebra import Plan
from hermes.algebra.operators import Service
from hermes.sparql.patterns import Group, TriplePattern
from hermes.sparql.tree import walk
from hermes.terms import Variable

MOST_PATTERNS: Final = 7


def affordable(plan: Plan, most_parts: int = 1) -> bool:
    """Whether a plan calls nothing, is short, and multiplies at most `most_parts` unconnected parts."""
    parts = list(walk(plan))
    if any(isinstance(part, Service) for part in parts):
        return False
    if sum(isinstance(part, TriplePattern) for part in parts) > MOST_PATTERNS:
        return False
    return all(_parts(part) <= most_parts for part in parts if isinstance(part, Group))


def _parts(group: Group) -> int:
    """Return how many parts of a group share no variable with each other."""
    return len(_connected(frozenset(element.binds()) for element in group.elements))


def _connected(sets: Iterable[frozenset[Variable]]) -> list[frozenset[Variable]]:
    """Merge the sets that share a member; empty ones are left out."""
    found: list[frozenset[Variable]] = []
    for names in sets:
        meeting = [other for other in found if other & names]
        merged = names.union(*meeting)
        found = [other for other in found if not other & names] + ([merged] if merged else [])
    return found
