"""Results as text: tables for people, and the formats of the W3C."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import TYPE_CHECKING, Any, Final

from hermes.errors import HermesError, did_you_mean
from hermes.printable import clip, display_width, printable
from hermes.results import Result, Table, Triples, Truth
from hermes.term_json import term_to_json
from hermes.terms import (
    IRI,
    RDF_LANG_STRING,
    XSD_STRING,
    BlankNode,
    IriWriter,
    Literal,
    Prefixes,
    Term,
    TripleTerm,
    term_text,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

CELL_WIDTH: Final = 60
"""A wider cell is clipped in the format `table`, and in no other."""

_COLUMNS: Final = ("subject", "predicate", "object")
_CUT: Final = "(not all rows)"
_MARKDOWN: Final = re.compile(r"[\\`*<>\[\]|]")


def write(result: Result, fmt: str, prefixes: Prefixes) -> str:
    """Return `result` as text, with a line end after the last line.

    Args:
        result: a table, a truth value or triples.
        fmt: one of `FORMATS`. `turtle` and `ntriples` write triples only.
        prefixes: for the short names of `table`, `markdown` and `turtle`; the others write full IRIs.

    Raises:
        HermesError: there is no such format, or it does not write such a result.
    """
    if fmt in _OF_TRIPLES:
        if isinstance(result, Triples):
            return _OF_TRIPLES[fmt](result, prefixes)
        raise HermesError(
            f"{fmt} writes triples; for this result use one of {', '.join(_OF_TABLES)}", code="format"
        )
    if fmt not in _OF_TABLES:
        raise HermesError(
            f"no format {fmt}; expected one of {', '.join(FORMATS)}{did_you_mean(fmt, FORMATS)}",
            code="format",
        )
    if isinstance(result, Triples):
        result = _as_table(result)
    return _OF_TABLES[fmt](result, prefixes)


def _as_table(triples: Triples) -> Table:
    rows = [dict(zip(_COLUMNS, (t.subject, t.predicate, t.object), strict=True)) for t in triples.triples]
    return Table(_COLUMNS, rows, triples.complete)


def _word(truth: Truth) -> str:
    return "true" if truth.value else "false"


def _cells(table: Table, text: Callable[[Term], str]) -> list[list[str]]:
    """Return the rows as texts, an unbound variable as an empty one."""
    return [[text(row[name]) if name in row else "" for name in table.variables] for row in table.rows]


# --- for people ---------------------------------------------------------------------------------


def _table(result: Table | Truth, prefixes: Prefixes) -> str:
    if isinstance(result, Truth):
        return _word(result) + "\n"
    names = prefixes.names()
    cells = _cells(result, lambda term: clip(printable(term_text(term, names)), CELL_WIDTH))
    columns = [list(result.variables), *cells]
    widths = [max(display_width(line[at]) for line in columns) for at in range(len(result.variables))]
    lines = [result.variables, ["-" * width for width in widths], *cells]
    text = "".join(_padded(line, widths) + "\n" for line in lines)
    return text if result.complete else f"{text}{_CUT}\n"


def _markdown(result: Table | Truth, prefixes: Prefixes) -> str:
    if isinstance(result, Truth):
        return _word(result) + "\n"
    names = prefixes.names()
    cells = _cells(result, lambda term: _MARKDOWN.sub(r"\\\g<0>", printable(term_text(term, names))))
    lines = [result.variables, ["---"] * len(result.variables), *cells]
    text = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    return text if result.complete else f"{text}\n{_CUT}\n"


def _padded(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell + " " * (width - display_width(cell)) for cell, width in zip(cells, widths, strict=True))
    return "  ".join(padded).rstrip()


# --- SPARQL 1.1 Query Results JSON, and CSV and TSV -----------------------------------------------


def _json(result: Table | Truth, _: Prefixes) -> str:
    found: dict[str, Any]
    if isinstance(result, Truth):
        found = {"head": {}, "boolean": result.value}
    else:
        bindings = [
            {name: term_to_json(row[name]) for name in result.variables if name in row} for row in result.rows
        ]
        found = {"head": {"vars": list(result.variables)}, "results": {"bindings": bindings}}
    return json.dumps(found, ensure_ascii=False, indent=2) + "\n"


def _csv(result: Table | Truth, _: Prefixes) -> str:
    if isinstance(result, Truth):
        return _word(result) + "\r\n"
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(result.variables)
    writer.writerows(_cells(result, _csv_cell))
    return out.getvalue()


def _csv_cell(term: Term) -> str:
    match term:
        case IRI(value):
            return value
        case Literal(lexical):
            return lexical
        case BlankNode() | TripleTerm():
            return str(term)


def _tsv(result: Table | Truth, _: Prefixes) -> str:
    if isinstance(result, Truth):
        return _word(result) + "\n"
    lines = [[f"?{name}" for name in result.variables], *_cells(result, str)]
    return "".join("\t".join(line) + "\n" for line in lines)


# --- triples ---------------------------------------------------------------------------------------


def _turtle(triples: Triples, prefixes: Prefixes) -> str:
    return _serialize(triples, "ttl", _used(triples, prefixes))


def _ntriples(triples: Triples, _: Prefixes) -> str:
    return _serialize(triples, "nt", {})


def _serialize(triples: Triples, extension: str, prefixes: Mapping[str, str]) -> str:
    # Oxigraph is loaded only by those who write RDF.
    from pyoxigraph import RdfFormat, serialize  # noqa: PLC0415

    from hermes.store.convert import triple_to_ox  # noqa: PLC0415

    found = map(triple_to_ox, triples.triples)
    written = serialize(found, format=RdfFormat.from_extension(extension), prefixes=dict(prefixes))
    return (written or b"").decode()


def _used(triples: Triples, prefixes: Prefixes) -> Mapping[str, str]:
    """Return the prefixes that the triples need."""
    names = prefixes.names()
    for triple in triples.triples:
        _name_all(triple, names)
    return names.used


def _name_all(term: Term, names: IriWriter) -> None:
    match term:
        case IRI(value):
            names(value)
        case Literal(_, datatype) if datatype not in (XSD_STRING, RDF_LANG_STRING):
            names(datatype)
        case TripleTerm(s, p, o):
            for part in (s, p, o):
                _name_all(part, names)
        case _:
            pass


_OF_TABLES: Final[Mapping[str, Callable[[Table | Truth, Prefixes], str]]] = {
    "table": _table,
    "json": _json,
    "csv": _csv,
    "tsv": _tsv,
    "markdown": _markdown,
}
_OF_TRIPLES: Final[Mapping[str, Callable[[Triples, Prefixes], str]]] = {
    "turtle": _turtle,
    "ntriples": _ntriples,
}

FORMATS: Final = (*_OF_TABLES, *_OF_TRIPLES)
"""What `write` writes."""
