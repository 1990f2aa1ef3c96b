"""Results as compact JSON: each term once, rows as places in the list of terms."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from hermes.results import Result, Table, Triples, Truth
from hermes.term_json import term_from_json, term_to_json
from hermes.terms import Row, Term, TripleTerm


def to_compact(result: Result) -> bytes:
    """Return a complete result as JSON in UTF-8. Whether it is complete is not written."""
    match result:
        case Truth(value):
            found: dict[str, Any] = {"truth": value}
        case Table():
            place, terms = _places()
            rows = [{name: place(term) for name, term in row.items()} for row in result.rows]
            # An unbound variable has no place; the order of the columns is that of the table.
            cells = [[row.get(name, -1) for name in result.variables] for row in rows]
            found = {"variables": result.variables, "rows": cells, "terms": terms}
        case Triples():
            place, terms = _places()
            triples = [[place(t.subject), place(t.predicate), place(t.object)] for t in result.triples]
            found = {"triples": triples, "terms": terms}
    text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    # A store may hold half a surrogate pair; it comes back as it was.
    return text.encode("utf-8", "surrogatepass")


def _places() -> tuple[Callable[[Term], int], list[Any]]:
    """Return a function that gives each term its place, and the list that it fills."""
    known: dict[Term, int] = {}
    terms: list[Any] = []

    def place(term: Term) -> int:
        at = known.get(term)
        if at is None:
            at = known[term] = len(terms)
            terms.append(term_to_json(term))
        return at

    return place, terms


def from_compact(data: bytes) -> Result:
    """Return the result of such a text.

    Raises:
        ValueError: it is none.
    """
    try:
        found = json.loads(data.decode("utf-8", "surrogatepass"))
        match found:
            case {"truth": bool(value)}:
                return Truth(value)
            case {"variables": [*names], "rows": [*rows], "terms": [*written]}:
                terms = [term_from_json(each) for each in written]
                return Table(tuple(map(str, names)), tuple(_row(names, cells, terms) for cells in rows))
            case {"triples": [*triples], "terms": [*written]}:
                terms = [term_from_json(each) for each in written]
                return Triples(tuple(TripleTerm(terms[s], terms[p], terms[o]) for s, p, o in triples))
    except (TypeError, IndexError, RecursionError) as error:
        raise ValueError(f"no result: {error}") from error
    raise ValueError("no result")


def _row(names: Sequence[str], cells: Sequence[int], terms: Sequence[Term]) -> Row:
    return {name: terms[at] for name, at in zip(names, cells, strict=True) if at >= 0}
