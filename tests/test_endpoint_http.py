"""How an endpoint is asked: what is sent, when again, where to, how long, as whom, and one at a time."""

from __future__ import annotations

import base64
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import hermes
from endpoints import FakeClock, open_store, refusal
from hermes.errors import StoreError
from hermes.store import Caller, EndpointStore, Limits
from hermes.store.http.credentials import Credentials
from hermes.store.http.retry import retry_after
from http_server import Answer, Request, ScriptedServer, answer, table

ALL = "SELECT * { ?s ?p ?o }"
GOOD = table([{"n": "3"}])
LATER = answer("later", "text/plain", 503)
RESET = Answer(cut=0)


# --- what is sent --------------------------------------------------------------------------------


def test_request() -> None:
    """A query is a form by POST in UTF-8, with the headers that servers want."""
    query = 'SELECT * { ?s ?p "België & ☃" }'
    with ScriptedServer(GOOD) as server:
        open_store(server.url, caller=Caller(contact="ada@example.org")).select(query)
        (seen,) = server.requests
    assert (seen.method, seen.path) == ("POST", "/sparql")
    assert seen.headers["content-type"] == "application/x-www-form-urlencoded; charset=UTF-8"
    assert b"Belgi%C3%AB+%26+%E2%98%83" in seen.body
    assert dict(seen.form) == {"query": [query]}
    assert seen.headers["accept"] == (
        "application/sparql-results+json, application/sparql-results+xml;q=0.8, "
        "text/tab-separated-values;q=0.5"
    )
    agent = seen.headers["user-agent"]
    assert agent.startswith(f"hermes-kg/{hermes.__version__} (ada@example.org) httpx2/")
    assert "authorization" not in seen.headers


@pytest.mark.parametrize(
    ("graph", "named", "query", "default", "names"),
    [
        (None, (), ALL, None, None),
        ("default", (), ALL, None, None),
        ("http://e/g", (), ALL, ["http://e/g"], ["http://e/g"]),
        ("http://e/g", ("http://e/n", "http://e/m"), ALL, ["http://e/g"], ["http://e/n", "http://e/m"]),
        (None, ("http://e/n",), ALL, None, ["http://e/n"]),
        ("http://e/g", (), "SELECT * FROM <http://e/x> { ?s ?p ?o }", None, None),
        ("http://e/g", (), 'SELECT * { ?s ?p "from" }', ["http://e/g"], ["http://e/g"]),
    ],
)
def test_dataset(
    graph: str | None,
    named: tuple[str, ...],
    query: str,
    default: list[str] | None,
    names: list[str] | None,
) -> None:
    """The dataset goes as parameters of the protocol, unless the query has one of its own."""
    with ScriptedServer(GOOD) as server:
        EndpointStore(server.url, graph, named_graphs=named, caller=Caller()).select(query)
        form = server.requests[0].form
    assert (form.get("default-graph-uri"), form.get("named-graph-uri")) == (default, names)


def test_union_is_refused() -> None:
    """The protocol has no word for the union."""
    with pytest.raises(StoreError, match="urn:x-arq:UnionGraph"):
        open_store("http://127.0.0.1/", graph="union")


@pytest.mark.parametrize("graph", ["wikidata", "http://e/a b", "<http://e/g>"])
def test_a_graph_is_an_iri(graph: str) -> None:
    """What is no IRI is not sent."""
    with pytest.raises(StoreError, match='expected "default" or the IRI') as caught:
        open_store("http://127.0.0.1/", graph=graph)
    assert caught.value.code == "unknown-graph"


