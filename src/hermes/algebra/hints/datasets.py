"""Hints on named graphs: one that does not exist, and a dataset that hides what the patterns ask for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hermes.algebra.hints.change import Change
from hermes.algebra.observation import Hint, Solutions
from hermes.algebra.operators.dataset import From
from hermes.algebra.operators.graph import Graph as GraphClause
from hermes.algebra.ports import Graph
from hermes.errors import StoreError
from hermes.sparql.patterns import TriplePattern
from hermes.sparql.tree import walk
from hermes.terms import IRI, display

_SHOWN: Final = 5


def asks_graphs(change: Change) -> bool:
    """Whether the step brings in a named graph, so that an empty result is first explained by graphs."""
    return bool(_named_now(change) or _clauses(change))


def _clauses(change: Change) -> list[GraphClause]:
    return [part for part in walk(change.added) if isinstance(part, GraphClause)]


def _named_now(change: Change) -> tuple[IRI, ...]:
    """Return the graphs that the step names, and at the first pattern those of the dataset."""
    found = [clause.name for clause in _clauses(change) if isinstance(clause.name, IRI)]
    if isinstance(change.meant, From) or change.before.empty:
        found += [clause.graph for clause in change.plan.dataset if clause not in change.before.dataset]
        found += [clause.graph for clause in change.plan.dataset if change.before.empty]
    return tuple(dict.fromkeys(found))


def graphs(kg: Graph, change: Change) -> Iterator[Hint]:
    """Where a step that brings in a graph leaves nothing, say which does not exist, and name those that do.

    One query, where the count has cost none.
    """
    if not (change.empty and isinstance(change.seen, Solutions) and asks_graphs(change)):
        return
    yield from _hidden(change)
    if not change.seen.derived:
        return
    asked = _named_now(change)
    try:
        rows = kg.select(_query(asked)).rows
    except StoreError:
        return  # a hint is not worth a step
    found = {row["there"] for row in rows if "there" in row}
    known = sorted(display(row["graph"], kg.prefixes) for row in rows if "graph" in row)
    more = ", ..." if len(known) > _SHOWN else ""
    names = f"named graphs: {', '.join(known[:_SHOWN])}{more}" if known else "there is none"
    for iri in asked:
        if iri not in found:
            yield Hint(
                "unknown-graph", f"no named graph {display(iri, kg.prefixes)}, or it is empty; {names}"
            )
    if not asked and not known:
        yield Hint("unknown-graph", "GRAPH goes through the named graphs; there is none")


def _query(asked: tuple[IRI, ...]) -> str:
    """Return the query for the graphs of `asked` that exist, and for some that do."""
    parts = [
        f"{{ SELECT ?there {{ VALUES ?there {{ {iri} }} GRAPH ?there {{ ?s ?p ?o }} }} LIMIT 1 }}"
        for iri in asked
    ]
    parts.append(f"{{ SELECT DISTINCT ?graph {{ GRAPH ?graph {{ ?s ?p ?o }} }} LIMIT {_SHOWN + 1} }}")
    return f"SELECT ?there ?graph {{ {' UNION '.join(parts)} }}"


def _hidden(change: Change) -> Iterator[Hint]:
    """FROM and FROM NAMED replace the whole dataset (section 13.2): what they do not name is not there."""
    dataset = change.plan.dataset
    if not dataset:
        return
    if _through(change) and not any(clause.named for clause in dataset):
        yield Hint(
            "hidden-graphs", "after FROM, GRAPH sees the graphs of FROM NAMED only; name one with named: true"
        )
    if _outside(change) and all(clause.named for clause in dataset):
        yield Hint(
            "hidden-graphs",
            "after FROM NAMED alone the default graph is empty; use GRAPH, or name it with FROM",
        )


def _through(change: Change) -> bool:
    return any(isinstance(part, GraphClause) for part in walk(change.plan.where))


def _outside(change: Change) -> bool:
    return any(isinstance(part, TriplePattern) for part in change.plan.where.elements)
