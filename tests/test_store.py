"""The stores: loading files, choosing the dataset, executing queries, remembering results."""

from __future__ import annotations

import gzip
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest

from hermes.errors import StoreError
from hermes.results import Table, Triples
from hermes.store import CachedStore, EmbeddedStore, files
from hermes.store.engine import About, Engine, Form, load_files
from hermes.terms import IRI, RDF, XSD, BlankNode, Literal, TripleTerm

if TYPE_CHECKING:
    from pathlib import Path

    from hermes.store import Store

E = "http://e/"
ALL = "SELECT * { ?s ?p ?o }"
WRITTEN = {
    ".ttl": '@prefix ex: <http://e/> . ex:a ex:b "c" .',
    ".nt": '<http://e/a> <http://e/b> "c" .',
    ".nq": '<http://e/a> <http://e/b> "c" .',
    ".trig": '@prefix ex: <http://e/> . { ex:a ex:b "c" . }',
    ".rdf": f'<rdf:RDF xmlns:rdf="{RDF}" xmlns:ex="{E}">'
    f'<rdf:Description rdf:about="{E}a"><ex:b>c</ex:b></rdf:Description></rdf:RDF>',
    ".jsonld": '{"@context": {"ex": "http://e/"}, "@id": "ex:a", "ex:b": "c"}',
}
WRITTEN[".owl"] = WRITTEN[".rdf"]
GRAPHS = """
<http://e/g1> <http://e/p> 1 <http://e/G1> .
<http://e/g2> <http://e/p> 2 <http://e/G2> .
""".replace("1 <", '"1" <').replace("2 <", '"2" <')
SHARED = (
    GRAPHS
    + '<http://e/both> <http://e/p> "3" <http://e/G1> .\n<http://e/both> <http://e/p> "3" <http://e/G2> .\n'
)


def put(folder: Path, name: str, text: str) -> Path:
    """Write a file, packed where its name ends in .gz."""
    path = folder / name
    data = text.encode()
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return path


def values(store: Store, query: str, name: str = "o") -> list[str]:
    """The sorted lexical forms that one variable is bound to."""
    return sorted(term.lexical for row in store.select(query).rows if isinstance(term := row[name], Literal))


def refusal(path: Path, graph: str | None = None) -> StoreError:
    """The error of a file that cannot be loaded; its message is one line that names the file."""
    with pytest.raises(StoreError) as caught:
        EmbeddedStore([path], graph)
    assert "\n" not in str(caught.value)
    return caught.value


# --- loading --------------------------------------------------------------------------------------


@pytest.mark.parametrize("packed", ["", ".gz"])
@pytest.mark.parametrize("suffix", WRITTEN)
def test_formats(tmp_path: Path, suffix: str, packed: str) -> None:
    """Every accepted suffix, packed or not and in capitals too, gives the same triple."""
    for name in (f"data.v1{suffix}{packed}", f"DATA{suffix.upper()}{packed}"):
        store = EmbeddedStore([put(tmp_path, name, WRITTEN[suffix])])
        assert store.select(ALL).rows == ({"s": IRI(E + "a"), "p": IRI(E + "b"), "o": Literal("c")},)


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("a.ttl", "@prefix ex: <http://e/> .\nex:a ex:b ey:c .", "line 2, column 11: The prefix ey:"),
        ("a.nt", "<http://e/a> <http://e/b> .", "line 1, column 27"),
        ("a.jsonld", '{"@id": ', "line 1"),
        ("a.rdf", "<rdf:RDF", "tag not closed"),
        ("a.jsonld", '{"@context": "http://schema.org/", "name": "x"}', "another host"),
        ("a.nt", "<http://e/a> \x1b[31m", r"column 14: '\u001B' is not allowed"),
        ("a.csv", "a,b", "unknown suffix; expected one of .ttl, .nt"),
        ("a.gz", "", "unknown suffix"),
        ("a.owl", '<!DOCTYPE r [<!ENTITY a "x"><!ENTITY b "&a;&a;">]><r>&b;</r>', "entity"),
    ],
)
def test_broken_file(tmp_path: Path, name: str, text: str, reason: str) -> None:
    """A broken file is one clear error that names it and the place."""
    path = put(tmp_path, name, text)
    error = refusal(path)
    assert str(error).startswith(f"cannot load {path}: ")
    assert reason in str(error)
    assert error.category == "unreadable"