def test_fingerprint_and_source() -> None:
    """The fingerprint is of address and dataset; the source does not show a key in the query part."""
    url = "http://127.0.0.1:9/sparql?apikey=s3cret#x"
    store = open_store(url)
    assert store.source == "http://127.0.0.1:9/sparql"
    assert store.fingerprint == open_store(url).fingerprint
    assert (
        len(
            {
                store.fingerprint,
                open_store(url, graph="http://e/g").fingerprint,
                open_store(url[:25]).fingerprint,
            }
        )
        == 3
    )
    assert store.engine == "endpoint"
    with ScriptedServer(GOOD) as server:
        silent = open_store(server.url + "?apikey=s3cret")
        silent.select(ALL)
        assert silent.engine == "endpoint"
        assert server.requests[0].path == "/sparql?apikey=s3cret"


@pytest.mark.parametrize(
    ("said", "engine"),
    [
        ("Virtuoso/07.20.3240 (Linux) x86_64-pc-linux-gnu  VDB", "virtuoso"),
        ("oxigraph/0.5.13", "oxigraph"),
        ("Apache Jena Fuseki (5.2.0)", "jena"),
        ("nginx/1.27", "endpoint"),
    ],
)
def test_the_engine_is_named_by_its_first_answer(said: str, engine: str) -> None:
    """Before it, nothing is known; what a front end says of itself names no engine."""
    with ScriptedServer(answer(GOOD.body, Server=said)) as server:
        store = open_store(server.url)
        assert store.engine == "endpoint"
        store.select(ALL)
        assert store.engine == engine


@pytest.mark.parametrize(
    "url", ["http://", "https:///x", "http://e:x/", "http://e/a b", "http://é/", "http://e/\n"]
)
def test_not_an_address(url: str) -> None:
    """What is no address is refused at once."""
    with pytest.raises(StoreError, match="not the address of an endpoint"):
        open_store(url)


# --- again ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_asked_again(status: int) -> None:
    """A server that says "later" is asked again, with waits that grow from a second."""
    clock = FakeClock()
    with ScriptedServer(*[answer("", status=status)] * 2, GOOD) as server:
        assert open_store(server.url, clock).select(ALL).rows
        assert len(server.requests) == 3
    assert 1 <= clock.slept[0] < 1.26
    assert 2 <= clock.slept[1] < 2.51


def test_asked_again_four_times_at_most() -> None:
    """After four more requests it is enough."""
    clock = FakeClock()
    with ScriptedServer(*[LATER] * 9) as server:
        error = refusal(open_store(server.url, clock))
        assert len(server.requests) == 5
    assert (error.category, error.retryable) == ("unreachable", True)
    assert len(clock.slept) == 4


def test_broken_connections_are_asked_again_soon() -> None:
    """A connection that breaks before or within the answer is tried again, without a long wait."""
    clock = FakeClock()
    broken = Answer(200, GOOD.headers, GOOD.body, cut=120)
    with ScriptedServer(RESET, broken, GOOD) as server:
        assert open_store(server.url, clock).select(ALL).rows
        assert len(server.requests) == 3
    assert sum(clock.slept) < 1


