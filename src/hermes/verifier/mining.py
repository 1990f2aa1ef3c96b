"""Mining: the schema of a graph from its triples, read once.

Each term gets a number, and each number a state: the node of a tree whose edges are columns. As columns are
gone through one after the other, the state of a term in the end says all columns that it stands in, and
equal states are equal signatures. So nothing is kept of a term but two small numbers and its text.
"""

from __future__ import annotations

import gc
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, NamedTuple

from hermes.kg import KG
from hermes.store import CachedStore, EndpointStore, Store
from hermes.terms import IRI, RDF_TYPE, BlankNode, Literal, Term, full_iri
from hermes.verifier.extrapolation import schema_of
from hermes.verifier.literals import NUMERIC, TEMPORAL, key_of, place_of, tag_of
from hermes.verifier.occurrences import Occurrences
from hermes.verifier.sampling import sample
from hermes.verifier.schema import MOST_TRIPLES, Kind, Predicate, Schema, Signature

MOST_SIGNATURES: Final = 20_000
"""Of more signatures, the rarest of each kind become one."""

_BATCH: Final = 200_000
"""Rows asked for at once, where predicates are smaller."""
_NAMES_A_QUERY: Final = 500

_COUNTS: Final = "SELECT ?p (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?p"


def mine(kg: KG) -> Schema:
    """Return the schema of a graph; see `Schema.mine`.

    Raises:
        StoreError: the embedded store could not answer.
    """
    store = kg.store.inner if isinstance(kg.store, CachedStore) else kg.store
    if isinstance(store, EndpointStore):
        return schema_of(kg, sample(kg))
    counts = _counts(store)
    if counts is None or sum(counts.values()) > MOST_TRIPLES:
        return schema_of(kg, sample(kg))
    terms = _Terms()
    with _no_collection():
        columns = {name: column for names in _batches(counts) for name, column in _read(store, names, terms)}
    if {name: len(column.subjects) for name, column in columns.items()} != counts:
        return schema_of(kg, sample(kg))
    return _schema(kg, terms, columns)


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


class _Column(NamedTuple):
    """The triples of a predicate: the numbers of subjects and objects, in the same order."""

    subjects: array[int]
    objects: array[int]


class _Terms:
    """All terms of a graph by tag and text, numbered from 0."""

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


def _counts(store: Store) -> dict[str, int] | None:
    table = store.select(_COUNTS)
    found = {}
    for row in table.rows:
        name, count = row["p"], row["n"]
        if isinstance(name, IRI) and isinstance(count, Literal):
            found[name.value] = int(count.lexical)
    return found if table.complete else None


def _batches(counts: Mapping[str, int]) -> Iterator[list[str]]:
    """Yield the predicates, the smallest first, so many together as a query may give in short time."""
    batch: list[str] = []
    size = 0
    for name, count in sorted(counts.items(), key=lambda item: (item[1], item[0])):
        if batch and (size + count > _BATCH or len(batch) == _NAMES_A_QUERY):
            yield batch
            batch, size = [], 0
        batch.append(name)
        size += count
    if batch:
        yield batch


def _read(store: Store, names: list[str], terms: _Terms) -> Iterator[tuple[str, _Column]]:
    """Yield the columns of some predicates; a cut answer gives too few triples, which is seen later."""
    if len(names) == 1:
        rows = store.select(f"SELECT ?s ?o {{ ?s {full_iri(names[0])} ?o }}").rows
        yield names[0], _column(((row["s"], row["o"]) for row in rows), terms)
        return
    listed = " ".join(map(full_iri, names))
    found: dict[Term, list[tuple[Term, Term]]] = {IRI(name): [] for name in names}
    for row in store.select(f"SELECT ?p ?s ?o {{ VALUES ?p {{ {listed} }} ?s ?p ?o }}").rows:
        found[row["p"]].append((row["s"], row["o"]))
    for name in names:
        yield name, _column(found[IRI(name)], terms)


def _column(pairs: Iterable[tuple[Term, Term]], terms: _Terms) -> _Column:
    column = _Column(array("I"), array("I"))
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


# --- signatures ---------------------------------------------------------------------------------


class _States:
    """The tree of sets of columns: a state for each term, moved along an edge for each of its columns."""

    def __init__(self, roots: list[int], count: int) -> None:
        self.of_term = roots
        self._parents: list[tuple[int, _Place]] = [(-1, ("", ""))] * count
        self._edges: dict[tuple[int, _Place], int] = {}

    def move(self, terms: Iterable[int], place: _Place) -> None:
        """Say that each of the terms, named once, stands in a column that has not been named before."""
        of_term, edges = self.of_term, self._edges
        for term in terms:
            edge = (of_term[term], place)
            state = edges.get(edge)
            if state is None:
                state = edges[edge] = len(self._parents)
                self._parents.append(edge)
            of_term[term] = state

    def places(self, state: int) -> Iterator[_Place]:
        """Yield the columns of a state."""
        state, place = self._parents[state]
        while state >= 0:
            yield place
            state, place = self._parents[state]


