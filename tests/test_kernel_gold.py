"""The gold queries of the question sets: none is refused, whole or step by step, while it has solutions."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, Final

import pytest

from hermes import KG
from hermes.algebra import Plan, parse_query, render
from hermes.verifier import Kernel, Schema
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
    return [(folder, kg) for folder in folders for kg in _questions(folder)["dataset"]["kg"] or [""]]


def _steps(plan: Plan) -> list[Plan]:
    found = [Plan(prefixes=plan.prefixes)]
    for action in plan.actions():
        found.append(action.apply(found[-1]))
    return found


def _check(folder: str, name: str) -> None:
    data = data_folder(folder)
    content = _questions(folder)
    kg = KG.load(*(data / file for file in content["dataset"]["kg"][name]))
    try:
        kernel = Kernel(Schema.mine(kg))
        for question in content["questions"]:
            if question["kg"] != name:
                continue
            plan = parse_query(question["query"]["sparql"])
            verdict = kernel.check(plan)
            assert verdict.accepted, f"{question['id']}: {verdict.reason}"
            for step in _steps(plan):
                verdict = kernel.check(step)
                # A question may count what there is none of: its patterns alone have no solution.
                assert verdict.accepted or not _solutions(kg, step), f"{question['id']}: {verdict.reason}"
    finally:
        kg.close()


def _solutions(kg: KG, plan: Plan) -> bool:
    where = Plan(where=plan.where).evolve(form="ask", projection=(), projected=True)
    return kg.ask(render(where))


@pytest.mark.parametrize(("folder", "kg"), _graphs(_SMALL))
def test_gold_queries_are_accepted(folder: str, kg: str) -> None:
    """All of a graph's gold queries, and each step to them."""
    _check(folder, kg)


@pytest.mark.slow
@pytest.mark.parametrize(("folder", "kg"), _graphs(_LARGE))
def test_gold_queries_of_large_graphs_are_accepted(folder: str, kg: str) -> None:
    """The same on graphs of up to a million triples."""
    _check(folder, kg)
