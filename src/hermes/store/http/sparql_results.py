"""Results of endpoints as tables, truth values and triples: SPARQL JSON, XML and TSV; Turtle and N-Triples.

The media type decides how a body is read, and where it says nothing the first byte. A body is read to its
end: what stands after a result makes it none.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

import pyoxigraph as ox

from hermes.results import Table, Triples, Truth
from hermes.store.convert import OxTerm, from_ox
from hermes.store.http.reply import Reply
from hermes.term_json import term_from_json
from hermes.terms import IRI, XSD, BlankNode, Literal, Row, Term, TripleTerm

ACCEPT_RESULTS: Final = (
    "application/sparql-results+json, application/sparql-results+xml;q=0.8, text/tab-separated-values;q=0.5"
)
ACCEPT_TRIPLES: Final = "text/turtle, application/n-triples;q=0.9"

ASK_VARIABLE: Final = "__ASK_RETVAL"
"""The column in which Virtuoso answers ASK."""

_JSON, _XML, _TSV, _BOOLEAN = "JSON", "XML", "TSV", "a truth value"
_RESULTS: Final = {
    "application/sparql-results+json": _JSON,
    "application/sparql-results+xml": _XML,
    "text/tab-separated-values": _TSV,
    "text/boolean": _BOOLEAN,
}
_TRIPLES: Final = {
    "text/turtle": ox.RdfFormat.TURTLE,
    "application/x-turtle": ox.RdfFormat.TURTLE,
    "application/n-triples": ox.RdfFormat.N_TRIPLES,
    "text/ntriples": ox.RdfFormat.N_TRIPLES,
    "application/rdf+xml": ox.RdfFormat.RDF_XML,
}
_FIRST: Final = {b"{": _JSON, b"<": _XML, b"?": _TSV}
_OTHER: Final = {_XML: ox.QueryResultsFormat.XML, _TSV: ox.QueryResultsFormat.TSV}
_TRUTHS: Final = {b"true": True, b"false": False}
_TERM: Final = (IRI, Literal, BlankNode, TripleTerm)
_XML_END: Final = re.compile(rb"</(?:[\w.-]+:)?sparql\s*>$")
_LONGEST_END: Final = 100
_BOM: Final = b"\xef\xbb\xbf"


class NoResult(ValueError):  # noqa: N818 - it becomes a StoreError that knows the whole reply
    """A body that is no result; the message says what it is instead."""


def is_result(reply: Reply) -> bool:
    """Whether the media type is one of results of SELECT and ASK."""
    return reply.media_type in _RESULTS


def read_result(reply: Reply, most: int) -> Table | Truth:
    """Read the answer of a SELECT or ASK query.

    Args:
        reply: what came.
        most: how many rows are kept; a table that had more is not complete.

    Raises:
        NoResult: the body is no result, or more than one.
    """
    body = reply.body.removeprefix(_BOM).strip()
    kind = _kind(reply.media_type, body)
    found: Table | Truth | None
    if kind == _BOOLEAN:
        found = Truth(_TRUTHS[body.lower()])
    elif kind == _JSON:
        found = _read_json(body)
    else:
        # White space at the end of a TSV body may be empty columns.
        found = _read_other(reply.body if kind == _TSV else body, _OTHER[kind])
    if found is None:
        raise NoResult(f"what is no SPARQL {kind}")
    return _cut(found, most) if isinstance(found, Table) else found


def read_graph(reply: Reply, most: int) -> Triples:
    """Read the answer of a CONSTRUCT or DESCRIBE query; at most `most` triples are kept.

    Raises:
        NoResult: the body is no RDF.
    """
    form = _TRIPLES.get(reply.media_type)
    if form is None:
        # Every N-Triples document is Turtle, and RDF/XML begins like XML.
        if reply.body.lstrip().startswith(b"<?xml"):
            form = ox.RdfFormat.RDF_XML
        elif reply.media_type in ("text/plain", "application/octet-stream", ""):
            form = ox.RdfFormat.TURTLE
        else:
            raise NoResult("another format than Turtle and N-Triples, which it was asked for")
    found = _read_triples(reply, form, most)
    if found is None:
        raise NoResult(f"what is no {form.name}")
    return found


def as_truth(found: Table | Truth) -> bool | None:
    """Return the answer of an ASK query, also where it came as a table; None where it is another table."""
    if isinstance(found, Truth):
        return found.value
    if found.variables != (ASK_VARIABLE,) or len(found.rows) > 1:
        return None
    # Virtuoso has also been seen to answer "no" with no row.
    value = found.rows[0].get(ASK_VARIABLE) if found.rows else Literal("0", XSD + "integer")
    return value.lexical in ("1", "true") if isinstance(value, Literal) else None


def _kind(media_type: str, body: bytes) -> str:
    if body.lower() in _TRUTHS:
        return _BOOLEAN
    first = _FIRST.get(body[:1])
    said = _RESULTS.get(media_type)
    if said == _TSV or (said is not None and first in (said, None)):
        return said
    if media_type == "text/csv":
        raise NoResult("CSV, which does not tell a name from a text")
    if media_type == "text/html" and b"<sparql" not in body[:1000]:
        raise NoResult("a web page instead of a result")
    if first is None:
        raise NoResult("what is no result")
    return first


# --- JSON ----------------------------------------------------------------------------------------


def _read_json(body: bytes) -> Table | Truth | None:
    try:
        found = json.loads(body.decode(), object_hook=_Terms().read)
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    if not isinstance(found, dict):
        raise NoResult("JSON that is no SPARQL result")
    if isinstance(found.get("boolean"), bool):
        return Truth(found["boolean"])
    head, results = found.get("head"), found.get("results")
    if not isinstance(head, dict) or not isinstance(results, dict):
        raise NoResult("JSON that is no SPARQL result: it has no head with results, and no boolean")
    variables, rows = head.get("vars", []), results.get("bindings")
    if not (isinstance(variables, list) and all(isinstance(name, str) for name in variables)):
        raise NoResult("JSON that is no SPARQL result: its vars are no names")
    if not isinstance(rows, list):
        raise NoResult("JSON that is no SPARQL result: it has no list of bindings")
    names = frozenset(variables)
    return Table(tuple(variables), tuple(_row(row, names) for row in rows))


def _row(row: Any, names: frozenset[str]) -> Row:
    if row is None:  # a row in which nothing is bound, as one engine has written it
        return {}
    if not isinstance(row, dict) or not row.keys() <= names:
        raise NoResult("JSON that is no SPARQL result: a row has other columns than its head")
    if all(isinstance(term, _TERM) for term in row.values()):
        return row
    found = {name: term for name, term in row.items() if term is not None}
    if not all(isinstance(term, _TERM) for term in found.values()):
        raise NoResult("JSON that is no SPARQL result: a row holds what is no RDF term")
    return found


class _Terms:
    """Turns the objects of a result into terms while the JSON is read; equal terms are one object.

    So a large result never stands in memory twice.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], Term] = {}

    def read(self, found: dict[str, Any]) -> Any:
        kind, value = found.get("type"), found.get("value")
        # A row may have variables of these names; their values are terms, not texts.
        if not isinstance(kind, str):
            return found
        if not isinstance(value, str):
            return _triple(value) if kind == "triple" else found
        key = (kind, value, found.get("datatype"), found.get("xml:lang"), found.get("its:dir"))
        term = self._known.get(key)
        if term is None:
            term = self._known[key] = term_from_json(found)
        return term