def test_nobody_there() -> None:
    """A port where nobody listens, and a host that has no address, are unreachable."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    clock = FakeClock()
    error = refusal(open_store(f"http://127.0.0.1:{port}/sparql", clock))
    assert str(error) == f"127.0.0.1:{port} cannot be reached: Connection refused"
    assert (error.category, error.retryable, len(clock.slept)) == ("unreachable", True, 4)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 1.0),
        ("7", 7.0),
        ("Mon, 01 Jun 2026 12:00:09 GMT", 9.0),
        ("Mon, 01 Jun 2020 12:00:00 GMT", 1.0),
        ("soon", 1.0),
    ],
)
def test_retry_after(value: str, seconds: float) -> None:
    """The wait is at least what the server asks for, as a number or a date, and at least a second."""
    clock = FakeClock()
    with ScriptedServer(answer("", status=429, Retry_After=value), GOOD) as server:
        assert open_store(server.url, clock).select(ALL).rows
    assert seconds <= clock.slept[0] <= 1.25 * seconds


def test_retry_after_is_read() -> None:
    """Odd values say nothing."""
    clock = FakeClock()
    assert retry_after("", clock) is None
    assert retry_after("-5", clock) is None
    assert retry_after("Mon, 01 Jun 2026 12:00:05 -0000", clock) == 5.0


@pytest.mark.parametrize("asked", ["31", "3600", "19"])
def test_retry_after_too_long(asked: str) -> None:
    """A wait that is too long, or beyond the time limit, is not waited for but said."""
    clock = FakeClock()
    with ScriptedServer(answer("", status=429, Retry_After=asked)) as server:
        error = refusal(open_store(server.url, clock, limits=Limits(time=19)))
    assert not clock.slept
    assert "it asks to wait" in str(error)
    assert (error.category, error.retryable) == ("rate_limited", True)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 500])
def test_not_asked_again(status: int) -> None:
    """What would go wrong again is asked once."""
    with ScriptedServer(answer("no", status=status), GOOD) as server:
        refusal(open_store(server.url, FakeClock()))
        assert len(server.requests) == 1


# --- where to ------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [307, 308])
def test_redirect_keeps_the_method(status: int) -> None:
    """307 and 308 are followed with method and body; credentials stay at their origin."""
    caller = Caller(Credentials.bearer("s3cret-token"))
    with ScriptedServer(GOOD) as other:
        moved = answer("", status=status, Location=other.url)
        with ScriptedServer(answer("", status=status, Location="/new"), moved) as server:
            assert open_store(server.url, caller=caller).select(ALL).rows
            here, new = server.requests
        (there,) = other.requests
    assert [here.path, new.path, there.path] == ["/sparql", "/new", "/sparql"]
    assert here.headers["authorization"] == new.headers["authorization"] == "Bearer s3cret-token"
    assert "authorization" not in there.headers
    assert (there.method, there.body) == ("POST", here.body)


@pytest.mark.parametrize("status", [300, 301, 302, 303])
def test_redirect_that_loses_the_method(status: int) -> None:
    """301 and 302 stop, with the new address."""
    with ScriptedServer(answer("", status=status, Location="https://example.org/sparql")) as server:
        error = refusal(open_store(server.url))
        assert len(server.requests) == 1
    with ScriptedServer(answer("", status=status, Location="/new?key=s3cret")) as server:
        assert "s3cret" not in str(refusal(open_store(server.url + "?key=s3cret")))
    assert f"has moved to https://example.org/sparql (status {status})" in str(error)
    assert error.code == "moved"


def test_redirects_end() -> None:
    """A loop, a redirect to nowhere and one to a file are errors."""
    with ScriptedServer(*[answer("", status=307, Location="/sparql")] * 9) as server:
        assert "more than 5 times" in str(refusal(open_store(server.url)))
        assert len(server.requests) == 6
    for headers in ({}, {"Location": "file:///etc/passwd"}):
        with ScriptedServer(answer("", status=308, **headers)) as server:
            assert "which is no address to follow" in str(refusal(open_store(server.url)))


def test_https_stays_https() -> None:
    """A redirect from an encrypted address to an open one is not followed."""
    from hermes.store.http.exchange import _target  # noqa: PLC0415 - the loopback has no certificate
    from hermes.store.http.reply import Reply  # noqa: PLC0415 - the same

    reply = Reply("https://e.org/sparql", 308, {"location": "http://e.org/sparql"}, b"")
    with pytest.raises(StoreError, match="not encrypted"):
        _target(reply)


# --- how long, how much --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "slow",
    [
        Answer(200, GOOD.headers, GOOD.body, delay=30),
        Answer(200, GOOD.headers, GOOD.body + b" " * 10_000, drip=0.05),
        Answer(200, {"X": "x" * 10_000}, GOOD.body, drip_head=0.05),
    ],
    ids=["silent", "dripping body", "dripping head"],
)
def test_deadline(slow: Answer) -> None:
    """The time limit holds for the whole query, however the server is slow."""
    with ScriptedServer(slow) as server:
        start = time.perf_counter()
        error = refusal(open_store(server.url, limits=Limits(time=0.5)))
        took = time.perf_counter() - start
    assert 0.4 < took < 1.0
    assert (error.category, error.retryable) == ("timeout", False)
    assert "did not answer within 0.5 s" in str(error)
    assert len(server.requests) == 1


def test_deadline_of_all_attempts() -> None:
    """Waits and repeated requests are part of the time."""
    start = time.perf_counter()
    with ScriptedServer(*[Answer(503, {}, b"", delay=0.2)] * 9) as server:
        error = refusal(open_store(server.url, limits=Limits(time=2)))
    assert time.perf_counter() - start < 2.5
    assert error.category == "unreachable"


def test_byte_limit() -> None:
    """An answer that is too large is an error."""
    big = Answer(200, GOOD.headers, GOOD.body + b" " * 100_000)
    with ScriptedServer(big) as server:
        error = refusal(open_store(server.url, limits=Limits(time=20, bytes=50_000)))
    assert (error.category, error.retryable) == ("too_large", False)
    assert "more than 50,000 bytes" in str(error)


class _Busy:
    """Answers slowly and remembers how many it answered at the same time."""

    def __init__(self) -> None:
        self.most = self.now = 0
        self._lock = threading.Lock()

    def __call__(self, _: Request) -> Answer:
        with self._lock:
            self.now += 1
            self.most = max(self.most, self.now)
        time.sleep(0.02)
        with self._lock:
            self.now -= 1
        return GOOD


def test_one_at_a_time() -> None:
    """Queries to one host take turns, also those of two stores, unless more are allowed."""
    for parallel in (1, 3):
        busy = _Busy()
        with ScriptedServer(script=busy) as server:
            stores = [open_store(server.url, parallel=parallel) for _ in range(2)]
            with ThreadPoolExecutor(8) as pool:
                found = list(pool.map(lambda n, stores=stores: stores[n % 2].select(ALL), range(24)))
            assert all(table.rows for table in found)
            assert busy.most == parallel


def test_waiting_for_ones_turn_ends() -> None:
    """Who waits longer than the time limit for others gets an error."""
    with ScriptedServer(script=lambda _: Answer(200, GOOD.headers, GOOD.body, delay=1)) as server:
        first = threading.Thread(target=open_store(server.url).select, args=(ALL,))
        first.start()
        time.sleep(0.1)
        error = refusal(open_store(server.url, limits=Limits(time=0.2)))
        first.join()
    assert "was busy with other queries" in str(error)


def test_connections_are_kept() -> None:
    """A second query uses the connection of the first, and a closed store answers nothing."""
    with ScriptedServer(*[GOOD] * 3) as server:
        store = open_store(server.url)
        start = time.perf_counter()
        for _ in range(3):
            store.select(ALL)
        assert time.perf_counter() - start < 1
        store.close()
        store.close()
        assert "the store is closed" in str(refusal(store))


def test_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proxy that the environment names is used, but for hosts that it leaves out."""
    with ScriptedServer(GOOD, GOOD) as proxy, ScriptedServer(GOOD) as server:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.port}")
        monkeypatch.delenv("no_proxy", raising=False)
        assert open_store("http://endpoint.example/sparql").select(ALL).rows
        assert proxy.requests[0].path == "http://endpoint.example/sparql"
        monkeypatch.setenv("http_proxy", f"http://ada:pass%20word@127.0.0.1:{proxy.port}")
        assert open_store("http://endpoint.example/sparql").select(ALL).rows
        coded = base64.b64encode(b"ada:pass word").decode()
        assert proxy.requests[1].headers["proxy-authorization"] == f"Basic {coded}"
        monkeypatch.setenv("http_proxy", "socks5://127.0.0.1:1")
        assert "speaks socks5, not HTTP" in str(refusal(open_store("http://endpoint.example/", FakeClock())))
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        assert open_store(server.url).select(ALL).rows
        assert len(server.requests) == 1
