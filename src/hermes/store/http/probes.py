"""The queries with which an endpoint is examined, and what their answers mean.

Each is cheap on any engine: over a few values of its own, or with a small LIMIT.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from hermes.errors import StoreError
from hermes.results import Table, Triples, Truth
from hermes.store.endpoint import KNOWN_CAPS
from hermes.store.http.reply import Reply
from hermes.store.http.sparql_results import ACCEPT_RESULTS, ASK_VARIABLE
from hermes.terms import Literal

_ROWS: Final = 10_001
"""One more than the most common silent limit."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that was looked at: what it is, what was found, and what hermes does about it."""

    feature: str
    found: str
    hermes: str


@dataclass(frozen=True, slots=True)
class Answered:
    """What came back from a probe: the reply, its result where it is one, else the error."""

    reply: Reply | None
    result: Table | Truth | Triples | None
    error: StoreError | None

    @property
    def rows(self) -> int | None:
        """The number of rows, None where there is no table."""
        return len(self.result.rows) if isinstance(self.result, Table) else None

    @property
    def number(self) -> str | None:
        """The lexical form of the only cell, None where there is none."""
        if isinstance(self.result, Table) and len(self.result.rows) == 1:
            for term in self.result.rows[0].values():
                return term.lexical if isinstance(term, Literal) else None
        return None

    @property
    def truth(self) -> bool | None:
        """The answer of ASK, in either form; None where there is none."""
        if isinstance(self.result, Truth):
            return self.result.value
        return None if self.number is None else self.number != "0"

    @property
    def why(self) -> str:
        """Why there is no result, in a few words."""
        return "" if self.error is None else f"{self.error.category}: {self.error}"


@dataclass(frozen=True, slots=True)
class Probe:
    """One query, the media types that it asks for, and what its answer means.

    `in_dataset` says whether it is about the chosen default graph; `graph` whether it gives triples.
    """

    query: str
    judge: Callable[[Answered], Finding]
    accept: str = ACCEPT_RESULTS
    in_dataset: bool = False
    graph: bool = False


def _works(feature: str, hermes: str, otherwise: str, number: str) -> Callable[[Answered], Finding]:
    """Return a judge of a query whose only value is known."""

    def judge(answered: Answered) -> Finding:
        if answered.error is not None:
            return Finding(feature, f"refused ({answered.why})", otherwise)
        if answered.number == number:
            return Finding(feature, "yes", hermes)
        return Finding(feature, f"wrong: {answered.number} instead of {number}", otherwise)

    return judge


def _runs(feature: str, hermes: str, otherwise: str) -> Callable[[Answered], Finding]:
    """Return a judge of a query that may have any result."""

    def judge(answered: Answered) -> Finding:
        if answered.error is None:
            return Finding(feature, "yes", hermes)
        return Finding(feature, f"refused ({answered.why})", otherwise)

    return judge


# --- what needs a judge of its own ---------------------------------------------------------------


def _ask_form(answered: Answered) -> Finding:
    if isinstance(answered.result, Truth):
        return Finding("ASK", "a boolean", "reads it")
    if isinstance(answered.result, Table) and answered.result.variables == (ASK_VARIABLE,):
        return Finding("ASK", f"a table with the column {ASK_VARIABLE}", "reads it as a boolean")
    return Finding("ASK", f"no ({answered.why or 'another table'})", "ask is rejected with this reason")


def _having(answered: Answered) -> Finding:
    does = "writes the aggregate out instead of its alias, so the same plan works everywhere"
    if answered.error is not None:
        return Finding("HAVING on an alias", "refused", does)
    return Finding("HAVING on an alias", "yes" if answered.rows == 1 else "silently no rows", does)


def _division(answered: Answered) -> Finding:
    if answered.error is not None:
        return Finding("error in an expression", "fails the query", "the step is rejected with this reason")
    return Finding("error in an expression", "leaves the cell unbound", "the same as the embedded store")


def _row_cap(answered: Answered) -> Finding:
    rows = answered.rows
    if rows is None:
        return Finding("rows", f"unknown ({answered.why})", "counts with COUNT, which is not cut")
    if rows in KNOWN_CAPS:
        return Finding(
            "rows", f"cut at {rows:,}", "marks a table of so many rows as incomplete; COUNT is not cut"
        )
    if rows == _ROWS:
        return Finding("rows", f"at least {rows:,}", "nothing: they are not cut so early")
    return Finding(
        "rows", f"{rows:,}: that is all there is, or a limit", "compares with the COUNT of the plan"
    )


def _default_graph(answered: Answered) -> Finding:
    if answered.truth:
        return Finding("default graph", "has triples", "queries it, unless --graph names another")
    return Finding(
        "default graph",
        "empty" if answered.truth is False else f"unknown ({answered.why})",
        "give --graph IRI: nothing is found without it",
    )


def _named_graphs(answered: Answered) -> Finding:
    if answered.rows:
        return Finding("named graphs", "yes", "--graph IRI makes one the default graph")
    return Finding(
        "named graphs", "none" if answered.error is None else f"unknown ({answered.why})", "nothing"
    )


