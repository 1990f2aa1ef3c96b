"""The gold query as the answer: the upper bound, which shows that a question set and its scores are sound."""

from __future__ import annotations

from hermes.algebra.parse_query import parse_query
from hermes.algebra.plan import Plan
from hermes.errors import HermesError
from hermes.kg import KG
from hermes.systems.answer import Answer


class Gold:
    """Answers with the gold query that it is told; a question alone it cannot answer."""

    def answer(self, question: str, kg: KG) -> Answer:
        """Return an answer without a query: nobody said which is right."""
        return Answer()

    def answer_as(self, sparql: str, kg: KG) -> Answer:
        """Return the gold query as it is written, and as a plan where hermes reads it; it is not run."""
        return Answer(plan=_plan(sparql, kg), sparql=sparql)


def _plan(sparql: str, kg: KG) -> Plan | None:
    if not sparql:
        return None
    try:
        return parse_query(sparql, prefixes=kg.prefixes)
    except HermesError:
        return None
