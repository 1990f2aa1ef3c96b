"""What a system answers."""

from __future__ import annotations

from dataclasses import dataclass

from hermes.algebra.plan import Plan
from hermes.algebra.trace import Trace
from hermes.results import Result


@dataclass(frozen=True, slots=True)
class Cost:
    """What an answer took beside time and store queries, which the evaluation counts itself.

    Args:
        judge_calls: how often something that is not the graph was asked to choose.
        tokens: of a language model, in and out.
    """

    judge_calls: int = 0
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question.

    Args:
        plan: the query as a plan; None where there is none, or where it is not one that hermes can read.
        sparql: the query as text; empty where there is none.
        rows: the result of the query: rows of a SELECT, the truth value of an ASK; None where it was not run.
        trace: the steps that led to it; None for a system without steps.
        confidence: from 0 to 1, as the system sees it; None where it does not say.
        alternatives: other plans, the likeliest first.
        missing: pieces of the question that the query says nothing of.
        cost: what it took.
    """

    plan: Plan | None = None
    sparql: str = ""
    rows: Result | None = None
    trace: Trace | None = None
    confidence: float | None = None
    alternatives: tuple[Plan, ...] = ()
    missing: tuple[str, ...] = ()
    cost: Cost = Cost()
