"""The shipped graph has the figures that the documentation states."""

from __future__ import annotations

import pytest
from pyoxigraph import QuerySolutions, RdfFormat, Store

from hermes.datasets import SHIPPED, shipped

PROLOGUE = """
PREFIX ex: <http://example.org/olympics/>
PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX owl: <http://www.w3.org/2002/07/owl#>
"""
SESSION = [
    ("?city ex:hosted ?g", 19),
    ("?city ex:hosted ?g . ?city ex:country ex:USA", 8),
    ('?city ex:hosted ?g . ?city ex:country ex:USA . ?g ex:season "Winter"', 4),
]
OPERATORS = [
    ("?c a ex:City OPTIONAL { ?c ex:nickname ?name }", 14),
    ("{ ?x a ex:Country } UNION { ?x a ex:Continent }", 10),
    ('?c a ex:City MINUS { ?c ex:hosted/ex:season "Summer" }', 5),
    ("?g rdf:type/rdfs:subClassOf* ex:Games", 19),
    ("ex:LosAngeles ex:twin+ ?c", 5),
    ("?g ex:opened ?d BIND(YEAR(?d) AS ?y) FILTER(?y > 2000)", 5),
    ("?g ex:medals ?m . ?m ex:gold ?n FILTER(isBlank(?m))", 3),
    ("?c ex:country/ex:continent ex:Europe", 5),
]


@pytest.fixture(scope="module")
def store() -> Store:
    """The shipped graph in a store."""
    found = Store()
    found.load(path=str(shipped("olympics")), format=RdfFormat.TURTLE)
    return found


def solutions(store: Store, query: str) -> int:
    """The number of solutions of a SELECT query."""
    found = store.query(PROLOGUE + query)
    assert isinstance(found, QuerySolutions)
    return len(list(found))


@pytest.mark.parametrize(("where", "count"), SESSION + OPERATORS)
def test_counts(store: Store, where: str, count: int) -> None:
    """The documented session counts 19, 8, 4, and each operator has something to show."""
    assert solutions(store, f"SELECT * {{ {where} }}") == count


def test_distinct_cities(store: Store) -> None:
    """The documented session ends with three cities."""
    assert solutions(store, f"SELECT DISTINCT ?city {{ {SESSION[-1][0]} }}") == 3


@pytest.mark.parametrize(
    "query",
    [
        # Each predicate of the graph's own is declared with a label, a domain and a range.
        (
            "SELECT DISTINCT ?p { ?s ?p ?o FILTER(STRSTARTS(STR(?p), STR(ex:))) "
            "FILTER NOT EXISTS { ?p rdfs:label ?l ; rdfs:domain ?d ; rdfs:range ?r } }"
        ),
        # Each typed thing has a declared class.
        "SELECT ?s { ?s a ?c FILTER(STRSTARTS(STR(?c), STR(ex:))) FILTER NOT EXISTS { ?c a owl:Class } }",
        # Domains and the ranges that are classes hold.
        "SELECT ?s { ?p rdfs:domain ?d . ?s ?p ?o FILTER NOT EXISTS { ?s rdf:type/rdfs:subClassOf* ?d } }",
        (
            "SELECT ?s { ?p rdfs:range ?r . ?r a owl:Class . ?s ?p ?o "
            "FILTER NOT EXISTS { ?o rdf:type/rdfs:subClassOf* ?r } }"
        ),
        # Datatypes are as declared.
        "SELECT ?s { ?p a owl:DatatypeProperty ; rdfs:range ?r . ?s ?p ?o FILTER(DATATYPE(?o) != ?r) }",
        # The year is the year of the opening, and the season that of the class.
        "SELECT ?g { ?g ex:year ?y ; ex:opened ?d FILTER(YEAR(?d) != ?y) }",
        'SELECT ?g { ?g a ex:WinterGames FILTER NOT EXISTS { ?g ex:season "Winter" } }',
        'SELECT ?g { ?g a ex:SummerGames FILTER NOT EXISTS { ?g ex:season "Summer" } }',
        # Games and places have labels in three languages.
        (
            "SELECT ?x { VALUES ?t { ex:City ex:Country ex:WinterGames ex:SummerGames } ?x a ?t . "
            "?x rdfs:label ?l } GROUP BY ?x HAVING (COUNT(DISTINCT LANG(?l)) != 3)"
        ),
    ],
)
def test_no_exception_to_the_ontology(store: Store, query: str) -> None:
    """A query for what would contradict the ontology finds nothing."""
    assert solutions(store, query) == 0


def test_shipped_names() -> None:
    """Each shipped name has its file; another name has none."""
    for name in SHIPPED:
        path = shipped(name)
        assert path is not None
        assert path.is_file()
    assert shipped("nothing") is None
