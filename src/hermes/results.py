"""What a query gives back: a table of solutions, a truth value, or triples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hermes.terms import Row, TripleTerm


@dataclass(frozen=True, slots=True)
class Table:
    """The solutions of a SELECT query.

    `variables` are the columns in order, without `?`. `complete` is False when rows were cut.
    """

    variables: tuple[str, ...]
    rows: Sequence[Row]
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Truth:
    """The answer of an ASK query."""

    value: bool


@dataclass(frozen=True, slots=True)
class Triples:
    """The triples of a CONSTRUCT or DESCRIBE query, each once, in the order of the store."""

    triples: Sequence[TripleTerm]
    complete: bool = True


Result = Table | Truth | Triples
