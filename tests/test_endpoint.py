"""What an endpoint sends: results in every format, what is incomplete, and what is no result."""

from __future__ import annotations

import gzip
import json
import zlib
from typing import Any

import pytest

from endpoints import FakeClock, open_store
from hermes.errors import StoreError
from hermes.results import Table, Triples
from hermes.store import Limits
from hermes.terms import IRI, RDF, XSD, BlankNode, Literal, TripleTerm
from http_server import JSON, TSV, XML, Answer, ScriptedServer, answer, table

ALL = "SELECT * { ?s ?p ?o }"
ASK = "ASK { ?s ?p ?o }"
BUILD = "CONSTRUCT WHERE { ?s ?p ?o }"
EMPTY = '{"head": {"vars": ["n"]}, "results": {"bindings": []}}'
THREE = Literal("3", XSD + "integer")
TRIPLE = TripleTerm(IRI("http://e/a"), IRI("http://e/b"), Literal("é"))
OX_CANCELLED = "The SPARQL operation has been cancelled"


def select(given: Answer, query: str = ALL, limits: Limits | None = None) -> Table:
    """Return what a store makes of one answer."""
    with ScriptedServer(*[given] * 5) as server:
        return open_store(server.url, FakeClock(), limits=limits).select(query)


def failure(given: Answer, query: str = ALL, limits: Limits | None = None) -> StoreError:
    """Return the error that a store makes of an answer: one line that names the host, not the parser."""
    with ScriptedServer(*[given] * 5) as server:
        store = open_store(server.url, FakeClock(), limits=limits)
        ask = {"A": store.ask, "C": store.construct}.get(query[0], store.select)
        with pytest.raises(StoreError) as caught:
            ask(query)
        assert f"127.0.0.1:{server.port}" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "line 1 column 1" not in str(caught.value)
    assert len(str(caught.value)) < 420
    return caught.value


# --- formats -------------------------------------------------------------------------------------

CELLS: dict[str, tuple[dict[str, Any], object]] = {
    "iri": ({"type": "uri", "value": "http://e/é"}, IRI("http://e/é")),
    "an IRI with a space": ({"type": "uri", "value": "http://e/a b"}, IRI("http://e/a b")),
    "blank": ({"type": "bnode", "value": "b0"}, BlankNode("b0")),
    "plain": ({"type": "literal", "value": "x"}, Literal("x")),
    "string": ({"type": "literal", "value": "x", "datatype": XSD + "string"}, Literal("x")),
    "tagged": ({"type": "literal", "value": "x", "xml:lang": "en"}, Literal("x", RDF + "langString", "en")),
    "old": ({"type": "typed-literal", "value": "3", "datatype": XSD + "integer"}, THREE),
    "leading zero": (
        {"type": "literal", "value": "03", "datatype": XSD + "integer"},
        Literal("03", XSD + "integer"),
    ),
    "triple": (
        {
            "type": "triple",
            "value": {
                "subject": {"type": "uri", "value": "http://e/a"},
                "predicate": {"type": "uri", "value": "http://e/b"},
                "object": {"type": "literal", "value": "é"},
            },
        },
        TRIPLE,
    ),
}


@pytest.mark.parametrize("name", CELLS)
def test_terms_of_json(name: str) -> None:
    """Each kind of term is read as it is written."""
    cell, term = CELLS[name]
    assert select(table([{"x": cell}])).rows == ({"x": term},)


def test_variables_named_like_the_format() -> None:
    """Variables may be called type, value or boolean."""
    found = select(table([{"type": "a", "value": "b", "head": "c", "boolean": "d"}]))
    assert found.rows == (
        {"type": Literal("a"), "value": Literal("b"), "head": Literal("c"), "boolean": Literal("d")},
    )


def test_unbound_and_null() -> None:
    """A row without a value, a row of null and a value of null are rows in which it is unbound."""
    body = '{"head": {"vars": ["n"]}, "results": {"bindings": [{}, null, {"n": null}]}}'
    assert select(answer(body)).rows == ({}, {}, {})


