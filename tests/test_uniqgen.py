"""Answers by drafts, on graphs with labels and on those made from tables; `hermes ask`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest

from hermes import KG
from hermes.algebra import Trace
from hermes.cli import main
from hermes.policies.class_graph import ClassGraph, Link
from hermes.results import Table, Truth
from hermes.systems import Answer, load_system
from hermes.terms import IRI, Literal
from hermes.verifier import Schema
from strategies import EX

SHOPS: Final = """
@prefix : <http://db/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
<http://db/shop/id=1> a :shop ; <http://db/shop#shop_name> "Apple Tree" ; <http://db/shop#district> "Hull" ;
    <http://db/shop#opening_year> 1999 .
<http://db/shop/id=2> a :shop ; <http://db/shop#shop_name> "FC Haka" ; <http://db/shop#district> "Valley" ;
    <http://db/shop#opening_year> 2006 .
<http://db/shop/id=3> a :shop ; <http://db/shop#shop_name> "Lonely" ; <http://db/shop#district> "Hull" ;
    <http://db/shop#opening_year> 2010 .
<http://db/employee/id=1> a :employee ;
    <http://db/employee#name> "George Chuter" ; <http://db/employee#age> 23 .
<http://db/employee/id=2> a :employee ; <http://db/employee#name> "Lee Mears" ; <http://db/employee#age> 29 .
<http://db/employee/id=3> a :employee ; <http://db/employee#name> "Mark Regan" ; <http://db/employee#age> 43 .
<http://db/hiring/id=1> a :hiring ; <http://db/hiring#ref-shop_id> <http://db/shop/id=1> ;
    <http://db/hiring#ref-employee_id> <http://db/employee/id=1> .
<http://db/hiring/id=2> a :hiring ; <http://db/hiring#ref-shop_id> <http://db/shop/id=1> ;
    <http://db/hiring#ref-employee_id> <http://db/employee/id=2> .
<http://db/hiring/id=3> a :hiring ; <http://db/hiring#ref-shop_id> <http://db/shop/id=2> ;
    <http://db/hiring#ref-employee_id> <http://db/employee/id=3> .
