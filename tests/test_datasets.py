"""Named graphs as a user meets them: .trig and .nq files, the union, FROM, GRAPH, and what is said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hermes import KG
from hermes.algebra import Explorer, parse_action
from hermes.algebra.observation import Observation, Rejected, Solutions
from hermes.algebra.render import render_count
from hermes.cli import main
from hermes.terms import IRI

E = "http://e/"
TRIG = """\
@prefix ex: <http://e/> .
ex:G1 { ex:a ex:p 1 . ex:both ex:p 3 . ex:a a ex:C }
ex:G2 { ex:b ex:p 2 . ex:both ex:p 3 . ex:b a ex:D ; ex:only 4 }
"""
NQ = """\
<http://e/a> <http://e/p> "1" <http://e/G1> .
<http://e/both> <http://e/p> "3" <http://e/G1> .
<http://e/a> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://e/C> <http://e/G1> .
<http://e/b> <http://e/p> "2" <http://e/G2> .
<http://e/both> <http://e/p> "3" <http://e/G2> .
<http://e/b> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://e/D> <http://e/G2> .
<http://e/b> <http://e/only> "4" <http://e/G2> .
"""
WITH_DEFAULT = TRIG + "ex:d ex:p 0 .\n"

P = {"op": "triple", "pattern": "?s <http://e/p> ?o"}
G = {"op": "graph", "name": "?g", "patterns": ["?s <http://e/p> ?o"]}


def source(graph: str, *, named: bool = False) -> dict[str, Any]:
    """The action for FROM."""
    return {"op": "from", "graph": f"<{E}{graph}>", "named": named}


@pytest.fixture(params=["data.trig", "data.nq"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A file with two named graphs and an empty default graph; they share a triple."""
    file = tmp_path / str(request.param)
    file.write_text(TRIG if file.suffix == ".trig" else NQ, encoding="utf-8")
    return file


@pytest.fixture
def with_default(tmp_path: Path) -> Path:
    """The same with a triple in the default graph."""
    file = tmp_path / "default.trig"
    file.write_text(WITH_DEFAULT, encoding="utf-8")
    return file


def explore(kg: KG, *steps: dict[str, Any]) -> list[Observation]:
    """The observations of some steps; none is rejected."""
    explorer = Explorer(kg)
    seen = [explorer.run(parse_action(step)) for step in steps]
    assert not [each for each in seen if isinstance(each, Rejected)]
    return seen


def count(kg: KG, *steps: dict[str, Any]) -> int:
    """The number of solutions after some steps; it is what the answer has."""
    explorer = Explorer(kg, sample_size=1)
    for step in steps:
        seen = explorer.run(parse_action(step))
    assert isinstance(seen, Solutions)
    assert len(kg.select(explorer.sparql).rows) == seen.count
    return seen.count


def hints(seen: Observation) -> list[str]:
    """The codes of the hints."""
    return [hint.code for hint in seen.hints]


# --- which graph is asked ---------------------------------------------------------------------------


def test_union_where_the_default_graph_is_empty(path: Path) -> None:
    """All graphs are asked, a shared triple counts once; GRAPH goes through them, where it counts twice."""
    kg = KG.load(path)
    assert kg.dataset == "union"
    assert count(kg, P) == 3
    assert count(kg, G) == 4
    assert count(kg, {**G, "name": f"<{E}G2>"}) == 2
    assert count(kg, P, G) == 4


def test_default_graph(path: Path, with_default: Path) -> None:
    """A default graph with triples is the one that is asked; the union may be chosen."""
    kg = KG.load(with_default)
    assert (kg.dataset, count(kg, P), count(kg, G)) == ("default", 1, 4)
    assert count(KG.load(path, graph="default"), P) == 0
    assert count(KG.load(with_default, graph="union"), P) == 4
    one = KG.load(with_default, graph=E + "G1")
    assert (count(one, P), count(one, G)) == (2, 4)


