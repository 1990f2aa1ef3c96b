"""Runs a query with pyoxigraph and brings its result into a form that can be compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from pyoxigraph import (
    BlankNode,
    CanonicalizationAlgorithm,
    Dataset,
    Literal,
    NamedNode,
    Quad,
    QueryBoolean,
    QuerySolutions,
    QueryTriples,
    Store,
    Triple,
)

from oracle.stand_ins import Functions

RESERVED: Final = "_hermes_"
BASE: Final = "http://www.example.org/query/"
MOST_ROWS: Final = 3000
_FLOATING: Final = frozenset(
    "http://www.w3.org/2001/XMLSchema#" + name for name in ("decimal", "double", "float")
)
ENGINE_ERRORS: Final = (SyntaxError, ValueError, RuntimeError, OSError)
"""What pyoxigraph raises for a query that it cannot run."""
Value = NamedNode | BlankNode | Literal | Triple
Row = tuple[tuple[str, str], ...]
"""The bound columns of a solution, sorted: name and normal text of the term."""


class TooLargeError(Exception):
    """The result has more rows than a comparison should read."""


@dataclass(frozen=True, slots=True)
class Result:
    """A result of any form: an ASK has `truth`, a CONSTRUCT has its triples as rows."""

    variables: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    truth: bool | None = None

    def counted(self) -> Counter[Row]:
        """Return the multiset of rows."""
        return Counter(self.rows)


def run(store: Store, query: str, functions: Functions | None = None, base: str = BASE) -> Result:
    """Run `query`; columns that hermes makes for itself are left out.

    Raises:
        SyntaxError: when the query does not parse.
        TooLargeError: when there are more than `MOST_ROWS` rows.
    """
    found = store.query(query, base_iri=base, custom_functions=functions)
    if isinstance(found, QueryBoolean):
        return Result(truth=bool(found))
    if isinstance(found, QueryTriples):
        return Result(rows=_triples(found))
    assert isinstance(found, QuerySolutions)
    names = [variable.value for variable in found.variables]
    kept = [(index, name) for index, name in enumerate(names) if not name.startswith(RESERVED)]
    columns = sorted((name, index) for index, name in kept)
    rows = []
    for solution in islice(found, MOST_ROWS + 1):
        values = ((name, solution[index]) for name, index in columns)
        rows.append(tuple((name, normal(value)) for name, value in values if value is not None))
    if len(rows) > MOST_ROWS:
        raise TooLargeError
    return Result(tuple(name for _, name in kept), tuple(rows))


def normal(value: Value) -> str:
    """Return a text that equal terms share; the last digits of a floating number do not count."""
    if isinstance(value, BlankNode):
        return "_:"
    if isinstance(value, Literal) and value.datatype.value in _FLOATING:
        try:
            return f"{float(value.value):.9g}^^{value.datatype.value}"
        except ValueError:
            return str(value)
    return str(value)


def _triples(found: Iterable[Triple]) -> tuple[Row, ...]:
    """Return a graph as rows, its blank nodes named by the graph's canonical form."""
    triples = list(islice(found, MOST_ROWS + 1))
    if len(triples) > MOST_ROWS:
        raise TooLargeError
    graph = Dataset(Quad(t.subject, t.predicate, t.object) for t in triples)
    graph.canonicalize(CanonicalizationAlgorithm.RDFC_1_0)
    return tuple(sorted((("triple", str(quad.triple)),) for quad in graph))


def without_order_inside(rows: Sequence[Row]) -> Counter[Row]:
    """Return rows with the characters of each value sorted: GROUP_CONCAT may join in any order."""
    return Counter(tuple((name, "".join(sorted(value))) for name, value in row) for row in rows)
