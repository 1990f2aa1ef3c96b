"""What a schema says of a focus without a query: exactly for the instances of a class, else an estimate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from hermes.sparql.patterns import TriplePattern
from hermes.suggest.counting import Counted, What
from hermes.suggest.site import Site
from hermes.terms import IRI, RDF_TYPE, Variable
from hermes.verifier import Schema
from hermes.verifier.schema import Predicate, Signature

_BOTH: Final[tuple[What, ...]] = ("out", "in")


def of_class(site: Site, schema: Schema) -> tuple[tuple[Counted, ...], tuple[Counted, ...]] | None:
    """Return what is around the instances of a class, where the plan says no more than that class.

    First what is exact: each instance has one such triple, or all triples of a predicate are of instances;
    then where the solutions are estimated, by the mean number of triples. None where the plan says more, or
    the schema is not of the whole graph.
    """
    cls = _only_class(site)
    if cls is None or not schema.complete or not all(each.exact for each in schema.signatures):
        return None
    inside = [each for each in schema.signatures if cls in each.classes]
    exact: list[Counted] = [*_classes(inside)]
    likely: list[Counted] = []
    for iri, predicate in schema.predicates.items():
        for what in _BOTH:
            values = sum(each.count for each in inside if iri in _stands(each, what))
            if not values:
                continue
            single = predicate.functional if what == "out" else predicate.inverse_functional
            whole = all(cls in each.classes for each in schema.signatures if iri in _stands(each, what))
            solutions = (
                values if single else predicate.triples if whole else round(values * _each(predicate, what))
            )
            (exact if single or whole else likely).append(Counted(what, IRI(iri), None, solutions, values))
    return tuple(exact), tuple(likely)


def estimated(site: Site, schema: Schema) -> tuple[Counted, ...]:
    """Return what may be around a focus, by what its own triple patterns say of it.

    An estimate: each value as often as it occurs in the graph.
    """
    inside = [each for each in schema.signatures if each.kind != "literal" and _fits(site, each)]
    found: list[Counted] = []
    for iri, predicate in schema.predicates.items():
        for what in _BOTH:
            values = sum(each.count for each in inside if iri in _stands(each, what))
            if values:
                found.append(
                    Counted(what, IRI(iri), None, max(1, round(values * _each(predicate, what))), values)
                )
    return (*found, *_classes(inside))


def by_vocabulary(predicates: Mapping[str, int]) -> tuple[Counted, ...]:
    """Return all predicates of a graph as what may be around a focus of which nothing else is known."""
    return tuple(
        Counted(what, IRI(iri), None, count, count) for iri, count in predicates.items() for what in _BOTH
    )


def _only_class(site: Site) -> str | None:
    """Return the class of which the plan says that the focus is one, where it says nothing else."""
    where, plan = site.where, site.plan
    if plan.dataset or not site.plain or where.filters or len(where.elements) != 1:
        return None
    match where.elements[0]:
        case TriplePattern(Variable() as subject, IRI(value=verb), IRI(value=cls)):
            return cls if subject == site.focus and verb == RDF_TYPE else None
    return None


def _fits(site: Site, signature: Signature) -> bool:
    """Whether terms of a signature stand where the triple patterns of WHERE say that the focus stands."""
    for each in site.where.elements:
        match each:
            case TriplePattern(subject, IRI(value=verb), IRI(value=cls)) if verb == RDF_TYPE:
                if subject == site.focus and cls not in signature.classes:
                    return False
            case TriplePattern(subject, IRI(value=verb), value):
                if subject == site.focus and verb not in signature.subject_of:
                    return False
                if value == site.focus and verb not in signature.object_of:
                    return False
    return True


def _stands(signature: Signature, what: What) -> Sequence[str]:
    return signature.subject_of if what == "out" else signature.object_of


def _each(predicate: Predicate, what: What) -> float:
    ends = predicate.subjects if what == "out" else predicate.objects
    return predicate.triples / ends if ends else 1.0


def _classes(signatures: Sequence[Signature]) -> Iterator[Counted]:
    counts: dict[str, int] = {}
    for each in signatures:
        for cls in each.classes:
            counts[cls] = counts.get(cls, 0) + each.count
    for cls, count in counts.items():
        if count:
            yield Counted("class", None, IRI(cls), count, count)
