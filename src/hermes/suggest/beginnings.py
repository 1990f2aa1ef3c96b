"""The first steps of a query: the classes and the predicates of a graph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from hermes.algebra.operators.triple import Triple
from hermes.errors import StoreError
from hermes.sparql.patterns import TriplePattern
from hermes.store import deadline
from hermes.suggest.naming import named_after
from hermes.suggest.next_step import NextStep
from hermes.terms import IRI, RDF_TYPE, Literal, Variable

if TYPE_CHECKING:
    from hermes.kg import KG
    from hermes.verifier import Schema

_SUBJECTS: Final = "SELECT ?p (COUNT(DISTINCT ?s) AS ?n) WHERE { ?s ?p ?o } GROUP BY ?p"
_SUBJECT: Final = Variable("x")


def beginnings(kg: KG, schema: Schema | None, seconds: float) -> Iterator[NextStep]:
    """Yield the instances of each class, and the triples of each predicate; one query at most.

    Where the number of subjects of a predicate is not known in time, it is estimated.

    Raises:
        StoreError: the store failed, for another reason than time.
    """
    for iri, count in kg.vocabulary.classes.items():
        instance = named_after(IRI(iri), (), otherwise="x")
        pattern = TriplePattern(instance, IRI(RDF_TYPE), IRI(iri))
        yield NextStep(Triple(pattern), "class", IRI(iri), None, count, count)
    subjects = _subjects(kg, schema, seconds)
    for iri, count in kg.vocabulary.predicates.items():
        value = named_after(IRI(iri), (_SUBJECT,))
        values = subjects.get(iri, 0)
        pattern = TriplePattern(_SUBJECT, IRI(iri), value)
        yield NextStep(Triple(pattern), "out", IRI(iri), None, count, values or count, estimated=not values)


def _subjects(kg: KG, schema: Schema | None, seconds: float) -> Mapping[str, int]:
    """Return how many subjects each predicate has; empty where that is not known in time."""
    if schema is not None and schema.complete:
        return {iri: each.subjects for iri, each in schema.predicates.items()}
    try:
        with deadline(seconds):
            rows = kg.select(_SUBJECTS).rows
    except StoreError as error:
        if error.category != "timeout":
            raise
        return {}
    return {
        predicate.value: int(number.lexical)
        for row in rows
        if isinstance(predicate := row.get("p"), IRI) and isinstance(number := row.get("n"), Literal)
    }
