"""What a system is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from hermes.systems.answer import Answer

if TYPE_CHECKING:
    from hermes.kg import KG


class System(Protocol):
    """Answers questions over any graph. Several threads may ask one system at the same time."""

    def answer(self, question: str, kg: KG) -> Answer:
        """Return the answer to a question in plain words.

        A system that finds none returns an `Answer` without a query; it raises only where it could not work.

        Raises:
            HermesError: the graph, or something else that the system needs, could not be used.
        """


@runtime_checkable
class Oracle(Protocol):
    """Answers a question of which it is told the gold query: an upper bound for others."""

    def answer_as(self, sparql: str, kg: KG) -> Answer:
        """Return the answer that a query gives.

        Raises:
            HermesError: the query could not be run.
        """
