"""Expected results as the test suites store them: SPARQL XML, JSON, TSV, CSV, result sets in RDF, graphs."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pyoxigraph import (
    BlankNode,
    Literal,
    NamedNode,
    Quad,
    QueryBoolean,
    QueryResultsFormat,
    QuerySolutions,
    RdfFormat,
    Triple,
    parse,
    parse_query_results,
)

Value = NamedNode | BlankNode | Literal | Triple
Solution = dict[str, Value]
RS: Final = "http://www.w3.org/2001/sw/DataAccess/tests/result-set#"
_RESULTS: Final = {
    ".srx": QueryResultsFormat.XML,
    ".srj": QueryResultsFormat.JSON,
    ".tsv": QueryResultsFormat.TSV,
}
_GRAPHS: Final = {
    ".ttl": RdfFormat.TURTLE,
    ".nt": RdfFormat.N_TRIPLES,
    ".rdf": RdfFormat.RDF_XML,
    ".nq": RdfFormat.N_QUADS,
    ".trig": RdfFormat.TRIG,
}


@dataclass(frozen=True, slots=True)
class Expected:
    """One of: a truth value, solutions, a graph. `plain` says that the values have lost their types."""

    truth: bool | None = None
    solutions: tuple[Solution, ...] | None = None
    graph: tuple[Triple, ...] | None = None
    ordered: bool = False
    plain: bool = False


def parse_graph(path: Path, base: str) -> list[Quad]:
    """Read an RDF file."""
    return list(parse(path=path, format=_GRAPHS[path.suffix], base_iri=base))


def read_expected(path: Path, base: str) -> Expected:
    """Read a result file in any of the formats of the W3C test suites."""
    if path.suffix == ".csv":
        return Expected(solutions=read_csv(path.read_text(encoding="utf-8")), plain=True)
    if path.suffix in _RESULTS:
        found = parse_query_results(path.read_bytes(), _RESULTS[path.suffix])
        if isinstance(found, QueryBoolean):
            return Expected(truth=bool(found))
        return Expected(solutions=read_solutions(found))
    triples = [quad.triple for quad in parse_graph(path, base)]
    kinds = {triple.object for triple in triples if triple.predicate.value.endswith("#type")}
    predicates = {triple.predicate for triple in triples}
    if NamedNode(RS + "ResultSet") in kinds or NamedNode(RS + "boolean") in predicates:
        return _result_set(triples)
    return Expected(graph=tuple(triples))


def read_solutions(found: QuerySolutions) -> tuple[Solution, ...]:
    """Return solutions as dictionaries of what is bound."""
    names = [variable.value for variable in found.variables]
    return tuple(
        {name: value for name in names if (value := solution[name]) is not None} for solution in found
    )


def read_csv(text: str) -> tuple[Solution, ...]:
    """Return the rows of a CSV result: every cell is a plain text or a blank node; empty is unbound."""
    rows = list(csv.reader(text.splitlines()))
    return tuple(
        {
            name.removeprefix("?"): BlankNode(cell[2:]) if cell.startswith("_:") else Literal(cell)
            for name, cell in zip(rows[0], row, strict=True)
            if cell
        }
        for row in rows[1:]
    )


def _result_set(triples: Sequence[Triple]) -> Expected:
    """Read a result set in the DAWG vocabulary."""
    about: dict[object, dict[str, list[Value]]] = {}
    for triple in triples:
        name = triple.predicate.value.removeprefix(RS)
        about.setdefault(triple.subject, {}).setdefault(name, []).append(triple.object)
    for facts in about.values():
        if "boolean" in facts:
            return Expected(truth=str(facts["boolean"][0]).startswith('"true"'))
    solutions: list[tuple[int, Solution]] = []
    ordered = False
    for facts in about.values():
        for node in facts.get("solution", []):
            solution = about.get(node, {})
            index = solution.get("index", [Literal("0")])[0]
            ordered = ordered or "index" in solution
            bindings = [about[binding] for binding in solution.get("binding", [])]
            row = {_text(binding["variable"][0]): binding["value"][0] for binding in bindings}
            solutions.append((int(_text(index)), row))
    solutions.sort(key=lambda pair: pair[0])
    return Expected(solutions=tuple(row for _, row in solutions), ordered=ordered)


def _text(value: Value) -> str:
    assert isinstance(value, Literal)
    return value.value