def test_not_a_file(tmp_path: Path) -> None:
    """A missing file and a folder are errors."""
    (tmp_path / "folder.ttl").mkdir()
    assert "No such file" in str(refusal(tmp_path / "none.ttl"))
    assert "directory" in str(refusal(tmp_path / "folder.ttl"))


def test_broken_gzip(tmp_path: Path) -> None:
    """A cut, a damaged, an empty and a mislabelled gzip file are refused."""
    whole = put(tmp_path, "a.nt.gz", "".join(f'<http://e/{i}> <http://e/b> "{i}" .\n' for i in range(9000)))
    data = whole.read_bytes()
    middle = len(data) // 2
    for broken in (data[:-9], data[:middle], data[:-8] + b"\0" * 8, b"", b"plain text"):
        whole.write_bytes(broken)
        assert "not a whole gzip file" in str(refusal(whole))
    whole.write_bytes(data[:middle] + b"\0" * 64 + data[middle + 64 :])
    assert refusal(whole).category == "unreadable"


def test_bomb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that grows beyond the limits while it is unpacked is refused."""
    path = put(tmp_path, "a.nt.gz", "# " + "x" * 2**20 + "\n")
    EmbeddedStore([path])
    monkeypatch.setattr(files, "BOMB_BYTES", 2**17)
    with pytest.raises(StoreError, match="grows more than 250 times") as caught:
        load_files(ox.Store(), [path], None)
    assert caught.value.category == "memory"


def test_base_is_the_name_of_the_file(tmp_path: Path) -> None:
    """Relative IRIs are read, and do not tell where the file lies."""
    store = EmbeddedStore([put(tmp_path, "my data.ttl.gz", "<#a> <b> 1 .")])
    (row,) = store.select(ALL).rows
    assert row["s"] == IRI("file:///my%20data.ttl#a")
    assert row["p"] == IRI("file:///b")


def test_blank_nodes_of_two_files_differ(tmp_path: Path) -> None:
    """The same blank node label in two files names two nodes."""
    text = "_:x <http://e/p> 1 ."
    store = EmbeddedStore([put(tmp_path, "a.ttl", text), put(tmp_path, "b.ttl", text)])
    rows = store.select(ALL).rows
    assert len(rows) == 2
    assert all(isinstance(row["s"], BlankNode) for row in rows)


def test_declared_prefixes(tmp_path: Path) -> None:
    """Late declarations count, the first file wins, and what SPARQL cannot spell is left out."""
    one = put(tmp_path, "a.ttl", "@prefix ex: <http://e/> . ex:a ex:b 1 . PREFIX late: <http://late/>")
    two = put(tmp_path, "b.trig.gz", "@prefix ex: <http://other/> . @prefix : <http://empty/> .")
    three = put(tmp_path, "c.jsonld", '{"@context": {"a b": "http://space/", "j": "http://j/"}, "j:p": 1}')
    store = EmbeddedStore([one, two, three])
    assert store.declared == {"ex": E, "late": "http://late/", "": "http://empty/", "j": "http://j/"}


@pytest.mark.parametrize("suffix", [".ttl", ".rdf", ".jsonld"])
def test_declared_prefixes_of_a_long_file(tmp_path: Path, suffix: str) -> None:
    """The head of a file that is longer than the head is enough."""
    filler = " " * 2 * files.HEAD_BYTES
    text = WRITTEN[suffix]
    long = {
        ".ttl": text + "".join(f' ex:a ex:b "{i}" .' for i in range(9000)),
        ".rdf": text.replace("</rdf:RDF", f"{filler}</rdf:RDF"),
        ".jsonld": text[:-1] + f', "ex:d": {filler} "d"}}',
    }
    store = EmbeddedStore([put(tmp_path, f"a{suffix}", long[suffix])])
    assert store.declared["ex"] == E


# --- the dataset ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "graph", "dataset", "found"),
    [
        (GRAPHS, None, "union", ["1", "2"]),
        (GRAPHS, "default", "default", []),
        (GRAPHS, "http://e/G2", "http://e/G2", ["2"]),
        (SHARED, "union", "union", ["1", "2", "3"]),
        (GRAPHS + '<http://e/d> <http://e/p> "0" .', None, "default", ["0"]),
        (GRAPHS + '<http://e/d> <http://e/p> "0" .', "union", "union", ["0", "1", "2"]),
        ("", None, "default", []),
    ],
)
def test_dataset(tmp_path: Path, text: str, graph: str | None, dataset: str, found: list[str]) -> None:
    """The choice of the default graph decides what is found, and is said."""
    store = EmbeddedStore([put(tmp_path, "a.nq", text)], graph)
    assert store.dataset == dataset
    assert values(store, ALL) == found
    assert store.ask("ASK { ?s ?p ?o }") == bool(found)
    assert len(store.construct("CONSTRUCT WHERE { ?s ?p ?o }").triples) == len(found)


@pytest.mark.parametrize("text", [GRAPHS, SHARED])
@pytest.mark.parametrize("graph", [None, "default", "union", "http://e/G1"])
def test_graph_and_from(tmp_path: Path, graph: str | None, text: str) -> None:
    """GRAPH sees all named graphs, and a query's own FROM wins, whatever the default graph is."""
    store = EmbeddedStore([put(tmp_path, "a.nq", text)], graph)
    everywhere = ["1", "2"] if text == GRAPHS else ["1", "2", "3", "3"]
    second = ["2"] if text == GRAPHS else ["2", "3"]
    assert values(store, "SELECT * { GRAPH ?g { ?s ?p ?o } }") == everywhere
    assert values(store, "SELECT * FROM <http://e/G2> { ?s ?p ?o }") == second
    assert values(store, "SELECT * FROM NAMED <http://e/G2> { ?s ?p ?o }") == []


