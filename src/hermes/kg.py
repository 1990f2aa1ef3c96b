"""KG: a graph with its names; a store, prefixes and the vocabulary that is in use."""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import partial
from heapq import nsmallest
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final, Literal, Self

from hermes.datasets import SHIPPED, shipped
from hermes.errors import StoreError, did_you_mean
from hermes.namespaces import combine, customary, derive, split
from hermes.store import (
    ENDPOINT_LIMITS,
    SUFFIXES,
    TIME_LIMIT,
    CachedStore,
    EmbeddedStore,
    EndpointStore,
    Limits,
    format_of,
    is_store,
    is_url,
)
from hermes.terms import IRI, WELL_KNOWN, Prefixes
from hermes.terms import Literal as LiteralTerm

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from hermes.results import Table, Triples
    from hermes.store import Store

Role = Literal["predicate", "class"]

_log: Final = logging.getLogger("hermes")

_VOCABULARY: Final = """\
SELECT ?role ?term ?n {
  { SELECT ("predicate" AS ?role) ?term (COUNT(*) AS ?n) { ?s ?term ?o } GROUP BY ?term }
  UNION
  { SELECT ("class" AS ?role) ?term (COUNT(*) AS ?n)
    { ?s <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> ?term } GROUP BY ?term }
}"""
_SAMPLE: Final = "SELECT ?s ?o { ?s ?p ?o } LIMIT 5000"

_WELL_KNOWN_NAMESPACES: Final = frozenset(WELL_KNOWN.values())

_SMALL: Final = 100_000
"""Graphs of at most so many triples are mined when they are loaded (at most about 50 ms)."""

_PATIENCE: Final = 10.0
"""Seconds that an endpoint gets for its vocabulary: a hint is not worth more."""

_FRESH: Final = 300.0
"""For how many seconds an answer of an endpoint is used again."""

_SIMILAR: Final = 0.6
"""The least similarity of two names of which one may be a slip for the other, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What a graph uses: its predicates with their triples, its classes with their direct instances."""

    predicates: Mapping[str, int]
    classes: Mapping[str, int]


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
        self._miner: Callable[[], Vocabulary | None] = lambda: _mine(store.select(_VOCABULARY))
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
        if any(map(is_url, sources)):
            endpoint = _endpoint(sources, graph, limits)
            store = CachedStore(
                endpoint, file=cache, time_to_live=_FRESH, dataset=endpoint.dataset, limits=repr(limits)
            )
            return cls._over(endpoint, store, prefixes or {}, services)
        files = known_files(sources)
        if not files:
            raise StoreError(f"no source; name a file or one of: {', '.join(SHIPPED)}", code="unknown-source")
        said = ", ".join(map(str, sources))
        embedded = EmbeddedStore(files, graph, source=said, limits=limits, allow_services=services)
        names = combine(prefixes or {}, embedded.declared)
        vocabulary = None
        nameless = _WELL_KNOWN_NAMESPACES.issuperset(embedded.declared.values())
        if nameless or embedded.size <= _SMALL:
            vocabulary = _mine(embedded.select(_VOCABULARY))
        if nameless and vocabulary:
            names = derive(_iris(vocabulary, embedded.select(_SAMPLE)), names)
        return cls(
            CachedStore(embedded, file=cache, dataset=embedded.dataset, limits=repr(limits)),
            names,
            dataset=embedded.dataset,
            vocabulary=vocabulary,
            allow_services=services,
        )

    @classmethod
    def _over(
        cls, endpoint: EndpointStore, store: Store, prefixes: Mapping[str, str], services: Iterable[str]
    ) -> Self:
        """Return a KG over an endpoint and its cache, with the prefixes that people use there."""
        names = combine(prefixes, customary(endpoint.url))
        kg = cls(store, names, dataset=endpoint.dataset, allow_services=services)
        kg._miner = partial(_mine_endpoint, endpoint)
        return kg

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
                self._vocabulary = self._miner()
                self._mined = True
            return self._vocabulary or Vocabulary({}, {})

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
        matcher = SequenceMatcher(autojunk=False)
        matcher.set_seq2(split(iri)[1].lower())
        found = []
        for term, count in known.items():
            matcher.set_seq1(split(term)[1].lower())
            if term != iri and matcher.quick_ratio() >= _SIMILAR and (ratio := matcher.ratio()) >= _SIMILAR:
                found.append((-ratio, -count, term))
        return [(term, -count) for _, count, term in nsmallest(n, found)]

    def close(self) -> None:
        """Close the store."""
        self.store.close()


def _endpoint(sources: tuple[str | Path, ...], graph: str | None, limits: Limits) -> EndpointStore:
    if len(sources) != 1:
        raise StoreError(
            "an endpoint is a graph of its own: name it alone, not beside other sources",
            category="unreadable",
            code="unknown-source",
        )
    return EndpointStore(str(sources[0]), graph, limits=replace(ENDPOINT_LIMITS, time=limits.time))


def _mine_endpoint(endpoint: EndpointStore) -> Vocabulary | None:
    """Return what an endpoint uses; None where it cannot say that in time, or only a part of it."""
    try:
        table = endpoint.select(_VOCABULARY, timeout=min(_PATIENCE, endpoint.exchange.limits.time))
        return _mine(table) if table.complete else None
    except (StoreError, LookupError, ValueError) as error:
        _log.debug("the vocabulary of %s is not known: %s", endpoint.source, error)
        return None


def _mine(table: Table) -> Vocabulary:
    found: dict[str, Counter[str]] = {"predicate": Counter(), "class": Counter()}
    for row in table.rows:
        role, term, n = row["role"], row.get("term"), row["n"]
        if isinstance(role, LiteralTerm) and isinstance(n, LiteralTerm) and isinstance(term, IRI):
            found[role.lexical][term.value] += int(n.lexical)
    return Vocabulary(_ranked(found["predicate"]), _ranked(found["class"]))


def _iris(vocabulary: Vocabulary, sample: Table) -> Counter[str]:
    """Count the IRIs of the vocabulary and of a sample of the triples."""
    counts = Counter(vocabulary.predicates) + Counter(vocabulary.classes)
    for row in sample.rows:
        for term in row.values():
            if isinstance(term, IRI):
                counts[term.value] += 1
            elif isinstance(term, LiteralTerm):
                counts[term.datatype] += 1
    return counts


def _ranked(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def known_files(sources: Sequence[str | Path]) -> list[Path]:
    """Return the files that sources name, or the one store directory.

    Raises:
        StoreError: a source is not known, or a store directory is not alone.
    """
    files = [_file(source) for source in sources]
    if len(files) > 1 and any(map(is_store, files)):
        raise StoreError(
            "a store directory is loaded by itself, without other sources", code="unknown-source"
        )
    return files


def _file(source: str | Path) -> Path:
    path = (shipped(source) if isinstance(source, str) else None) or Path(source)
    if (format_of(path) is not None and path.is_file()) or is_store(path):
        return path
    wrong = f"no file {source}" if format_of(path) is not None else f"unknown source {source}"
    raise StoreError(
        f"{wrong}; expected one of the shipped names ({', '.join(SHIPPED)}), a directory that hermes load "
        f"wrote, the http(s) address of an endpoint, or a file that ends in {SUFFIXES}"
        f"{did_you_mean(str(source), SHIPPED)}",
        category="unreadable",
        code="unknown-source",
    )