@pytest.mark.parametrize("graph", [None, "union", "default", E + "G2"])
def test_from_replaces_the_dataset(path: Path, graph: str | None) -> None:
    """FROM and FROM NAMED decide, whatever the default graph is; the counts follow."""
    kg = KG.load(path, graph=graph)
    assert count(kg, source("G1"), P) == 2
    assert count(kg, P, source("G1")) == 2
    assert count(kg, source("G1", named=True), G) == 2
    assert count(kg, source("G1"), G) == 0
    assert count(kg, source("G1", named=True), P) == 0
    assert count(kg, source("G2"), source("G1", named=True), P, {**G, "patterns": ["?s a ?c"]}) == 0
    assert count(kg, source("G1"), source("G2", named=True), P, G) == 1


def test_from_two_graphs(path: Path) -> None:
    """Oxigraph keeps a shared triple once for each FROM; DISTINCT counts it once (a known difference)."""
    kg = KG.load(path)
    assert count(kg, source("G1"), source("G2"), P) == 4
    assert count(kg, source("G1"), source("G2"), P, {"op": "distinct"}) == 3


def test_the_count_keeps_from_outside(path: Path) -> None:
    """FROM stands before WHERE of the counting query: inside a sub-query SPARQL has no place for it."""
    kg = KG.load(path)
    explorer = Explorer(kg, sample_size=1)
    seen = [explorer.run(parse_action(step)) for step in (P, source("G1"))]
    assert [each.summary() for each in seen] == ["3 solutions", "3 -> 2 solutions"]
    assert f"?_hermes_n) FROM <{E}G1> WHERE {{" in render_count(explorer.plan)


# --- what is said -----------------------------------------------------------------------------------


def test_a_graph_that_does_not_exist(path: Path) -> None:
    """It has no solution, and the hint names the graphs that are there; at the step that brings it in."""
    kg = KG.load(path, prefixes={"ex": E})
    for steps in ((source("G9"), P), (P, source("G9")), ({**G, "name": f"<{E}G9>"},)):
        seen = explore(kg, *steps, {"op": "distinct"})
        assert seen[-2].summary().endswith("0 solutions")
        (hint,) = seen[-2].hints
        assert hint.code == "unknown-graph"
        assert hint.text == "no named graph ex:G9, or it is empty; named graphs: ex:G1, ex:G2"
        assert "unknown-graph" not in hints(seen[-1])


def test_no_named_graphs() -> None:
    """Where there is none, GRAPH says so."""
    (seen,) = explore(KG.load("olympics"), {**G, "patterns": ["?s ex:hosted ?o"]})
    assert [hint.text for hint in seen.hints] == ["GRAPH goes through the named graphs; there is none"]
    _, seen = explore(
        KG.load("olympics"), {"op": "from", "graph": "ex:g"}, {"op": "triple", "pattern": "?s ex:hosted ?o"}
    )
    assert seen.hints[0].text == "no named graph ex:g, or it is empty; there is none"


def test_many_graphs(tmp_path: Path) -> None:
    """Five are named; a graph beyond them is known all the same."""
    file = tmp_path / "many.nq"
    file.write_text("".join(f'<{E}s> <{E}p> "{n}" <{E}G{n}> .\n' for n in range(9)), encoding="utf-8")
    kg = KG.load(file)
    for n in range(9):
        (seen,) = explore(kg, {"op": "graph", "name": f"<{E}G{n}>", "patterns": [f"?s <{E}p> 99"]})
        assert "unknown-graph" not in hints(seen)
    (seen,) = explore(kg, {**G, "name": f"<{E}H>"})
    assert seen.hints[0].text.endswith(", ...")