_XML = (
    '<?xml version="1.0"?><sparql xmlns="http://www.w3.org/2005/sparql-results#">'
    '<head><variable name="n"/></head>'
    '<results><result><binding name="n"><literal datatype="http://www.w3.org/2001/XMLSchema#integer">3</literal>'
    "</binding></result></results></sparql>"
)
_TSV = f'?n\n"3"^^<{XSD}integer>\n'
_JSON = json.dumps(
    {
        "head": {"link": [], "vars": ["n"]},
        "results": {"bindings": [{"n": {"type": "literal", "value": "3", "datatype": XSD + "integer"}}]},
    }
)


@pytest.mark.parametrize(
    ("body", "media_type"),
    [
        (_JSON, JSON),
        (_JSON, "Application/SPARQL-Results+JSON; charset=utf-8"),
        (_JSON, "application/json"),
        (_JSON, "text/plain"),
        (_JSON, ""),
        (_JSON, XML),
        ("\ufeff" + _JSON, JSON),
        ("\n " + _JSON + "\n", JSON),
        (_XML, XML),
        (_XML, "text/xml"),
        (_XML, "text/html"),
        (_XML, JSON),
        (_TSV, TSV),
        (_TSV, "text/plain"),
        (_TSV, "application/octet-stream"),
    ],
)
def test_formats(body: str, media_type: str) -> None:
    """The media type decides, without case and parameters; else the first byte."""
    assert select(answer(body, media_type)) == Table(("n",), ({"n": THREE},))


_NAMED = (
    '{"head": {"vars": ["__ASK_RETVAL"]}, "results": {"bindings": [{"__ASK_RETVAL": {"type": '
    '"typed-literal", "datatype": "http://www.w3.org/2001/XMLSchema#integer", "value": "1"}}]}}'
)
_XML_TRUE = _XML.split("<head>", maxsplit=1)[0] + "<head/><boolean>true</boolean></sparql>"


@pytest.mark.parametrize(
    ("body", "media_type", "truth"),
    [
        ('{"head": {}, "boolean": true}', JSON, True),
        ('{"boolean": false}', "application/json", False),
        (_XML_TRUE, XML, True),
        ("true", TSV, True),
        ("FALSE\n", "text/plain", False),
        (_NAMED, JSON, True),
        (_XML.replace('"n"', '"__ASK_RETVAL"').replace(">3<", ">0<"), XML, False),
        ('{"head": {"vars": ["__ASK_RETVAL"]}, "results": {"bindings": []}}', JSON, False),
    ],
)
def test_truth(body: str, media_type: str, truth: bool) -> None:  # noqa: FBT001 - a value of the table
    """A truth value is read in each form in which engines send it."""
    with ScriptedServer(answer(body, media_type)) as server:
        assert open_store(server.url).ask(ASK) is truth


_RDF_XML = (
    f'<?xml version="1.0"?><rdf:RDF xmlns:rdf="{RDF}" xmlns:e="http://e/">'
    '<rdf:Description rdf:about="http://e/a"><e:b>é</e:b></rdf:Description></rdf:RDF>'
)


@pytest.mark.parametrize(
    ("body", "media_type"),
    [
        ('<http://e/a> <http://e/b> "é" .', "text/turtle; charset=UTF-8"),
        ('@prefix e: <http://e/> . e:a e:b "é", "é" .', "Text/Turtle"),
        ('<http://e/a> <http://e/b> "\\u00E9" .', "application/n-triples"),
        ('<http://e/a> <http://e/b> "é" .', "text/plain"),
        (_RDF_XML, "application/rdf+xml"),
    ],
)
def test_triples(body: str, media_type: str) -> None:
    """CONSTRUCT and DESCRIBE ask for Turtle and N-Triples and give each triple once."""
    with ScriptedServer(answer(body, media_type)) as server:
        assert open_store(server.url).construct(BUILD) == Triples((TRIPLE,))
        assert server.requests[0].headers["accept"] == "text/turtle, application/n-triples;q=0.9"


