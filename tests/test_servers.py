"""Real servers: the conformance checks, a server that stops in the middle, and one that is slow."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from conformance import DIFFERENCES, Check, check_store, checks, over, reference
from endpoints import FakeClock
from hermes import KG
from hermes.algebra import Explorer, parse_action
from hermes.algebra.observation import Rejected
from hermes.errors import StoreError
from hermes.store import EndpointStore
from servers import OLYMPICS, Oxigraph, find_oxigraph, running

ALL = list(checks())
CHECKS = [pytest.param(check, id=check.name) for check in ALL]

pytestmark = pytest.mark.skipif(find_oxigraph() is None, reason="the server oxigraph is not installed")


def test_embedded() -> None:
    """The embedded store, which the others are compared with, takes the documented session as documented."""
    found = ALL[0].run(reference(OLYMPICS))
    summaries = ["19 solutions", "19 -> 8 solutions", "8 -> 4 solutions", "4 -> 3 solutions"]
    assert isinstance(found, tuple)
    assert found[0] == summaries


def test_differences_are_of_known_checks() -> None:
    """The list of differences names checks that there are; those on ck25 may be absent."""
    names = {check.name for check in ALL}
    for engine, listed in DIFFERENCES.items():
        assert listed.keys() <= names, engine


@pytest.fixture(scope="module")
def oxigraph() -> Iterator[dict[str, KG]]:
    """The graphs behind Oxigraph servers."""
    with running({graph: Oxigraph(graph) for graph in sorted({check.graph for check in ALL})}) as servers:
        yield {graph: over(server.url, graph) for graph, server in servers.items()}


@pytest.mark.parametrize("check", CHECKS)
def test_oxigraph(check: Check, oxigraph: dict[str, KG]) -> None:
    """An Oxigraph server behaves like the embedded store."""
    check_store(check, oxigraph[check.graph], "oxigraph")


def run(explorer: Explorer, **action: Any) -> Any:
    """Take a step."""
    return explorer.run(parse_action(action))


def test_a_server_that_stops_and_comes_back() -> None:
    """A step that finds nobody is rejected and changes nothing; afterwards the session goes on."""
    with Oxigraph(OLYMPICS) as server:
        kg = over(server.url, OLYMPICS)
        assert isinstance(kg.store, EndpointStore)
        kg.store.exchange.clock = FakeClock()
        explorer = Explorer(kg)
        assert run(explorer, op="triple", pattern="?city ex:hosted ?g").summary() == "19 solutions"
        before = explorer.plan
        server.stop()
        seen = run(explorer, op="triple", pattern="?city ex:country ex:USA")
        assert isinstance(seen, Rejected)
        assert (seen.stage, seen.code) == ("run", "unreachable")
        assert explorer.plan == before
        with pytest.raises(StoreError) as caught:
            explorer.answer()
        assert caught.value.retryable
        assert explorer.undo().summary() == "empty plan"
        assert explorer.redo().summary().endswith("19 solutions")
        server.start()
        assert run(explorer, op="triple", pattern="?city ex:country ex:USA").summary() == "19 -> 8 solutions"


_HEAVY = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
_LESS_HEAVY = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"


def test_a_slow_server() -> None:
    """The time limit of hermes holds where the server has none, and the session goes on."""
    with Oxigraph(OLYMPICS) as server:
        kg = over(server.url, OLYMPICS, timeout=0.5)
        start = time.perf_counter()
        with pytest.raises(StoreError) as caught:
            kg.select(_HEAVY)
        assert 0.4 < time.perf_counter() - start < 1.5
        assert (caught.value.category, caught.value.retryable) == ("timeout", False)
        assert len(kg.select("SELECT * { ?s ?p ?o } LIMIT 3").rows) == 3


def test_a_server_that_cancels() -> None:
    """Oxigraph answers 200 and a cut body when its own time is up: that is a timeout."""
    with Oxigraph(OLYMPICS, "--timeout-s", "1") as server:
        kg = over(server.url, OLYMPICS)
        with pytest.raises(StoreError) as caught:
            kg.select(_LESS_HEAVY)
    assert caught.value.category == "timeout"
