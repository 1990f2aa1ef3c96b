"""What hermes asks of whatever executes SPARQL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from hermes.results import Table, Triples


class Store(Protocol):
    """Executes the text of read-only queries over one dataset.

    A store may be shared between threads. Each of the three query methods raises `StoreError` when
    the text is not a query of its form, or when it cannot be executed.
    """

    @property
    def engine(self) -> str:
        """The name of what executes the queries, such as `oxigraph`."""

    @property
    def source(self) -> str:
        """Where the triples came from, for a reader."""

    @property
    def fingerprint(self) -> str:
        """Changes when the triples or the choice of dataset change; the same text, the same answers."""

    def select(self, query: str) -> Table:
        """Return the solutions of a SELECT query."""

    def ask(self, query: str) -> bool:
        """Return the answer of an ASK query."""

    def construct(self, query: str) -> Triples:
        """Return the triples of a CONSTRUCT or DESCRIBE query."""

    def close(self) -> None:
        """Release what the store holds; it answers nothing afterwards. May be called twice."""
