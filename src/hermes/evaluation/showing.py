"""A query with its answer, as a report shows it."""

from __future__ import annotations

from typing import Final

from hermes.algebra.parse_query import parse_query
from hermes.errors import HermesError
from hermes.evaluation.record import Shown
from hermes.explanation import explain
from hermes.explanation.lines import summary
from hermes.kg import KG
from hermes.printable import clip, printable
from hermes.results import Result, Table, Truth
from hermes.store import deadline
from hermes.terms import display

_ROWS: Final = 10
_COLUMNS: Final = 12
_WIDEST: Final = 200
_PATIENCE: Final = 5.0
"""Seconds for the counts of one query; steps after that are not counted."""


def shown(kg: KG, sparql: str, result: Result | None, *, steps: bool) -> Shown:
    """Return a query and the first rows of its answer; with `steps` also what each operator leaves.

    A query that hermes does not read has no steps, and what could not be counted in five seconds says so.
    """
    found = _steps(kg, sparql) if steps and sparql else ()
    if isinstance(result, Truth):
        return Shown(sparql, found, truth=result.value)
    if not isinstance(result, Table):
        return Shown(sparql, found, size=None if result is None else len(result.triples))
    columns = result.variables[:_COLUMNS]
    rows = tuple(
        tuple(
            "" if (term := row.get(name)) is None else display(term, kg.prefixes, _WIDEST) for name in columns
        )
        for row in result.rows[:_ROWS]
    )
    return Shown(sparql, found, columns, rows, len(result.rows))


def _steps(kg: KG, sparql: str) -> tuple[tuple[str, str], ...]:
    try:
        with deadline(_PATIENCE):
            explained = explain(kg, parse_query(sparql, prefixes=kg.prefixes))
    except HermesError:
        return ()
    return tuple(
        (clip(printable(step.text), _WIDEST), summary(step).removeprefix("-> ")) for step in explained.steps
    )
