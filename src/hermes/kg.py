"""KG: a graph with its names; a store, prefixes and the vocabulary that is in use."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from pathlib import Path
from threading import Lock
from typing import Final, Literal, Self

from hermes.namespaces import combine, customary, derive
from hermes.results import Table, Triples
from hermes.sources import open_store
from hermes.store import TIME_LIMIT, CachedStore, EmbeddedStore, EndpointStore, Limits, Store
from hermes.terms import WELL_KNOWN, Prefixes
from hermes.vocabulary import NOTHING, Vocabulary, iris, mine, nearest

Role = Literal["predicate", "class"]

_log: Final = logging.getLogger("hermes")

_WELL_KNOWN_NAMESPACES: Final = frozenset(WELL_KNOWN.values())

_FRESH: Final = 300.0
"""For how many seconds an answer of an endpoint is used again."""


class KG:
    """A knowledge graph: what executes queries, and the names in them. May be shared between threads.

    Args:
        store: executes the queries.
        prefixes: for reading and writing names.
        dataset: what the store uses as default graph: `"default"`, `"union"` or an IRI.
        vocabulary: what the graph uses, where that is known already.
        allow_services: the host names that a SERVICE clause may call; by default none.

    Attributes:
        store: see above.
        prefixes: see above.
        header: the prologue of queries: one `PREFIX` line for each prefix.
        dataset: see above.
        allow_services: see above, in lower case.
    """

    def __init__(
        self,
        store: Store,
        prefixes: Mapping[str, str],
        *,
        dataset: str = "default",
        vocabulary: Vocabulary | None = None,
        allow_services: Iterable[str] = (),
    ) -> None:
        self.store = store
        self.prefixes = Prefixes(prefixes)
        self.header = str(self.prefixes)
        self.dataset = dataset
        self.allow_services = frozenset(host.lower() for host in allow_services)
        self._vocabulary = vocabulary
        self._mining = Lock()
        self._mined = vocabulary is not None

    @classmethod
    def load(
        cls,
        *sources: str | Path,
        graph: str | None = None,
        prefixes: Mapping[str, str] | None = None,
        allow_services: Iterable[str] = (),
        cache: str | Path | None = None,
        timeout: float | None = TIME_LIMIT,
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

        Raises:
            StoreError: a source is not known or cannot be loaded, or `graph` names no graph.
            ValueError: `timeout` is not more than 0.
        """
        limits = Limits.of_time(timeout)
        services = tuple(allow_services)
        store = open_store(sources, graph, limits, services)
        names, vocabulary = _names(store, prefixes or {})
        fresh = _FRESH if isinstance(store, EndpointStore) else None
        cached = CachedStore(
            store, file=cache, time_to_live=fresh, dataset=store.dataset, limits=repr(limits)
        )
        return cls(cached, names, dataset=store.dataset, vocabulary=vocabulary, allow_services=services)

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

        An endpoint that cannot say it in 10 s has an empty one, and `vocabulary_known` stays False.

        Raises:
            StoreError: the embedded store could not answer.
        """
        with self._mining:
            if not self._mined:
                self._vocabulary = mine(self.store)
                self._mined = True
            return self._vocabulary or NOTHING

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
        Mines the vocabulary.

        Raises:
            StoreError: the store could not answer.
        """
        known = self.vocabulary.predicates if role == "predicate" else self.vocabulary.classes
        return nearest(iri, known, n)

    def close(self) -> None:
        """Close the store."""
        self.store.close()


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
