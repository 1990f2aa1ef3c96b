"""Look-up: the terms that a text may mean, with what is needed to choose between them."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from threading import Lock
from typing import Final, Protocol

from hermes.errors import StoreError
from hermes.findings import Entry, Lookup, Role
from hermes.labels.endpoint_search import EndpointSearch
from hermes.labels.facts import Facts, facts
from hermes.labels.fold import fold
from hermes.labels.hits import Hit, Hits, Named
from hermes.labels.index import Index
from hermes.labels.index_build import DECLARATIONS, Source, build, build_from
from hermes.labels.index_file import cache_folder, in_memory, key_of, open_index
from hermes.labels.names import Name
from hermes.labels.progress import Progress
from hermes.labels.search import search
from hermes.labels.words import words
from hermes.store import Store, direct, embedded, is_endpoint, within
from hermes.terms import IRI, Term
from hermes.vocabulary import Vocabulary

_SMALL: Final = 100_000
"""The index of a graph of at most so many triples is made in memory, each time (about half a second)."""
_PATIENCE: Final = 10.0
"""Seconds that an endpoint gets for each query of a look-up."""
_MOST_TERMS: Final = 2_000
"""Classes and predicates of an endpoint that are looked up by their labels; others by their local names."""
_TIES: Final = 4
"""Of equally good hits so many times those that are shown are compared by their counts."""

_log: Final = logging.getLogger("hermes")


class Graph(Protocol):
    """What a look-up asks of a graph; `hermes.KG` is one."""

    @property
    def store(self) -> Store:
        """What executes queries."""

    @property
    def language(self) -> str:
        """The preferred language of labels."""

    @property
    def vocabulary(self) -> Vocabulary:
        """The predicates and classes in use."""

    @property
    def vocabulary_known(self) -> bool:
        """Whether the vocabulary is known, and all of it."""

    @property
    def label_names(self) -> Sequence[Name]:
        """What gives names, in order of preference."""

    def labels(self, terms: Iterable[Term]) -> Mapping[IRI, str]:
        """Return a label for each term."""


class Finder:
    """Finds the terms of a graph by their names. May be shared between threads."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._index: Index | None = None
        self._of_vocabulary: Vocabulary | None = None
        self._making = Lock()

    def lookup(self, text: str, role: Role | None, limit: int) -> Lookup:
        """Return the terms that a text may mean, the best first (see `KG.lookup`).

        Raises:
            StoreError: the store could not answer.
            ValueError: `limit` is less than 1.
        """
        if limit < 1:
            raise ValueError(f"expected a limit of at least 1, not {limit}")
        endpoint = is_endpoint(self._graph.store)
        hits = self._on_endpoint(text, role, limit) if endpoint else self._in_index(text, role, limit)
        ranked = list(hits)
        # Of those that are equally good, the counts decide which are shown.
        last = ranked[limit - 1].order if len(ranked) >= limit else None
        tied = [hit for hit in ranked[limit : _TIES * limit] if hit.order == last]
        chosen = [*ranked[:limit], *tied]
        entries = [
            (hit, entry)
            for hit, entry in zip(chosen, self._entries(chosen), strict=True)
            if role is None or entry.role == role
        ]
        entries.sort(key=lambda pair: (pair[0].order, -pair[1].count, pair[1].term.value))
        complete = hits.complete and len(ranked) <= limit
        return Lookup(text, tuple(entry for _, entry in entries[:limit]), complete)

    def _entries(self, hits: Sequence[Hit]) -> list[Entry]:
        known = self._graph.vocabulary
        counts: Mapping[Role, Mapping[str, int]] = {"class": known.classes, "predicate": known.predicates}
        terms = [IRI(hit.name.iri) for hit in hits]
        labels = self._graph.labels(terms)
        found = self._facts(
            [term for term, hit in zip(terms, hits, strict=True) if hit.name.role == "entity"]
        )
        entries = []
        for term, hit in zip(terms, hits, strict=True):
            about = found.get(term, Facts())
            role = _declared(about) if hit.name.role == "entity" else hit.name.role
            types, count = about.types, about.count
            if role != "entity":
                types, count = (), counts[role].get(term.value, 0)
            same = fold(labels[term]) == hit.name.folded  # a difference of case is none for a reader
            matched = labels[term] if same else hit.name.text
            entries.append(Entry(term, role, labels[term], matched, hit.match, types, count))
        return entries

    def _facts(self, terms: Sequence[IRI]) -> Mapping[IRI, Facts]:
        """Return what is known of entities: nothing where the store cannot say it in time."""
        try:
            return facts(within(self._graph.store, _PATIENCE), terms, self._graph.vocabulary.classes)
        except StoreError as error:
            _log.warning("types and counts are not known now: %s", error)
            return {}

    # --- the embedded store -----------------------------------------------------------------------

    def _in_index(self, text: str, role: Role | None, limit: int) -> Hits:
        try:
            return search(self._kept(), text, role, limit)
        except sqlite3.Error as error:
            _log.warning("the index of labels is broken and made anew: %s", error)
        with self._making:
            self._index = in_memory("", self._fill)
        return search(self._index, text, role, limit)

    def _kept(self) -> Index:
        """Return the index; where there is none yet, it is opened or made."""
        with self._making:
            if self._index is None:
                store = embedded(self._graph.store)
                if store is None or store.size <= _SMALL:
                    self._index = in_memory("", self._fill)
                else:
                    folders = [folder for folder in (store.directory, cache_folder()) if folder is not None]
                    self._index = open_index(key_of(store.fingerprint), self._fill, folders)
            return self._index

    def _fill(self, database: sqlite3.Connection, key: str) -> None:
        graph = self._graph
        known = graph.vocabulary
        source = Source(direct(graph.store), graph.label_names, known.predicates, known.classes)
        build(database, source, key, Progress("indexing the labels"))

    # --- endpoints --------------------------------------------------------------------------------

    def _on_endpoint(self, text: str, role: Role | None, limit: int) -> Hits:
        graph = self._graph
        known = graph.vocabulary  # asked for first: it may tell what gives names
        hits = Hits() if role == "entity" else search(self._terms(), text, role, limit)
        if role in (None, "entity") or not graph.vocabulary_known:
            # Where the vocabulary is not known, what is found may be a class or a predicate.
            asked = EndpointSearch(within(graph.store, _PATIENCE), graph.label_names, graph.language)
            found = asked.search(text, limit)
            others = [hit for hit in found if not {hit.name.iri} & (known.classes.keys() | known.predicates)]
            if others and all(hit.match == "typo" for hit in hits):
                hits.best.clear()
            for hit in others:
                hits.add(hit)
            hits.complete &= found.complete
        hits.complete &= graph.vocabulary_known
        return hits

    def _terms(self) -> Index:
        """Return the index of the classes and predicates of an endpoint."""
        known = self._graph.vocabulary
        with self._making:
            if self._index is None or self._of_vocabulary is not known:
                database = sqlite3.connect(":memory:", check_same_thread=False)
                build_from(database, self._names_of(known))
                self._index, self._of_vocabulary = Index(database), known
            return self._index

    def _names_of(self, known: Vocabulary) -> Iterator[Named]:
        roles: dict[str, Role] = dict.fromkeys(known.classes, "class")
        roles |= dict.fromkeys(known.predicates, "predicate")
        labels = self._graph.labels([IRI(iri) for iri in islice(roles, _MOST_TERMS)])
        for iri, role in roles.items():
            label, local = labels.get(IRI(iri)), words(iri)
            for text in dict.fromkeys(filter(None, (label, local))):
                yield Named(iri, role, text, fold(text), alternative=text is not (label or local))


def _declared(about: Facts) -> Role:
    """Return what the types of a term say that it is."""
    for role, kinds in DECLARATIONS.items():
        if any(kind.value in kinds for kind in about.types):
            return role
    return "entity"
