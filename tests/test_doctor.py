"""`hermes doctor`: what is said of servers of several kinds, and with how many requests."""

from __future__ import annotations

import json
from typing import Any

import pytest

from endpoints import FakeClock, open_store
from hermes.cli import main
from hermes.store.http.doctor import MOST_REQUESTS, examine
from http_server import Answer, Request, ScriptedServer, answer, table
from servers import OLYMPICS, Oxigraph, find_oxigraph

INTEGER = "http://www.w3.org/2001/XMLSchema#integer"


def number(value: int, name: str = "n") -> Answer:
    """Return a table with one number."""
    return table([{name: {"type": "typed-literal", "datatype": INTEGER, "value": str(value)}}])


def _virtuoso(text: str, status: int = 500) -> Answer:
    return answer(f"Virtuoso {text}", "text/plain", status)


VIRTUOSO = {
    "subClassOf>+": _virtuoso("37000 Error TR003: transitive start not given"),
    "ASK": number(1, "__ASK_RETVAL"),
    "hermes {": _virtuoso("37000 Error SP030: SPARQL compiler, line 1: syntax error", 400),
    "bif:contains": _virtuoso("37000 Error XM029: Free-text expression, line 1: syntax error"),
    "HAVING": _virtuoso("37000 Error SP031: SPARQL compiler", 400),
    "1/0": _virtuoso("22012 Error SR084: Division by 0."),
    "_hermes_n": number(2),
    "COUNT": number(3),
    "10001": table([{"s": "x"}] * 10_000, X_SPARQL_MaxRows="10000"),
    "": table([{"s": "x"}]),
}
"""What Virtuoso 7 was seen to answer, by a part of the query; the first that fits."""


def like_virtuoso(request: Request) -> Answer:
    """Answer as Virtuoso."""
    return next(given for part, given in VIRTUOSO.items() if part in request.query)


def findings(text: str) -> dict[str, str]:
    """Return what was found, by feature, from the JSON of the command."""
    found: dict[str, Any] = json.loads(text)
    assert found["format"] == 1
    assert found["requests"] <= MOST_REQUESTS
    return {each["feature"]: each["found"] for each in found["findings"]} | {"engine": found["engine"]}


@pytest.mark.skipif(find_oxigraph() is None, reason="the server oxigraph is not installed")
def test_oxigraph(capsys: pytest.CaptureFixture[str]) -> None:
    """A real server: the table for people and the JSON for programs say the same."""
    with Oxigraph(OLYMPICS) as server:
        assert main(["doctor", server.url, "--json"]) == 0
        found = findings(capsys.readouterr().out)
        assert main(["doctor", server.url]) == 0
        shown = capsys.readouterr().out
    assert found["engine"] == "Oxigraph"
    assert found["formats"] == "JSON, XML, TSV, Turtle, N-Triples"
    assert found["ASK"] == "a boolean"
    assert found["HAVING on an alias"] == "silently no rows"
    assert found["COUNT over a sub-query"] == "yes"
    assert found["default graph"] == "has triples"
    assert found["text search"] == "no bif:contains"
    assert "Oxigraph, 19 requests" in shown
    assert all(feature in shown for feature in found if feature != "engine")


def test_virtuoso(capsys: pytest.CaptureFixture[str]) -> None:
    """What differs on another engine is said."""
    with ScriptedServer(script=like_virtuoso) as server:
        assert main(["doctor", server.url, "--json"]) == 0
        requests = server.requests
    found = findings(capsys.readouterr().out)
    assert found["engine"] == "Virtuoso"
    assert found["ASK"] == "a table with the column __ASK_RETVAL"
    assert found["rows"] == "cut at 10,000"
    assert found["row limit named"] == "10000 rows (X-SPARQL-MaxRows)"
    assert found["text search"] == "bif:contains (Virtuoso)"
    assert found["HAVING on an alias"] == "refused"
    assert found["error in an expression"] == "fails the query"
    assert found["a path with two free ends"].startswith("refused")
    assert found["default graph is the union"] == "yes, it seems"
    assert found["formats"] == "JSON"
    assert len(requests) <= MOST_REQUESTS
    assert all(request.method == "POST" for request in requests)


def test_a_server_that_wants_fewer_requests() -> None:
    """The examination ends when the endpoint asks for it."""

    def script(request: Request) -> Answer:
        return table([{"s": "x"}]) if "LIMIT 1" in request.query else answer("", status=429, Retry_After="99")

    with ScriptedServer(script=script) as server:
        found = examine(open_store(server.url, FakeClock(), graph="http://e/g"))
    assert found.findings[1].feature == "the rest"
    assert found.requests == 6
    assert found.dataset == "http://e/g"


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("http://127.0.0.1:9/sparql", "127.0.0.1:9 cannot be reached: Connection refused"),
        ("olympics", "olympics is not the http(s) address of an endpoint"),
        ("https://ada:s3cret@e.org/", "take the credentials for e.org out of its address"),
    ],
)
def test_no_endpoint(
    url: str, message: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is no endpoint is one line and exit code 1."""
    monkeypatch.setattr("hermes.store.http.exchange.wait_before", lambda *_, **__: 0.0)
    assert main(["doctor", url]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"hermes: {message}")
    assert said.err.count("\n") == 1
    assert "s3cret" not in said.err


@pytest.mark.parametrize("value", ["0", "-1", "nan", "soon"])
def test_a_time_limit_that_is_none(capsys: pytest.CaptureFixture[str], value: str) -> None:
    """A time limit is more than 0, as with every other command: one line, and no traceback."""
    assert main(["doctor", "http://127.0.0.1:9/", f"--timeout={value}"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1, error
    assert "expected a number of seconds > 0" in error


def test_a_web_page(capsys: pytest.CaptureFixture[str]) -> None:
    """A server that is no endpoint is described, not an error of hermes."""
    with ScriptedServer(script=lambda _: answer("<html>hello</html>", "text/html")) as server:
        assert main(["doctor", server.url, "--json"]) == 0
    found = findings(capsys.readouterr().out)
    assert found["formats"] == "none of those asked for"
    assert found["ASK"].startswith("no (bad_reply")
