"""Goals: what a plan proves or refutes of them, on the shipped graph."""

from __future__ import annotations

import pytest

from hermes import KG
from hermes.algebra import parse_query
from hermes.terms import IRI, XSD
from hermes.verifier import Goal, Kernel, Schema

EX = "http://example.org/olympics/"


@pytest.fixture(scope="module")
def kg() -> KG:
    """The shipped graph."""
    return KG.load("olympics")


@pytest.mark.parametrize(
    ("query", "goal", "standing"),
    [
        ("SELECT ?c { ?c ex:hosted ?g }", Goal(form="rows"), "proved"),
        ("ASK { ?c ex:hosted ?g }", Goal(form="rows"), "refuted"),
        ("ASK { ?c ex:hosted ?g }", Goal(form="truth"), "proved"),
        ("SELECT (COUNT(?c) AS ?n) { ?c ex:hosted ?g }", Goal(form="number"), "proved"),
        ("SELECT (MAX(?y) AS ?n) { ?g ex:year ?y }", Goal(form="number"), "proved"),
        ("SELECT (MAX(?l) AS ?n) { ?g rdfs:label ?l }", Goal(form="number"), "refuted"),
        ("SELECT (MAX(?y + 1) AS ?n) { ?g ex:year ?y }", Goal(form="number"), "unknown"),
        ("SELECT ?c { ?c ex:hosted ?g }", Goal(form="number"), "refuted"),
        ("SELECT ?c { ?c ex:hosted ?g }", Goal(type=IRI(EX + "City")), "proved"),
        ("SELECT ?g { ?c ex:hosted ?g }", Goal(type=IRI(EX + "City")), "refuted"),
        ("SELECT ?g { ?c ex:hosted ?g }", Goal(type=IRI(EX + "SummerGames")), "unknown"),
        ("SELECT ?y { ?g ex:year ?y }", Goal(type=IRI(XSD + "integer")), "proved"),
        ("SELECT ?y { ?g ex:year ?y }", Goal(type=IRI(XSD + "string")), "refuted"),
        ("SELECT ?z { ?g ex:year ?y BIND(?y + 1 AS ?z) }", Goal(type=IRI(XSD + "integer")), "unknown"),
        ("SELECT ?c { ?c ex:country ex:USA }", Goal(mentions=(IRI(EX + "USA"),)), "proved"),
        ("SELECT ?c { ?c ex:country ex:Greece }", Goal(mentions=(IRI(EX + "USA"),)), "refuted"),
        ("SELECT ?c { ?c ex:country ?k } LIMIT 3", Goal(max=3), "proved"),
        ("SELECT ?c { ?c ex:country ?k } LIMIT 3", Goal(min=4), "refuted"),
        ("SELECT ?c { ?c ex:country ?k }", Goal(max=3), "refuted"),
        ("SELECT ?c { ?c ex:country ?k }", Goal(max=13), "proved"),
        ("SELECT ?c { ?c ex:country ?k } OFFSET 3", Goal(max=10), "proved"),
        ("SELECT ?c { ?c a ex:City }", Goal(min=13), "proved"),
        ("SELECT DISTINCT ?k { ?c ex:country ?k }", Goal(min=9), "refuted"),
        ("SELECT DISTINCT ?c { ?c ex:hosted ?g . ?c rdfs:label ?l }", Goal(max=13), "proved"),
        ("SELECT ?c (COUNT(?g) AS ?n) { ?c ex:hosted ?g } GROUP BY ?c", Goal(max=13), "proved"),
        ("SELECT ?k { VALUES ?c { ex:Athens ex:London } ?c ex:country ?k }", Goal(max=2), "proved"),
        ("SELECT ?k { ?c ex:country ?k FILTER(?c != ex:Athens) }", Goal(max=3), "unknown"),
        ("SELECT (COUNT(?c) AS ?n) { ?c ex:hosted ?g }", Goal(type=IRI(XSD + "integer")), "proved"),
        ("SELECT ?g { ?c ex:hosted ?g }", Goal(type=IRI(EX + "Games")), "unknown"),
        ("SELECT ?c { ?c ex:sesson ?g }", Goal(min=1), "refuted"),
        ("SELECT ?y { ex:Summer2012 ex:year ?y }", Goal(max=1), "proved"),
        ("SELECT (COUNT(?c) AS ?n) { ?c ex:hosted ?g }", Goal(min=1), "proved"),
        ("SELECT (COUNT(?c) AS ?n) { ?c ex:hosted ?g }", Goal(max=0), "refuted"),
    ],
)
def test_a_part_of_a_goal_stands_as_it_should(kg: KG, query: str, goal: Goal, standing: str) -> None:
    """Each part is proved, refuted or unknown by the plan alone."""
    verdict = Kernel(Schema.mine(kg)).check(parse_query(query, prefixes=kg.prefixes), goal)
    assert [part.standing for part in verdict.goal] == [standing]
