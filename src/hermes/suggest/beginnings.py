"""The first steps of a query: the classes and the predicates of a graph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from hermes.algebra.operators.triple import Triple
from hermes.algebra.plan import Plan
from hermes.errors import StoreError
from hermes.sparql.patterns import TriplePattern
from hermes.store import deadline
from hermes.suggest.naming import named_after
from hermes.suggest.next_step import NextStep
from hermes.terms import IRI, RDF_TYPE, Literal, Variable, full_iri

if TYPE_CHECKING:
    from hermes.kg import KG
    from hermes.verifier import Schema

TOO_SLOW: Final = ("timeout", "memory")
"""Why a query of suggestions may fail without being a failure."""
_PREDICATES: Final = (
    "{ SELECT (0 AS ?class) ?t (COUNT(*) AS ?n) (COUNT(DISTINCT ?s) AS ?v) { ?s ?t ?o } GROUP BY ?t }"
)
_CLASSES: Final = (
    f"{{ SELECT (1 AS ?class) ?t (COUNT(*) AS ?n) (COUNT(*) AS ?v) "
    f"{{ ?s {full_iri(RDF_TYPE)} ?t }} GROUP BY ?t }}"
)
_SUBJECT: Final = Variable("x")


@dataclass(frozen=True, slots=True)
class Beginnings:
    """The first steps; `complete` is False where there may be others."""

    steps: tuple[NextStep, ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class _Sizes:
    """How many instances each class has, and how many triples and subjects each predicate (0: not known)."""

    classes: Mapping[str, int] = field(default_factory=dict)
    predicates: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    complete: bool = True


def beginnings(kg: KG, plan: Plan, schema: Schema | None, seconds: float) -> Beginnings:
    """Return the instances of each class, and the triples of each predicate; one query at most.

    Where the number of subjects of a predicate is not known in time, it is estimated.

    Args:
        kg: the graph.
        plan: an empty plan; its graphs count, and whether its rows are different.
        schema: what is known of the graph.
        seconds: how long the query may take.

    Raises:
        StoreError: the store failed, for another reason than time.
    """
    known = _known(kg, schema) if schema is not None and not plan.dataset else _asked(kg, plan, seconds)
    distinct = plan.distinct or plan.reduced
    return Beginnings(tuple(_steps(known, distinct=distinct)), known.complete)


def _steps(sizes: _Sizes, *, distinct: bool) -> Iterator[NextStep]:
    for iri, count in sizes.classes.items():
        instance = named_after(IRI(iri), (), otherwise="x")
        pattern = TriplePattern(instance, IRI(RDF_TYPE), IRI(iri))
        yield NextStep(Triple(pattern), "class", IRI(iri), None, count, count)
    for iri, (count, subjects) in sizes.predicates.items():
        pattern = TriplePattern(_SUBJECT, IRI(iri), named_after(IRI(iri), (_SUBJECT,)))
        rows = subjects if distinct and subjects else count
        yield NextStep(
            Triple(pattern), "out", IRI(iri), None, rows, subjects or count, estimated=not subjects
        )


def _known(kg: KG, schema: Schema) -> _Sizes:
    found = schema.predicates if schema.complete else {}
    predicates = {
        iri: (count, found[iri].subjects if iri in found else 0)
        for iri, count in kg.vocabulary.predicates.items()
    }
    return _Sizes(kg.vocabulary.classes, predicates, kg.vocabulary_known)


def _asked(kg: KG, plan: Plan, seconds: float) -> _Sizes:
    """Return what the graphs of a plan say, or where there is no time, what is known of the default one."""
    dataset = " ".join(f"FROM {'NAMED ' if each.named else ''}{each.graph}" for each in plan.dataset)
    vocabulary = kg.vocabulary  # before the deadline: it is remembered
    try:
        with deadline(seconds):
            rows = kg.select(f"SELECT * {dataset} WHERE {{ {_PREDICATES} UNION {_CLASSES} }}").rows
    except StoreError as error:
        if error.category not in TOO_SLOW:
            raise
        if plan.dataset:
            return _Sizes(complete=False)
        predicates = {iri: (count, 0) for iri, count in vocabulary.predicates.items()}
        return _Sizes(vocabulary.classes, predicates, complete=False)
    classes: dict[str, int] = {}
    found: dict[str, tuple[int, int]] = {}
    for row in rows:
        term, count, subjects = row.get("t"), _number(row.get("n")), _number(row.get("v"))
        if isinstance(term, IRI) and count:
            if _number(row.get("class")):
                classes[term.value] = count
            else:
                found[term.value] = count, subjects
    return _Sizes(classes, found)


def _number(term: object) -> int:
    return int(term.lexical) if isinstance(term, Literal) and term.lexical.isdigit() else 0