@pytest.mark.parametrize("coding", ["gzip", "x-gzip", "deflate"])
def test_packed(coding: str) -> None:
    """A packed body is unpacked; one that is not whole is an error, and a bomb is never unpacked."""
    pack = zlib.compress if coding == "deflate" else gzip.compress
    assert select(answer(pack(_JSON.encode()), Content_Encoding=coding)).rows == ({"n": THREE},)
    assert failure(answer(pack(_JSON.encode())[:-9], Content_Encoding=coding)).category == "bad_reply"
    bomb = answer(pack(b" " * 10_000_000), Content_Encoding=coding)
    assert failure(bomb, limits=Limits(time=20, bytes=100_000)).category == "too_large"
    assert failure(answer(_JSON, Content_Encoding="br")).category == "bad_reply"


# --- what is not all of it -----------------------------------------------------------------------


def _rows(number: int) -> list[dict[str, str]]:
    return [{"n": str(n)} for n in range(number)]


@pytest.mark.parametrize(
    ("given", "query", "complete"),
    [
        (table(_rows(3)), ALL, True),
        (table(_rows(3), X_SQL_State="S1TAT", X_SQL_Message="RC...: Query did not complete"), ALL, False),
        (Answer(206, {"Content-Type": JSON}, EMPTY.encode()), ALL, False),
        (table(_rows(3), X_SPARQL_MaxRows="3"), ALL, False),
        (table(_rows(3), X_SPARQL_MaxRows="4"), ALL, True),
        (table(_rows(3), X_SPARQL_MaxRows="3"), ALL + " LIMIT 3", True),
        (table(_rows(10_000)), ALL, False),
        (table(_rows(10_000)), ALL + " LIMIT 10000", True),
        (table(_rows(10_000)), ALL + " LIMIT 10000 OFFSET 10000", True),
        (table(_rows(10_000)), ALL + " LIMIT 20000", False),
        (table(_rows(10_000), X_SPARQL_MaxRows="20000"), ALL, True),
    ],
)
def test_incomplete(given: Answer, query: str, complete: bool) -> None:  # noqa: FBT001 - a value of the table
    """What a server cuts, with or without a word, is said to be cut."""
    assert select(given, query).complete is complete


def test_our_own_limit_of_rows() -> None:
    """Rows and triples beyond the limit are cut, and that is said."""
    limits = Limits(time=20, rows=2)
    assert select(table(_rows(2)), limits=limits).complete
    cut = select(table(_rows(3)), limits=limits)
    assert (len(cut.rows), cut.complete) == (2, False)
    lines = "".join(f'<http://e/a> <http://e/b> "{n}" .\n' for n in range(3))
    with ScriptedServer(answer(lines, "text/turtle")) as server:
        found = open_store(server.url, limits=limits).construct(BUILD)
    assert (len(found.triples), found.complete) == (2, False)


def test_partial_truth() -> None:
    """A search that was stopped has not found that there is nothing."""
    with ScriptedServer(
        answer('{"boolean": true}', X_SQL_State="S1TAT"), answer('{"boolean": false}', X_SQL_State="S1TAT")
    ) as server:
        store = open_store(server.url)
        assert store.ask(ASK)
        with pytest.raises(StoreError, match="stopped before it found an answer") as caught:
            store.ask(ASK)
    assert caught.value.category == "timeout"


