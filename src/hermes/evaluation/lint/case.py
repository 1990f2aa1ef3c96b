"""A question with all that the rules look at, each part found once."""

from __future__ import annotations

from functools import cached_property

from hermes.algebra.plan import Plan
from hermes.algebra.render import render
from hermes.errors import StoreError
from hermes.evaluation.execution import execute
from hermes.evaluation.question import Question
from hermes.evaluation.ties import Ties, tie_rows
from hermes.kg import KG
from hermes.results import Result, Table, Triples
from hermes.verifier import Kernel, Verdict


class Case:
    """A gold query that hermes reads.

    Args:
        kg: its graph.
        question: the question.
        plan: the gold query.
        kernel: what is known of the graph; None where it cannot be read whole.

    Attributes: as the arguments.
    """

    def __init__(self, kg: KG, question: Question, plan: Plan, kernel: Kernel | None) -> None:
        self.kg = kg
        self.question = question
        self.plan = plan
        self.kernel = kernel

    @cached_property
    def verdict(self) -> Verdict | None:
        """What the kernel says."""
        return None if self.kernel is None else self.kernel.check(self.plan)

    @cached_property
    def answer(self) -> Result:
        """What the gold query gives now.

        Raises:
            StoreError: it cannot be run.
        """
        return execute(self.kg, self.question.sparql)

    @cached_property
    def ties(self) -> Ties | None:
        """What its LIMIT leaves open; None where it does not, or where that cannot be asked."""
        try:
            return tie_rows(self.kg, self.plan)
        except StoreError:
            return None

    @cached_property
    def where_has_solutions(self) -> bool | None:
        """Whether WHERE has a solution; None where the store does not say."""
        where = Plan(where=self.plan.where, dataset=self.plan.dataset, values=self.plan.values, form="ask")
        try:
            return self.kg.ask(render(where, self.kg.header))
        except StoreError:
            return None


def size(result: Result) -> int:
    """Return how many rows a result has; a truth value is one."""
    match result:
        case Table(_, rows):
            return len(rows)
        case Triples(triples):
            return len(triples)
        case _:
            return 1
