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
from hermes.sparql.patterns import TriplePattern
from hermes.sparql.tree import walk
from mutations import ACTIONS, QUERIES, SNIPPETS, mutated, mutated_json, odd_value
from oracle.engines import known, oxigraph_fault
from oracle.tokens import tokenize
from shared import DATA
from strategies import Json, build, examples

_SLOTS: Final = tuple(slot.name for slot in fields(Plan) if slot.compare)
_FORBIDDEN: Final = frozenset(
    {"LOAD", "INSERT", "DELETE", "CLEAR", "DROP", "CREATE", "COPY", "MOVE", "ADD", "WITH", "USING"}
)
SEEDS: Final[tuple[Json, ...]] = (*examples(), *ACTIONS)

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
    "ask": {"form", "projection", "order_by"},
    "construct": {"form", "template", "projection"},
    "describe": {"form", "described", "projection"},
    "remove": {"where", "projection"},
    "replace": {"where", "projection"},
    "nest": {"where", "projection", "order_by"},
}
"""The slots of the plan that an operator may change; all others: WHERE alone."""


_NESTING: Final = frozenset({"ask", "construct", "describe", "nest", "remove", "replace"})
"""Operators that may make a sub-query of a plan with groups, or change any slot of it."""

_BASES: Final = (
    (
        {"op": "triple", "pattern": "?city ex:hosted ?games"},
        {"op": "triple", "pattern": "?games ex:year ?year"},
        {"op": "filter", "expr": "?year > 1900"},
    ),
    (
        {"op": "triple", "pattern": "?city ex:twin _:other"},
        {"op": "optional", "patterns": ["?city ex:hosted ?games", "FILTER(?games != ex:Summer2012)"]},
        {"op": "bind", "expr": "STR(?city)", "var": "?text"},
        {"op": "project", "vars": ["?city", "(STRLEN(?text) AS ?length)"]},
        {"op": "order", "expr": "?length"},
    ),
    (
        {"op": "triple", "pattern": "?city ex:hosted ?games"},
        {"op": "group", "vars": ["?city"]},
        {"op": "aggregate", "expr": "COUNT(?games)", "alias": "?times"},
        {"op": "having", "expr": "?times > 1"},
    ),
)


@cache
def bases() -> tuple[Plan, ...]:
    """Return the plans that are built upon: a plain one, one with columns, one with groups."""
    return tuple(build(list(steps)).plan for steps in _BASES)


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
    assert not words & _FORBIDDEN, f"{given!r}\n{text}"
    calls = any(isinstance(part, Service) for part in walk(plan))
    assert ("SERVICE" in words) == calls, f"{given!r}\n{text}"
    return text


def check_action(obj: Any) -> None:
    """Check that a JSON value is an action, or raises a HermesError; then what it does to plans."""
    try:
        action = parse_action(obj)
    except HermesError as error:
        _error_reads(error, obj)
        return
    assert isinstance(action.to_json(), dict)
    for before in bases():
        try:
            plan = action.apply(before)
        except HermesError as error:
            _error_reads(error, obj)
            if error.stage == "parse":
                return
        else:
            check_step(action, before, plan)


def check_step(action: Action, before: Plan, plan: Plan) -> None:
    """Check that an applied action has changed the slots of its operator, in its way, and no others."""
    if plan == before:
        return
    changed = {name for name in _SLOTS if getattr(plan, name) != getattr(before, name)}
    if action.op not in _NESTING or not before.grouped:
        may = _MAY_CHANGE.get(action.op, {"where"})
        assert changed <= may, f"{action}: {changed}"
    if action.op not in _NESTING:
        if "where" in changed:
            _check_where(action, before, plan)
        for name in changed & {"group_by", "having", "order_by", "dataset"}:
            most = len(action.given["vars"]) if action.op == "group" else 1
            assert _grown(getattr(before, name), getattr(plan, name)) in range(1, most + 1), action
        if action.op == "aggregate":
            assert (
                _grown(before.projection if before.grouped or before.projected else (), plan.projection) == 1
            )
    check_plan(plan, action)


def _grown(before: tuple[object, ...], after: tuple[object, ...]) -> int:
    """Return how many members came after those that were there."""
    assert after[: len(before)] == before, f"{before} became {after}"
    return len(after) - len(before)


def _check_where(action: Action, before: Plan, plan: Plan) -> None:
    """Check that WHERE has one element or one filter more, after those that were there."""
    elements = _grown(before.where.elements, plan.where.elements)
    filters = _grown(before.where.filters, plan.where.filters)
    assert (elements, filters) == ((0, 1) if action.op == "filter" else (1, 0)), action
    assert action.op != "triple" or isinstance(plan.where.elements[-1], TriplePattern), action


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


@cache
def real_queries() -> tuple[str, ...]:
    """Return queries to start from: those of the tests, and some of each collection where it is present."""
    found = list(QUERIES)
    for path in sorted(DATA.glob("queries/*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            found += [json.loads(line)["sparql"] for line, _ in zip(lines, range(40), strict=False)]
    return tuple(text for text in found if len(text) < 1500)


def fuzz_actions(seed: int, number: int) -> None:
    """Send mutated actions, and what is no action at all, as objects and as text."""
    random = seeded(seed)
    for _ in range(number):
        value = mutated_json(random.choice(SEEDS), random) if random.random() < 0.9 else odd_value(random)
        if random.random() < 0.3:
            try:
                value = mutated(json.dumps(value), random)
            except (TypeError, ValueError, RecursionError):
                continue
        check_action(value)


def fuzz_fields(seed: int, number: int) -> None:
    """Send actions of the right shape whose texts are mutated."""
    random = seeded(seed)
    with_text = [seed for seed in SEEDS if set(seed) - {"op", "n"}]
    for _ in range(number):
        check_action(_with_mutated_text(random.choice(with_text), random))


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
        check_query(mutated(random.choice(texts if random.random() < 0.7 else QUERIES), random))


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