# --- what is no result ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "media_type", "reason"),
    [
        ("", JSON, "the body is empty"),
        ("{}", JSON, "it has no head with results"),
        ("[]", JSON, "JSON that is no SPARQL result"),
        ('{"error": "no such thing"}', "application/json", '{"error": "no such thing"}'),
        ('{"head": {"vars": ["n"]}}', JSON, "it has no head with results"),
        ('{"head": {"vars": ["n"]}, "results": {}}', JSON, "no list of bindings"),
        ('{"head": {"vars": "n"}, "results": {"bindings": []}}', JSON, "vars are no names"),
        ('{"head": {"vars": ["n"]}, "results": {"bindings": [{"m": null}]}}', JSON, "other columns"),
        ('{"head": {"vars": ["n"]}, "results": {"bindings": [{"n": "3"}]}}', JSON, "no RDF term"),
        (
            '{"head": {"vars": ["n"]}, "results": {"bindings": [{"n": {"type": "x", "value": "3"}}]}}',
            JSON,
            "",
        ),
        (EMPTY + " java.lang.NullPointerException", JSON, "no SPARQL JSON"),
        (EMPTY[:-2], JSON, "no SPARQL JSON"),
        ("[" * 100_000, JSON, "no SPARQL JSON"),
        (b'{"head": {"vars": ["\xff"]}, "results": {"bindings": []}}', JSON, "no SPARQL JSON"),
        (_XML[:-9], XML, "no SPARQL XML"),
        (_XML + "oops", XML, "no SPARQL XML"),
        (
            "<!DOCTYPE html><html><head><title>Welcome</title></head><body>x</body></html>",
            "text/html",
            "Welcome",
        ),
        ("<html><body><p>Down for\nrepairs</p></body></html>", XML, "Down for repairs"),
        (_TSV + "no term at all\n", TSV, "no SPARQL TSV"),
        ("n\n3\n", "text/csv", "CSV, which does not tell a name from a text"),
        ("hello", "text/plain", "hello"),
        ('{"head": {}, "boolean": true}', JSON, "a truth value instead of a table"),
    ],
)
def test_bad_reply(body: str | bytes, media_type: str, reason: str) -> None:
    """Whatever is no whole result is an error that shows its beginning, never an empty result."""
    error = failure(answer(body, media_type))
    assert error.category == "bad_reply"
    assert reason in str(error)
    assert "status 200" in str(error)
    assert media_type in str(error)
    assert not error.retryable


def test_bad_truth_and_triples() -> None:
    """A table is no truth value, a result no triples, and half of Turtle is none."""
    assert "a table instead of a truth value" in str(failure(table(_rows(1)), ASK))
    assert "a table instead of triples" in str(failure(table(_rows(1)), BUILD))
    assert "no Turtle" in str(failure(answer("<http://e/a> <http://e/b>", "text/turtle"), BUILD))
    assert "another format" in str(failure(answer("[]", "application/ld+json"), BUILD))


@pytest.mark.parametrize(
    ("given", "query"),
    [
        (answer(f"{EMPTY[:-3]}\n{OX_CANCELLED}"), ALL),
        (answer(f"?n\n{_TSV.split()[1]}\n{OX_CANCELLED}", TSV), ALL),
        (answer(f'<http://e/a> <http://e/b> "é" .\n{OX_CANCELLED}', "text/turtle"), BUILD),
        (answer("SPARQL-QUERY: queryStr=SELECT\njava.util.concurrent.TimeoutException"), ALL),
        (answer("x" * 5000 + "\njava.util.concurrent.TimeoutException\n\tat java.util", status=500), ALL),
        (answer('{"exception": "Operation timed out. Last: IndexScan"}', "application/json", 429), ALL),
        (answer("Query timed out", "text/plain", 503), ALL),
        (answer("Query execution time of 60 s exceeded", "text/plain", 500), ALL),
        (answer("The query exceeded the maximum time", "text/plain", 503), ALL),
        (answer("Virtuoso S1T00 Error SR171: Transaction timed out", "text/plain", 500), ALL),
        (answer("Virtuoso 42000 Error The estimated execution time 700 (sec) exceeds", status=500), ALL),
    ],
)
def test_the_query_ran_too_long(given: Answer, query: str) -> None:
    """What engines say when time is up is a timeout whatever the status, and is not asked again."""
    with ScriptedServer(given) as server:
        store = open_store(server.url, FakeClock())
        with pytest.raises(StoreError) as caught:
            (store.construct if query == BUILD else store.select)(query)
        assert len(server.requests) == 1
    assert caught.value.category == "timeout"
    assert not caught.value.retryable
    assert "ran out of time" in str(caught.value)


