"""Two engines as oracles: whether each reads a query, what it answers, and where they are known to differ."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Literal

from pyoxigraph import BlankNode, QueryBoolean, QueryResultsFormat, QuerySolutions, Store, parse_query_results
from rdflib import Dataset
from rdflib.plugins.sparql import prepareQuery

from hermes.algebra import engines
from hermes.datasets import shipped
from oracle.constants import Names
from oracle.matching import same_solutions, same_value
from oracle.results import Solution, read_solutions
from oracle.rewrite import drop_service
from oracle.stand_ins import stand_ins
from oracle.tokens import join, tokenize

DIFFERENCES: Final = Path(__file__).with_name("engine_differences.json")
_LONG_PATH: Final = re.compile(r"(?:[>a)][*+?]?/[^/\s]*){16}")
Stage = Literal["pyoxigraph refuses", "rdflib refuses", "rdflib accepts", "results"]


@dataclass(frozen=True, slots=True)
class Difference:
    """A known difference: where it shows, and how a case of it is recognised.

    What it is, and a query that shows it, stand in the data of hermes under the same id. `query` and
    `outcome` are regular expressions, both to be found: in the text of the query (on one line, single
    blanks), and in what the engine said or in the line that `compare` returns.
    """

    id: str
    stage: Stage
    query: str
    outcome: str

    @property
    def example(self) -> str:
        """A query that shows it."""
        return engines.differences()[self.id].example

    def explains(self, query: str, outcome: str) -> bool:
        """Whether the case is of this kind."""
        line = " ".join(query.split())
        return bool(re.search(self.query, line) and re.search(self.outcome, outcome, re.DOTALL))


@cache
def differences() -> tuple[Difference, ...]:
    """Return the table of known differences."""
    return tuple(Difference(**entry) for entry in json.loads(DIFFERENCES.read_text(encoding="utf-8")))


def known(stage: Stage, query: str, outcome: str) -> str:
    """Return the id of the known difference that explains the case, or an empty text."""
    return next(
        (each.id for each in differences() if each.stage == stage and each.explains(query, outcome)), ""
    )


def oxigraph_fault(query: str) -> str:
    """Return why pyoxigraph does not read a query, or an empty text; no SERVICE is ever called.

    A path of very many steps is not sent: planning a union of them takes a time exponential in the steps.
    """
    if _LONG_PATH.search(query):
        return ""
    text = join(drop_service(tokenize(query))) if "SERVICE" in query else query
    try:
        Store().query(text)
    except SyntaxError as error:
        return str(error)
    except (ValueError, RuntimeError, OSError):
        return ""  # it was read, and could not be evaluated
    return ""


def rdflib_fault(query: str) -> str:
    """Return why rdflib does not read a query, or an empty text."""
    try:
        prepareQuery(query)
    except Exception as error:  # noqa: BLE001 - rdflib raises bare exceptions
        return f"{type(error).__name__}: {error}"
    return ""


@cache
def _store() -> Store:
    store = Store()
    path = shipped("olympics")
    assert path is not None
    store.load(path=path)
    return store


@cache
def _dataset() -> Dataset:
    dataset = Dataset()
    dataset.parse(shipped("olympics"), format="turtle")
    return dataset


Answer = bool | tuple[Solution, ...]


def oxigraph_answer(query: str) -> Answer:
    """Return what pyoxigraph answers on the shipped graph."""
    tokens = tokenize(query)
    found = _store().query(query, custom_functions=stand_ins(tokens, Names({}, "")))
    if isinstance(found, QueryBoolean):
        return bool(found)
    assert isinstance(found, QuerySolutions)
    return read_solutions(found)


def rdflib_answer(query: str) -> Answer:
    """Return what rdflib answers on the shipped graph; it raises whatever it likes."""
    text = _dataset().query(query).serialize(format="json")
    assert text is not None
    found = parse_query_results(text, QueryResultsFormat.JSON)
    return bool(found) if isinstance(found, QueryBoolean) else read_solutions(found)


def compare(query: str) -> str:
    """Return how the answers of pyoxigraph and rdflib differ, in one line; an empty text if they agree."""
    expected = oxigraph_answer(query)
    try:
        found = rdflib_answer(query)
    except Exception as error:  # noqa: BLE001 - rdflib raises bare exceptions
        return f"{type(error).__name__}: {error}"
    if isinstance(expected, bool) or isinstance(found, bool):
        return "" if expected == found else f"{expected} against {found}"
    if same_solutions(expected, found, ordered=False):
        return ""
    same = same_solutions(_distinct(expected), _distinct(found), ordered=False)
    extent = f"{len(expected)} rows against {len(found)}"
    return f"{extent}; {'distinct rows agree' if same else 'other rows'}"


def _distinct(rows: Iterable[Solution]) -> list[Solution]:
    """Return the rows that differ in more than blank nodes."""
    plain = {
        tuple(
            sorted((name, "_:" if isinstance(v, BlankNode) else same_value(v)) for name, v in row.items())
        ): row
        for row in rows
    }
    return list(plain.values())
