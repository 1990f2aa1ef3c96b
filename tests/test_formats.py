"""Results as text: the W3C formats are read back by another implementation, tables are compared."""

from __future__ import annotations

import csv
import io
import json

import pytest
import rdflib
from rdflib.query import Result as RdflibResult

from hermes.errors import HermesError
from hermes.formats import CELL_WIDTH, FORMATS, write
from hermes.results import Table, Triples, Truth
from hermes.terms import IRI, RDF, XSD, BlankNode, Literal, Prefixes, Row, Term, TripleTerm

E = "http://e/"
NAMES = Prefixes({"ex": E, "xsd": XSD, "unused": "http://unused/"})
TERMS: list[Term] = [
    IRI(E + "a"),
    IRI(E + "é?x=1&y=2"),
    BlankNode("b0"),
    Literal("plain"),
    Literal(""),
    Literal('a "quote", a \\ and a\ttab\nand a line\r\n'),
    Literal("Straße", RDF + "langString", "de-at"),
    Literal("1", XSD + "integer"),
    Literal("01.50", XSD + "decimal"),
    Literal("2002-02-08", XSD + "date"),
    Literal("x|y", E + "type"),
]
TABLE = Table(("term", "none", "n"), [{"term": term, "n": Literal(str(i))} for i, term in enumerate(TERMS)])
TRIPLES = Triples(
    [
        TripleTerm(IRI(E + "a"), IRI(E + "p"), Literal("x", RDF + "langString", "en")),
        TripleTerm(IRI(E + "a"), IRI(E + "p"), Literal("2002-02-08", XSD + "date")),
        TripleTerm(BlankNode("b0"), IRI("http://other/p"), IRI(E + "a")),
    ]
)


def from_rdflib(node: object) -> Term | None:
    """A term of rdflib as one of hermes."""
    if isinstance(node, rdflib.URIRef):
        return IRI(str(node))
    if isinstance(node, rdflib.BNode):
        return BlankNode(str(node))
    if isinstance(node, rdflib.Literal):
        if node.language:
            return Literal(str(node), RDF + "langString", node.language)
        return Literal(str(node), str(node.datatype or XSD + "string"))
    return None


@pytest.fixture(autouse=True)
def _keep_lexical_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop rdflib from writing 01.50 as 1.5."""
    monkeypatch.setattr(rdflib, "NORMALIZE_LITERALS", False)


@pytest.mark.parametrize("fmt", ["json", "tsv"])
def test_table_is_read_back(fmt: str) -> None:
    """JSON and TSV give another reader the same terms in the same columns and rows."""
    found = RdflibResult.parse(io.BytesIO(write(TABLE, fmt, NAMES).encode()), format=fmt)
    assert [str(name) for name in found.vars or ()] == list(TABLE.variables)
    rows = [binding.get(rdflib.Variable("term")) for binding in found.bindings]
    terms = [from_rdflib(node) for node in rows]
    blanks = [term for term in terms if isinstance(term, BlankNode)]
    assert len(blanks) == 1
    assert [t for t in terms if t not in blanks] == [t for t in TERMS if not isinstance(t, BlankNode)]


def test_csv_is_read_back() -> None:
    """CSV gives the bare values, with the line ends of its specification."""
    text = write(TABLE, "csv", NAMES)
    assert text.startswith("term,none,n\r\n")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    expected = [
        term.value if isinstance(term, IRI) else term.lexical if isinstance(term, Literal) else str(term)
        for term in TERMS
    ]
    assert [row["term"] for row in rows] == expected
    assert {row["none"] for row in rows} == {""}
    found = RdflibResult.parse(io.BytesIO(text.encode()), format="csv")
    assert len(found.bindings) == len(TERMS)


def test_json_of_terms() -> None:
    """The JSON is that of the specification: no datatype for a string, RDF 1.2 as its draft has it."""
    rows: list[Row] = [
        {"x": Literal("s")},
        {"x": Literal("s", RDF + "dirLangString", "ar--rtl")},
        {"x": TripleTerm(IRI(E + "a"), IRI(E + "p"), Literal("s"))},
        {},
    ]
    found = json.loads(write(Table(("x",), rows), "json", NAMES))
    text = {"type": "literal", "value": "s"}
    triple = {
        "subject": {"type": "uri", "value": E + "a"},
        "predicate": {"type": "uri", "value": E + "p"},
        "object": text,
    }
    assert found["head"] == {"vars": ["x"]}
    assert found["results"]["bindings"] == [
        {"x": text},
        {"x": text | {"xml:lang": "ar", "its:dir": "rtl"}},
        {"x": {"type": "triple", "value": triple}},
        {},
    ]


def test_truth() -> None:
    """An answer of ASK is one word, and JSON's Boolean."""
    for value, word in ((True, "true"), (False, "false")):
        for fmt in ("table", "markdown", "tsv", "csv"):
            assert write(Truth(value), fmt, NAMES).strip() == word
        found = RdflibResult.parse(io.BytesIO(write(Truth(value), "json", NAMES).encode()), format="json")
        assert found.askAnswer is value


