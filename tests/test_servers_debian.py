"""Virtuoso 7 and Apache Jena, where their Debian packages are installed: the same conformance checks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import jena_arq
import virtuoso
from conformance import Check, check_store, checks, over
from hermes import KG
from hermes.algebra import Explorer, parse_action
from hermes.errors import StoreError
from hermes.results import Table
from hermes.store import EndpointStore
from hermes.terms import IRI, RDF_TYPE
from servers import OLYMPICS, running

ALL = list(checks())
CHECKS = [pytest.param(check, id=check.name) for check in ALL]
GRAPHS = sorted({check.graph for check in ALL})

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def on_virtuoso(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, KG]]:
    """The graphs as named graphs of one Virtuoso server."""
    if not virtuoso.installed():
        pytest.skip(virtuoso.WHY_NOT)
    with running({"all": virtuoso.Virtuoso(tmp_path_factory.mktemp("virtuoso"), *GRAPHS)}) as servers:
        url = servers["all"].url
        yield {graph: over(url, graph, virtuoso.graph_name(graph)) for graph in GRAPHS}


@pytest.fixture(scope="module")
def on_jena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, KG]]:
    """The graphs behind Jena servers."""
    if not jena_arq.installed():
        pytest.skip(jena_arq.WHY_NOT)
    folder = tmp_path_factory.mktemp("jena")
    class_path = jena_arq.compile_server(folder)
    with running({graph: jena_arq.Jena(folder, class_path, graph) for graph in GRAPHS}) as servers:
        yield {graph: over(server.url, graph) for graph, server in servers.items()}


@pytest.mark.parametrize("check", CHECKS)
def test_virtuoso(check: Check, on_virtuoso: dict[str, KG]) -> None:
    """Virtuoso behaves like the embedded store, but for what is listed."""
    check_store(check, on_virtuoso[check.graph], "virtuoso")


@pytest.mark.parametrize("check", CHECKS)
def test_jena(check: Check, on_jena: dict[str, KG]) -> None:
    """Jena behaves like the embedded store, but for what is listed."""
    check_store(check, on_jena[check.graph], "jena")


def test_virtuoso_is_recognized(on_virtuoso: dict[str, KG]) -> None:
    """By its first answer; a step that meets what it does otherwise is warned of."""
    explorer = Explorer(on_virtuoso[OLYMPICS])
    explorer.run(parse_action({"op": "triple", "pattern": "?city ex:hosted ?g"}))
    assert explorer.kg.engine == "virtuoso"
    product = [{"op": "triple", "pattern": f"?{name} ?p{name} ?o{name}"} for name in "ab"]
    seen = [explorer.run(parse_action(action)) for action in product][-1]
    warned = [str(hint) for hint in seen.hints if hint.code == "engine-difference"]
    assert [text.split("Rows")[0] for text in warned] == ["hint: virtuoso: "]


def test_virtuoso_cuts_without_a_word(on_virtuoso: dict[str, KG]) -> None:
    """More than 10,000 rows are cut with status 200; the table says so, and the count is whole."""
    kg = on_virtuoso[OLYMPICS]
    product = "{ ?a ex:hosted ?b . ?c ex:hosted ?d . ?e ex:hosted ?f . ?g ex:country ?h }"
    found = kg.select(f"{kg.header}SELECT * {product}")
    assert isinstance(found, Table)
    assert len(found.rows) == 10_000
    assert not found.complete
    (row,) = kg.select(f"{kg.header}SELECT (COUNT(*) AS ?n) {product}").rows
    assert int(str(row["n"])) > 80_000
    assert kg.select(f"{kg.header}SELECT * {product} LIMIT 10").complete


def test_virtuoso_partial_results(on_virtuoso: dict[str, KG]) -> None:
    """An answer within a time limit of the server's own ("anytime") is not taken for all."""
    kg = on_virtuoso[OLYMPICS]
    assert isinstance(kg.store, EndpointStore)
    heavy = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l FILTER(?c < ?l) }"
    timed = EndpointStore(f"{kg.store.url}?timeout=1000", kg.store.dataset, caller=kg.store.exchange.caller)
    try:
        assert not timed.select(heavy).complete
    except StoreError as error:
        assert error.category == "timeout"  # noqa: PT017 - either is right


def test_virtuoso_inspects_a_large_class(tmp_path: Path) -> None:
    """Virtuoso refuses queries that it thinks endless; a sample is not among them."""
    if not virtuoso.installed():
        pytest.skip(virtuoso.WHY_NOT)
    lines = ["@prefix : <http://e/> ."]
    lines += [f":i{n} a :C ; :of :k{n % 100} ; :n {n} . :k{n % 100} a :K ." for n in range(200_000)]
    server = virtuoso.Virtuoso(tmp_path)
    try:
        server.start()
        server.load("large", "\n".join(lines).encode())
        kg = KG.load(server.url, graph=virtuoso.graph_name("large"))
        found = kg.inspect(IRI("http://e/C"))
        assert (found.count, found.sampled, found.complete, found.capped) == (200_000, 500, False, False)
        counts = {edge.predicate.value: (edge.count, edge.terms) for edge in found.edges}
        assert counts == dict.fromkeys(("http://e/n", "http://e/of", RDF_TYPE), (500, 500))
        predicate = kg.inspect(IRI("http://e/of"))
        assert (predicate.count, predicate.sampled) == (200_000, 500)
        ends = {(end.side, end.kind, end.count) for end in predicate.ends}
        assert ends == {("subject", IRI("http://e/C"), 500), ("object", IRI("http://e/K"), 500)}
        small = kg.inspect(IRI("http://e/K"))
        assert (small.count, small.sampled, small.complete) == (100, None, True)
        assert [(edge.count, edge.terms) for edge in small.edges if edge.direction == "in"] == [
            (200_000, 100)
        ]
    finally:
        server.stop()
