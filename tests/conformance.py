"""What every store must do, as a list of checks that run on any KG.

A check returns a value that can be compared: what the embedded store gives for it is what the others must
give, except where an engine is listed in `differences.json` with the reason.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Context, Decimal, InvalidOperation
from functools import cache, partial
from pathlib import Path
from typing import Final

from hermes import KG
from hermes.algebra import Explorer, catalogue, parse_action, parse_query, render
from hermes.algebra.kind import Operator
from hermes.algebra.observation import Rejected
from hermes.errors import StoreError
from hermes.results import Table, Triples, Truth
from hermes.store import Caller, EndpointStore, Limits
from hermes.terms import IRI, XSD, BlankNode, Literal, Row, Term, TripleTerm
from servers import CK25, OLYMPICS
from shared import DATA

DIFFERENCES: Final[dict[str, dict[str, str]]] = json.loads(
    (Path(__file__).parent / "oracle" / "store_differences.json").read_text(encoding="utf-8")
)
"""By engine: the checks that come out otherwise there, and why."""

KINDS: Final = {kind.op: kind for kind in catalogue() if issubclass(kind, Operator)}
_DIGITS: Final = Context(prec=15)
_NUMBERS: Final = frozenset(XSD + name for name in ("integer", "decimal", "double", "float", "int"))


@dataclass(frozen=True, slots=True)
class Check:
    """One check: its name, the graph it is for, and what it gives."""

    name: str
    graph: str
    run: Callable[[KG], object]


@cache
def reference(graph: str) -> KG:
    """Return a graph in the embedded store, which the others are compared with."""
    return KG.load(OLYMPICS if graph == OLYMPICS else DATA / CK25 / "ck25.ttl.gz")


# --- values that can be compared -----------------------------------------------------------------


def shown(term: Term) -> str:
    """Return a term in a spelling that is the same for equal values; blank nodes have no names."""
    if isinstance(term, BlankNode):
        return "_:"
    if isinstance(term, TripleTerm):
        return " ".join(map(shown, (term.subject, term.predicate, term.object)))
    if isinstance(term, Literal) and term.datatype in _NUMBERS:
        try:
            # Engines divide to different numbers of digits.
            return f"{Decimal(term.lexical).normalize(_DIGITS):f}"
        except InvalidOperation:
            return str(term)
    return str(term)


def row_shown(row: Row) -> tuple[tuple[str, str], ...]:
    """Return a row as a value."""
    return tuple(sorted((name, shown(term)) for name, term in row.items()))


def value(found: Table | Truth | Triples) -> object:
    """Return a result as a value, without the order of rows and columns: `SELECT *` has none."""
    if isinstance(found, Truth):
        return found.value
    if isinstance(found, Triples):
        return Counter(map(shown, found.triples)), found.complete
    return sorted(found.variables), Counter(map(row_shown, found.rows)), found.complete


def _failure(query: str, kg: KG) -> str:
    try:
        return f"no error: {kg.select(query)}"
    except StoreError as error:
        return error.category if "\n" not in str(error) else "a message of several lines"


# --- the checks ----------------------------------------------------------------------------------


def _session(kg: KG) -> object:
    explorer = Explorer(kg)
    actions = (
        {"op": "triple", "pattern": "?city ex:hosted ?g"},
        {"op": "triple", "pattern": "?city ex:country ex:USA"},
        {"op": "triple", "pattern": '?g ex:season "Winter"'},
        {"op": "distinct"},
    )
    return [explorer.run(parse_action(action)).summary() for action in actions], value(explorer.answer())


def _example(op: str, kg: KG) -> object:
    explorer = Explorer(kg)
    for text in ("?city ex:hosted ?games", "?games ex:year ?year", "?games ex:opened ?opened"):
        explorer.run(parse_action({"op": "triple", "pattern": text}))
    if op == "having":
        explorer.run(parse_action({"op": "group", "vars": ["?city"]}))
    if op in ("limit", "offset"):  # which rows are left depends on the order
        for key in ("?year", "?games"):
            explorer.run(parse_action({"op": "order", "expr": key}))
    seen = explorer.run(parse_action(KINDS[op].example))
    if isinstance(seen, Rejected):
        return seen.code, seen.message
    if op == "describe":  # each engine has its own idea of a description
        answer = explorer.answer()
        assert isinstance(answer, Triples)
        return bool(answer.triples)
    return seen.summary(), value(explorer.answer())


def _select(where: str, kg: KG) -> object:
    return value(kg.select(f"{kg.header}SELECT {where}"))


def _ask(where: str, kg: KG) -> object:
    return kg.ask(f"{kg.header}ASK {{ {where} }}")


def _inspect(name: str, kg: KG) -> object:
    return [kg.inspect(IRI(kg.prefixes["ex"] + name), role=role) for role in (None, "entity", "class")]


def _construct(query: str, kg: KG) -> object:
    return value(kg.construct(kg.header + query))


def _describe(kg: KG) -> object:
    found = kg.construct(f"{kg.header}DESCRIBE ex:LakePlacid")
    place = kg.prefixes["ex"] + "LakePlacid"
    return any(getattr(triple.subject, "value", "") == place for triple in found.triples)


def _gold(text: str, kg: KG) -> object:
    """The rows of a published query, as it is and written out again, and the count of its plan."""
    plan = parse_query(text)
    if plan.form == "ask":
        return kg.ask(text), kg.ask(render(plan))
    explorer = Explorer(kg)
    for action in plan.actions(kg.prefixes):
        seen = explorer.run(parse_action(json.dumps(action.to_json())))
    # Where the order leaves the choice between rows open, their number is all there is to compare.
    rows = [
        len(kg.select(query).rows) if plan.sliced else _bag(kg.select(query))
        for query in (text, render(plan))
    ]
    return rows, seen.summary()


def _bag(table: Table) -> Counter[tuple[str, ...]]:
    return Counter(tuple(cell for _, cell in row_shown(row)) for row in table.rows)


_WHERE: Final = {
    "labels in all languages": "* { ?city ex:hosted ?g . ?city rdfs:label ?label }",
    "a language tag": '?l { ex:Athens rdfs:label ?l FILTER(LANGMATCHES(LANG(?l), "el")) }',
    "unicode in a pattern": '?c { ?c rdfs:label "Αθήνα"@el }',
    "unicode in a filter": '?c ?l { ?c rdfs:label ?l FILTER(CONTAINS(STR(?l), "東京")) }',
    "quotes and line feeds": 'DISTINCT ("a\\"b\\n\\tc\\\\" AS ?x) { ?c ex:hosted ?g }',
    "unbound cells": "* { ?city ex:country ex:USA OPTIONAL { ?city ex:nickname ?name } }",
    "nothing": "* { ?city ex:no-such-thing ?g }",
    "integers": "(SUM(?y) AS ?sum) (MIN(?y) AS ?min) (MAX(?y) AS ?max) { ?g ex:year ?y }",
    "an average": "(AVG(?y) AS ?n) { ?g ex:year ?y }",
    "a count of nothing": "(COUNT(*) AS ?n) { ?city ex:no-such-thing ?g }",
    "group by nothing that is there": "?c (COUNT(*) AS ?n) { ?c ex:no-such-thing ?g } GROUP BY ?c",
    "a count over a sub-query": "(COUNT(*) AS ?_hermes_n) { { SELECT DISTINCT ?c { ?c ex:hosted ?g } } }",
    "having on an expression": "?c { ?c ex:hosted ?g } GROUP BY ?c HAVING (COUNT(?g) > 1)",
    "an offset alone": "(COUNT(*) AS ?n) { SELECT ?c { ?c ex:hosted ?g } OFFSET 2 }",
    "a path": "DISTINCT ?k { ?g ^ex:hosted/ex:country ?k }",
    "a path of any length": "DISTINCT ?c { ex:City rdfs:subClassOf* ?c }",
    "values": "* { VALUES (?c ?x) { (ex:Athens 1) (ex:Tokyo UNDEF) } ?c ex:hosted ?g }",
    "exists": "?c { ?c ex:hosted ?g FILTER NOT EXISTS { ?c ex:country ex:USA } }",
    "dates": "?g ?d { ?g ex:opened ?d FILTER(YEAR(?d) > 2000) }",
    "an error in an expression": '?g (1/0 AS ?x) { ?g ex:season "Winter" }',
    "a joined group": '(GROUP_CONCAT(DISTINCT STR(?s)) AS ?x) { ?g ex:season ?s FILTER(?s = "Winter") }',
}


def checks() -> Iterator[Check]:
    """Yield the checks; those on ck25 only where it is there."""
    yield Check("documented session", OLYMPICS, _session)
    for op in KINDS:
        yield Check(f"example of {op}", OLYMPICS, partial(_example, op))
    for name, where in _WHERE.items():
        yield Check(name, OLYMPICS, partial(_select, where))
    yield Check("ask what is", OLYMPICS, partial(_ask, "ex:Athens ex:hosted ?g"))
    yield Check("ask what is not", OLYMPICS, partial(_ask, "ex:Athens ex:hosted ex:Athens"))
    build = "CONSTRUCT { ?g ex:in ?c . ?g a ex:Thing } WHERE { ?c ex:hosted ?g }"
    yield Check("construct", OLYMPICS, partial(_construct, build))
    yield Check("construct nothing", OLYMPICS, partial(_construct, build.replace("hosted", "none")))
    yield Check("describe", OLYMPICS, _describe)
    yield Check(
        "vocabulary", OLYMPICS, lambda kg: (dict(kg.vocabulary.classes), dict(kg.vocabulary.predicates))
    )
    for name in ("City", "LakePlacid", "USA", "hosted", "opened", "Nowhere"):
        yield Check(f"inspect {name}", OLYMPICS, partial(_inspect, name))
    for name, query in {
        "syntax": "SELECT * { ?s ?p }",
        "another form": "ASK {}",
        "an update": "INSERT DATA { <http://e/a> <http://e/b> 1 }",
        "an ungrouped variable": "SELECT ?p (COUNT(?s) AS ?n) { ?s ?p ?o } GROUP BY ?o",
    }.items():
        yield Check(f"refused: {name}", OLYMPICS, partial(_failure, query))
    path = DATA / CK25 / "questions.dev.json"
    if path.is_file():
        for question in json.loads(path.read_text(encoding="utf-8"))["questions"]:
            yield Check(question["id"], CK25, partial(_gold, question["query"]["sparql"]))


def over(url: str, graph: str, name: str | None = None, *, timeout: float = 20) -> KG:
    """Return a KG over an endpoint, without a cache, with the names of a graph; `name` is its IRI there."""
    store = EndpointStore(url, name, limits=Limits(time=timeout), caller=Caller())
    return KG(store, reference(graph).prefixes)


def check_store(check: Check, kg: KG, engine: str) -> None:
    """Assert that a check gives on `kg` what it gives on the embedded store, or that it is listed."""
    wanted = check.run(reference(check.graph))
    reason = DIFFERENCES.get(engine, {}).get(check.name)
    try:
        found = check.run(kg)
    except StoreError as error:
        found = error
    if reason is None:
        if isinstance(found, StoreError):
            raise found
        assert found == wanted
    else:
        assert found != wanted, f"{check.name} is the same on {engine} now; take it off the list"
