"""The gold query of every question, run on its graph, gets the score 1: the bound that every system has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest

from hermes import KG
from hermes.evaluation import Question, compare, execute, read_questions, tie_rows
from hermes.evaluation.features import gold_plan
from shared import data_folder

_LARGEST: Final = {"sakila_1", "flight_4", "formula_1"}
"""Loading these takes longer than all the others together; they are as the others are."""


def _questions(folder: str) -> Iterator[tuple[KG, Question]]:
    found = read_questions(data_folder(folder) / "questions.dev.json")
    for name in found.graphs.keys() - _LARGEST:
        kg = KG.load(*found.graphs[name])
        yield from ((kg, question) for question in found.questions if question.kg == name)
        kg.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("folder", "number"),
    [
        ("ck25", 32),
        ("geoquery", 228),
        ("spider4sparql", 498),
        ("spider4sparql-large", 140),
    ],
)
def test_gold_queries_score_1(folder: str, number: int) -> None:
    """In every measure, and in order; the ties that the sets state are those that are found."""
    asked = 0
    for kg, question in _questions(folder):
        answer = execute(kg, question.sparql)
        plan = gold_plan(question.sparql)
        assert plan is not None
        ties = tie_rows(kg, plan)
        assert bool(ties and ties.ties) == question.tie, question.id
        for scores in (
            compare(question.answers, answer, ordered=question.ordered),
            compare(question.answers, answer, ordered=question.ordered, ties=ties),
        ):
            assert scores.exact, question.id
            assert scores.in_order in (None, True), question.id
            assert scores.precision == scores.recall == scores.f1 == scores.lenient == 1.0, question.id
            assert scores.precision_qald == scores.recall_qald == 1.0, question.id
        asked += 1
    assert asked == number
