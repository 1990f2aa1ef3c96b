"""KG: a graph with its names; a store, prefixes and the vocabulary that is in use."""

from __future__ import annotations

import logging
import weakref
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Final, Self

from hermes.errors import PlanError
from hermes.findings import Inspection, Lookup, Role
from hermes.inspecting import inspect
from hermes.labels import (
    DEFAULT_LANGUAGE,
    WELL_KNOWN_NAMES,
    Finder,
    Indexes,
    Labels,
    Name,
    checked_language,
    find_names,
    label_of,
    words,
)
from hermes.namespaces import combine, customary, derive
from hermes.results import Table, Triples
from hermes.sources import open_store
from hermes.sparql.iris import is_absolute
from hermes.store import (
    TIME_LIMIT,
    CachedStore,
    EmbeddedStore,
    EndpointStore,
    Limits,
    Store,
    is_endpoint,
    within,
)
from hermes.terms import IRI, WELL_KNOWN, Prefixes, Term
from hermes.vocabulary import NOTHING, Looks, Vocabulary, iris, mine, nearest

_log: Final = logging.getLogger("hermes")

_WELL_KNOWN_NAMESPACES: Final = frozenset(WELL_KNOWN.values())

_FRESH: Final = 300.0
"""For how many seconds an answer of an endpoint is used again."""

_PATIENCE: Final = 10.0
"""Seconds that an endpoint gets for the labels of a table, or for a part of an inspection."""