def _triple(parts: Any) -> TripleTerm:
    # Its parts have been read before it.
    subject, predicate, value = parts["subject"], parts["predicate"], parts["object"]
    if not all(isinstance(part, _TERM) for part in (subject, predicate, value)):
        raise NoResult("JSON that is no SPARQL result: a triple term has a part that is no RDF term")
    return TripleTerm(subject, predicate, value)


# --- what pyoxigraph reads -----------------------------------------------------------------------

# Its results may only be dropped in the thread that made them, and an error would carry them elsewhere in its
# traceback. So no error leaves these functions.


def _read_other(body: bytes, form: ox.QueryResultsFormat) -> Table | Truth | None:
    # The reader of XML does not miss the end of the document.
    if form == ox.QueryResultsFormat.XML and not _XML_END.search(body[-_LONGEST_END:]):
        return None
    try:
        found = ox.parse_query_results(body, format=form)
        return Truth(bool(found)) if isinstance(found, ox.QueryBoolean) else _solutions(found)
    except (SyntaxError, ValueError):
        return None


def _read_triples(reply: Reply, form: ox.RdfFormat, most: int) -> Triples | None:
    found: dict[TripleTerm, None] = {}
    try:
        for quad in ox.parse(reply.body, format=form, base_iri=reply.url):
            triple = from_ox(quad.triple)
            if isinstance(triple, TripleTerm):
                if len(found) == most and triple not in found:
                    return Triples(tuple(found), complete=False)
                found[triple] = None
    except (SyntaxError, ValueError):
        return None
    return Triples(tuple(found))


def _cut(table: Table, most: int) -> Table:
    if len(table.rows) <= most:
        return table
    return Table(table.variables, table.rows[:most], complete=False)


def _solutions(solutions: ox.QuerySolutions) -> Table:
    """Read the solutions of a SELECT query to their end."""
    names = tuple(variable.value for variable in solutions.variables)
    # The same terms come back in many rows, and a look-up is cheaper than a second conversion.
    known: dict[OxTerm, Term] = {}
    rows: list[Row] = []
    for solution in solutions:
        row: dict[str, Term] = {}
        for name, found in zip(names, solution, strict=True):
            if found is not None:
                term = known.get(found)
                if term is None:
                    term = known[found] = from_ox(found)
                row[name] = term
        rows.append(row)
    return Table(names, tuple(rows))
