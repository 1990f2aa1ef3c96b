"""Nothing that is written into an action or a query leaves its field, or raises what is no HermesError."""

from __future__ import annotations

import gzip
import json
from dataclasses import fields
from functools import cache
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.algebra import Action, Plan, parse_action, parse_query, render
from hermes.algebra.operators import Service
from hermes.errors import HermesError
from hermes.sparql.tree import walk
from mutations import SNIPPETS, mutated, mutated_json, odd_value
from oracle.engines import known, oxigraph_fault
from oracle.tokens import tokenize
from shared import DATA
from strategies import Json, examples, start

_SLOTS: Final = tuple(slot.name for slot in fields(Plan) if slot.compare)
_FORBIDDEN: Final = (
    "LOAD",
    "INSERT",
    "DELETE",
    "CLEAR",
    "DROP",
    "CREATE",
    "COPY",
    "MOVE",
    "ADD",
    "WITH",
    "USING",
)

SEEDS: Final[tuple[Json, ...]] = (
    *examples(),
    {"op": "triple", "pattern": "?city ex:hosted/ex:year|^ex:x* ?year ."},
    {"op": "triple", "pattern": "_:a !(a|^ex:twin) \"x\"@en"},
    {"op": "filter", "expr": "?year > 1900 && (REGEX(STR(?city), \"^a'b\", 'i') || ?year IN (1, 2.5, -3e1))"},
    {"op": "filter", "expr": "NOT EXISTS { ?city ex:twin ?other . FILTER(?other != ex:Paris) }"},
    {"op": "filter", "expr": "!BOUND(?x) || COALESCE(?year / 2, IF(true, 'a', \"b\")) = ex:fn(1, ?x)"},
    {"op": "optional", "patterns": ["?city ex:twin ?t", "FILTER(?t != ex:Paris)", {"op": "bind", "expr": "1", "var": "?one"}]},
    {"op": "union", "branches": [["?city ex:country ex:USA"], ["BIND(1 AS ?z)", "{ SELECT ?city { ?city a ex:City } LIMIT 3 }"]]},
    {"op": "minus", "patterns": ["?city ex:country ex:USA", "OPTIONAL { ?city ex:twin ?t }"]},
    {"op": "join", "patterns": ["{ ?city ex:twin ?t } UNION { ?t ex:twin ?city }", "VALUES ?t { ex:Paris UNDEF }"]},
    {"op": "bind", "expr": "CONCAT(STR(?city), \"\"\"a\"b\"\"\", 'c')", "var": "?label"},
    {"op": "values", "vars": ["?city", "?n"], "rows": [["ex:Athens", "1"], [None, "\"x\"@en"], ["<urn:a>", "'1'^^xsd:byte"]]},
    {"op": "values", "vars": ["?n"], "rows": [["true"], ["-1.5"]], "at": "end"},
    {"op": "graph", "name": "<http://example.org/g>", "patterns": ["?city ex:twin ?t"]},
    {"op": "service", "endpoint": "<http://service.invalid/>", "patterns": ["?city ex:twin ?t"], "silent": True},
    {"op": "subquery", "actions": [{"op": "triple", "pattern": "?city ex:hosted ?g"}, {"op": "order", "expr": "?g"}, {"op": "limit", "n": 2}]},
    {"op": "group", "vars": ["?city", "(STR(?games) AS ?name)"]},
    {"op": "aggregate", "expr": "GROUP_CONCAT(DISTINCT ?games; SEPARATOR=\", \")", "alias": "?all"},
    {"op": "aggregate", "expr": "COUNT(*) + SUM(?year) / 2", "alias": "?n"},
    {"op": "having", "expr": "COUNT(DISTINCT ?games) > 1"},
    {"op": "order", "expr": "DESC(STRLEN(STR(?city)))"},
    {"op": "order", "expr": "ASC(?city)"},
    {"op": "project", "vars": ["?games", "(STR(?city) AS ?name)"]},
    {"op": "remove", "text": "?city ex:hosted ?games"},
    {"op": "describe", "terms": ["?city", "ex:Paris"]},
)  # fmt: skip

_MAY_CHANGE: Final = {
    "values": {"where", "values"},
    "group": {"group_by", "projection"},
    "aggregate": {"projection"},
    "having": {"having"},
    "order": {"order_by"},
    "project": {"projection"},
    "limit": {"limit"},
    "offset": {"offset"},
    "distinct": {"distinct", "reduced"},
    "reduced": {"reduced"},
    "from": {"dataset"},
    "ask": {"form", "projection"},
    "construct": {"form", "template", "projection"},
    "describe": {"form", "described", "projection"},
    "remove": {"where", "projection"},
    "nest": {"where", "projection"},
}
"""The slots of the plan that an operator may change; all others: WHERE alone."""


