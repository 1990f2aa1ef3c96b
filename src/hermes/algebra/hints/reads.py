"""Hints on what was read: where a term does not occur, the nearest that do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hermes.algebra.observation import Hint, Inspected, LookedUp
from hermes.algebra.ports import Graph
from hermes.errors import StoreError
from hermes.namespaces import split
from hermes.terms import IRI, display

_NEAREST: Final = 3


def read_hints(kg: Graph, seen: LookedUp | Inspected) -> tuple[Hint, ...]:
    """Return the hints on what was read; that they cannot be had is no reason to refuse it."""
    if not isinstance(seen, Inspected) or seen.found.count:
        return ()
    try:
        near = list(dict.fromkeys(_near(kg, seen.found.term)))[:_NEAREST]
    except StoreError:
        return ()
    return (Hint("unknown-term", f"nearest: {', '.join(near)}"),) if near else ()


def _near(kg: Graph, term: IRI) -> Iterator[str]:
    """Yield the terms whose labels or names are near, with how much there is of each."""
    for entry in kg.lookup(split(term.value)[1], limit=_NEAREST).entries:
        yield _counted(kg, entry.term, entry.count, "instances" if entry.role == "class" else "triples")
    for iri, count in kg.nearest(term.value, "class"):
        yield _counted(kg, IRI(iri), count, "instances")
    for iri, count in kg.nearest(term.value, "predicate"):
        yield _counted(kg, IRI(iri), count, "triples")


def _counted(kg: Graph, term: IRI, count: int, units: str) -> str:
    unit = units.removesuffix("s") if count == 1 else units
    return f"{display(term, kg.prefixes)} ({count} {unit})"
