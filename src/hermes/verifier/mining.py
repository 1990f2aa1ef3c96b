"""Mining: the schema of a dataset from its triples, each read once."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from hermes.kg import KG
from hermes.store import CachedStore, EndpointStore, Store
from hermes.terms import IRI, BlankNode, Literal, Term
from hermes.verifier.extrapolation import schema_of
from hermes.verifier.fragments import Fragments
from hermes.verifier.literals import VALUED, key_of
from hermes.verifier.occurrences import Occurrences
from hermes.verifier.reading import (
    Column,
    Terms,
    batches,
    counts,
    counts_named,
    graph_names,
    merged,
    name_of,
    read,
    read_nameless,
)
from hermes.verifier.sampling import sample
from hermes.verifier.schema import MOST_GRAPHS, MOST_TRIPLES, Contents, Kind, Predicate, Schema
from hermes.verifier.signatures import States, Stored, signatures, stored

MOST_SIGNATURES: Final = 20_000
"""Of more signatures, the rarest of each kind become one; named graphs that lead to more are not known."""

_UNION: Final = "union"


def bounds() -> tuple[int, ...]:
    """Return the bounds of mining: with others, the same graph may have another schema."""
    return MOST_TRIPLES, MOST_GRAPHS, MOST_SIGNATURES


def mine(kg: KG) -> Schema:
    """Return the schema of a graph; see `Schema.mine`.

    Raises:
        StoreError: the embedded store could not answer.
    """
    store = kg.store.inner if isinstance(kg.store, CachedStore) else kg.store
    if isinstance(store, EndpointStore):
        return schema_of(kg, sample(kg))
    sizes = counts(store)
    if sizes is None or sum(sizes.values()) > MOST_TRIPLES:
        return schema_of(kg, sample(kg))
    terms = Terms()
    with _no_collection():
        named, unknown = _named(store, terms)
        if unknown:
            terms = Terms()  # without those that only named graphs have
        columns = _default(store, sizes, _shared(named, kg.dataset), terms)
        if {name: len(column.subjects) for name, column in columns.items()} == sizes:
            return _schema(kg, terms, columns, named, unknown)
    return schema_of(kg, sample(kg))


@contextmanager
def _no_collection() -> Iterator[None]:
    """Keep the collector of cycles away: rows make none, and looking for them takes a third of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


# --- reading ------------------------------------------------------------------------------------

_Named = dict[str, dict[str, Column]]
"""The columns of named graphs: by the name of the graph, and by predicate."""


def _named(store: Store, terms: Terms) -> tuple[_Named, str]:
    """Return the named graphs; none where they are too many or too large, and why that is so."""
    names = graph_names(store, MOST_GRAPHS + 1)
    if len(names) > MOST_GRAPHS:
        return {}, f"there are more than {MOST_GRAPHS} named graphs"
    if not names:
        return {}, ""
    sizes = counts_named(store)
    if sizes is None:
        return {}, "the store did not give all of the named graphs"
    if sum(sum(each.values()) for each in sizes.values()) > MOST_TRIPLES:
        return {}, f"the named graphs have more than {MOST_TRIPLES:,} triples"
    found = {name: dict(_graph(store, name, sizes.get(name, {}), terms)) for name in names}
    nameless = {name: each for name, each in sizes.items() if not isinstance(name, IRI)}
    for some in batches(dict(sum(map(Counter, nameless.values()), Counter()))):
        for graph, predicate, column in read_nameless(store, some, terms):
            found[graph][predicate] = column
    for name, columns in found.items():
        if {each: len(column.subjects) for each, column in columns.items()} != sizes.get(name, {}):
            return {}, "the store did not give all of the named graphs"
    return {name_of(name): columns for name, columns in found.items()}, ""


def _graph(store: Store, name: Term, sizes: Mapping[str, int], terms: Terms) -> Iterator[tuple[str, Column]]:
    if isinstance(name, IRI):
        for some in batches(sizes):
            yield from read(store, some, terms, name)


def _shared(named: _Named, dataset: str) -> dict[str, list[Column]]:
    """Return the columns that are in the default graph too, by predicate: all of a union, or of one graph."""
    graphs = list(named.values()) if dataset == _UNION else [named.get(dataset, {})]
    found: dict[str, list[Column]] = {}
    for graph in graphs:
        for name, column in graph.items():
            found.setdefault(name, []).append(column)
    return found


