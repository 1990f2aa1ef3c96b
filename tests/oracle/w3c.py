"""The W3C query tests: what each one is, and whether a query text passes it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pyoxigraph import NamedNode, QueryBoolean, QueryResultsFormat, QuerySolutions, QueryTriples, Store

from oracle.constants import declared
from oracle.matching import same_graph, same_solutions
from oracle.results import Expected, Solution, parse_graph, read_csv, read_expected, read_solutions
from oracle.selects import outer, section
from oracle.solutions import ENGINE_ERRORS, RESERVED
from oracle.tokens import tokenize

ROOT: Final = "http://www.w3.org/tests/"
"""Stands for the folder of the suite: relative names in queries, data and results meet here."""
EXCEPTIONS: Final = Path(__file__).with_name("w3c_exceptions.json")


@dataclass(frozen=True, slots=True)
class Case:
    """One entry of the index; paths are relative to `folder`."""

    folder: Path
    id: str
    kind: str
    query: str
    data: tuple[str, ...]
    graph_data: tuple[str, ...]
    result: str
    runs: bool
    """Whether it is an evaluation test that needs no entailment and no service."""

    @property
    def base(self) -> str:
        """The IRI of the query file."""
        return ROOT + self.query

    def text(self) -> str:
        """Return the query."""
        return (self.folder / self.query).read_text(encoding="utf-8")

    def expected(self) -> Expected:
        """Return the expected result."""
        return read_expected(self.folder / self.result, ROOT + self.result)

    def store(self) -> Store:
        """Return a store with the data of the test, and the files that FROM in the query names."""
        store = Store()
        for name in self.data:
            store.extend(parse_graph(self.folder / name, ROOT + name))
        for name in {*self.graph_data, *self._from()}:
            if (self.folder / name).is_file():
                graph = NamedNode(ROOT + name)
                store.load(path=self.folder / name, base_iri=graph.value, to_graph=graph)
        return store

    def _from(self) -> Iterator[str]:
        """Yield the paths of the files that the query's dataset clauses name."""
        tokens = tokenize(self.text())
        names = declared(tokens, {}, self.base)
        for index, token in enumerate(tokens):
            if token.says("FROM"):
                target = tokens[index + (2 if tokens[index + 1].says("NAMED") else 1)]
                yield names.iri(target).value.removeprefix(ROOT)


def cases(folder: Path) -> list[Case]:
    """Read the index of the suite."""
    entries: list[dict[str, Any]] = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    return [_case(folder, entry, entries) for entry in entries]


def _case(folder: Path, entry: dict[str, Any], entries: list[dict[str, Any]]) -> Case:
    """Return one test; two tests of the suite share an id with another and get their query's name too."""
    twins = [other for other in entries if other["id"] == entry["id"]]
    name = entry["id"] if len(twins) == 1 else f"{entry['id']}/{Path(entry['query']).stem}"
    evaluation = not entry["type"].startswith(("Positive", "Negative"))
    return Case(
        folder=folder,
        id=name,
        kind=entry["type"],
        query=entry["query"],
        data=tuple(entry["data"]),
        graph_data=tuple(entry["graph_data"]),
        result=entry["result"] or "",
        runs=evaluation and not entry["entailment"] and not entry.get("service_data"),
    )


def fault(case: Case, text: str, base: str | None, expected: Expected | None = None) -> str:
    """Return why `text` fails the test, or an empty string; `expected` stands for the stored result."""
    wanted = case.expected() if expected is None else expected
    try:
        return _compare(case, wanted, observed(case, text, base, plain=wanted.plain))
    except ENGINE_ERRORS as error:
        return f"does not run: {error}"


def observed(case: Case, text: str, base: str | None, *, plain: bool = False) -> Expected:
    """Run `text` on the data of the test; `plain` goes the way of the CSV format.

    Raises:
        SyntaxError: and the other engine errors, when the query does not run.
    """
    found = case.store().query(text, base_iri=base)
    if isinstance(found, QueryBoolean):
        return Expected(truth=bool(found))
    if isinstance(found, QueryTriples):
        return Expected(graph=tuple(found))
    assert isinstance(found, QuerySolutions)
    if plain:
        rows = read_csv((found.serialize(format=QueryResultsFormat.CSV) or b"").decode())
    else:
        rows = read_solutions(found)
    return Expected(solutions=tuple(_without_reserved(row) for row in rows), plain=plain)


def _compare(case: Case, expected: Expected, found: Expected) -> str:
    """Compare as strictly as the test demands."""
    if expected.truth is not None or found.truth is not None:
        return "" if expected.truth == found.truth else f"ASK gives {found.truth}"
    if expected.solutions is None or found.solutions is None:
        return "" if same_graph(expected.graph or (), found.graph or ()) else "another graph"
    tokens = tokenize(case.text())
    if any(token.says("REDUCED") for token in tokens):
        reduced = _reduced(expected.solutions, found.solutions)
        return "" if reduced else "not a reduced form of the expected rows"
    select = outer(tokens)
    by_query = select is not None and section(tokens, select, "ORDER") is not None
    ordered = expected.ordered or by_query
    if same_solutions(expected.solutions, found.solutions, ordered=ordered, plain=expected.plain):
        return ""
    return f"{len(expected.solutions)} rows expected, {len(found.solutions)} found"


def _without_reserved(solution: Solution) -> Solution:
    return {name: value for name, value in solution.items() if not name.startswith(RESERVED)}


def _reduced(expected: tuple[Solution, ...], found: tuple[Solution, ...]) -> bool:
    """REDUCED may drop any number of duplicates, but not the last one."""
    distinct = [row for index, row in enumerate(found) if row not in found[:index]]
    wanted = [row for index, row in enumerate(expected) if row not in expected[:index]]
    return len(found) <= len(expected) and same_solutions(wanted, distinct, ordered=False)
