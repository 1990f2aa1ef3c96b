"""`gold`: the upper bound, which is told the right query."""

from __future__ import annotations

from hermes.errors import HermesError
from hermes.kg import KG
from hermes.systems.answer import Answer
from hermes.systems.query_answer import query_answer


class Gold:
    """Runs the gold query: what scores less than 1 is a fault of the set, the comparison or the store."""

    def answer(self, question: str, kg: KG) -> Answer:
        """Refuse: without the gold query there is nothing to run.

        Raises:
            HermesError: always, with code `no-answer`.
        """
        raise HermesError(
            "gold answers only questions whose gold query is known: score it with a question set",
            code="no-answer",
        )

    def answer_as(self, sparql: str, kg: KG) -> Answer:
        """Return the answer that the gold query gives.

        Raises:
            HermesError: it could not be run.
        """
        return query_answer(sparql, kg)