def test_hidden_graphs(path: Path) -> None:
    """FROM without FROM NAMED leaves GRAPH nothing, and the other way round; both are said."""
    kg = KG.load(path)
    _, seen = explore(kg, source("G1"), G)
    assert hints(seen) == ["hidden-graphs"]
    assert "FROM NAMED" in seen.hints[0].text
    _, seen = explore(kg, source("G1", named=True), P)
    assert hints(seen) == ["hidden-graphs"]
    assert "default graph is empty" in seen.hints[0].text


def test_vocabulary_and_hints_use_the_dataset(path: Path, with_default: Path) -> None:
    """A name is unknown in the graph that is asked; of other graphs nothing is claimed."""
    only = {"op": "triple", "pattern": "?s <http://e/only> ?o"}
    assert set(KG.load(path).vocabulary.predicates) >= {E + "p", E + "only"}
    assert set(KG.load(path).vocabulary.classes) == {E + "C", E + "D"}
    one = KG.load(path, graph=E + "G1")
    assert set(one.vocabulary.classes) == {E + "C"}
    assert hints(explore(one, only)[0]) == ["unknown-predicate"]
    assert hints(explore(KG.load(path), only)[0]) == []
    kg = KG.load(with_default)
    assert hints(explore(kg, only)[0]) == ["unknown-predicate"]
    assert hints(explore(kg, source("G2"), only)[1]) == []
    assert hints(explore(kg, {"op": "graph", "name": "?g", "patterns": ["?s <http://e/only> ?o"]})[0]) == []


def test_why_empty_looks_at_the_dataset_of_the_plan(path: Path) -> None:
    """Example values, and the pattern alone, are those of the FROM graph."""
    kg = KG.load(path)
    seen = explore(
        kg,
        source("G1"),
        {"op": "triple", "pattern": "?s a ?c"},
        {"op": "triple", "pattern": "?s <http://e/p> 2"},
    )
    assert [hint.code for hint in seen[-1].hints] == ["example-values"]
    assert "2" not in seen[-1].hints[0].text.replace("http://e/", "")


def test_trace_names_the_dataset(path: Path) -> None:
    """A replay uses the same one."""
    assert Explorer(KG.load(path)).trace.dataset == "union"
    assert Explorer(KG.load(path, graph=E + "G1")).trace.dataset == E + "G1"


def test_rows_of_a_graph_variable(path: Path) -> None:
    """The name of the graph is a solution like any other."""
    explorer = Explorer(KG.load(path))
    explorer.run(parse_action(G))
    explorer.run(parse_action({"op": "distinct"}))
    answer = KG.load(path).select(explorer.sparql)
    assert {row["g"] for row in answer.rows} == {IRI(E + "G1"), IRI(E + "G2")}


# --- the command line -------------------------------------------------------------------------------


def test_run_says_that_the_union_is_asked(
    path: Path, with_default: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one line on stderr, where nobody chose it; not in a replay, where the trace chose."""
    actions, trace = tmp_path / "actions.jsonl", tmp_path / "trace.jsonl"
    actions.write_text('{"op": "triple", "pattern": "?s <http://e/p> ?o"}\n', encoding="utf-8")
    said = "the default graph is empty: queries ask the union of the named graphs (see --graph)\n"
    assert main(["run", str(actions), "--kg", str(path), "--trace", str(trace)]) == 0
    out, err = capsys.readouterr()
    assert err == said
    assert "-> 3 solutions" in out
    for words in (["--kg", str(path), "--graph", "union"], ["--kg", str(with_default)]):
        assert main(["run", str(actions), *words]) == 0
        assert capsys.readouterr().err == ""
    assert main(["replay", str(trace)]) == 0
    assert capsys.readouterr().err == ""


def test_run_with_an_unknown_graph(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--graph` with a graph that is not there is an error that names those that are."""
    actions = tmp_path / "actions.jsonl"
    actions.write_text("{}", encoding="utf-8")
    assert main(["run", str(actions), "--kg", str(path), "--graph", E + "G9"]) == 1
    assert "(http://e/G1, http://e/G2)" in capsys.readouterr().err
