"""Queries over the shipped graph: what the benchmarks measure where the shared data is absent."""

from __future__ import annotations

from typing import Final

_PROLOGUE: Final = """\
PREFIX ex: <http://example.org/olympics/>
PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
"""
_BODIES: Final = (
    'SELECT DISTINCT ?city WHERE { ?city ex:hosted ?g . ?city ex:country ex:USA . ?g ex:season "Winter" }',
    (
        "SELECT ?city (COUNT(?g) AS ?n) { ?city ex:hosted ?g } GROUP BY ?city HAVING (COUNT(?g) > 1) "
        "ORDER BY DESC(?n) ?city LIMIT 3"
    ),
    "SELECT ?c ?name WHERE { ?c a ex:City . OPTIONAL { ?c ex:nickname ?name } }",
    'SELECT ?c WHERE { ?c a ex:City MINUS { ?c ex:hosted/ex:season "Summer" } }',
    "SELECT ?x WHERE { { ?x a ex:Country } UNION { ?x a ex:Continent } }",
    "SELECT ?g ?y WHERE { ?g ex:opened ?d BIND(YEAR(?d) AS ?y) FILTER(?y > 1950 && ?y <= 2004) }",
    "SELECT DISTINCT ?g WHERE { ?g rdf:type/rdfs:subClassOf* ex:Games }",
    (
        "SELECT ?c WHERE { ?c ex:country/ex:continent ex:Europe FILTER NOT EXISTS { ?c ex:hosted ?g . "
        '?g ex:season "Winter" } }'
    ),
    'SELECT ?c ?l WHERE { VALUES ?c { ex:Athens ex:London } ?c rdfs:label ?l FILTER(LANG(?l) = "en") }',
    "ASK { ex:LosAngeles ex:twin+ ?c . ?c ex:hosted ?g }",
    (
        "SELECT ?c ?most WHERE { { SELECT (MAX(?year) AS ?most) WHERE { ?g ex:year ?year } } "
        "?g ex:year ?most . ?c ex:hosted ?g }"
    ),
    'SELECT ?c WHERE { ?c rdfs:label ?l FILTER(REGEX(STR(?l), "^S", "i") || CONTAINS(LCASE(?l), "lake")) }',
    (
        "SELECT ?country (AVG(?p) AS ?mean) WHERE { ?c ex:country ?country ; ex:population ?p } "
        "GROUP BY ?country ORDER BY ?mean OFFSET 0"
    ),
)
EXAMPLES: Final = tuple(_PROLOGUE + body for body in _BODIES)
EIGHT_CLAUSES: Final = (
    _PROLOGUE + "SELECT ?city ?l ?y WHERE { ?city ex:hosted ?g . ?city ex:country ?k . ?g ex:season ?s . "
    "?city rdfs:label ?l . ?g ex:opened ?d . OPTIONAL { ?city ex:nickname ?name } BIND(YEAR(?d) AS ?y) "
    '{ ?k ex:continent ex:Europe } UNION { ?k ex:continent ex:Asia } FILTER(?y > 1900 && LANG(?l) = "en") }'
)
"""Eight clauses and a filter."""