@cache
def base() -> Plan:
    """Return the plan that is built upon: two clauses, and a filter that must stay last."""
    plan = start()
    for step in (
        {"op": "triple", "pattern": "?city ex:hosted ?games"},
        {"op": "triple", "pattern": "?games ex:year ?year"},
        {"op": "filter", "expr": "?year > 1900"},
    ):
        plan = parse_action(step).apply(plan)
    return plan


# --- what is checked ---------------------------------------------------------------------------


def _error_reads(error: HermesError, given: object) -> None:
    """Check that a message is one printable line."""
    text = str(error)
    assert text.isprintable(), f"{given!r:.300} -> {text!r}"
    assert error.code, given


def check_plan(plan: Plan, given: object) -> str:
    """Check that a plan is legal, reads back, rebuilds, and holds no word of an update; return its text."""
    text = render(plan)
    assert parse_query(text) == plan, f"{given!r}\n{text}"
    rebuilt = Plan()
    for action in plan.actions():
        rebuilt = parse_action(str(action)).apply(rebuilt)
    assert rebuilt == plan, f"{given!r}\n{text}"
    fault = oxigraph_fault(text)
    assert not fault or known("pyoxigraph refuses", text, fault), f"{given!r}\n{fault}\n{text}"
    words = {token.text.upper() for token in tokenize(text) if token.kind == "word"}
    assert not words.intersection(_FORBIDDEN), f"{given!r}\n{text}"
    calls = any(isinstance(part, Service) for part in walk(plan))
    assert ("SERVICE" in words) == calls, f"{given!r}\n{text}"
    return text


def check_action(obj: Any) -> None:
    """Check that a JSON value is an action, or raises a HermesError; then what it does to a plan."""
    try:
        action = parse_action(obj)
        assert isinstance(action.to_json(), dict)
        plan = action.apply(base())
    except HermesError as error:
        _error_reads(error, obj)
        return
    check_step(action, plan)


def check_step(action: Action, plan: Plan) -> None:
    """Check that an applied action has changed the slots of its operator, in its way, and no others."""
    before = base()
    if plan == before:
        return
    may = _MAY_CHANGE.get(action.op, {"where"})
    changed = {name for name in _SLOTS if getattr(plan, name) != getattr(before, name)}
    assert changed <= may, f"{action}: {changed}"
    if "where" in changed and action.op not in ("remove", "nest"):
        _check_where(action, plan)
    for name in changed & {"group_by", "having", "order_by", "dataset"}:
        assert action.op == "group" or len(getattr(plan, name)) == 1, action
    if action.op == "aggregate":
        assert len(plan.projection) == 1, action
    check_plan(plan, action)


def _check_where(action: Action, plan: Plan) -> None:
    """Check that WHERE has one element or one filter more, after those that were there."""
    before, after = base().where, plan.where
    added = len(after.elements) - len(before.elements)
    assert after.elements[: len(before.elements)] == before.elements, action
    assert after.filters[: len(before.filters)] == before.filters, action
    assert (added, len(after.filters) - len(before.filters)) in ((1, 0), (0, 1)), action
    assert (added == 0) == (action.op == "filter"), action
    assert "TriplePattern" == type(after.elements[-1]).__name__ or action.op != "triple", action


def check_query(text: str) -> None:
    """Check that a text is a query that reads back, or raises a HermesError."""
    try:
        plan = parse_query(text)
    except HermesError as error:
        _error_reads(error, text)
        return
    check_plan(plan, text)


# --- random inputs -----------------------------------------------------------------------------


def seeded(seed: int) -> Random:
    """Return a source of chance that is the same in every run."""
    return Random(seed)  # noqa: S311 - chance for tests, no secret


QUERIES: Final = (
    "PREFIX ex: <http://example.org/olympics/> SELECT DISTINCT ?c (COUNT(?g) AS ?n) WHERE { ?c ex:hosted ?g . "
    "OPTIONAL { ?c ex:twin ?t FILTER(?t != ex:Paris) } } GROUP BY ?c HAVING (?n > 1) ORDER BY DESC(?n) LIMIT 5",
    "BASE <http://example.org/> SELECT * FROM <g> FROM NAMED <h> { GRAPH ?g { ?s a/<p>*|!(<q>|^a) [ <r> (1 2.5 'x'@en) ] } }",
    "ASK { { ?s ?p ?o } UNION { ?o ?p ?s MINUS { ?s <a:b> true } } FILTER NOT EXISTS { ?s <a:c> ?x } } VALUES ?s { UNDEF <a:d> }",
    "PREFIX : <urn:x#> CONSTRUCT { ?s :p _:b . _:b :q ?o } WHERE { ?s :p ?o BIND(IF(?o > 1, 'a', \"b\") AS ?y) } LIMIT 3",
    'DESCRIBE ?s <urn:a> WHERE { ?s ?p """long\n\'text" """^^<urn:t> . { SELECT ?s { ?s ?q 1 } ORDER BY ?q OFFSET 2 } }',
    "SELECT (SAMPLE(?x) AS ?y) (GROUP_CONCAT(DISTINCT ?z; separator='|') AS ?w) { VALUES (?x ?z) { (1 UNDEF) (-1 +2) } }",
    "SELECT REDUCED ?x { SERVICE SILENT <http://service.invalid/> { ?x ?p ?o } FILTER(?x IN (1, ?o) && !(?o = -1) || regex(?p, 'a'))}",
)


