"""Hints on a goal: names that the graph does not have, and a number of rows that it does not allow."""

from __future__ import annotations

from collections.abc import Iterator

from hermes.algebra.goal import Goal
from hermes.algebra.observation import Hint, Observation, Solutions
from hermes.algebra.ports import Graph
from hermes.errors import StoreError
from hermes.terms import IRI, RDF_LANG_STRING, RDFS, XSD, display, full_iri

UNCHECKED = Hint(
    "goal-unchecked", "there is no kernel here, so nothing is checked but the number of rows at finish"
)


def declared_hints(kg: Graph, goal: Goal) -> tuple[Hint, ...]:
    """Return a hint for each name of a goal that the graph does not have; by two queries at most."""
    try:
        return (*_unknown_class(kg, goal.type), *_unknown_terms(kg, goal.mentions))
    except StoreError:  # that its names cannot be looked up is no reason to refuse a goal
        return ()


def _unknown_class(kg: Graph, name: IRI | None) -> Iterator[Hint]:
    if name is None or name.value.startswith(XSD) or name.value == RDF_LANG_STRING or not kg.vocabulary_known:
        return
    if name.value in kg.vocabulary.classes or kg.ask(
        f"ASK {{ ?c <{RDFS}subClassOf> {full_iri(name.value)} }}"
    ):
        return
    near = [
        f"{display(IRI(iri), kg.prefixes)} ({count} instances)"
        for iri, count in kg.nearest(name.value, "class")
    ]
    nearest = f"; nearest: {', '.join(near)}" if near else ""
    yield Hint("unknown-class", f"{display(name, kg.prefixes)} is no class of this graph{nearest}")


def _unknown_terms(kg: Graph, names: tuple[IRI, ...]) -> Iterator[Hint]:
    if not names:
        return
    rows = " ".join(full_iri(name.value) for name in names)
    somewhere = "EXISTS { ?t ?p ?o } || EXISTS { ?s ?p ?t } || EXISTS { ?s ?t ?o }"
    found = kg.select(f"SELECT ?t {{ VALUES ?t {{ {rows} }} FILTER({somewhere}) }}")
    known = {row["t"] for row in found.rows if "t" in row}
    for name in names:
        if name not in known and found.complete:
            yield Hint("unknown-term", f"{display(name, kg.prefixes)} does not occur in this graph")


def missed_hints(goal: Goal, seen: Observation) -> tuple[Hint, ...]:
    """Return a hint where the number of rows that was seen is not what the goal asks for."""
    if not isinstance(seen, Solutions) or not goal.missed_by(seen.count, capped=seen.capped):
        return ()
    counted = f"{seen.count:,}{'+' * seen.capped} row{'' if seen.count == 1 else 's'}"
    return (Hint("goal-count", f"the goal asks for {goal.rows_text}, the plan has {counted}"),)
