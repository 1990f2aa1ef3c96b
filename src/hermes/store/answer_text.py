"""The text in which a worker hands over an answer, and reading it.

Solutions are SPARQL TSV and triples are N-Triples, because Oxigraph writes both without loss (every kind of
term, blank node labels too), a line is a row in both, and equal cells are equal texts: each is read once,
which makes the way through a worker as quick as reading Oxigraph's own objects.
"""

from __future__ import annotations

import io
import re
from typing import Final

import pyoxigraph as ox

from hermes.results import Table, Triples
from hermes.store.convert import from_ox, triple_from_ox
from hermes.terms import IRI, RDF_LANG_STRING, XSD, XSD_STRING, Literal, Row, Term

TABLE_FORMAT: Final = ox.QueryResultsFormat.TSV
TRIPLES_FORMAT: Final = ox.RdfFormat.N_TRIPLES

_INTEGER: Final = XSD + "integer"
_PLAIN: Final = re.compile(
    r'"([^"\\]*)"(?:@([a-z0-9]+(?:-[a-z0-9]+)*)|\^\^<([^<>\\]*)>)?|([+-]?[0-9]+)', re.DOTALL
)
"""A literal without escapes, with a language (without a base direction) or a datatype; or an integer."""


def read_table(text: bytes, *, complete: bool) -> Table:
    """Return the solutions that a text in TSV holds."""
    head, _, body = text.decode().partition("\n")
    names = tuple(name[1:] for name in head.split("\t")) if head else ()
    known: dict[str, Term] = {}
    rows: list[Row] = []
    lines = body.split("\n")
    lines.pop()  # the text ends in a line end
    for line in lines:
        row: dict[str, Term] = {}
        for name, cell in zip(names, line.split("\t"), strict=False):  # no column: one empty cell
            if cell:
                term = known.get(cell)
                if term is None:
                    term = known[cell] = _term(cell)
                row[name] = term
        rows.append(row)
    return Table(names, tuple(rows), complete)


def _term(cell: str) -> Term:
    # What is common is read here; the rest by Oxigraph, which takes ten times as long.
    if cell[0] == "<" and cell[1] != "<" and "\\" not in cell:
        return IRI(cell[1:-1])
    plain = _PLAIN.fullmatch(cell)
    if plain is not None:
        lexical, language, datatype, integer = plain.groups()
        if integer is not None:
            return Literal(integer, _INTEGER)
        if language is not None:
            return Literal(lexical, RDF_LANG_STRING, language)
        return Literal(lexical, datatype or XSD_STRING)
    found = ox.parse_query_results(f"?x\n{cell}\n", TABLE_FORMAT)
    if isinstance(found, ox.QuerySolutions):
        for row in found:
            return from_ox(row[0])
    raise ValueError(f"not a term: {cell}")


def read_triples(text: bytes, *, complete: bool) -> Triples:
    """Return the triples that a text in N-Triples holds, each once."""
    found = ox.parse(io.BytesIO(text), TRIPLES_FORMAT)
    return Triples(tuple(dict.fromkeys(triple_from_ox(quad) for quad in found)), complete)
