"""Ties that LIMIT and OFFSET cut: against whole answers, and against what the question sets say."""

from __future__ import annotations

import json
from itertools import groupby
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes import KG
from hermes.algebra import Plan, parse_query, render
from hermes.algebra.ties import cuts_tie
from shared import data_folder


@pytest.fixture(scope="module")
def kg() -> KG:
    """The shipped graph."""
    return KG.load("olympics")


@pytest.mark.parametrize(
    ("query", "tied"),
    [
        ("SELECT ?c { ?c ex:hosted ?g } GROUP BY ?c ORDER BY DESC(COUNT(?g)) LIMIT 1", False),
        ("SELECT ?c { ?c ex:hosted ?g } GROUP BY ?c ORDER BY DESC(COUNT(?g)) LIMIT 2", True),
        ("SELECT ?c { ?c ex:hosted ?g } GROUP BY ?c ORDER BY DESC(COUNT(?g)) LIMIT 13", False),
        ("SELECT ?c { ?c ex:hosted ?g } GROUP BY ?c ORDER BY COUNT(?g) OFFSET 3", True),
        ("SELECT ?g { ?g ex:year ?y } ORDER BY ?y LIMIT 1", False),
        ("SELECT ?g { ?g ex:year ?y } ORDER BY DESC(?y) LIMIT 1", False),
        ("SELECT ?g { ?g ex:year ?y } ORDER BY ?g LIMIT 3", False),
        ("SELECT ?g { ?g ex:year ?y } ORDER BY ?y LIMIT 4", True),
        ("SELECT ?y { ?g ex:year ?y } ORDER BY ?y LIMIT 4", False),
        ("SELECT DISTINCT ?y { ?g ex:year ?y } ORDER BY ?y LIMIT 4", False),
        ("SELECT DISTINCT ?c { ?c ex:hosted/ex:season ?s } ORDER BY ?s LIMIT 1", True),
        ("SELECT DISTINCT ?s { ?g ex:season ?s ; ex:year ?y } ORDER BY ?y LIMIT 1", False),
        ("SELECT ?g { ?g ex:season ?s }", False),
        ("SELECT ?g { ?g ex:season ?s } LIMIT 1", False),
        ("SELECT ?g { ?g ex:season ?s } ORDER BY ?s LIMIT 0", False),
        ("SELECT ?g { ?g ex:season ?s } ORDER BY RAND() LIMIT 1", None),
        ("SELECT ?s { ?g ex:season ?s } GROUP BY ?s ORDER BY ?g LIMIT 1", None),
        ("SELECT (COUNT(?g) AS ?n) { ?g ex:season ?s } ORDER BY ?s LIMIT 1", False),
        ("ASK { ?g ex:season ?s }", False),
    ],
)
def test_a_tie_is_seen(kg: KG, query: str, *, tied: bool | None) -> None:
    """Two rows with equal keys, one on each side of the cut; what is the same row is no tie."""
    assert cuts_tie(kg, parse_query(query, prefixes=kg.prefixes)) is tied


_PATTERNS = (
    ("?c ex:hosted ?g . ?g ex:year ?y ; ex:season ?s", ("?c", "?g", "?y", "?s")),
    ("?c ex:country ?k . OPTIONAL { ?c ex:nickname ?n }", ("?c", "?k", "?n")),
)


@st.composite
def _sliced(draw: st.DrawFn) -> str:
    where, names = draw(st.sampled_from(_PATTERNS))
    columns = draw(st.lists(st.sampled_from(names), min_size=1, max_size=2, unique=True))
    keys = draw(st.lists(st.sampled_from(names), min_size=1, max_size=2, unique=True))
    distinct = draw(st.sampled_from(("", "DISTINCT ")))
    limit, offset = draw(st.integers(1, 20)), draw(st.integers(0, 5))
    order = " ".join(f"DESC({key})" if draw(st.booleans()) else key for key in keys)
    return (
        f"SELECT {distinct}{' '.join(columns)} {{ {where} }} ORDER BY {order} LIMIT {limit} OFFSET {offset}"
    )


@given(_sliced())
def test_a_tie_is_what_the_whole_answer_shows(query: str) -> None:
    """The rows that a slice must keep and may keep, from all solutions, say the same."""
    plan = parse_query(query, prefixes=_OLYMPICS.prefixes)
    assert cuts_tie(_OLYMPICS, plan) is _by_all_solutions(plan)


_OLYMPICS = KG.load("olympics")


def _by_all_solutions(plan: Plan) -> bool:
    keys = tuple(condition.expression for condition in plan.order_by)
    whole = plan.variant(projection=plan.scope, projected=True, distinct=False, limit=None, offset=0)
    rows = [
        (
            tuple(str(row.get(name.name)) for name in plan.columns),
            tuple(str(row.get(str(key).removeprefix("?"))) for key in keys),
        )
        for row in _OLYMPICS.select(render(whole)).rows
    ]
    if plan.distinct:
        first = dict(reversed(rows))
        rows = [(row, first[row]) for row in dict(rows)]
    ends = {plan.offset, plan.offset + (plan.limit or 0)}
    start = 0
    for _, group in groupby(rows, key=lambda row: row[1]):
        tied = list(group)
        if len(set(tied)) > 1 and any(start < end < start + len(tied) for end in ends):
            return True
        start += len(tied)
    return False


@pytest.mark.parametrize("folder", ["ck25", "geoquery", "spider4sparql"])
def test_the_ties_of_the_question_sets_are_seen(folder: str) -> None:
    """Every gold query that is said to cut a tie does, and no other."""
    data = data_folder(folder)
    content: dict[str, Any] = json.loads((data / "questions.dev.json").read_text(encoding="utf-8"))
    for name, files in content["dataset"]["kg"].items():
        plans = [
            (question, plan)
            for question in content["questions"]
            if question["kg"] == name and (plan := parse_query(question["query"]["sparql"])).sliced
        ]
        if not plans:
            continue
        kg = KG.load(*(data / file for file in files))
        try:
            for question, plan in plans:
                assert cuts_tie(kg, plan) is bool(question.get("tie")), question["id"]
        finally:
            kg.close()
