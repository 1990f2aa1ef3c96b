"""The vocabulary of a graph: the predicates and classes that it uses, and the names near to a name."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cached_property
from heapq import nsmallest
from typing import Final

from hermes.errors import StoreError
from hermes.namespaces import split
from hermes.results import Table
from hermes.store import CachedStore, EmbeddedStore, Store, is_endpoint, within
from hermes.store.usage import USAGE_QUERY, Usage
from hermes.terms import IRI, RDF_TYPE, Literal, Term, full_iri

_log: Final = logging.getLogger("hermes")

_SAMPLE: Final = "SELECT ?s ?o { ?s ?p ?o } LIMIT 5000"

_PATIENCE: Final = 10.0
"""Seconds that an endpoint gets for its vocabulary: a hint is not worth more."""

_EXAMPLES_AT_ONCE: Final = 50

_SIMILAR: Final = 0.6
"""The least similarity of two names of which one may be a slip for the other, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Looks:
    """How a vocabulary looks at its graph: what labels terms, and what executes a SELECT query."""

    labels: Callable[[Iterable[IRI]], Mapping[IRI, str]]
    select: Callable[[str], Table]


@dataclass(frozen=True)
class Vocabulary:
    """What a graph uses: its predicates with their triples, its classes with their direct instances."""

    predicates: Mapping[str, int]
    classes: Mapping[str, int]
    looks: Looks | None = field(default=None, repr=False, compare=False)

    @cached_property
    def labels(self) -> Mapping[str, str]:
        """A label for each predicate and class, looked up when first asked for (see `KG.labels`)."""
        if self.looks is None:
            return {}
        terms = [IRI(iri) for iri in (*self.predicates, *self.classes)]
        return {iri.value: label for iri, label in self.looks.labels(terms).items()}

    @cached_property
    def examples(self) -> Mapping[str, Term]:
        """An object of each predicate and an instance of each class, looked up when first asked for.

        Where the graph cannot say it in time, some have none.
        """
        return {} if self.looks is None else _examples(self.looks.select, self)


NOTHING: Final = Vocabulary({}, {})


def mine(store: Store) -> Vocabulary | None:
    """Return the vocabulary of a store, by one query at most, most frequent names first.

    An embedded store mostly knows it since it was loaded. An endpoint that cannot say it in 10 s, or says
    only a part of it, has None.

    Raises:
        StoreError: an embedded store could not answer.
    """
    asked = store.inner if isinstance(store, CachedStore) else store
    if isinstance(asked, EmbeddedStore) and asked.usage is not None:
        return Vocabulary(asked.usage.predicates, asked.usage.classes)
    select = within(store, _PATIENCE)
    if not is_endpoint(store):
        return _read(select(USAGE_QUERY))
    try:
        table = select(USAGE_QUERY)
        return _read(table) if table.complete else None
    except (StoreError, LookupError, ValueError) as error:
        _log.debug("the vocabulary of %s is not known: %s", store.source, error)
        return None


def _read(table: Table) -> Vocabulary:
    usage = Usage.of(_counted(table))
    return Vocabulary(usage.predicates, usage.classes)


def _counted(table: Table) -> Iterator[tuple[str, str, int]]:
    for row in table.rows:
        role, term, n = row["role"], row.get("term"), row["n"]
        if isinstance(role, Literal) and isinstance(n, Literal) and isinstance(term, IRI):
            yield role.lexical, term.value, int(n.lexical)


def _examples(select: Callable[[str], Table], vocabulary: Vocabulary) -> dict[str, Term]:
    patterns = {
        **{iri: f"?x {full_iri(RDF_TYPE)} {full_iri(iri)}" for iri in vocabulary.classes},
        **{iri: f"?s {full_iri(iri)} ?x" for iri in vocabulary.predicates},
    }
    found: dict[str, Term] = {}
    names = list(patterns)
    for start in range(0, len(names), _EXAMPLES_AT_ONCE):
        each = (
            f"{{ SELECT ({full_iri(iri)} AS ?term) ?x {{ {patterns[iri]} }} LIMIT 1 }}"
            for iri in names[start : start + _EXAMPLES_AT_ONCE]
        )
        try:
            rows = select(f"SELECT ?term ?x {{ {' UNION '.join(each)} }}").rows
        except StoreError as error:
            _log.debug("not all examples are known: %s", error)
            break
        found |= {
            term.value: row["x"] for row in rows if isinstance(term := row.get("term"), IRI) and "x" in row
        }
    return found


def iris(store: Store, vocabulary: Vocabulary) -> Counter[str]:
    """Count the IRIs of the vocabulary and of a sample of the triples."""
    counts = Counter(vocabulary.predicates) + Counter(vocabulary.classes)
    for row in store.select(_SAMPLE).rows:
        for term in row.values():
            if isinstance(term, IRI):
                counts[term.value] += 1
            elif isinstance(term, Literal):
                counts[term.datatype] += 1
    return counts


def nearest(iri: str, known: Mapping[str, int], n: int) -> list[tuple[str, int]]:
    """Return at most `n` of the `known` names whose local names are nearest to that of `iri`, with counts.

    The nearest come first, of equally near ones the most frequent; `iri` itself is left out.
    """
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(split(iri)[1].lower())
    found = []
    for term, count in known.items():
        matcher.set_seq1(split(term)[1].lower())
        if term != iri and matcher.quick_ratio() >= _SIMILAR and (ratio := matcher.ratio()) >= _SIMILAR:
            found.append((-ratio, -count, term))
    return [(term, -count) for _, count, term in nsmallest(n, found)]