@pytest.mark.parametrize(
    "query",
    [
        "SELECT ?from ?o { ?from ?p ?o } #from",
        "PREFIX from: <http://from/from> SELECT ?o { ?s ?p ?o MINUS { ?s from:from from:x\\,from } }",
        'SELECT ?o { ?s ?p ?o FILTER(?o != \' FROM \' && ?o != """ "FROM" """ && ?o != \'x\'@from) }',
    ],
)
def test_not_a_from_clause(tmp_path: Path, query: str) -> None:
    """The word FROM in names, strings and comments does not change the dataset."""
    store = EmbeddedStore([put(tmp_path, "a.nq", GRAPHS)])
    assert values(store, query) == ["1", "2"]


def test_unknown_graph(tmp_path: Path) -> None:
    """A graph that the files do not have is an error that names those they have."""
    error = refusal(put(tmp_path, "a.nq", GRAPHS), "http://e/G3")
    assert str(error) == (
        'no graph http://e/G3; expected "default", "union" or a named graph (http://e/G1, http://e/G2)'
    )
    assert error.code == "unknown-graph"


def test_fingerprint(tmp_path: Path) -> None:
    """It is of the unpacked contents in order and of the dataset, not of names or packing."""
    one, two = put(tmp_path, "a.nq", GRAPHS), put(tmp_path, "b.nt", WRITTEN[".nt"])
    packed = put(tmp_path, "c.nq.gz", GRAPHS)

    def of(*paths: Path, graph: str | None = None) -> str:
        return EmbeddedStore(paths, graph).fingerprint

    assert of(one) == of(packed) == of(one, graph="union")
    different = {
        of(one),
        of(two),
        of(one, two),
        of(two, one),
        of(one, graph="default"),
        of(one, graph="http://e/G1"),
    }
    assert len(different) == 6


def test_the_fingerprint_tells_relative_iris_apart(tmp_path: Path) -> None:
    """The same text under another name is another graph, where its IRIs are relative to that name."""
    text = "<#a> <http://e/p> 1 ."
    one, two = (EmbeddedStore([put(tmp_path, name, text)]) for name in ("one.ttl", "two.ttl"))
    assert one.select(ALL).rows != two.select(ALL).rows
    assert one.fingerprint != two.fingerprint
    packed = EmbeddedStore([put(tmp_path, "one.ttl.gz", text)])
    assert packed.fingerprint == one.fingerprint


# --- executing ------------------------------------------------------------------------------------


@pytest.fixture
def store(tmp_path: Path) -> EmbeddedStore:
    """A store with one triple."""
    return EmbeddedStore([put(tmp_path, "a.ttl", WRITTEN[".ttl"])])


