"""KG: a graph with its names; a store, prefixes and the vocabulary that is in use."""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from heapq import nsmallest
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final, Literal, Self

from hermes.datasets import SHIPPED, shipped
from hermes.errors import StoreError, did_you_mean
from hermes.namespaces import combine, derive, split
from hermes.store import SUFFIXES, TIME_LIMIT, CachedStore, EmbeddedStore, Limits, format_of, is_store
from hermes.terms import IRI, WELL_KNOWN, Prefixes
from hermes.terms import Literal as LiteralTerm

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

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

    @classmethod
    def load(
        cls,
        *sources: str | Path,
        graph: str | None = None,
        prefixes: Mapping[str, str] | None = None,
        allow_services: Iterable[str] = (),
        timeout: float | None = TIME_LIMIT,
    ) -> Self:
        """Load files into memory, or open a store directory.

        Args:
            sources: files (.ttl .nt .nq .trig .rdf .owl .jsonld, each also .gz) or shipped names, such as
                `"olympics"`; or one directory that `hermes load` wrote.
            graph: the default graph: `"default"`, `"union"` or the IRI of a named graph; by default the
                default graph, or the union of all where it is empty.
            prefixes: used before those that the files declare, which are used before the well-known ones. A
                graph that declares none of its own gets prefixes derived from its namespaces.
            allow_services: the host names that a SERVICE clause may call; by default none.
            timeout: the seconds that a query may run (default 30); None, said explicitly, is no limit.

        Raises:
            StoreError: a source is not known or cannot be loaded, or `graph` names no graph.
            ValueError: `timeout` is not more than 0.
        """
        limits = Limits.of_time(timeout)
        services = tuple(allow_services)
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
            CachedStore(embedded),
            names,
            dataset=embedded.dataset,
            vocabulary=vocabulary,
            allow_services=services,
        )

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
        """Whether the vocabulary has been mined, so that asking for it costs nothing."""
        return self._vocabulary is not None

    @property
    def vocabulary(self) -> Vocabulary:
        """The predicates and classes in use, most frequent first; mined once, when first asked for.

        Raises:
            StoreError: the store could not answer.
        """
        with self._mining:
            if self._vocabulary is None:
                self._vocabulary = _mine(self.store.select(_VOCABULARY))
            return self._vocabulary

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
        f"wrote, or a file that ends in {SUFFIXES}{did_you_mean(str(source), SHIPPED)}",
        category="unreadable",
        code="unknown-source",
    )
