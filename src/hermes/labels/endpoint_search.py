"""Search on an endpoint: classes and predicates by an index of its vocabulary, entities by queries."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from itertools import islice
from threading import Lock
from typing import Final

from hermes.findings import Role
from hermes.labels.fold import fold
from hermes.labels.graph import Graph
from hermes.labels.hits import Hits, Named
from hermes.labels.index import Index
from hermes.labels.index_build import build_from
from hermes.labels.label_queries import LabelQueries
from hermes.labels.names import Name
from hermes.labels.search import search
from hermes.labels.words import words
from hermes.store import within
from hermes.terms import IRI
from hermes.vocabulary import Vocabulary

PATIENCE: Final = 10.0
"""Seconds that an endpoint gets for each query of a look-up."""

_MOST_TERMS: Final = 2_000
"""Classes and predicates that are looked up by their labels; others only by their local names."""


class EndpointSearch:
    """Finds the terms of an endpoint by their names. May be shared between threads."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._of: Vocabulary | None = None
        self._index: Index | None = None
        self._queries: LabelQueries | None = None
        self._making = Lock()

    def search(self, text: str, role: Role | None, enough: int) -> Hits:
        """Return the names that contain a text, or nearly do where none does.

        Where the vocabulary is not known, what is found is taken for an entity, and is not all.

        Raises:
            StoreError: the endpoint could not answer.
            sqlite3.Error: an index cannot be made at all.
        """
        known = self._graph.vocabulary  # asked for first: it may tell what gives names
        hits = Hits() if role == "entity" else search(self._terms(known), text, role, enough)
        if role in (None, "entity") or not self._graph.vocabulary_known:
            meant = any(hit.match != "typo" for hit in hits)
            found = self._asking(self._graph.label_names).search(text, enough, typos=not meant)
            others = [
                hit
                for hit in found
                if hit.name.iri not in known.classes and hit.name.iri not in known.predicates
            ]
            if not meant and any(hit.match != "typo" for hit in others):
                hits.best.clear()
            for hit in others:
                hits.add(hit)
            hits.complete &= found.complete
        hits.complete &= self._graph.vocabulary_known
        return hits

    def close(self) -> None:
        """Close the index."""
        with self._making:
            if self._index is not None:
                self._index.close()
                self._index = self._of = None

    def _asking(self, names: Sequence[Name]) -> LabelQueries:
        """Return what asks the endpoint; it remembers what the endpoint cannot do."""
        with self._making:
            if self._queries is None or self._queries.names != names:
                select = within(self._graph.store, PATIENCE)
                self._queries = LabelQueries(select, names, self._graph.language)
            return self._queries

    def _terms(self, known: Vocabulary) -> Index:
        """Return the index of the classes and predicates."""
        with self._making:
            if self._index is None or self._of is not known:
                database = sqlite3.connect(":memory:", check_same_thread=False)
                build_from(database, self._names_of(known))
                self._index, self._of = Index(database), known
            return self._index

    def _names_of(self, known: Vocabulary) -> Iterator[Named]:
        roles: dict[str, Role] = dict.fromkeys(known.classes, "class")
        roles |= dict.fromkeys(known.predicates, "predicate")
        labels = self._graph.labels([IRI(iri) for iri in islice(roles, _MOST_TERMS)])
        for iri, role in roles.items():
            first, *others = dict.fromkeys(filter(None, (labels.get(IRI(iri)), words(iri)))) or [iri]
            yield Named(iri, role, first, fold(first))
            yield from (Named(iri, role, text, fold(text), alternative=True) for text in others)
