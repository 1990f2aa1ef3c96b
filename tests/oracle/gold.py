"""Compares an answer with a stored gold answer: by position of the columns, numbers as numbers."""

from __future__ import annotations

from collections import Counter

from pyoxigraph import QuerySolutions

from oracle.matching import plain_value

Answer = list[tuple[str, ...]]


def _rows(found: QuerySolutions) -> Answer:
    """Return the rows as texts, in the order of the columns; unbound is an empty text."""
    width = len(found.variables)
    return [tuple("" if row[i] is None else plain_value(row[i]) for i in range(width)) for row in found]


def same_answer(stored: QuerySolutions, found: QuerySolutions, *, tie: bool) -> bool:
    """Whether the answers are equal as multisets.

    An equal sequence is not asked for, as rows with equal sort keys change places from run to run; the
    order is judged on generated graphs. Where a LIMIT cuts through a `tie` only the number of rows counts.
    """
    names, others = ([v.value for v in result.variables] for result in (stored, found))
    if names != others:
        return False
    first, second = _rows(stored), _rows(found)
    if tie:
        return len(first) == len(second)
    return Counter(first) == Counter(second)
