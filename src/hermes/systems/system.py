"""What a system is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from hermes.systems.answer import Answer

if TYPE_CHECKING:
    from hermes.kg import KG


class System(Protocol):
    """Answers questions over any graph."""

    def answer(self, question: str, kg: KG) -> Answer:
        """Return the answer to a question in plain words.

        A system that finds none returns an `Answer` without a query; it raises only where it could not work.

        Raises:
            HermesError: the graph, or something else that the system needs, could not be used.
        """
