"""A KG over an endpoint: sources, prefixes, vocabulary, counts that are cut, and traces."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from endpoints import FakeClock, open_store
from hermes import KG
from hermes.algebra import Explorer, parse_action
from hermes.algebra.observation import Rejected, Solutions
from hermes.cli import main
from hermes.errors import StoreError
from hermes.results import Table
from hermes.store import EndpointStore
from hermes.terms import WELL_KNOWN
from http_server import Answer, Request, ScriptedServer, answer, count, table

HOSTED = {"op": "triple", "pattern": "?city ex:hosted ?g"}
EX = {"ex": "http://example.org/olympics/"}
SIX = [{"city": str(n), "g": str(n)} for n in range(6)]


def kg_of(server: ScriptedServer) -> KG:
    """Return a KG that does not wait."""
    return KG(open_store(server.url, FakeClock()), EX)


def run(explorer: Explorer, action: dict[str, Any] = HOSTED) -> Any:
    """Take a step."""
    return explorer.run(parse_action(action))


# --- sources -------------------------------------------------------------------------------------


def test_load() -> None:
    """An address is a source; nothing is asked of it before the first query."""
    with ScriptedServer(table([{"s": "a"}])) as server:
        kg = KG.load(server.url, graph="http://e/g", prefixes=EX, timeout=7)
        assert not server.requests
        assert (kg.source, kg.dataset) == (server.url, "http://e/g")
        assert kg.prefixes["ex"] == EX["ex"]
        assert kg.prefixes["rdfs"] == WELL_KNOWN["rdfs"]
        store = kg.store.inner  # type: ignore[attr-defined] # a KG of an endpoint caches
        assert isinstance(store, EndpointStore)
        assert store.exchange.limits.time == 7
        assert len(kg.select("SELECT * { ?s ?p ?o }").rows) == 1
        assert server.requests[0].form["default-graph-uri"] == ["http://e/g"]
        assert kg.fingerprint != KG.load(server.url).fingerprint


@pytest.mark.parametrize(
    "sources", [("olympics", "http://e/"), ("http://e/", "http://f/"), ("HTTPS://e/", "a.ttl")]
)
def test_an_endpoint_is_named_alone(sources: tuple[str, ...]) -> None:
    """Endpoints and files are not mixed."""
    with pytest.raises(StoreError, match="name it alone") as caught:
        KG.load(*sources)
    assert caught.value.code == "unknown-source"


@pytest.mark.parametrize(
    ("url", "there", "absent"),
    [
        ("https://query.wikidata.org/sparql", "wdt", "dbo"),
        ("https://qlever.dev/api/wikidata", "wd", "dbo"),
        ("https://qlever.dev/api/osm-planet", "rdfs", "wd"),
        ("https://dbpedia.org/sparql", "dbo", "wdt"),
        ("https://www.dbpedia.org/sparql", "dbr", "wdt"),
        ("https://example.org/sparql", "owl", "wdt"),
    ],
)
def test_prefixes_of_a_host(url: str, there: str, absent: str) -> None:
    """Endpoints of well-known graphs have the prefixes that everybody uses, and no others."""
    prefixes = KG.load(url).prefixes
    assert there in prefixes
    assert absent not in prefixes


# --- vocabulary ----------------------------------------------------------------------------------

_ROLE = "http://www.w3.org/2001/XMLSchema#integer"


def _vocabulary(**headers: str) -> Answer:
    rows = [
        {
            "role": role,
            "term": {"type": "uri", "value": EX["ex"] + name},
            "n": {"type": "literal", "value": "3", "datatype": _ROLE},
        }
        for role, name in (("predicate", "hosted"), ("class", "City"))
    ]
    return table(rows, **headers)


def test_vocabulary() -> None:
    """The vocabulary of an endpoint is mined once, when it is asked for."""
    with ScriptedServer(_vocabulary()) as server:
        kg = KG.load(server.url, prefixes=EX)
        assert not kg.vocabulary_known
        assert kg.vocabulary.predicates == {EX["ex"] + "hosted": 3}
        assert kg.vocabulary.classes == {EX["ex"] + "City": 3}
        assert kg.vocabulary_known
        assert kg.nearest(EX["ex"] + "host", "predicate") == [(EX["ex"] + "hosted", 3)]
        assert len(server.requests) == 1


@pytest.mark.parametrize(
    "given",
    [answer("no", status=500), _vocabulary(X_SQL_State="S1TAT"), table([{"x": "odd"}]), answer("{}")],
    ids=["refused", "a part", "another table", "no result"],
)
def test_vocabulary_unknown(given: Answer) -> None:
    """A vocabulary that cannot be had, or only in part, is empty, unknown, asked for once, and no error."""
    with ScriptedServer(given) as server:
        kg = KG.load(server.url)
        for _ in range(2):
            assert not kg.vocabulary.predicates
            assert not kg.vocabulary_known
            assert kg.nearest("http://e/x", "class") == []
        assert len(server.requests) == 1


def test_vocabulary_takes_no_longer_than_a_query_may() -> None:
    """A slow endpoint is not waited for."""
    with ScriptedServer(Answer(delay=20)) as server:
        kg = KG.load(server.url, timeout=0.2)
        assert not kg.vocabulary.predicates


@pytest.mark.parametrize("vocabulary", [answer("no", status=500), _vocabulary()], ids=["unknown", "known"])
def test_hints(vocabulary: Answer) -> None:
    """A name that does not occur is said where the vocabulary is known, and nothing where it is not."""

    def script(request: Request) -> Answer:
        return vocabulary if "?role" in request.query else table([], ["city", "g"])

    with ScriptedServer(script=script) as server:
        seen = run(
            Explorer(KG.load(server.url, prefixes=EX)), {"op": "triple", "pattern": "?city ex:host ?g"}
        )
    assert isinstance(seen, Solutions)
    hints = [str(hint) for hint in seen.hints]
    assert hints == (
        ["hint: ex:host does not occur; nearest: ex:hosted (3 triples)"] if vocabulary.status == 200 else []
    )


def test_a_hint_that_fails_is_no_hint() -> None:
    """That the query of a hint fails does not refuse the step."""

    def script(request: Request) -> Answer:
        if "?role" in request.query:
            return _vocabulary()
        return answer("no", status=500) if "?value" in request.query else table([], ["city", "g"])

    with ScriptedServer(script=script) as server:
        kg = KG.load(server.url, prefixes=EX)
        assert kg.vocabulary.predicates
        seen = run(Explorer(kg), {"op": "triple", "pattern": '?city ex:hosted "x"'})
    assert isinstance(seen, Solutions)
    assert seen.hints == ()


# --- what is cut ---------------------------------------------------------------------------------


def test_a_count_that_was_stopped_is_at_least() -> None:
    """A COUNT that the server says is partial is a lower bound."""
    with ScriptedServer(table(SIX[:5]), count(12, X_SQL_State="S1TAT")) as server:
        assert run(Explorer(kg_of(server))).summary() == "12+ solutions"


def test_a_sample_that_was_stopped_implies_no_count() -> None:
    """A sample that is shorter than its limit because it was stopped does not say how many there are."""
    with ScriptedServer(table(SIX[:2], X_SQL_State="S1TAT"), count(40)) as server:
        assert run(Explorer(kg_of(server))).summary() == "40 solutions"


def test_fewer_rows_than_were_counted() -> None:
    """An answer with fewer rows than the count is not all of it."""
    with ScriptedServer(table(SIX[:5]), count(6), table(SIX), table(SIX[:4])) as server:
        explorer = Explorer(kg_of(server))
        run(explorer)
        for complete in (True, False):
            found = explorer.answer()
            assert isinstance(found, Table)
            assert found.complete is complete


def test_as_many_rows_as_were_counted() -> None:
    """A number of rows at which servers cut is no sign of it where just so many were counted."""
    rows = [{"city": str(n), "g": str(n)} for n in range(10_000)]
    with ScriptedServer(table(rows[:5]), count(10_000), table(rows)) as server:
        explorer = Explorer(kg_of(server))
        run(explorer)
        found = explorer.answer()
    assert isinstance(found, Table)
    assert found.complete


def test_a_failed_step_changes_nothing() -> None:
    """The rejection says why; plan and history are as before, and the session goes on."""
    with ScriptedServer(table(SIX[:2]), answer("no", status=500), table(SIX[:1])) as server:
        explorer = Explorer(kg_of(server))
        run(explorer)
        before = explorer.plan
        seen = run(explorer, {"op": "triple", "pattern": "?city ex:country ex:USA"})
        assert isinstance(seen, Rejected)
        assert (seen.stage, seen.code) == ("run", "internal")
        assert explorer.plan == before
        assert (
            run(explorer, {"op": "triple", "pattern": "?city ex:country ex:USA"}).summary()
            == "2 -> 1 solution"
        )
        assert explorer.undo().summary() == "1 -> 2 solutions"


# --- the command line ----------------------------------------------------------------------------


def test_run_and_replay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """HERMES_KG may be an address; the trace names it, and replay does not open it without a word."""
    actions, trace = tmp_path / "actions.jsonl", tmp_path / "trace.jsonl"
    pattern = "?city <http://example.org/olympics/hosted> ?g"
    actions.write_text(json.dumps({"op": "triple", "pattern": pattern}), encoding="utf-8")
    with ScriptedServer(table(SIX[:2]), table(SIX[:2]), table(SIX[:2])) as server:
        monkeypatch.setenv("HERMES_KG", server.url)
        assert main(["run", str(actions), "--trace", str(trace)]) == 0
        assert "-> 2 solutions" in capsys.readouterr().out
        seen = len(server.requests)
        assert server.url in trace.read_text(encoding="utf-8")
        assert main(["replay", str(trace)]) == 1
        assert (
            "which is not asked without your word; name it, or another graph, with --kg"
            in capsys.readouterr().err
        )
        assert len(server.requests) == seen
        assert main(["replay", str(trace), "--kg", server.url]) == 0
        assert "same: 1 step" in capsys.readouterr().out
