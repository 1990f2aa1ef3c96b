"""Hints on what was read: where a term does not occur, the nearest that do."""

from __future__ import annotations

from itertools import chain, zip_longest
from typing import Final

from hermes.algebra.observation import Hint, Inspected, LookedUp
from hermes.algebra.ports import Graph
from hermes.errors import StoreError
from hermes.findings import Inspection, Role
from hermes.terms import IRI, display

_NEAREST: Final = 3
_UNITS: Final[dict[Role, str]] = {"class": "instance", "predicate": "triple", "entity": "triple"}


def read_hints(kg: Graph, seen: LookedUp | Inspected) -> tuple[Hint, ...]:
    """Return the hints on what was read; that they cannot be had is no reason to refuse it."""
    if not isinstance(seen, Inspected) or seen.found.count:
        return ()
    try:
        near = _near(kg, seen.found)
    except StoreError:
        return ()
    return (Hint("unknown-term", f"nearest: {', '.join(near)}"),) if near else ()


def _near(kg: Graph, found: Inspection) -> list[str]:
    """Return the nearest names, with how much there is of each; of each role the nearest come first."""
    roles: tuple[Role, ...] = tuple(_UNITS) if found.role == "entity" else (found.role,)
    each = [
        [(iri, count, _UNITS[role]) for iri, count in kg.nearest(found.term.value, role, _NEAREST)]
        for role in roles
        if role != "entity" or kg.vocabulary_known  # an endpoint that cannot say that is not asked for more
    ]
    best = filter(None, chain.from_iterable(zip_longest(*each)))
    texts = (
        f"{display(IRI(iri), kg.prefixes)} ({count} {unit}{'s' * (count != 1)})" for iri, count, unit in best
    )
    return list(dict.fromkeys(texts))[:_NEAREST]
