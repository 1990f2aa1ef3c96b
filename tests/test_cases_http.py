"""The shared fault cases of endpoints and their replies, through real HTTP."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from endpoints import FakeClock, open_store
from hermes.algebra import Explorer, parse_action
from hermes.algebra.observation import Rejected, Solutions
from hermes.errors import StoreError
from hermes.kg import KG
from hermes.results import Table
from hermes.store import EndpointStore
from http_server import Answer, Request, ScriptedServer, count, table
from shared import SHARED
from test_cases import rows_of, wanted_rows

CASES = SHARED / "cases" / "cases.jsonl"
ALL = "SELECT * { ?s <http://example.org/p> ?o }"


def _cases() -> list[Any]:
    if not CASES.exists():
        reason = pytest.mark.skip(reason="the shared cases are absent")
        return [pytest.param({}, id="absent", marks=reason)]
    cases = map(json.loads, CASES.read_text(encoding="utf-8").splitlines())
    return [pytest.param(case, id=case["id"]) for case in cases if "http" in case]


def _answers(case: dict[str, Any], url_of_the_other: str) -> list[Answer]:
    """Return what the server of a case answers; a case's own address of another server becomes a real one."""
    found = []
    for given in case["http"]:
        headers = dict(given.get("headers", {}))
        if "Location" in headers:
            headers["Location"] = url_of_the_other
        rows = [{"s": f"row {number}"} for number in range(given.get("rows", 0))]
        body = table(rows).body if rows else given["body"].encode()
        found.append(Answer(given["status"], headers, body))
    return found


def _script(case: dict[str, Any], answers: list[Answer]) -> Any:
    """Answer a count apart from the rows, where the case tells the two apart."""
    known = case["http"][0].get("count_query_says")

    def answered(request: Request) -> Answer:
        if known is not None and "_hermes_n" in request.query:
            return count(known)
        return answers[0] if known is not None or len(answers) == 1 else answers.pop(0)

    return answered


@pytest.mark.parametrize("case", _cases())
def test_case(case: dict[str, Any]) -> None:
    """A query has the outcome of the case, and the server has seen what it should."""
    expected = case["expected"]
    with ScriptedServer() as other:
        answers = _answers(case, other.url)
        if case["http"][-1]["status"] == 200 and len(answers) > 1:
            other.answers = answers[1:]
            answers = answers[:1]
        with ScriptedServer(script=_script(case, answers)) as server:
            store = open_store(server.url, FakeClock())
            if expected["outcome"] == "ok":
                _succeeds(store, expected)
            else:
                _fails(store, expected)
            seen = [*server.requests, *other.requests]
    if "requests" in expected and "count" not in expected:
        assert len(seen) == expected["requests"]
    assert len(seen) <= expected.get("max_requests", 100)
    assert seen[-1].method == expected.get("last_method", "POST")


def _succeeds(store: EndpointStore, expected: dict[str, Any]) -> None:
    found = store.select(ALL)
    assert found.complete == expected.get("complete", True)
    if "rows" in expected:
        assert Counter(rows_of(found)) == Counter(wanted_rows(expected["rows"]))
    if "distinct" in expected:
        assert len({tuple(row.items()) for row in found.rows}) == expected["distinct"]
    if "count" in expected:
        assert len(found.rows) == expected["count"] or not found.complete
    for word, coded in expected.get("request_body_contains_when_query_has", {}).items():
        with ScriptedServer(table([])) as server:
            open_store(server.url).select(f'SELECT * {{ ?s ?p "{word}" }}')
            assert coded.encode() in server.requests[0].body


def _fails(store: EndpointStore, expected: dict[str, Any]) -> None:
    with pytest.raises(StoreError) as caught:
        store.select(ALL)
    message = str(caught.value)
    assert caught.value.category == expected["category"]
    assert all(word in message for word in expected.get("message_has", []))
    assert not any(word in message for word in expected.get("message_not", []))
    assert "\n" not in message
    assert "127.0.0.1" in message


@pytest.mark.parametrize("case", _cases())
def test_case_in_a_session(case: dict[str, Any]) -> None:
    """The actions of the case end in a count, or in a rejection that leaves the plan as it was."""
    expected = case["expected"]
    if "Location" in case["http"][0].get("headers", {}):
        pytest.skip("the redirect of the case is tested without a session")
    with ScriptedServer(script=_script(case, _answers(case, ""))) as server:
        explorer = Explorer(KG(open_store(server.url, FakeClock()), case["prefixes"]))
        for action in case["actions"]:
            seen = explorer.run(parse_action(action))
        if expected["outcome"] == "error":
            assert isinstance(seen, Rejected)
            assert seen.code == expected["category"]
            assert explorer.plan.empty
        elif "count" in expected:
            assert isinstance(seen, Solutions)
            assert seen.count == expected["count"]
            if "complete" in expected:
                answer = explorer.answer()
                assert isinstance(answer, Table)
                assert answer == replace(answer, complete=expected["complete"])