_Place = tuple[str, str]
"""A column: `s`, `o` and a predicate; `c` and a class; or `p`, for what is a predicate."""


def _schema(kg: KG, terms: _Terms, columns: Mapping[str, _Column]) -> Schema:
    for name in columns:
        terms.number(IRI(name))
    classes = _instances(terms, columns.get(RDF_TYPE))
    states = _states(terms, columns, classes)
    at, signatures = _signatures(terms, states)
    return Schema(
        fingerprint=kg.fingerprint,
        dataset=kg.dataset,
        complete=True,
        triples=sum(len(column.subjects) for column in columns.values()),
        predicates={name: _predicate(column, at) for name, column in columns.items()},
        classes={name: len(instances) for name, instances in classes.items()},
        signatures=signatures,
        occurrences={tag: _occurrences(kind, tag, known, at) for (kind, tag), known in terms.by_tag.items()},
    )


def _instances(terms: _Terms, typed: _Column | None) -> dict[str, set[int]]:
    if typed is None:
        return {}
    names = {number: text for text, number in terms.by_tag[("iri", "iri")].items()}
    found: dict[str, set[int]] = {}
    for subject, class_ in zip(typed.subjects, typed.objects, strict=True):
        name = names.get(class_)
        if name is not None:
            found.setdefault(name, set()).add(subject)
    return found


def _states(terms: _Terms, columns: Mapping[str, _Column], classes: Mapping[str, set[int]]) -> _States:
    roots = [0] * terms.size
    for root, known in enumerate(terms.by_tag.values()):
        for number in known.values():
            roots[number] = root
    states = _States(roots, len(terms.by_tag))
    for name, instances in classes.items():
        states.move(instances, ("c", name))
    for name, column in columns.items():
        states.move(set(column.subjects), ("s", name))
        states.move(set(column.objects), ("o", name))
    iris = terms.by_tag.get(("iri", "iri"), {})
    states.move((iris[name] for name in columns), ("p", ""))
    return states


def _signatures(terms: _Terms, states: _States) -> tuple[list[int], tuple[Signature, ...]]:
    """Return the place of the signature of each term, and the signatures."""
    counts = Counter(states.of_term)
    ranked = [state for state, _ in counts.most_common()]
    kept, rest = ranked[:MOST_SIGNATURES], ranked[MOST_SIGNATURES:]
    places = {state: place for place, state in enumerate(kept)}
    members: list[list[int]] = [[state] for state in kept]
    tags = _tags(terms, states)
    merged: dict[tuple[Kind, str], int] = {}
    for state in rest:
        place = merged.setdefault(tags[state], len(members))
        if place == len(members):
            members.append([])
        members[place].append(state)
        places[state] = place
    at = [places[state] for state in states.of_term]
    ranges = _ranges(terms, at)
    return at, tuple(
        _signature(tags[group[0]], group, states, counts, ranges.get(place))
        for place, group in enumerate(members)
    )


def _tags(terms: _Terms, states: _States) -> dict[int, tuple[Kind, str]]:
    return {states.of_term[number]: tag for tag, known in terms.by_tag.items() for number in known.values()}


def _ranges(terms: _Terms, at: list[int]) -> dict[int, tuple[float, float]]:
    """Return the least and the greatest place of the numbers and dates of each signature."""
    found: dict[int, tuple[float, float]] = {}
    for (_, tag), known in terms.by_tag.items():
        if tag not in NUMERIC and tag not in TEMPORAL:
            continue
        for lexical, number in known.items():
            place = place_of(tag, lexical)
            if place is not None:
                low, high = found.get(at[number], (place, place))
                found[at[number]] = (min(low, place), max(high, place))
    return found


def _signature(
    tag: tuple[Kind, str],
    group: list[int],
    states: _States,
    counts: Mapping[int, int],
    span: tuple[float, float] | None,
) -> Signature:
    found: dict[str, dict[str, None]] = {"s": {}, "o": {}, "c": {}, "p": {}}
    for state in group:
        for column, name in states.places(state):
            found[column][name] = None
    low, high = span or (None, None)
    return Signature(
        *tag,
        classes=tuple(sorted(found["c"])),
        subject_of=tuple(sorted(found["s"])),
        object_of=tuple(sorted(found["o"])),
        predicate=bool(found["p"]),
        count=sum(counts[state] for state in group),
        low=low,
        high=high,
        exact=len(group) == 1,
    )


def _predicate(column: _Column, at: list[int]) -> Predicate:
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
