"""The gold queries of the question sets, taken through a plan, give the stored answers."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, Final

import pytest
from pyoxigraph import QueryBoolean, QueryResultsFormat, QuerySolutions, Store, parse_query_results

from hermes import KG
from hermes.algebra import Observation, parse_query
from hermes.algebra.observation import Asked
from hermes.explanation import explain
from hermes.explanation.page import page
from oracle.gold import same_answer
from oracle.loading import load
from oracle.rebuild import rebuild
from shared import DATA, data_folder

_SMALL: Final = ("ck25", "geoquery", "spider4sparql")
_LARGE: Final = ("spider4sparql-large",)


@cache
def _questions(folder: str) -> dict[str, Any]:
    path = DATA / folder / "questions.dev.json"
    if not path.is_file():
        return {"dataset": {"kg": {}}, "questions": []}
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def _graphs(folders: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return every folder with every graph in it; where the data is absent, the folder alone."""
    return [(folder, kg) for folder in folders for kg in _questions(folder)["dataset"]["kg"] or [""]]


def _check(folder: str, kg: str) -> None:
    """Run every gold query of one graph; report all that differ."""
    data = data_folder(folder)
    content = _questions(folder)
    store = load([data / name for name in content["dataset"]["kg"][kg]])
    wrong = [
        f"{question['id']}: {reason}"
        for question in content["questions"]
        if question["kg"] == kg and (reason := _differs(store, question))
    ]
    assert not wrong, "\n".join(wrong)


def _differs(store: Store, question: dict[str, Any]) -> str:
    """Return why the rebuilt gold query does not give the stored answer, or an empty text."""
    text = question["query"]["sparql"]
    rebuilt = rebuild(text, "http://www.example.org/")
    stored = parse_query_results(json.dumps(question["answers"][0]), QueryResultsFormat.JSON)
    found = store.query(rebuilt)
    if isinstance(stored, QueryBoolean):
        return "" if isinstance(found, QueryBoolean) and bool(found) == bool(stored) else "another truth"
    assert isinstance(found, QuerySolutions)
    if same_answer(stored, found, tie=bool(question.get("tie"))):
        return ""
    return f"another answer\n{text}\n--- became\n{rebuilt}"


@pytest.mark.parametrize(("folder", "kg"), _graphs(_SMALL))
def test_gold_queries(folder: str, kg: str) -> None:
    """All of the graph's gold queries give their answers."""
    _check(folder, kg)


@pytest.mark.slow
@pytest.mark.parametrize(("folder", "kg"), _graphs(_LARGE))
def test_gold_queries_of_large_graphs(folder: str, kg: str) -> None:
    """The same on graphs of up to a million triples."""
    _check(folder, kg)


def _explained(folder: str, kg: str) -> None:
    """Explain every gold query of one graph; report each whose last step has another number of rows."""
    data = data_folder(folder)
    content = _questions(folder)
    graph = KG.load(*[data / name for name in content["dataset"]["kg"][kg]])
    wrong = []
    for question in content["questions"]:
        if question["kg"] == kg:
            plan = parse_query(question["query"]["sparql"], prefixes=graph.prefixes)
            found = explain(graph, plan)
            page(found, question["query"]["sparql"], question["id"], graph)
            if _number(found.seen) != _stored_number(question["answers"][0]):
                wrong.append(f"{question['id']}: {found.seen}")
    graph.close()
    assert not wrong, "\n".join(wrong)


def _number(seen: Observation | None) -> int | bool | None:
    return seen.value if isinstance(seen, Asked) else getattr(seen, "count", None)


def _stored_number(answer: dict[str, Any]) -> int | bool:
    return bool(answer["boolean"]) if "boolean" in answer else len(answer["results"]["bindings"])


@pytest.mark.parametrize(("folder", "kg"), _graphs(_SMALL))
def test_gold_queries_are_explained(folder: str, kg: str) -> None:
    """The last step has as many solutions as the stored answer has rows."""
    _explained(folder, kg)


@pytest.mark.slow
@pytest.mark.parametrize(("folder", "kg"), _graphs(_LARGE))
def test_gold_queries_of_large_graphs_are_explained(folder: str, kg: str) -> None:
    """The same on graphs of up to a million triples."""
    _explained(folder, kg)