@cache
def real_queries() -> tuple[str, ...]:
    """Return queries to start from: the ones above, and some of each collection where it is present."""
    found = list(QUERIES)
    for path in sorted(DATA.glob("queries/*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            found += [json.loads(line)["sparql"] for line, _ in zip(lines, range(40), strict=False)]
    return tuple(text for text in found if len(text) < 1500)  # noqa: PLR2004 - short ones run fast


def fuzz_actions(seed: int, number: int) -> None:
    """Send mutated actions, and what is no action at all, as objects and as text."""
    random = seeded(seed)
    for _ in range(number):
        value = mutated_json(random.choice(SEEDS), random) if random.random() < 0.9 else odd_value(random)  # noqa: PLR2004
        if random.random() < 0.3:  # noqa: PLR2004 - a share
            try:
                value = mutated(json.dumps(value), random)
            except (TypeError, ValueError, RecursionError):
                continue
        check_action(value)


def fuzz_fields(seed: int, number: int) -> None:
    """Send actions of the right shape whose texts are mutated."""
    random = seeded(seed)
    for _ in range(number):
        check_action(_with_mutated_text(random.choice(SEEDS), random))


def _with_mutated_text(value: Any, random: Random) -> Any:
    """Return the value with one of its texts changed, or more."""
    if isinstance(value, str):
        return mutated(value, random)
    if isinstance(value, list) and value:
        place = random.randrange(len(value))
        return [*value[:place], _with_mutated_text(value[place], random), *value[place + 1 :]]
    if isinstance(value, dict):
        name = random.choice([name for name in value if name != "op"] or ["op"])
        return {**value, name: _with_mutated_text(value[name], random) if name != "op" else value[name]}
    return value


def fuzz_queries(seed: int, number: int) -> None:
    """Send mutated queries."""
    random = seeded(seed)
    texts = real_queries()
    for _ in range(number):
        check_query(mutated(random.choice(texts if random.random() < 0.7 else QUERIES), random))  # noqa: PLR2004


@pytest.mark.parametrize("seed", range(4))
def test_actions(seed: int) -> None:
    """Mutated actions: only a HermesError comes out."""
    fuzz_actions(seed, 500)


@pytest.mark.parametrize("seed", range(4))
def test_fields(seed: int) -> None:
    """Mutated fields stay in their clause."""
    fuzz_fields(seed, 500)


@pytest.mark.parametrize("seed", range(4))
def test_queries(seed: int) -> None:
    """Mutated queries: what is read is written and read again."""
    fuzz_queries(seed, 200)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 120))
def test_many_actions(seed: int) -> None:
    """The same with 30,000 actions."""
    fuzz_actions(seed, 1500)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200, 220))
def test_many_fields(seed: int) -> None:
    """The same with 50,000 fields."""
    fuzz_fields(seed, 2500)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(300, 320))
def test_many_queries(seed: int) -> None:
    """The same with 20,000 queries."""
    fuzz_queries(seed, 1000)


# --- the same with shrinking -------------------------------------------------------------------


@st.composite
def _edited(draw: st.DrawFn, text: str) -> str:
    """A text with a few snippets or characters put into it."""
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(text)))
        end = draw(st.integers(place, min(len(text), place + 4)))
        text = text[:place] + draw(st.sampled_from(SNIPPETS) | st.text(max_size=2)) + text[end:]
    return text


@given(st.data(), st.sampled_from(SEEDS))
def test_edited_fields(data: st.DataObject, seed: Json) -> None:
    """A text field of an action, with a few edits."""
    name = data.draw(st.sampled_from([name for name, value in seed.items() if isinstance(value, str)]))
    check_action({**seed, name: data.draw(_edited(seed[name]))})


@given(st.data(), st.sampled_from(QUERIES))
def test_edited_queries(data: st.DataObject, seed: str) -> None:
    """A query, with a few edits."""
    check_query(data.draw(_edited(seed)))


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_any_json(value: object) -> None:
    """Any JSON value is an action or a HermesError."""
    check_action(value)
    try:
        text = json.dumps(value)
    except ValueError:
        return
    check_action(text)