def _union(answered: Answered) -> Finding:
    if answered.truth:
        return Finding(
            "default graph is the union",
            "yes, it seems",
            "a triple in two graphs may count twice: give --graph IRI for exact counts",
        )
    found = "no, or there are no named graphs" if answered.error is None else f"unknown ({answered.why})"
    return Finding("default graph is the union", found, "nothing")


def _text_search(answered: Answered) -> Finding:
    said = answered.why.lower()
    if "xm0" in said or "free-text" in said or "text expression" in said:
        return Finding(
            "text search", "bif:contains (Virtuoso)", "looks names up in it, where it has an index"
        )
    return Finding("text search", "no bif:contains", "looks names up with CONTAINS")


def _qlever_text(answered: Answered) -> Finding:
    does = "not used: names are looked up with CONTAINS"
    if answered.error is not None and "text" in answered.why.lower():
        return Finding("text search of QLever", "the engine has it, without an index", does)
    if answered.rows:
        return Finding("text search of QLever", "ql:contains-word", does)
    return Finding("text search of QLever", "none", "looks names up with CONTAINS")


def _errors(answered: Answered) -> Finding:
    if answered.error is None:
        return Finding("errors", "a broken query gives a result", "checks queries before it sends them")
    line = "with a line" if "line" in answered.why.lower() or ":1" in answered.why else "without a line"
    status = answered.reply.status if answered.reply else "none"
    return Finding("errors", f"status {status}, {line}", "shows the first line of what the endpoint says")


# --- the probes ----------------------------------------------------------------------------------

_ONE: Final = "SELECT ?s ?p ?o { ?s ?p ?o } LIMIT 1"
_BUILD: Final = "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o } LIMIT 1"
_TYPES: Final = "<http://www.w3.org/2000/01/rdf-schema#subClassOf>"
_THING: Final = "<http://www.w3.org/2002/07/owl#Thing>"
_CLASSES: Final = '?s ?p ?o . ?o <bif:contains> "("'
_WORD: Final = "<http://qlever.cs.uni-freiburg.de/builtin-functions/contains-word>"
_THREE: Final = "VALUES (?x ?y) { (1 1) (1 2) (2 1) }"


def _any(_: Answered) -> Finding:
    raise AssertionError("formats are judged together")


FORMATS: Final = {
    "JSON": Probe(_ONE, _any, "application/sparql-results+json", in_dataset=True),
    "XML": Probe(_ONE, _any, "application/sparql-results+xml", in_dataset=True),
    "TSV": Probe(_ONE, _any, "text/tab-separated-values", in_dataset=True),
    "Turtle": Probe(_BUILD, _any, "text/turtle", in_dataset=True, graph=True),
    "N-Triples": Probe(_BUILD, _any, "application/n-triples", in_dataset=True, graph=True),
}
"""One probe for each format."""

PROBES: Final = (
    Probe("ASK { ?s ?p ?o }", _ask_form, in_dataset=True),
    Probe("SELECT hermes {", _errors),
    Probe(
        f"SELECT (COUNT(*) AS ?n) {{ {_THREE} }}",
        _works("aggregates, VALUES", "uses them", "steps that use them are rejected", "3"),
    ),
    Probe(
        f"SELECT (COUNT(*) AS ?_hermes_n) {{ {{ SELECT DISTINCT ?x {{ {_THREE} }} }} }}",
        _works("COUNT over a sub-query", "counts with it", "no step can be counted here", "2"),
    ),
    Probe(f"SELECT ?x (COUNT(?y) AS ?n) {{ {_THREE} }} GROUP BY ?x HAVING (?n > 1)", _having),
    Probe("SELECT (1/0 AS ?x) { VALUES ?y { 1 } }", _division),
    Probe(
        f"SELECT ?c {{ {_THING} {_TYPES}* ?c }} LIMIT 1",
        _runs("property paths", "uses them", "steps with a path are rejected"),
    ),
    Probe(
        f"ASK {{ ?a {_TYPES}+ ?b }}",
        _runs("a path with two free ends", "warns of its cost", "such a step is rejected; bind one end"),
    ),
    Probe("ASK { ?s ?p ?o }", _default_graph, in_dataset=True),
    Probe("SELECT ?g { GRAPH ?g { ?s ?p ?o } } LIMIT 1", _named_graphs),
    Probe("ASK { { SELECT ?s ?p ?o { GRAPH ?g { ?s ?p ?o } } LIMIT 1 } ?s ?p ?o }", _union),
    Probe(f"SELECT ?s {{ {_CLASSES} }} LIMIT 1", _text_search, in_dataset=True),
    Probe(f'SELECT ?t {{ ?t {_WORD} "hermes*" }} LIMIT 1', _qlever_text),
    Probe(f"SELECT ?s {{ ?s ?p ?o }} LIMIT {_ROWS}", _row_cap, in_dataset=True),
)
"""All other probes, in the order of the report."""
