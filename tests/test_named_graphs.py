"""What follows for plans with GRAPH, FROM and FROM NAMED beside a verdict: judgements, rows, goals."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes import KG
from hermes.algebra import parse_query
from hermes.terms import IRI, Variable
from hermes.verifier import Certificate, Goal, Kernel, Schema, Verdict, recheck

EX = "http://example.org/olympics/"
FILE = Path(__file__).parent.parent / "docs" / "graphs.trig"


@pytest.fixture(scope="module")
def kg() -> KG:
    """The dataset of the documents."""
    return KG.load(FILE)


def _checked(kg: KG, query: str, goal: Goal | None = None) -> Verdict:
    schema = Schema.mine(kg)
    plan = parse_query(query, prefixes=kg.prefixes)
    verdict = Kernel(schema).check(plan, goal)
    assert recheck(verdict, plan, schema) == "confirmed"
    return verdict


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("SELECT ?k FROM ex:guide { ex:Athens ex:country ?k }", "at most one"),
        ("SELECT ?k FROM ex:guide FROM ex:official { ex:Athens ex:country ?k }", "any"),
        ("SELECT ?k { GRAPH ex:guide { ex:Athens ex:country ?k } }", "any"),
        ("SELECT ?i { ex:official ex:issued ?i }", "at most one"),
    ],
)
def test_rows_are_counted_by_the_graph_that_is_asked(kg: KG, query: str, rows: str) -> None:
    """What is functional in a graph need not be in a merge, nor is it looked at inside of GRAPH."""
    verdict = _checked(kg, query)
    assert isinstance(verdict, Certificate)
    assert verdict.multiplicity == rows


@pytest.mark.parametrize(
    ("query", "standing"),
    [
        ("SELECT ?k { GRAPH ex:guide { ?c ex:country ?k } }", "proved"),
        ("SELECT ?c { GRAPH ?g { ?c ex:hosted ?k } }", "refuted"),
        ("SELECT ?k FROM ex:guide { ?k a ?class }", "unknown"),
    ],
)
def test_a_goal_is_met_by_the_classes_of_any_graph(kg: KG, query: str, standing: str) -> None:
    """That the default graph says nothing of a class refutes nothing."""
    verdict = _checked(kg, query, Goal(type=IRI(EX + "Country")))
    assert isinstance(verdict, Certificate)
    assert [part.standing for part in verdict.goal] == [standing]


def test_a_verdict_asks_no_graph() -> None:
    """What a kernel needs of named graphs is there when it checks: the graph may be closed."""
    kg = KG.load(FILE)
    kernel = Kernel(Schema.mine(kg))
    kg.close()
    for name, accepted in (("official", True), ("guide", False)):
        query = f"SELECT ?c {{ GRAPH ex:{name} {{ ?c ex:hosted ?g }} }}"
        assert kernel.check(parse_query(query, prefixes=kg.prefixes)).accepted is accepted


def test_graphs_without_an_iri(tmp_path: Path) -> None:
    """A variable may be the blank node that is the name of a graph; no query can name it."""
    path = tmp_path / "graphs.trig"
    path.write_text("@prefix ex: <http://e/> . _:a { ex:a ex:p 1 } ex:g { ex:a ex:q 2 }", encoding="utf-8")
    kg = KG.load(path)
    verdict = _checked(kg, "SELECT ?g { GRAPH ?g { ?x <http://e/p> 1 } }")
    assert isinstance(verdict, Certificate)
    assert verdict.judgements[Variable("g")].kinds == ("blank",)
    verdict = _checked(kg, "SELECT ?g { GRAPH ?g { ?x <http://e/p> 1 ; <http://e/q> 2 } }")
    assert verdict.reason.startswith("no named graph has a solution: in graph ")
    verdict = _checked(kg, "SELECT ?g { GRAPH ?g { ?x <http://e/p> 2 } }")
    assert "in graph (a blank node): " in verdict.reason


def test_what_a_graph_is_called_stays_on_its_line(tmp_path: Path) -> None:
    """Names of graphs are data: they are escaped and clipped."""
    path = tmp_path / "graphs.nq"
    name = "http://e/" + "x" * 500
    path.write_text(f"<http://e/a> <http://e/p> <http://e/b> <{name}> .\n", encoding="utf-8")
    kg = KG.load(path, graph="default")
    for query in ("{ ?x <http://e/p> ?y }", f"{{ GRAPH <{name}> {{ ?x <http://e/q> ?y }} }}"):
        verdict = _checked(kg, f"SELECT * {query}")
        assert not verdict.accepted
        assert len(verdict.reason) < 400
        assert "\n" not in verdict.reason
