"""The terms of gold queries: what linking should find in their questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from benchmarks.samples import DATA
from hermes.algebra import Plan, parse_query
from hermes.errors import HermesError
from hermes.evaluation import Question, read_questions
from hermes.linking.mentions import Kind
from hermes.sparql.patterns import TriplePattern
from hermes.sparql.tree import walk
from hermes.terms import IRI, RDF_TYPE, XSD, Literal

SETS: Final = ("ck25", "geoquery", "spider4sparql", "spider4sparql-large")
_SCHEMA: Final = ("http://www.w3.org/2000/01/rdf-schema#subClassOf",)
_FUNCTIONS: Final = XSD


@dataclass(frozen=True, slots=True)
class Gold:
    """A question, its graph, and the terms of its gold query by kind."""

    question: Question
    plan: Plan
    terms: frozenset[tuple[Kind, IRI | Literal]]


def gold_of(name: str) -> Iterator[Gold]:
    """Yield the questions of a set whose gold query can be read; none where the data is absent."""
    path = DATA / name / "questions.dev.json"
    if not path.is_file():
        return
    for question in read_questions(path).questions:
        try:
            plan = parse_query(question.sparql)
        except HermesError:
            continue
        yield Gold(question, plan, frozenset(terms_of(plan)))


def terms_of(plan: Plan) -> Iterator[tuple[Kind, IRI | Literal]]:
    """Yield the terms that a plan names, in the clauses, conditions and tables of all its groups."""
    named: set[IRI] = set()
    parts: Sequence[object] = (plan.where, plan.having, plan.values)
    for part in walk(tuple(parts)):
        if isinstance(part, TriplePattern):
            predicates = [each for each in walk(part.predicate) if isinstance(each, IRI)]
            typed = any(each.value == RDF_TYPE for each in predicates)
            for each in predicates:
                named.add(each)
                if each.value not in (RDF_TYPE, *_SCHEMA):
                    yield "predicate", each
            if isinstance(part.object, IRI):
                named.add(part.object)
                under = any(each.value in _SCHEMA for each in predicates)
                yield ("class" if typed or under else "entity"), part.object
            if isinstance(part.subject, IRI):
                named.add(part.subject)
                yield "entity", part.subject
    for part in walk(tuple(parts)):
        if isinstance(part, Literal) and part.datatype != XSD + "boolean":
            yield "value", part
        elif (
            isinstance(part, IRI)
            and part not in named
            and part.value != RDF_TYPE
            and not part.value.startswith(_FUNCTIONS)
        ):
            yield "entity", part
