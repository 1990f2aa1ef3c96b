"""The lint says what is wrong with gold queries and stated answers, and nothing of what is right."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hermes import KG
from hermes.evaluation import Question
from hermes.evaluation.lint import fault_lines, faults_json, lint
from hermes.results import Result, Table, Truth
from hermes.terms import XSD, Literal
from hermes.verifier import Kernel, Schema


@pytest.fixture(scope="module")
def olympics() -> Iterator[tuple[KG, Kernel]]:
    """The shipped graph with its kernel."""
    kg = KG.load("olympics")
    yield kg, Kernel(Schema.mine(kg))
    kg.close()


def codes(
    found: tuple[KG, Kernel], query: str, answers: Result | None = None, *, tie: bool = False
) -> list[str]:
    """Return the codes of the faults of a question."""
    kg, kernel = found
    prefixes = str(kg.prefixes) if query else ""
    return [each.code for each in lint(kg, Question("q", "?", prefixes + query, answers, tie=tie), kernel)]


def number(value: int) -> Table:
    """Return an answer of one number."""
    return Table(("n",), [{"n": Literal(str(value), XSD + "integer")}])


@pytest.mark.parametrize(
    "query",
    [
        "SELECT ?c { ?c ex:hosted ?g }",
        "SELECT (COUNT(DISTINCT ?c) AS ?n) { ?c ex:hosted ?g }",
        "SELECT (COUNT(?g) AS ?n) { ?c ex:hosted ?g }",
        "SELECT ?g { ?g ex:year ?y } ORDER BY ?y LIMIT 1",
        "ASK { ex:Athens ex:hosted ?g }",
    ],
)
def test_good_queries_have_no_fault(olympics: tuple[KG, Kernel], query: str) -> None:
    """Each is meant as it stands."""
    assert codes(olympics, query) == []


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", ["no-query"]),
        ("SELECT ?c { ?c ex:hosted }", ["not-read"]),
        ("SELECT ?c { ?c nowhere:hosted ?g }", ["not-read"]),
        ("SELECT ?c { ?c ex:host ?g }", ["unknown-predicate", "empty-answer"]),
        ("SELECT ?c { ?c a ex:City ; ex:season ?s }", ["no-common-terms", "empty-answer"]),
        ("SELECT (MAX(?y) AS ?m) { ?g ex:yeer ?y }", ["empty-answer", "always-same"]),
        ("SELECT (COUNT(?g) AS ?n) { ex:Athens ex:hosted ?g . ?g ex:season 'Winter' }", ["always-same"]),
        ("SELECT ?x { VALUES ?x { 1 2 } }", ["always-same"]),
        ("ASK { ?c ex:host ?g }", ["empty-where"]),
        ("SELECT ?g { { SELECT ?g { ?g ex:year ?y } LIMIT 3 } ?c ex:hosted ?g }", ["limit-without-order"]),
        ("SELECT ?c { ?c ex:hosted ?g FILTER(?y > 1) }", ["never-true", "unbound-variable", "empty-answer"]),
        ("SELECT ?c { ?c ex:hosted ?g MINUS { ?a ex:country ?b } }", ["minus-shares-nothing"]),
        ("SELECT ?c ?k { ?c a ex:City . ?k a ex:Country }", ["product"]),
        ("SELECT (COUNT(?c) AS ?n) { ?c ex:hosted ?g }", ["multiplied-aggregate"]),
        ("SELECT (COUNT(?c) AS ?n) { ?c ex:hosted ?g . ?g ex:season 'Winter' }", ["multiplied-aggregate"]),
        ("SELECT ?c { ?c ex:hosted ?g } LIMIT 1", ["limit-cuts-tie"]),
        ("SELECT ?c { ?c ex:hosted ?g ; ex:country ex:USA } GROUP BY ?c ORDER BY DESC(COUNT(?g)) LIMIT 1",
         ["limit-cuts-tie"]),
    ],
)  # fmt: skip
def test_faults(olympics: tuple[KG, Kernel], query: str, expected: list[str]) -> None:
    """A fault a line."""
    assert codes(olympics, query) == expected


def test_stated_answers(olympics: tuple[KG, Kernel]) -> None:
    """They are what the gold query gives now, or another one."""
    query = "SELECT (COUNT(?g) AS ?n) { ?c ex:hosted ?g }"
    assert codes(olympics, query, number(19)) == []
    assert codes(olympics, query, number(18)) == ["other-answer"]
    assert codes(olympics, "ASK { ?c ex:hosted ?g }", Truth(value=False)) == ["other-answer"]


def test_ties_are_marked(olympics: tuple[KG, Kernel]) -> None:
    """A set may say so, rightly or wrongly."""
    kg, kernel = olympics
    tied = "SELECT ?c { ?c ex:hosted ?g } LIMIT 1"
    (fault,) = lint(kg, Question("q", "?", str(kg.prefixes) + tied), kernel)
    assert fault.message == "13 rows stand in no order for 1 place; the set does not say so"
    (marked,) = lint(kg, Question("q", "?", str(kg.prefixes) + tied, tie=True), kernel)
    assert marked.message == "13 rows stand in no order for 1 place"
    assert codes(olympics, "SELECT ?g { ?g ex:year ?y } ORDER BY ?y LIMIT 1", tie=True) == ["no-tie"]


def test_without_a_kernel(olympics: tuple[KG, Kernel]) -> None:
    """What only a graph that was read whole can prove is left out."""
    kg, _ = olympics
    query = str(kg.prefixes) + "SELECT (COUNT(?c) AS ?n) { ?c ex:host ?g }"
    assert [each.code for each in lint(kg, Question("q", "?", query), None)] == ["always-same"]


def test_lines(olympics: tuple[KG, Kernel]) -> None:
    """A fault a line, whatever is in the names; then how many questions have each."""
    kg, kernel = olympics
    name = "q\x1b[31m\n1"
    faults = lint(kg, Question(name, "?", "SELECT ?x { VALUES ?x { 1 } }"), kernel)
    lines = fault_lines(faults, 3)
    assert all(line.isprintable() for line in lines)
    assert lines[0].startswith(r"q\u001B[31m\u000A1: always-same: the gold query has no triple pattern")
    assert lines[2:] == ["1 of 3 questions have a fault or a warning", "  always-same      1"]
    assert faults_json(faults, 3)["totals"] == {"always-same": 1}
