"""Hints on names: what does not occur, with the nearest that does; and why a step leaves nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from hermes.algebra.hints.change import Change
from hermes.algebra.hints.datasets import asks_graphs
from hermes.algebra.observation import Hint, Solutions
from hermes.algebra.observe import count_solutions
from hermes.algebra.operators.graph import Graph as GraphClause
from hermes.algebra.operators.service import Service
from hermes.algebra.operators.triple import Triple
from hermes.algebra.plan import Plan
from hermes.algebra.ports import Graph
from hermes.algebra.render import render
from hermes.sparql.patterns import Group, TriplePattern
from hermes.sparql.tree import walk
from hermes.terms import IRI, RDF_TYPE, Variable, display

Role = Literal["predicate", "class"]

_UNION: Final = "union"


def blank_labels(_: Graph, change: Change) -> Iterator[Hint]:
    """Say that a blank node label matches anything."""
    if "_:" in change.text and any(variable.blank for variable in change.added.binds()):
        yield Hint(
            "blank-label",
            "a blank node label matches like a variable, not that node; reach a node through its properties",
        )


def names(kg: Graph, change: Change) -> Iterator[Hint]:
    """Name what does not occur in the graph, with the nearest that does; else say why nothing is left.

    One query may be used: for the vocabulary where it is not known, else to look at the pattern alone.
    """
    left = change.empty and isinstance(change.seen, Solutions) and change.seen.derived
    left = left and not asks_graphs(change)  # the graphs are looked at then, which costs the one query
    known = kg.vocabulary_known
    if not (known or left):
        return
    in_use = {"predicate": kg.vocabulary.predicates, "class": kg.vocabulary.classes}
    if not kg.vocabulary_known:  # it was mined just now, and that came to nothing
        return
    found = dict.fromkeys(_names(kg, change))
    unknown = [(role, iri) for role, iri in found if iri not in in_use[role]]
    for role, iri in unknown:
        unit = "triples" if role == "predicate" else "instances"
        near = [
            f"{display(IRI(name), kg.prefixes)} ({count} {unit})" for name, count in kg.nearest(iri, role)
        ]
        nearest = f"; nearest: {', '.join(near)}" if near else ""
        yield Hint(f"unknown-{role}", f"{display(IRI(iri), kg.prefixes)} does not occur{nearest}")
    if known and left and not unknown:
        yield from _why_empty(kg, change)


def _why_empty(kg: Graph, change: Change) -> Iterator[Hint]:
    if not isinstance(change.meant, Triple):
        return
    pattern = change.meant.pattern
    if isinstance(pattern.predicate, IRI) and not isinstance(pattern.object, Variable):
        yield from _example_values(kg, change, pattern.predicate)
    elif change.counts and change.counts[0]:
        alone = count_solutions(kg, Plan().evolve(where=change.added, dataset=change.plan.dataset))
        text = pattern.text(kg.prefixes.names())
        counted = f"{alone} solution{'s' * (alone != 1)}" if alone else "no solution"
        joins = "; none joins with the plan" if alone else " either"
        yield Hint("alone", f"alone, {text} has {counted}{joins}")


def _example_values(kg: Graph, change: Change, predicate: IRI) -> Iterator[Hint]:
    subject, value = Variable("subject"), Variable("value")
    where = Group((TriplePattern(subject, predicate, value),))
    plan = Plan(dataset=change.plan.dataset, where=where, projection=(value,), projected=True)
    plan = plan.evolve(distinct=True, limit=3)
    found = kg.select(render(plan, kg.header)).rows
    examples = ", ".join(display(row[value.name], kg.prefixes) for row in found if value.name in row)
    if examples:
        yield Hint("example-values", f"{display(predicate, kg.prefixes)} has values such as {examples}")


def _names(kg: Graph, change: Change) -> Iterator[tuple[Role, str]]:
    """Yield the names of the step that the vocabulary can know: it is that of the graph's own dataset.

    Where that is the union of all named graphs, it covers each of them; else GRAPH and FROM look elsewhere,
    and SERVICE does so always.
    """
    if change.plan.dataset and kg.dataset != _UNION:
        return
    elsewhere = (Service,) if kg.dataset == _UNION else (Service, GraphClause)
    for part in walk(change.added, elsewhere):
        if not isinstance(part, TriplePattern):
            continue
        if isinstance(part.predicate, IRI) and part.predicate.value == RDF_TYPE:
            if isinstance(part.object, IRI):
                yield "class", part.object.value
        else:
            for name in walk(part.predicate):
                if isinstance(name, IRI) and name.value != RDF_TYPE:
                    yield "predicate", name.value
