"""The statements of a graph that an ontology or shapes are made of, read by one bounded query."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from hermes.errors import StoreError
from hermes.kg import KG
from hermes.store import is_endpoint, within
from hermes.terms import IRI, RDF, RDF_TYPE, Term, full_iri

_log: Final = logging.getLogger("hermes")

_MOST: Final = 500_000
_MOST_OF_AN_ENDPOINT: Final = 50_000
_PATIENCE: Final = 10.0
_FIRST: Final = RDF + "first"
_REST: Final = RDF + "rest"


class Statements:
    """Triples by predicate and subject."""

    def __init__(self, triples: Iterable[tuple[Term, str, Term]]) -> None:
        self._by_predicate: dict[str, dict[Term, list[Term]]] = defaultdict(lambda: defaultdict(list))
        for subject, predicate, object_ in triples:
            self._by_predicate[predicate][subject].append(object_)

    def pairs(self, predicate: str) -> Iterator[tuple[Term, Term]]:
        """Yield subject and object of each triple of a predicate."""
        for subject, objects in self._by_predicate.get(predicate, {}).items():
            for object_ in objects:
                yield subject, object_

    def objects(self, subject: Term, predicate: str) -> list[Term]:
        """Return the objects of a subject."""
        return self._by_predicate.get(predicate, {}).get(subject, [])

    def object(self, subject: Term, predicate: str) -> Term | None:
        """Return the first object of a subject."""
        return next(iter(self.objects(subject, predicate)), None)

    def subjects(self, predicate: str) -> Iterable[Term]:
        """Return the subjects of a predicate."""
        return self._by_predicate.get(predicate, {}).keys()

    def members(self, head: Term | None) -> list[Term]:
        """Return the members of an RDF list, which may be a ring by mistake."""
        found: list[Term] = []
        passed: set[Term] = set()
        while head is not None and head not in passed:
            passed.add(head)
            found += self.objects(head, _FIRST)
            head = self.object(head, _REST)
        return found


def read(kg: KG, predicates: Iterable[str], classes: Iterable[str]) -> Statements | None:
    """Return the triples of some predicates, the types of instances of some classes, and lists.

    None where the graph uses none of the predicates, or cannot say all of it in time.

    Raises:
        StoreError: an embedded store could not say its vocabulary.
    """
    used = kg.vocabulary.predicates
    wanted = [name for name in predicates if name in used]
    typed = [name for name in classes if name in kg.vocabulary.classes]
    if not wanted and not typed:
        return None
    wanted += [name for name in (_FIRST, _REST) if name in used]
    most = _MOST_OF_AN_ENDPOINT if is_endpoint(kg.store) else _MOST
    query = (
        f"SELECT ?s ?p ?o {{ {{ VALUES ?p {{ {' '.join(map(full_iri, wanted))} }} ?s ?p ?o }} UNION "
        f"{{ VALUES ?o {{ {' '.join(map(full_iri, typed))} }} "
        f"VALUES ?p {{ {full_iri(RDF_TYPE)} }} ?s ?p ?o }} }} LIMIT {most}"
    )
    try:
        table = within(kg.store, _PATIENCE)(query)
    except StoreError as error:
        _log.debug("an ontology is left out: %s", error)
        return None
    if not table.complete or len(table.rows) == most:
        return None
    return Statements(
        (row["s"], predicate.value, row["o"])
        for row in table.rows
        if isinstance(predicate := row.get("p"), IRI) and "s" in row and "o" in row
    )