def _default(
    store: Store, sizes: Mapping[str, int], shared: Mapping[str, list[Column]], terms: Terms
) -> dict[str, Column]:
    """Return the columns of the default graph; those are read that named graphs do not have whole."""
    found = {name: merged(shared[name]) for name in sizes if name in shared}
    found = {name: column for name, column in found.items() if len(column.subjects) == sizes[name]}
    left = {name: count for name, count in sizes.items() if name not in found}
    return found | {name: column for names in batches(left) for name, column in read(store, names, terms)}


# --- making the schema --------------------------------------------------------------------------


def _schema(
    kg: KG,
    terms: Terms,
    columns: Mapping[str, Column],
    named: Mapping[str, Mapping[str, Column]],
    unknown: str,
) -> Schema:
    for name in (name for each in (columns, *named.values()) for name in each):
        terms.number(IRI(name))
    default = stored(terms, columns)
    graphs = {name: stored(terms, each) for name, each in named.items()}
    states = _states(terms, default, graphs)
    if graphs and len(set(states.of_term)) > MOST_SIGNATURES:
        graphs, unknown = {}, f"with the named graphs there are more than {MOST_SIGNATURES:,} signatures"
        terms.keep(_numbers(terms, columns))
        states = _states(terms, default, graphs)
    at, found = signatures(terms, states, MOST_SIGNATURES)
    whole = _contents(default, at)
    return Schema(
        fingerprint=kg.fingerprint,
        dataset=kg.dataset,
        complete=True,
        triples=whole.triples,
        predicates=whole.predicates,
        classes=whole.classes,
        signatures=found,
        occurrences={tag: _occurrences(kind, tag, known, at) for (kind, tag), known in terms.by_tag.items()},
        fragments=Fragments.of(_texts(terms, at, valued=False), _texts(terms, at, valued=True)),
        graphs={name: _contents(graph, at) for name, graph in graphs.items()},
        graphs_unknown=unknown,
    )


def _states(terms: Terms, default: Stored, graphs: Mapping[str, Stored]) -> States:
    names = [(terms.number(_term_of(name)), name) for name in graphs]
    states = States(terms)
    states.add(default, None, terms)
    for name, graph in graphs.items():
        states.add(graph, name, terms)
    for number, name in names:
        states.move([number], ("g", name, None))
    return states


def _term_of(name: str) -> Term:
    return BlankNode(name[2:]) if name.startswith("_:") else IRI(name)


def _numbers(terms: Terms, columns: Mapping[str, Column]) -> set[int]:
    found = {terms.number(IRI(name)) for name in columns}
    for column in columns.values():
        found.update(column.subjects)
        found.update(column.objects)
    return found


def _contents(graph: Stored, at: list[int]) -> Contents:
    return Contents(
        triples=sum(len(column.subjects) for column in graph.columns.values()),
        predicates={name: _predicate(column, at) for name, column in graph.columns.items()},
        classes={name: len(instances) for name, instances in graph.classes.items()},
    )


def _predicate(column: Column, at: list[int]) -> Predicate:
    pairs = zip(map(at.__getitem__, column.subjects), map(at.__getitem__, column.objects), strict=True)
    return Predicate(
        triples=len(column.subjects),
        subjects=len(set(column.subjects)),
        objects=len(set(column.objects)),
        links=frozenset(pairs),
    )


def _occurrences(kind: Kind, tag: str, known: Mapping[str, int], at: list[int]) -> Occurrences:
    if kind != "literal":
        return Occurrences.of({text: at[number] for text, number in known.items()})
    keyed: dict[str, int] = {}
    loose = set()
    for lexical, number in known.items():
        key = key_of(Literal(lexical, "" if tag.startswith("@") else tag, tag[1:] if tag[0] == "@" else None))
        if key is None or keyed.setdefault(key, at[number]) != at[number]:
            loose.add(at[number])
    return Occurrences.of(keyed, loose)


def _texts(terms: Terms, at: list[int], *, valued: bool) -> Iterator[tuple[str, int]]:
    """Yield IRIs and texts, or numbers, dates and the like, each with the place of its signature."""
    for (kind, tag), known in terms.by_tag.items():
        if kind in ("iri", "literal") and (tag in VALUED) is valued:
            yield from ((text, at[number]) for text, number in known.items())
