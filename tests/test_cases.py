"""The shared fault cases: small inputs from public bug reports, each with the right value."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from hermes import KG
from hermes.algebra import Explorer, Observation, Plan, parse_action, parse_query, render
from hermes.algebra.observation import Asked, Built, Empty, Inspected, LookedUp, Rejected, Solutions
from hermes.algebra.operators import Values
from hermes.errors import HermesError
from hermes.results import Table
from hermes.store import TIME_LIMIT
from hermes.terms import IRI
from shared import SHARED

CASES = SHARED / "cases" / "cases.jsonl"
LATER = {
    "raw_replies": "needs a model's reply reader",
    "gold": "needs scores",
}
NOT_YET = {
    "SC9": "needs a model",
}
REPLIES_THAT_ARE_ACTIONS = ("LA11", "LA16")
"""What the model sent there is what it has to be: one JSON action."""
ALLOWED_OTHERWISE = {
    "NM10": "hermes decodes the escape first, which the case allows",
    "SC5": "hermes strips the comment, which the case allows for its last step",
    "UN6": "hermes refuses BIND of what the branch does not bind, which the case allows",
}
NEWER_DESIGN: dict[str, dict[int, object]] = {
    # The count takes longer than a query may, the first rows do not: the step says "10000+ solutions".
    "RW8": {4: 10_000},
}
"""Outcomes of steps that the design, which is newer than the case, says otherwise."""
MEANING = {
    "disconnected": "disconnected",
    "multiplies": "multiplies",
    "predicate not in graph": "does not occur",
    "blank node acts as a variable": "blank node",
    "xsd:date against xsd:dateTime": "xsd:dateTime; compared with xsd:date",
}
"""What a case says a warning means, and the words in which hermes says it."""


def _cases() -> list[Any]:
    if not CASES.exists():
        reason = pytest.mark.skip(reason="the shared cases are absent")
        return [pytest.param({}, id="absent", marks=reason)]
    found = []
    for line in CASES.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if "http" in case:  # test_cases_http.py has these
            continue
        if case["id"] in REPLIES_THAT_ARE_ACTIONS:
            case["actions"] = list(map(json.loads, case.pop("raw_replies")))
        why = NOT_YET.get(case["id"]) or next((why for name, why in LATER.items() if name in case), None)
        marks = [pytest.mark.skip(reason=why)] if why else []
        found.append(pytest.param(case, id=case["id"], marks=marks))
    return found


def _kg(case: dict[str, Any], folder: Path) -> KG:
    path = folder / "case.ttl"
    path.write_text(case["turtle"], encoding="utf-8")
    return KG.load(path, prefixes=case["prefixes"], timeout=case["expected"].get("time_limit_s", TIME_LIMIT))


def _outcome(seen: object) -> object:
    match seen:
        case Solutions() | Built() | Empty():
            return seen.count
        case Asked():
            return seen.value
        case Rejected():
            return "rejected"
        case _:
            return None


def rows_of(table: Table) -> list[tuple[tuple[str, str], ...]]:
    """Return rows as hermes writes their values."""
    return [tuple(sorted((name, str(term)) for name, term in row.items())) for row in table.rows]


def wanted_rows(rows: list[dict[str, str]]) -> list[tuple[tuple[str, str], ...]]:
    """Return rows as the store writes their values: 1 and "1"^^xsd:integer are one term."""
    plan = Plan()
    out = []
    for row in rows:
        cells = {}
        for name, text in row.items():
            action = {"op": "values", "vars": ["?x"], "rows": [[text]]}
            read = parse_action(action).apply(plan).where.elements[0]
            assert isinstance(read, Values)
            cells[name] = str(read.rows[0][0])
        out.append(tuple(sorted(cells.items())))
    return out


def _run(explorer: Explorer, case: dict[str, Any]) -> list[Observation]:
    seen: list[Observation] = []
    for number, action in enumerate(case["actions"]):
        step = explorer.preview if number in case.get("preview", []) else explorer.run
        start = monotonic()
        try:
            seen.append(step(parse_action(action)))
        except HermesError as error:
            seen.append(Rejected.of(error))
        assert monotonic() - start < case["expected"].get("max_wall_s_per_step", math.inf)
        wanted = case["expected"].get("plan_after", {}).get(str(number))
        if wanted is not None:
            rebuilt = Plan(prefixes=explorer.kg.prefixes)
            for each in wanted:
                rebuilt = parse_action(each).apply(rebuilt)
            assert explorer.plan == rebuilt
    return seen


def _check_hints(case: dict[str, Any], seen: list[Observation]) -> None:
    for field in ("warn", "hint"):
        wanted = case["expected"].get(field, {})
        if isinstance(wanted, str):
            wanted = {len(seen) - 1: wanted}
        for number, meaning in wanted.items():
            text = " ".join(map(str, seen[int(number)].hints)) + seen[int(number)].summary()
            assert MEANING.get(meaning, meaning) in text, f"step {number} should say: {meaning}"


@pytest.mark.parametrize("case", _cases())
def test_case(case: dict[str, Any], tmp_path: Path) -> None:
    """The steps have the expected counts, the answer its rows, the messages their meaning."""
    kg = _kg(case, tmp_path)
    expected = case["expected"]
    if "sparql" in case:
        text = kg.header + case["sparql"]
        assert Counter(rows_of(kg.select(render(parse_query(text))))) == Counter(
            wanted_rows(expected["rows"])
        )
        return
    explorer = Explorer(kg)
    seen = _run(explorer, case)
    if case["id"] in ALLOWED_OTHERWISE:
        return
    outcomes = [_outcome(each) for each in seen]
    steps = dict(enumerate(expected.get("steps", []))) | NEWER_DESIGN.get(case["id"], {})
    for number, wanted in steps.items():
        assert wanted is None or outcomes[number] == wanted, f"step {number}: {seen[number].summary()}"
    messages = [each.message for each in seen if isinstance(each, Rejected)]
    for word in expected.get("mention", []):
        assert word in " ".join(messages)
    assert all(len(message) <= expected.get("message_max_chars", 1000) for message in messages)
    _check_hints(case, seen)
    _check_rows(case, explorer)
    _check_reads(case, seen)
    if "labels_for_en" in expected:
        wanted_labels = {IRI(text[1:-1]): label for text, label in expected["labels_for_en"].items()}
        assert kg.labels(wanted_labels, "en") == wanted_labels


def _check_rows(case: dict[str, Any], explorer: Explorer) -> None:
    expected = case["expected"]
    ops = {action["op"] for action in case["actions"]}
    if "sample_len" in expected:
        last = explorer.observation
        assert isinstance(last, Solutions)
        assert len(last.sample) == expected["sample_len"]
    if "sample_first" in expected:
        last = explorer.observation
        assert isinstance(last, Solutions)
        first = rows_of(Table(last.variables, last.sample))[: len(expected["sample_first"])]
        assert first == wanted_rows(expected["sample_first"])
    if "rows" not in expected:
        return
    if not ops & {"project", "group", "aggregate", "ask", "construct"}:
        explorer.run(parse_action({"op": "project", "vars": ["*"]}))
    answer = explorer.answer()
    assert isinstance(answer, Table)
    if expected.get("ordered"):
        assert rows_of(answer) == wanted_rows(expected["rows"])
    else:
        assert Counter(rows_of(answer)) == Counter(wanted_rows(expected["rows"]))


def _check_reads(case: dict[str, Any], seen: list[Observation]) -> None:
    """Check what the last step has read, and how it shows it."""
    expected, last = case["expected"], seen[-1]
    lines = last.summary().split("\n")
    if isinstance(last, LookedUp):
        found = [str(entry.term) for entry in last.found.entries]
        assert set(expected["lookup_contains"]) <= set(found)
        first = expected.get("first", [])
        assert set(found[: len(first)]) == set(first)
        if expected.get("shows_types"):
            for entry, line in zip(last.found.entries, lines[1:], strict=True):
                assert entry.types
                assert "ex:" + entry.types[0].value.rpartition("/")[2] in line
    if isinstance(last, Inspected):
        assert len(last.summary()) <= expected["observation_max_chars"]
        assert expected["left_out_stated"]
        assert last.found.more > 0
        assert lines[-1] == f"    ... and {last.found.more} more"