"""
SYSTEM: Final = load_system("uniqgen")


@pytest.fixture(scope="module")
def shops(tmp_path_factory: pytest.TempPathFactory) -> KG:
    """A graph made from tables: no labels, and IRIs that say nothing."""
    path = tmp_path_factory.mktemp("shops") / "shops.ttl"
    path.write_text(SHOPS)
    return KG.load(path)


@pytest.fixture(scope="module")
def games() -> KG:
    """The shipped graph."""
    return KG.load("olympics")


def rows(answer: Answer) -> set[tuple[str, ...]]:
    """Return the rows of an answer: texts and numbers as they are, IRIs by their last part."""
    assert isinstance(answer.rows, Table)
    return {
        tuple(
            term.lexical if isinstance(term, Literal) else str(term).strip("<>").removeprefix(EX)
            for name in answer.rows.variables
            if (term := row.get(name)) is not None
        )
        for row in answer.rows.rows
    }


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What are the names of all shops?", {("Apple Tree",), ("FC Haka",), ("Lonely",)}),
        ("How many shops are there?", {("3",)}),
        ("Which shops are in Hull?", {("Apple Tree",), ("Lonely",)}),
        (
            "Show the name and age of each employee.",
            {("George Chuter", "23"), ("Lee Mears", "29"), ("Mark Regan", "43")},
        ),
        ("Who is the oldest employee?", {("Mark Regan",)}),
        ("Find the names of employees younger than 30.", {("George Chuter",), ("Lee Mears",)}),
        ("What is the average age of employees?", {("31.666666666666666666",)}),
        ("What is the name of the shop that is hiring the largest number of employees?", {("Apple Tree",)}),
        ("How many shops are in each district?", {("Hull", "2"), ("Valley", "1")}),
        ("Which shops do not have any employees?", {("Lonely",)}),
        ("Which employees are older than the average age?", {("Mark Regan",)}),
        ("List the shops opened between 2000 and 2008.", {("FC Haka",)}),
        ("Which shops have more than 1 employee?", {("Apple Tree",)}),
        ("Names of shops whose name contains the substring 'Tree'", {("Apple Tree",)}),
    ],
)
def test_tables(question: str, expected: set[tuple[str, ...]], shops: KG) -> None:
    """Projection, conditions, superlatives, counts, groups, negation, averages."""
    assert rows(SYSTEM.answer(question, shops)) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "Which cities in the United States hosted winter games?",
            {("LakePlacid",), ("SquawValley",), ("SaltLakeCity",)},
        ),
        ("What is the population of Atlanta?", {("498715",)}),
        ("Which city hosted the most games?", {("London",)}),
        ("Which cities are in Japan?", {("Tokyo",)}),
    ],
)
def test_labels(question: str, expected: set[tuple[str, ...]], games: KG) -> None:
    """Where IRIs have labels they are the answer."""
    assert rows(SYSTEM.answer(question, games)) == expected


def test_yes_or_no(games: KG) -> None:
    """A question that begins with a verb is decided."""
    assert SYSTEM.answer("Is Tokyo in Japan?", games).rows == Truth(value=True)
    assert SYSTEM.answer("Is Tokyo in France?", games).rows == Truth(value=False)


def test_what_an_answer_says_of_itself(games: KG) -> None:
    """Its steps can be replayed; what it leaves out is named; other readings are plans."""
    answer = SYSTEM.answer("Which cities in the United States have zebras?", games)
    assert answer.trace is not None
    assert Trace.from_jsonl(answer.trace.to_jsonl()).replay(games).difference is None
    assert answer.missing == ("zebras",)
    assert answer.confidence is not None
    assert 0 < answer.confidence < 1
    assert answer.plan is not None
    assert answer.plan.key not in {plan.key for plan in answer.alternatives}


def test_no_answer(games: KG) -> None:
    """A question that says nothing of the graph, or what has no solutions, has none."""
    assert SYSTEM.answer("xyzzy plugh?", games).sparql == ""
    attempt = SYSTEM.answer("What is the population of Beijing?", games)
    assert (attempt.plan, attempt.rows) == (None, None)
    assert attempt.trace is not None


def test_the_same_each_time(games: KG, shops: KG) -> None:
    """Over twenty runs, on graphs that were loaded anew too."""
    for kg, question in ((games, "Which city hosted the most games?"), (shops, "Which shops are in Hull?")):
        assert len({SYSTEM.answer(question, kg).sparql for _ in range(20)}) == 1
    again = KG.load("olympics")
    one, other = (SYSTEM.answer("cities in Japan", kg) for kg in (games, again))
    assert (one.sparql, one.alternatives) == (other.sparql, other.alternatives)
    again.close()


def test_classes_are_connected(shops: KG) -> None:
    """By the shortest way; what cannot be reached has none."""
    graph = ClassGraph.of(Schema.mine(shops))
    found = graph.tree("http://db/shop", ["http://db/employee"])
    assert found == (
        Link("http://db/hiring", "http://db/hiring#ref-shop_id", "http://db/shop"),
        Link("http://db/hiring", "http://db/hiring#ref-employee_id", "http://db/employee"),
    )
    assert graph.tree("http://db/shop", ["http://db/nowhere"]) is None
    assert graph.domains["http://db/shop#district"] == ("http://db/shop",)
    assert IRI("http://db/shop").value in graph.attributes


# --- hermes ask --------------------------------------------------------------------------------------


def test_hermes_ask(capsys: pytest.CaptureFixture[str]) -> None:
    """The steps, what was understood, the query, the answer with labels, other readings."""
    assert main(["ask", "Which cities are in Japan?"]) == 0
    out = capsys.readouterr().out
    assert '"?city ex:country ' in out
    assert "every city" in out
    assert "SELECT DISTINCT ?city" in out
    assert "Tokyo (ex:Tokyo)" in out
    assert "did you mean:" in out


def test_hermes_ask_for_programs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """One JSON object; the trace is one that hermes replays."""
    trace = tmp_path / "session.jsonl"
    assert main(["ask", "Which cities are in Japan?", "--json", "--trace", str(trace)]) == 0
    written = json.loads(capsys.readouterr().out)
    assert written["format"] == 1
    assert written["error"] is None
    assert written["answer"]["results"]["bindings"][0]["city"]["value"] == f"{EX}Tokyo"
    assert written["steps"][0]["action"]["op"] == "triple"
    assert main(["replay", str(trace)]) == 0
    capsys.readouterr()
    assert main(["ask", "Which cities are in Japan?", "--format", "csv"]) == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines() == ["city", f"{EX}Tokyo"]
    assert "SELECT" in shown.err


def test_hermes_ask_without_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    """One line says so, and the exit code; the best attempt shows where it broke."""
    assert main(["ask", "What is the population of Beijing?"]) == 1
    shown = capsys.readouterr()
    assert shown.err.startswith("hermes: no answer: ")
    assert len(shown.err.splitlines()) == 1
    assert "rejected" in shown.out or "-> 0 solutions" in shown.out
    assert main(["ask", " "]) == 2
    assert main(["ask", "cities", "--system", "nobody"]) == 1
    capsys.readouterr()
    assert main(["ask", "Which cities are in Japan?", "--explain"]) == 0
    assert "1 solution" in capsys.readouterr().out
