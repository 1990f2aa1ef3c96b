"""What is known of the terms that words name: the predicates of texts, the classes of entities."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from hermes.labels.facts import Facts, facts
from hermes.linking.mentions import Number
from hermes.store import within
from hermes.terms import IRI, XSD, Literal, full_iri, literal_text

if TYPE_CHECKING:
    from hermes.kg import KG

_PATIENCE: Final = 5.0
"""Seconds that an endpoint gets for one of these."""
Uses = dict[Literal, dict[IRI, int]]
"""How often a literal is the object of each predicate."""


def uses(kg: KG, literals: Sequence[Literal]) -> Uses:
    """Return of which predicates literals are objects; those that do not occur are left out. One query.

    Raises:
        StoreError: the store could not answer.
    """
    if not literals:
        return {}
    listed = " ".join(literal_text(each, full_iri) for each in literals)
    query = f"SELECT ?o ?p (COUNT(*) AS ?n) {{ VALUES ?o {{ {listed} }} ?s ?p ?o }} GROUP BY ?o ?p"
    found: defaultdict[Literal, dict[IRI, int]] = defaultdict(dict)
    for row in within(kg.store, _PATIENCE)(query).rows:
        value, predicate, number = row.get("o"), row.get("p"), row.get("n")
        if isinstance(value, Literal) and isinstance(predicate, IRI) and isinstance(number, Literal):
            found[value][predicate] = int(number.lexical)
    return {
        value: dict(sorted(found[value].items(), key=lambda each: (-each[1], each[0].value)))
        for value in literals
        if value in found
    }


def entity_facts(kg: KG, entities: Sequence[IRI]) -> dict[IRI, Facts]:
    """Return the classes of entities and the number of triples around them. One query.

    Raises:
        StoreError: the store could not answer.
    """
    return facts(within(kg.store, _PATIENCE), entities, kg.vocabulary.classes)


def spellings(number: Number) -> Iterable[Literal]:
    """Yield the literals that a number, a year or a date may be in a graph."""
    text = number.value.lexical
    if number.kind == "date":
        yield number.value
        yield Literal(f"{text}T00:00:00", XSD + "dateTime")
    else:
        names = (
            "integer",
            "int",
            "decimal",
            "double",
            "float",
            *(["gYear"] if number.kind == "year" else []),
        )
        yield from (Literal(text, XSD + name) for name in names)
        if "." not in text:
            yield Literal(f"{text}.0", XSD + "decimal")
    yield Literal(text)
    yield Literal(number.span.text)
