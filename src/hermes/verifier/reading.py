"""Reading the triples of a store, a predicate or several small ones at a time: terms become numbers."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from hermes.results import Table
from hermes.store import Store
from hermes.terms import IRI, BlankNode, Literal, Row, Term, full_iri
from hermes.verifier.literals import tag_of
from hermes.verifier.schema import Kind

_BATCH: Final = 200_000
"""Rows asked for at once, where predicates are smaller."""
_NAMES_A_QUERY: Final = 500
_BITS: Final = 32
"""A number of a term has so many."""

_COUNTS: Final = "SELECT ?p (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?p"
_COUNTS_NAMED: Final = "SELECT ?g ?p (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g ?p"
_NAMES: Final = "SELECT ?g {{ GRAPH ?g {{ }} }} LIMIT {most}"


class Column(NamedTuple):
    """The triples of a predicate: the numbers of subjects and objects, in the same order."""

    subjects: array[int]
    objects: array[int]


class Terms:
    """All terms of a dataset by tag and text, numbered from 0."""

    def __init__(self) -> None:
        self.by_tag: dict[tuple[Kind, str], dict[str, int]] = {}
        self.size = 0

    def number(self, term: Term) -> int:
        """Return the number of a term, a new one where it has none."""
        place: tuple[Kind, str]
        match term:
            case IRI(value):
                place, text = ("iri", "iri"), value
            case Literal():
                place, text = ("literal", tag_of(term)), term.lexical
            case BlankNode(label):
                place, text = ("blank", "blank"), label
            case _:
                place, text = ("triple", "triple"), str(term)
        known = self.by_tag.get(place)
        if known is None:
            known = self.by_tag[place] = {}
        found = known.get(text)
        if found is None:
            found = known[text] = self.size
            self.size += 1
        return found

    def keep(self, numbers: set[int]) -> None:
        """Forget all terms but some; those keep their numbers."""
        for tag, known in list(self.by_tag.items()):
            left = {text: number for text, number in known.items() if number in numbers}
            if left:
                self.by_tag[tag] = left
            else:
                del self.by_tag[tag]


def name_of(graph: Term) -> str:
    """Return what a named graph is known by: its IRI, or `_:` and the label of its blank node."""
    return graph.value if isinstance(graph, IRI) else str(graph)


def counts(store: Store) -> dict[str, int] | None:
    """Return the number of triples of each predicate; None where the answer was cut.

    Raises:
        StoreError: the store could not answer.
    """
    table = store.select(_COUNTS)
    return {name: count for _, name, count in _counted(table)} if table.complete else None


def counts_named(store: Store) -> dict[Term, dict[str, int]] | None:
    """Return the same of each named graph, by its name; None where the answer was cut.

    Raises:
        StoreError: the store could not answer.
    """
    table = store.select(_COUNTS_NAMED)
    found: dict[Term, dict[str, int]] = {}
    for graph, name, count in _counted(table):
        found.setdefault(graph, {})[name] = count
    return found if table.complete else None


def _counted(table: Table) -> Iterator[tuple[Term, str, int]]:
    for row in table.rows:
        name, count = row["p"], row["n"]
        if isinstance(name, IRI) and isinstance(count, Literal):
            yield row.get("g", name), name.value, int(count.lexical)


def graph_names(store: Store, most: int) -> list[Term]:
    """Return the names of the named graphs in order, at most `most`.

    Raises:
        StoreError: the store could not answer.
    """
    return sorted((row["g"] for row in store.select(_NAMES.format(most=most)).rows), key=str)


def batches(sizes: Mapping[str, int]) -> Iterator[list[str]]:
    """Yield predicates, the smallest first, so many together as a query may give in short time."""
    batch: list[str] = []
    size = 0
    for name, count in sorted(sizes.items(), key=lambda item: (item[1], item[0])):
        if batch and (size + count > _BATCH or len(batch) == _NAMES_A_QUERY):
            yield batch
            batch, size = [], 0
        batch.append(name)
        size += count
    if batch:
        yield batch


def read(
    store: Store, names: list[str], terms: Terms, graph: IRI | None = None
) -> Iterator[tuple[str, Column]]:
    """Yield some predicates with their triples in a named graph; None is the default graph.

    Where the answer was cut, there are too few triples.

    Raises:
        StoreError: the store could not answer.
    """
    if len(names) == 1:
        pattern = _in_graph(graph, f"?s {full_iri(names[0])} ?o")
        rows = store.select(f"SELECT ?s ?o {{ {pattern} }}").rows
        yield names[0], _column(((row["s"], row["o"]) for row in rows), terms)
        return
    pattern = _in_graph(graph, "?s ?p ?o")
    found = _grouped(store.select(f"SELECT ?p ?s ?o {{ {_listed(names)} {pattern} }}").rows, ("p",))
    for name in names:
        yield name, _column(found.get((IRI(name),), []), terms)


def read_nameless(store: Store, names: list[str], terms: Terms) -> Iterator[tuple[Term, str, Column]]:
    """Yield some predicates with their triples in each graph that has a blank node for a name.

    No query can name such a graph. Where the answer was cut, there are too few triples.

    Raises:
        StoreError: the store could not answer.
    """
    pattern = "GRAPH ?g { ?s ?p ?o } FILTER(isBlank(?g))"
    rows = store.select(f"SELECT ?g ?p ?s ?o {{ {_listed(names)} {pattern} }}").rows
    for (graph, name), pairs in _grouped(rows, ("g", "p")).items():
        yield graph, name_of(name), _column(pairs, terms)


def _in_graph(graph: IRI | None, pattern: str) -> str:
    return pattern if graph is None else f"GRAPH {full_iri(graph.value)} {{ {pattern} }}"


def _listed(names: list[str]) -> str:
    return f"VALUES ?p {{ {' '.join(map(full_iri, names))} }}"


_Pair = tuple[Term, Term]


def _grouped(rows: Iterable[Row], by: tuple[str, ...]) -> dict[tuple[Term, ...], list[_Pair]]:
    """Return the pairs of subject and object by the terms in some columns."""
    alike: dict[tuple[int, ...], tuple[tuple[Term, ...], list[_Pair]]] = {}
    for row in rows:
        key = tuple([id(row[name]) for name in by])  # quicker than to compare the terms; see `_column`
        group = alike.get(key)
        if group is None:
            group = alike[key] = tuple([row[name] for name in by]), []
        group[1].append((row["s"], row["o"]))
    found: dict[tuple[Term, ...], list[_Pair]] = {}
    for place, pairs in alike.values():
        found.setdefault(place, []).extend(pairs)
    return found


def _column(pairs: Iterable[_Pair], terms: Terms) -> Column:
    column = Column(array("I"), array("I"))
    numbers: dict[int, int] = {}  # equal cells of an answer are one object, so its identity will do
    kept = []
    for subject, object_ in pairs:
        for term, side in ((subject, column.subjects), (object_, column.objects)):
            number = numbers.get(id(term))
            if number is None:
                number = numbers[id(term)] = terms.number(term)
                kept.append(term)  # as long as a term lives, no other has its identity
            side.append(number)
    return column


def merged(parts: list[Column]) -> Column:
    """Return the triples that are in any of the parts, each once."""
    if len(parts) == 1:
        return parts[0]
    found = Column(array("I"), array("I"))
    for part in parts:
        found.subjects.extend(part.subjects)
        found.objects.extend(part.objects)
    pairs = {
        subject << _BITS | object_ for subject, object_ in zip(found.subjects, found.objects, strict=True)
    }
    if len(pairs) == len(found.subjects):
        return found
    subjects = array("I", (pair >> _BITS for pair in pairs))
    return Column(subjects, array("I", (pair & (1 << _BITS) - 1 for pair in pairs)))
