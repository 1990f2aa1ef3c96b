"""Hints on what was read: where a term does not occur, or a text names none, the nearest that occur."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, zip_longest
from typing import Final

from hermes.algebra.action import Action
from hermes.algebra.observation import Found, Hint, Inspected
from hermes.algebra.ports import Graph
from hermes.algebra.reads import Inspect
from hermes.errors import HermesError, StoreError
from hermes.findings import Inspection, Role
from hermes.terms import IRI, display

_NEAREST: Final = 3
_UNITS: Final[dict[Role, str]] = {"class": "instance", "predicate": "triple", "entity": "triple"}

_Near = tuple[str, int, Role]


def read_hints(kg: Graph, seen: Found) -> tuple[Hint, ...]:
    """Return the hints on what was read; that they cannot be had is no reason to refuse it."""
    if not isinstance(seen, Inspected) or seen.found.count:
        return ()
    try:
        return _hint(kg, _near(kg, seen.found))
    except StoreError:
        return ()


def refused_read_hints(kg: Graph, action: Action, error: HermesError) -> tuple[Hint, ...]:
    """Return what has the label that was given as a name; only of the embedded store, which knows it soon."""
    text = action.given.get("term", "")
    if action.kind is not Inspect or error.code != "syntax" or kg.engine != "oxigraph":
        return ()
    if not text[:1].isalpha():
        return ()
    try:
        entries = kg.lookup(text, limit=_NEAREST).entries
    except StoreError:
        return ()
    return _hint(kg, [(entry.term.value, entry.count, entry.role) for entry in entries])


def _near(kg: Graph, found: Inspection) -> Iterable[_Near]:
    """Return the nearest names, with how much there is of each; of each role the nearest come first."""
    roles: tuple[Role, ...] = tuple(_UNITS) if found.role == "entity" else (found.role,)
    each = [
        [(iri, count, role) for iri, count in kg.nearest(found.term.value, role, _NEAREST)]
        for role in roles
        if role != "entity" or kg.vocabulary_known  # an endpoint that cannot say that is not asked for more
    ]
    return filter(None, chain.from_iterable(zip_longest(*each)))


def _hint(kg: Graph, near: Iterable[_Near]) -> tuple[Hint, ...]:
    counted = (
        f"{display(IRI(iri), kg.prefixes)} ({count} {_UNITS[role]}{'s' * (count != 1)})"
        for iri, count, role in near
    )
    texts = list(dict.fromkeys(counted))[:_NEAREST]
    return (Hint("unknown-term", f"nearest: {', '.join(texts)}"),) if texts else ()