class KG:
    """A knowledge graph: what executes queries, and the names in them. May be shared between threads.

    Args:
        store: executes the queries.
        prefixes: for reading and writing names.
        dataset: what the store uses as default graph: `"default"`, `"union"` or an IRI.
        vocabulary: what the graph uses, where that is known already.
        allow_services: the host names that a SERVICE clause may call; by default none.
        language: the preferred language of labels, a tag such as `en`.

    Attributes:
        store: see above.
        prefixes: see above.
        header: the prologue of queries: one `PREFIX` line for each prefix.
        dataset: see above.
        allow_services: see above, in lower case.

    Raises:
        ValueError: `language` is no language tag.
    """

    def __init__(  # noqa: PLR0913 - the others are settings with defaults
        self,
        store: Store,
        prefixes: Mapping[str, str],
        *,
        dataset: str = "default",
        vocabulary: Vocabulary | None = None,
        allow_services: Iterable[str] = (),
        language: str = DEFAULT_LANGUAGE,
    ) -> None:
        self.store = store
        self.prefixes = Prefixes(prefixes)
        self.header = str(self.prefixes)
        self.dataset = dataset
        self.allow_services = frozenset(host.lower() for host in allow_services)
        # A graph is closed when it is forgotten, so nothing that it holds may hold it.
        this = weakref.ref(self)
        self._labels = Labels(within(store, _PATIENCE), lambda: _names_of(this()), language)
        self._finder = Finder(weakref.proxy(self))
        self._looks = Looks(partial(_labelled, self._labels, self.prefixes), within(store, _PATIENCE))
        self._vocabulary = vocabulary and replace(vocabulary, looks=self._looks)
        self._mining = Lock()
        self._mined = vocabulary is not None
        self._names: tuple[Name, ...] | None = None

    @classmethod
    def load(  # noqa: PLR0913 - settings with defaults
        cls,
        *sources: str | Path,
        graph: str | None = None,
        prefixes: Mapping[str, str] | None = None,
        allow_services: Iterable[str] = (),
        cache: str | Path | None = None,
        timeout: float | None = TIME_LIMIT,
        language: str = DEFAULT_LANGUAGE,
    ) -> Self:
        """Load files into memory, open a store directory, or name an endpoint, which is not asked yet.

        Args:
            sources: files (.ttl .nt .nq .trig .rdf .owl .jsonld, each also .gz) or shipped names, such as
                `"olympics"`; or one directory that `hermes load` wrote; or the http or https address of one
                SPARQL endpoint.
            graph: the default graph: `"default"`, `"union"` or the IRI of a named graph; by default the
                default graph, or the union of all where it is empty. An endpoint has no `"union"`.
            prefixes: used before those that the files declare, which are used before the well-known ones. A
                graph that declares none of its own gets prefixes derived from its namespaces.
            allow_services: the host names that a SERVICE clause may call; by default none.
            cache: a file in which results outlive the process, shared by processes; by default none. One that
                cannot be used is left alone, with a warning on the logger `hermes`.
            timeout: the seconds that a query may run (default 60); None, said explicitly, is no limit.
            language: the preferred language of labels, a tag such as `en` (the default) or `pt-BR`.

        Raises:
            StoreError: a source is not known or cannot be loaded, or `graph` names no graph.
            ValueError: `timeout` is not more than 0, or `language` is no language tag.
        """
        checked_language(language)
        limits = Limits.of_time(timeout)
        services = tuple(allow_services)
        store = open_store(sources, graph, limits, services)
        names, vocabulary = _names(store, prefixes or {})
        fresh = _FRESH if isinstance(store, EndpointStore) else None
        cached = CachedStore(
            store, file=cache, time_to_live=fresh, dataset=store.dataset, limits=repr(limits)
        )
        return cls(
            cached,
            names,
            dataset=store.dataset,
            vocabulary=vocabulary,
            allow_services=services,
            language=language,
        )

    @property
    def engine(self) -> str:
        """The name of what executes the queries, such as `oxigraph`."""
        return self.store.engine

    @property
    def source(self) -> str:
        """Where the triples came from, for a reader."""
        return self.store.source

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the store: the same text, the same triples and choice of dataset."""
        return self.store.fingerprint

    @property
    def vocabulary_known(self) -> bool:
        """Whether the vocabulary has been mined, so that asking for it costs nothing; never of a part."""
        return self._vocabulary is not None

    @property
    def vocabulary(self) -> Vocabulary:
        """The predicates and classes in use, most frequent first; mined once, when first asked for.

        Their numbers are in `predicates` and `classes`; `labels` and `examples` are looked up when asked for.

        An endpoint that cannot say it in 10 s has an empty one, and `vocabulary_known` stays False.

        Raises:
            StoreError: the embedded store could not answer.
        """
        with self._mining:
            if not self._mined:
                found = mine(self.store)
                self._vocabulary = found and replace(found, looks=self._looks)
                self._mined = True
            return self._vocabulary or NOTHING

    def declare(self, prefixes: Mapping[str, str]) -> None:
        """Let names be read and written with more prefixes, which go before those that are there."""
        kept = {prefix: ns for prefix, ns in self.prefixes.items() if prefix not in prefixes}
        self.prefixes = Prefixes({**prefixes, **kept})
        self.header = str(self.prefixes)
        self._looks = replace(self._looks, labels=partial(_labelled, self._labels, self.prefixes))
        self._vocabulary = self._vocabulary and replace(self._vocabulary, looks=self._looks)

    def derived_prefixes(self) -> dict[str, str]:
        """Return prefixes for the namespaces in use that have none; none where the vocabulary is not known.

        Raises:
            StoreError: the store could not answer.
        """
        if not self.vocabulary_known:
            return {}
        found = derive(iris(self.store, self.vocabulary), self.prefixes)
        return {prefix: namespace for prefix, namespace in found.items() if prefix not in self.prefixes}

    def select(self, query: str) -> Table:
        """Return the solutions of a SELECT query.

        Raises:
            StoreError: the text is not a SELECT query, or the store could not answer.
        """
        _log.debug("%s", query)
        return self.store.select(query)

    def ask(self, query: str) -> bool:
        """Return the answer of an ASK query.

        Raises:
            StoreError: the text is not an ASK query, or the store could not answer.
        """
        _log.debug("%s", query)
        return self.store.ask(query)

    def construct(self, query: str) -> Triples:
        """Return the triples of a CONSTRUCT or DESCRIBE query.

        Raises:
            StoreError: the text is not such a query, or the store could not answer.
        """
        _log.debug("%s", query)
        return self.store.construct(query)

    def nearest(self, iri: str, role: Role, n: int = 3) -> list[tuple[str, int]]:
        """Return the terms in use whose local names are nearest to that of `iri`, with their counts.

        At most `n`: the nearest first, of equally near ones the most frequent first, `iri` itself left out.
        Entities are those that `lookup` finds by that name in words, where it is any. Mines the vocabulary.

        Raises:
            StoreError: the store could not answer.
        """
        if role == "entity":
            name = words(iri)
            entries = self.lookup(name, role, n + 1).entries if name else ()
            return [(entry.term.value, entry.count) for entry in entries if entry.term.value != iri][:n]
        known = self.vocabulary.predicates if role == "predicate" else self.vocabulary.classes
        return nearest(iri, known, n)

    @property
    def language(self) -> str:
        """The preferred language of labels."""
        return self._labels.language

    def labels(self, terms: Iterable[Term], language: str | None = None) -> dict[IRI, str]:
        """Return a label for each IRI among `terms`, in their order; never a missing key.

        It is the label that the graph states (see `stated_labels`); else the local name in words, such as
        "has category" for `hasCategory`; else, where that says nothing (`q3`), the short IRI.

        Args:
            terms: the terms of a table, for one; those that are no IRIs are passed over.
            language: the preferred language; by default that of the KG.

        Raises:
            ValueError: `language` is no language tag.
        """
        return _labelled(self._labels, self.prefixes, terms, language)

    def stated_labels(self, terms: Iterable[Term], language: str | None = None) -> dict[IRI, str]:
        """Return the labels that the graph states of the IRIs among `terms`; the others have no key.

        A label in the preferred language (`en-GB` is `en` too) is better than one without a language, and
        that than any other. One query for what is not known yet, 500 terms at a time. A label is never worth
        a failure: where the store cannot answer, nothing is stated, and the logger `hermes` is warned.

        Raises:
            ValueError: `language` is no language tag.
        """
        return self._labels.stated(terms, language)

    def label(self, iri: IRI) -> str:
        """Return the label of one term (see `labels`)."""
        return self.labels([iri])[iri]

    def inspect(self, term: IRI, limit: int = 40, *, role: Role | None = None) -> Inspection:
        """Return what is around a term: predicates in both directions, with counts and an example each.

        Of an entity those around it, of a class those of its direct instances; of a predicate the classes of
        its subjects and objects and the datatypes of its values. What is too much is counted for a part, and
        the finding says so; an endpoint gets 10 s for each of about three queries. A term that does not occur
        has the count 0.

        Args:
            term: an absolute IRI.
            limit: how many predicates or kinds; each direction has its share of them.
            role: as what the term is looked at; by default as a class where it has instances, else as a
                predicate where it has triples, else as an entity.

        Raises:
            PlanError: `term` is no absolute IRI.
            StoreError: the store could not answer.
        """
        if not is_absolute(term.value):
            raise PlanError(f"{term} is no absolute IRI that every engine reads", code="bad-iri")
        found = inspect(within(self.store, _PATIENCE), term, limit, role)
        labels = self.stated_labels(found.terms())
        return replace(found, label=labels.pop(term, ""), labels=labels)

    def lookup(self, text: str, role: Role | None = None, limit: int = 10) -> Lookup:
        """Return the terms that a text may mean: those with a label or a name that contains it.

        Case, accents and punctuation do not count. Exact matches come first, then labels that begin with the
        text, that have it as words (or all of its words, in any order), inside of words, and where there is
        nothing better, those that have it but for a typo or two; then first labels before alternative ones,
        the shorter label, the larger count, the IRI.

        On the embedded store an index is made when it is first needed; that of a graph of more than 100,000
        triples is kept beside the store directory, or in the cache directory (docs/labels.md). On an endpoint
        it is some queries of at most 10 s each.

        Args:
            text: what is looked for.
            role: `"entity"`, `"class"` or `"predicate"`, where only such terms count.
            limit: the number of terms, at least 1; where there are more, the result is not complete.

        Raises:
            StoreError: the store could not answer.
            ValueError: `limit` is less than 1.
        """
        return self._finder.lookup(text, role, limit)

    @property
    def indexes(self) -> Indexes | None:
        """The indexes of names and of the texts that occur, each made when it is first asked.

        None on an endpoint, which is searched by queries, unless they were made (see `make_indexes`).
        """
        return self._finder.indexes

    def make_indexes(self) -> tuple[int, int]:
        """Make the indexes of names and of texts, and return how many each has.

        Those of an endpoint are read a page at a time, and kept in the cache directory: look-up and linking
        then ask it no more for names. What is kept already is not made again.

        Raises:
            StoreError: the store could not answer.
        """
        return self._finder.make_indexes()

    @property
    def label_names(self) -> Sequence[Name]:
        """What gives terms their names here, in order of preference, found by looking at what the graph uses.

        Of an endpoint only what is known of its vocabulary already is looked at: else the well-known ones.

        Raises:
            StoreError: the store could not answer.
        """
        if self._names is not None:
            return self._names
        endpoint = is_endpoint(self.store)
        if endpoint and not self.vocabulary_known:
            return WELL_KNOWN_NAMES
        select = within(self.store, _PATIENCE)
        self._names = find_names(select, self.vocabulary.predicates, guess=not endpoint)
        return self._names

    def close(self) -> None:
        """Close the store, and the index of look-ups."""
        self._finder.close()
        self.store.close()


def _names_of(kg: KG | None) -> Sequence[Name]:
    """Return what gives names in a graph, or mostly does where the graph is gone."""
    return WELL_KNOWN_NAMES if kg is None else kg.label_names


def _labelled(
    labels: Labels, prefixes: Prefixes, terms: Iterable[Term], language: str | None = None
) -> dict[IRI, str]:
    asked = list(dict.fromkeys(term for term in terms if isinstance(term, IRI)))
    stated = labels.stated(asked, language)
    return {iri: stated.get(iri) or label_of(iri, prefixes) for iri in asked}


def _names(
    store: EmbeddedStore | EndpointStore, prefixes: Mapping[str, str]
) -> tuple[Prefixes, Vocabulary | None]:
    """Return the prefixes of a graph, and its vocabulary where that is known or needed for them."""
    if isinstance(store, EndpointStore):
        return combine(prefixes, customary(store.url)), None
    names = combine(prefixes, store.declared)
    nameless = _WELL_KNOWN_NAMESPACES.issuperset(store.declared.values())
    vocabulary = mine(store) if nameless or store.usage is not None else None
    if nameless and vocabulary:
        names = derive(iris(store, vocabulary), names)
    return names, vocabulary
