"""All rules over one question."""

from __future__ import annotations

from collections.abc import Iterator

from hermes.algebra.parse_query import parse_query
from hermes.errors import HermesError, StoreError
from hermes.evaluation.features import gold_plan
from hermes.evaluation.lint.case import Case
from hermes.evaluation.lint.fault import Fault
from hermes.evaluation.lint.rules import RULES, Said
from hermes.evaluation.question import Question
from hermes.kg import KG
from hermes.verifier import Kernel


def lint(kg: KG, question: Question, kernel: Kernel | None) -> tuple[Fault, ...]:
    """Return what is wrong, or hardly meant, in the gold query of a question and in its stated answer.

    Args:
        kg: the graph of the question.
        question: what is looked at.
        kernel: of a schema of that graph; None leaves out what only a graph that was read whole can prove.
    """
    found = dict.fromkeys(_said(kg, question, kernel))
    return tuple(Fault(question.id, code, message, question.kg) for code, message in found)


def _said(kg: KG, question: Question, kernel: Kernel | None) -> Iterator[Said]:
    if not question.sparql:
        yield "no-query", "the set states no gold query" + ("" if question.answers else ", and no answer")
        return
    plan = gold_plan(question.sparql)
    if plan is None:
        yield "not-read", _why(question.sparql)
        return
    case = Case(kg, question, plan, kernel)
    try:
        _ = case.answer
    except StoreError as error:
        yield "not-run", str(error)
        return
    for rule in RULES:
        yield from rule(case)


def _why(sparql: str) -> str:
    try:
        parse_query(sparql)
    except HermesError as error:
        return f"hermes does not read the gold query: {error}"
    return "hermes does not read the gold query"
