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
    """Is told the right query: a bound of what can be scored, and no system that could be used."""

    def answer_as(self, sparql: str, kg: KG) -> Answer:
        """Return the answer that is the gold query `sparql`; without a query where the text is empty."""