@pytest.mark.parametrize(
    ("given", "category", "retryable", "words"),
    [
        (answer("Virtuoso 37000 Error SP030: line 1: x\nSPARQL query:\nTimeoutException", "text/plain", 400),
         "syntax", False, "the query (status 400, text/plain): Virtuoso 37000 Error SP030: line 1: x"),
        (answer("<html><title>Bad</title><body>no</body></html>", "text/html", 400), "syntax", False, "Bad"),
        (answer("", status=401), "forbidden", False, "set HERMES_USER and HERMES_PASSWORD, or HERMES_TOKEN"),
        (answer("no", "text/plain", 403), "forbidden", False, "User-Agent: set HERMES_CONTACT"),
        (answer("", status=404), "unreachable", False, "there is no SPARQL endpoint at http://127.0.0.1"),
        (answer("", status=405), "unreachable", False, "there is no SPARQL endpoint"),
        (answer("", status=406), "bad_reply", False, "sent no result"),
        (answer("", status=413), "too_large", False, "the query is too long"),
        (answer("", status=414), "too_large", False, "the query is too long"),
        (answer("", status=431), "too_large", False, "the query is too long"),
        (answer("Too many", "text/plain", 429), "rate_limited", True, "wants fewer requests"),
        (answer("Query rate exceeded", "text/plain", 429), "rate_limited", True, "wants fewer requests"),
        (answer(EMPTY, JSON, 500, X_SQL_State="42000"), "internal", False, "failed (status 500"),
        (answer("Virtuoso 22012 Error SR084: Division by 0.", "text/plain", 500), "internal", False, "SR084"),
        (answer("java.lang.OutOfMemoryError: Java heap space", "text/plain", 500), "memory", False, "memory"),
        (answer("", "text/html", 502), "unreachable", True, "not available"),
        (answer("", "text/html", 503), "unreachable", True, "is not available (status 503, text/html)"),
        (answer("<h1>504 Gateway Time-out</h1>", "text/html", 504), "timeout", True, "504 Gateway Time-out"),
        (answer("upstream request timeout", "text/plain", 504), "timeout", True, "no answer behind"),
        (answer("", status=204), "bad_reply", False, "sent no result"),
        (answer("\x1b[31mred\u202e", "text/plain", 418), "bad_reply", False, r"\u001B[31mred\u202E"),
    ],
)  # fmt: skip
def test_status(given: Answer, category: str, retryable: bool, words: str) -> None:  # noqa: FBT001
    """Each status has a category, says whether it may go away, and shows what the server said."""
    error = failure(given)
    assert (error.category, error.retryable) == (category, retryable)
    assert words in str(error)


def test_wrong_form() -> None:
    """A text of another form is refused before anything is sent."""
    with ScriptedServer() as server:
        store = open_store(server.url)
        for ask, query, found in (
            (store.select, "ASK {}", "ASK"),
            (store.ask, ALL, "SELECT"),
            (store.construct, ALL, "SELECT"),
            (store.select, "INSERT DATA { <a> <b> <c> }", "INSERT"),
            (store.select, "# SELECT\nPREFIX x: <http://x/>\nDELETE WHERE { ?s ?p ?o }", "DELETE"),
            (store.select, "BASE <http://x/> define sql:log-enable 3 INSERT {}", "DEFINE"),
        ):
            with pytest.raises(StoreError, match=f"it begins with {found}") as caught:
                ask(query)
            assert caught.value.category == "syntax"
        with pytest.raises(StoreError, match="there is no such word"):
            store.select("")
        assert not server.requests