def test_terms(tmp_path: Path) -> None:
    """Every kind of term arrives as it is in the file; an unbound variable has no key."""
    text = (
        '<http://e/a> <http://e/p> "x", "x"@en, "x"@ar--rtl, 1, true, "\\n\\"", _:b, <http://e/i>, '
        "<<( <http://e/a> <http://e/p> 1 )>> ."
    )
    table = EmbeddedStore([put(tmp_path, "a.ttl", text)]).select("SELECT ?o ?none { ?s ?p ?o }")
    assert table.variables == ("o", "none")
    assert all(set(row) == {"o"} for row in table.rows)
    found = {row["o"] for row in table.rows}
    blank = {term for term in found if isinstance(term, BlankNode)}
    one = Literal("1", XSD + "integer")
    assert len(blank) == 1
    assert found - blank == {
        Literal("x"),
        Literal("x", RDF + "langString", "en"),
        Literal("x", RDF + "dirLangString", "ar--rtl"),
        one,
        Literal("true", XSD + "boolean"),
        Literal('\n"'),
        IRI(E + "i"),
        TripleTerm(IRI(E + "a"), IRI(E + "p"), one),
    }


def test_construct_gives_each_triple_once(store: EmbeddedStore) -> None:
    """A template that repeats a triple gives it once; DESCRIBE gives triples too."""
    triple = TripleTerm(IRI(E + "a"), IRI(E + "b"), Literal("c"))
    twice = "CONSTRUCT { ?s ?p ?o } { { ?s ?p ?o } UNION { ?s ?p ?o } }"
    assert store.construct(twice) == store.construct("DESCRIBE <http://e/a>") == Triples((triple,))


@pytest.mark.parametrize(
    ("query", "category", "reason"),
    [
        ("SELECT * {\n ?s ?p }", "syntax", "line 2, column 9"),
        ("SELECT * {", "syntax", "not a query that Oxigraph reads: line 1, column 11: expected"),
        ("INSERT DATA { <http://e/a> <http://e/b> 1 }", "syntax", "not a query"),
        ("ASK {}", "syntax", "expected a query of the form SELECT"),
        ("SELECT (<http://e/f>(1) AS ?x) {}", "internal", "<http://e/f> is not supported"),
        ("SELECT ?x { SERVICE <http://127.0.0.1:9/> { ?x ?y ?z } }", "forbidden", "would call 127.0.0.1"),
    ],
)
def test_query_that_fails(store: EmbeddedStore, query: str, category: str, reason: str) -> None:
    """What the engine raises becomes a short StoreError with a category, never an empty result."""
    with pytest.raises(StoreError, match=r"\S") as caught:
        store.select(query)
    assert caught.value.category == category
    assert reason in str(caught.value)
    assert len(str(caught.value)) < 300


def test_wrong_form(store: EmbeddedStore) -> None:
    """Each method takes queries of its own form only."""
    with pytest.raises(StoreError, match="expected a query of the form ASK"):
        store.ask(ALL)
    with pytest.raises(StoreError, match="expected a query of the form CONSTRUCT or DESCRIBE"):
        store.construct("ASK {}")


def test_errors_hold_no_results() -> None:
    """An error that outlives its query and dies in another thread takes no result of the engine with it."""
    engine = Engine(ox.Store(), About((), {}, 0, "default"), {"127.0.0.1"})
    calling = "SELECT ?s { SERVICE <http://127.0.0.1:9/> { ?s ?y ?z } }"
    cases: list[tuple[str, Form]] = [("ASK {}", "SELECT"), (ALL, "ASK"), (calling, "SELECT")]
    for query, form in cases:
        error = engine.write(query, form, BytesIO())
        assert error is not None
        assert error.__context__ is None
        assert error.__traceback__ is None


def test_closed(store: EmbeddedStore) -> None:
    """A closed store says so, and may be closed again."""
    store.close()
    store.close()
    with pytest.raises(StoreError, match="the store is closed"):
        store.ask("ASK {}")


def test_threads(store: EmbeddedStore) -> None:
    """Many threads share a store and its cache."""
    cached = CachedStore(store)
    queries = [f"SELECT ?s ?n {{ ?s ?p ?o BIND({i % 7} AS ?n) }}" for i in range(400)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(cached.select, queries))
    assert [values_of(table) for table in found] == [str(i % 7) for i in range(400)]
    assert cached.hits + cached.misses == 400
    assert cached.hits >= 400 - 7 * 8


def values_of(table: Table) -> str:
    """The lexical form of `?n` in the only row."""
    (row,) = table.rows
    assert isinstance(row["n"], Literal)
    return row["n"].lexical
