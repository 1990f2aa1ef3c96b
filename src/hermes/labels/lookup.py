"""Look-up: the terms that a text may mean, with what is needed to choose between them."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hermes.errors import StoreError
from hermes.findings import Entry, Lookup, Role
from hermes.labels.endpoint_search import PATIENCE, EndpointSearch
from hermes.labels.facts import Facts, facts
from hermes.labels.fold import fold
from hermes.labels.graph import Graph
from hermes.labels.hits import Hit, Named
from hermes.labels.index_build import DECLARATIONS
from hermes.labels.index_search import IndexSearch
from hermes.labels.kept_index import KeptIndex
from hermes.labels.value_index import ValueIndex
from hermes.sparql.iris import is_absolute
from hermes.store import is_endpoint, within
from hermes.terms import IRI

_TIES: Final = 4
"""Of equally good hits so many times those that are shown are compared by their counts."""

_log: Final = logging.getLogger("hermes")


@dataclass(frozen=True, slots=True)
class Indexes:
    """What is searched for the words of a question.

    Args:
        names: the names of terms.
        values: the short texts that occur.
    """

    names: KeptIndex
    values: KeptIndex


class Finder:
    """Finds the terms of a graph by their names. May be shared between threads."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._asking = EndpointSearch(graph) if is_endpoint(graph.store) else None
        self._names = IndexSearch(graph)
        self._values = ValueIndex(graph)

    def lookup(self, text: str, role: Role | None, limit: int) -> Lookup:
        """Return the terms that a text may mean, the best first (see `KG.lookup`).

        Raises:
            StoreError: the store could not answer.
            ValueError: `limit` is less than 1.
        """
        if limit < 1:
            raise ValueError(f"expected a limit of at least 1, not {limit}")
        try:
            hits = self._search.search(text, role, limit)
        except sqlite3.Error as error:  # built without FTS5, for one
            raise StoreError(f"SQLite cannot make an index of labels: {error}") from None
        named = self._named(text)
        if named is not None and role in (None, named.name.role):
            hits.add(named)
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

    @property
    def _search(self) -> EndpointSearch | IndexSearch:
        """What searches: the index, but on an endpoint of which none was made."""
        asking = self._asking
        return self._names if asking is None or self._names.index.there else asking

    @property
    def indexes(self) -> Indexes | None:
        """The indexes of names and of values; None on an endpoint of which none was made."""
        found = Indexes(self._names.index, self._values.index)
        return found if found.names.there and found.values.there else None

    def make_indexes(self) -> tuple[int, int]:
        """Make the indexes, where they are not kept already; return how many names and values they have.

        Raises:
            StoreError: the store could not answer.
        """
        try:
            return self._names.index.make(), self._values.index.make()
        except sqlite3.Error as error:
            raise StoreError(f"SQLite cannot make an index of labels: {error}") from None

    def close(self) -> None:
        """Close the indexes."""
        self._names.close()
        self._values.close()
        if self._asking is not None:
            self._asking.close()

    def _named(self, text: str) -> Hit | None:
        """Return the hit of a term that is given as IRI or prefixed name, where it occurs."""
        prefix, _, local = text.partition(":")
        iri = self._graph.prefixes[prefix] + local if prefix in self._graph.prefixes else text.strip("<>")
        if not is_absolute(iri):
            return None
        known = self._graph.vocabulary
        role: Role = "predicate" if iri in known.predicates else "class" if iri in known.classes else "entity"
        if role == "entity" and not self._facts([IRI(iri)]).get(IRI(iri), Facts()).count:
            return None
        label = self._graph.labels([IRI(iri)])[IRI(iri)]
        return Hit(Named(iri, role, label, fold(label)), "exact", (-1,))

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
            return facts(within(self._graph.store, PATIENCE), terms, self._graph.vocabulary.classes)
        except StoreError as error:
            _log.warning("types and counts are not known now: %s", error)
            return {}


def _declared(about: Facts) -> Role:
    """Return what the types of a term say that it is."""
    for role, kinds in DECLARATIONS.items():
        if any(kind.value in kinds for kind in about.types):
            return role
    return "entity"