def test_terminal_table() -> None:
    """Columns are aligned by width on the screen, an unbound variable is an empty cell, names are short."""
    table = Table(
        ("city", "name"),
        [
            {"city": IRI(E + "Tokyo"), "name": Literal("東京", RDF + "langString", "ja")},
            {"city": IRI(E + "StLouis")},
            {"name": Literal("e\u0301", RDF + "langString", "fr")},
        ],
    )
    assert write(table, "table", NAMES).splitlines() == [
        "city        name",
        "----------  ---------",
        'ex:Tokyo    "東京"@ja',
        "ex:StLouis",
        '            "e\u0301"@fr',
    ]


def test_terminal_table_is_one_line_a_row() -> None:
    """Nothing in the graph moves the cursor, breaks a line or widens a column beyond the limit."""
    hostile = "\x1b[31m\x9b\u202e\u2028\r\n" + "long " * 50
    rows: list[Row] = [{"x": Literal(hostile)}, {"x": IRI(E + "\x85\u2066")}, {"x": Literal("b", E + "\x1b")}]
    lines = write(Table(("x",), rows), "table", NAMES).split("\n")
    assert len(lines) == 6
    assert all(line.isprintable() for line in lines)
    assert max(map(len, lines)) == CELL_WIDTH
    assert lines[2].endswith("…")


def test_markdown() -> None:
    """Cells cannot end their cell, their line or begin markup; they are not clipped."""
    rows: list[Row] = [{"x": Literal("a|b\n*c* `d` <i> [e](f)\\")}, {"x": Literal("y" * 100)}, {}]
    assert write(Table(("x", "z"), rows), "markdown", NAMES) == (
        "| x | z |\n| --- | --- |\n"
        '| "a\\|b\\\\n\\*c\\* \\`d\\` \\<i\\> \\[e\\](f)\\\\\\\\" |  |\n'
        f'| "{"y" * 100}" |  |\n'
        "|  |  |\n"
    )


@pytest.mark.parametrize("fmt", ["table", "markdown"])
def test_cut_results_say_so(fmt: str) -> None:
    """A person sees that rows are missing."""
    assert write(Table(("x",), [], complete=False), fmt, NAMES).endswith("(not all rows)\n")
    assert "not all" not in write(Table(("x",), []), fmt, NAMES)


@pytest.mark.parametrize(("fmt", "parser"), [("turtle", "turtle"), ("ntriples", "nt")])
def test_triples_are_read_back(fmt: str, parser: str) -> None:
    """Turtle and N-Triples give another reader the same graph; only prefixes in use are declared."""
    text = write(TRIPLES, fmt, NAMES)
    found = [tuple(map(from_rdflib, triple)) for triple in rdflib.Graph().parse(data=text, format=parser)]
    expected = {(t.subject, t.predicate, t.object) for t in TRIPLES.triples}
    assert {t[1:] if isinstance(t[0], BlankNode) else t for t in found} == {
        t[1:] if isinstance(t[0], BlankNode) else t for t in expected
    }
    assert len(found) == 3
    assert "unused" not in text
    assert ("@prefix ex: <http://e/>" in text) == (fmt == "turtle")


@pytest.mark.parametrize("fmt", ["table", "markdown", "json", "csv", "tsv"])
def test_triples_as_a_table(fmt: str) -> None:
    """The other formats write triples as three columns."""
    rows = [{"subject": t.subject, "predicate": t.predicate, "object": t.object} for t in TRIPLES.triples]
    table = Table(("subject", "predicate", "object"), rows)
    assert write(TRIPLES, fmt, NAMES) == write(table, fmt, NAMES)


def test_empty_results() -> None:
    """A result without rows or columns is written in every format."""
    for fmt in FORMATS:
        assert isinstance(write(Triples([]), fmt, NAMES), str)
    for fmt in ("table", "markdown", "json", "csv", "tsv"):
        assert write(Table((), []), fmt, NAMES).endswith("\n")
    assert write(Table(("x",), []), "table", NAMES) == "x\n-\n"


def test_refused_formats() -> None:
    """An unknown format and one that does not fit name those that do."""
    with pytest.raises(
        HermesError, match=r'no format jsn; expected one of table, .* \(did you mean "json"\?\)'
    ):
        write(TABLE, "jsn", NAMES)
    with pytest.raises(HermesError, match="turtle writes triples; for this result use one of table, json"):
        write(Truth(value=True), "turtle", NAMES)
