"""Question sets are read in the forms that are met; a bad file is refused in one line that says where."""

from __future__ import annotations

import gzip
import json
import logging
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes.errors import HermesError
from hermes.evaluation import QuestionSet, features, read_questions
from hermes.results import Table, Truth
from hermes.terms import IRI, RDF_LANG_STRING, XSD, BlankNode, Literal
from shared import data_folder

ASK = "ASK { ?s ?p ?o }"
SELECT = "SELECT ?s { ?s ?p ?o }"


def read(folder: Path, content: Any, name: str = "set.json", **options: Any) -> QuestionSet:
    """Return what is read of a file with this content."""
    path = folder / name
    text = content if isinstance(content, str) else json.dumps(content)
    path.write_text(text, encoding="utf-8", newline="")
    return read_questions(path, **options)


def qald(*questions: Any, **dataset: Any) -> dict[str, Any]:
    """Return a set in QALD JSON."""
    return {"dataset": {"id": "tiny", **dataset}, "questions": list(questions)}


def question(**fields: Any) -> dict[str, Any]:
    """Return a question in QALD JSON."""
    said = [{"language": "de", "string": "Wer?"}, {"language": "en", "string": "Who?"}]
    return {"id": "1", "question": said, "query": {"sparql": SELECT}, **fields}


def rows(*bindings: Any, names: Any = ("x",)) -> list[Any]:
    """Return answers as QALD JSON states them."""
    return [{"head": {"vars": list(names)}, "results": {"bindings": list(bindings)}}]


# --- QALD ------------------------------------------------------------------------------------------


def test_qald(tmp_path: Path) -> None:
    """The plain form, with a language."""
    found = read(tmp_path, qald(question(id=7), question(id="8")))
    assert (found.id, [each.id for each in found.questions]) == ("tiny", ["7", "8"])
    first = found.questions[0]
    assert (first.text, first.sparql, first.answers) == ("Who?", SELECT, None)
    assert first.features == ("SELECT", "1 triple")
    assert first.group == found.questions[1].group == "7"
    assert read(tmp_path, qald(question()), language="de").questions[0].text == "Wer?"
    assert read(tmp_path, qald(question()), language="fr").questions[0].text == "Who?"


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (rows(), Table(("x",), ())),
        (rows({}), Table(("x",), ({},))),
        (rows({"x": {"type": "uri", "value": "http://a/"}}), Table(("x",), ({"x": IRI("http://a/")},))),
        (rows({"x": {"type": "bnode", "value": "b"}}), Table(("x",), ({"x": BlankNode("b")},))),
        (
            rows({"x": {"type": "typed-literal", "datatype": XSD + "integer", "value": 3}}),
            Table(("x",), ({"x": Literal("3", XSD + "integer")},)),
        ),
        (
            rows({"y": {"type": "literal", "xml:lang": "en", "value": "a"}}, names=()),
            Table(("y",), ({"y": Literal("a", RDF_LANG_STRING, "en")},)),
        ),
        (rows({"x": None}, None), Table(("x",), ({}, {}))),
        ([{"head": {"vars": ["x"]}, "results": {}}], Table(("x",), ())),
        ([{"head": {}, "boolean": True}], Truth(value=True)),
        ([{"boolean": "false"}], Truth(value=False)),
        ({"head": {}, "boolean": True}, Truth(value=True)),
        (["http://a/b", 3, "c"], None),
        ([], None),
        ([{}], None),
        (None, None),
    ],
)
def test_answers(tmp_path: Path, answers: Any, expected: Table | Truth | None) -> None:
    """What states nothing is None; an empty result set is an answer; a list of values is a column."""
    found = read(tmp_path, qald(question(answers=answers))).questions[0].answers
    if answers and isinstance(answers, list) and answers[0] == "http://a/b":
        terms = (IRI("http://a/b"), Literal("3", XSD + "integer"), Literal("c"))
        expected = Table(("value",), tuple({"value": term} for term in terms))
    assert found == expected


def test_a_set_over_several_graphs(tmp_path: Path) -> None:
    """Each question names its graph; the files are those of the folder."""
    content = qald(
        question(kg="a", group="g", ordered=True, tie=True, features=["X"]),
        question(id="2", kg="b", query={"sparql": "?"}, features=["X"]),
        kg={"a": ["a.ttl", "more/a.ttl"], "b": "b.ttl"},
    )
    found = read(tmp_path, content)
    assert found.graphs == {
        "a": (tmp_path / "a.ttl", tmp_path / "more" / "a.ttl"),
        "b": (tmp_path / "b.ttl",),
    }
    first, second = found.questions
    assert (first.kg, first.group, first.ordered, first.tie) == ("a", "g", True, True)
    assert first.features == ("SELECT", "1 triple")
    assert second.features == ("X",), "what hermes does not read keeps the features of the set"
    elsewhere = tmp_path / "data"
    assert read(tmp_path, content, root=elsewhere).graphs["b"] == (elsewhere / "b.ttl",)
    single = read(tmp_path, qald(question(), kg={"a": ["a.ttl"]}))
    assert single.questions[0].kg == "a"


@pytest.mark.parametrize("file", ["../a.ttl", "/etc/passwd", "x/../../a.ttl", "link/a.ttl", "\0"])
def test_files_stay_in_their_folder(tmp_path: Path, file: str) -> None:
    """A set cannot make a program read what is elsewhere."""
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "link").symlink_to(tmp_path)
    with pytest.raises(HermesError, match=r"outside of the data folder|is no path") as error:
        read(inner, qald(question(kg="a"), kg={"a": [file]}))
    assert error.value.code == "question-set"


# --- other forms -----------------------------------------------------------------------------------


def test_lc_quad_1(tmp_path: Path) -> None:
    """The corrected question counts."""
    content = [
        {
            "_id": "17",
            "corrected_question": "Who was it?",
            "intermediary_question": "<x>?",
            "sparql_query": ASK,
        }
    ]
    found = read(tmp_path, content, "train-data.json")
    assert (found.id, found.questions[0].id, found.questions[0].text) == ("train-data", "17", "Who was it?")
    assert found.questions[0].features == ("ASK", "1 triple")


def test_lc_quad_2(tmp_path: Path) -> None:
    """A question that is missing is replaced by its paraphrase."""
    both = {"sparql_wikidata": "select ?o where { wd:Q1 wdt:P31 ?o }", "paraphrased_question": "And this?"}
    content = [{"uid": 1, "question": "What is it?", **both}, {"uid": 2, "question": None, **both}]
    content.append({"uid": 3, "question": [], **both})
    found = read(tmp_path, content)
    assert [each.text for each in found.questions] == ["What is it?", "And this?", "And this?"]
    assert found.questions[0].features == ("SELECT", "1 triple"), "prefixes in wide use are known"


def test_json_lines_and_gzip(tmp_path: Path) -> None:
    """A question a line, packed, whatever the name says."""
    text = "\n".join(json.dumps({"question": f"{n}?", "sparql": ASK}) for n in range(3))
    path = tmp_path / "set.tsv"
    path.write_bytes(gzip.compress(b"\xef\xbb\xbf" + text.encode()))
    found = read_questions(path)
    assert [(each.id, each.text) for each in found.questions] == [("1", "0?"), ("2", "1?"), ("3", "2?")]
    assert found.id == "set"
    path.write_bytes(gzip.compress(text.encode())[:-9])
    with pytest.raises(HermesError, match="cannot read"):
        read_questions(path)


QUERY = 'SELECT ?s {\n ?s ?p "a, b" }'
QUOTED = '"SELECT ?s {\n ?s ?p ""a, b"" }"'


@pytest.mark.parametrize(
    "text",
    [
        f"question,query\nWho?,{QUOTED}\n",
        f"Question;SPARQL;other\r\nWho?;{QUOTED};1\r\n\r\n",
        f"query\tquestion\n{QUOTED}\tWho?\n",
        f"Who?,{QUOTED}\n",
        f"{QUOTED}\tWho?\n",
    ],
)
def test_tables(tmp_path: Path, text: str) -> None:
    """With commas, semicolons and tabs; with a header and without."""
    (only,) = read(tmp_path, text).questions
    assert (only.id, only.text, only.sparql) == ("1", "Who?", QUERY)


def test_a_table_with_all_columns(tmp_path: Path) -> None:
    """Answers are JSON: a truth value, a list of values, or SPARQL results."""
    results = json.dumps(rows({"x": {"type": "literal", "value": "a"}})[0]).replace('"', '""')
    text = f'id,kg,question,query,answers\na,g,A?,{ASK},TRUE\nb,g,B?,,"[1]"\nc,h,C?,,"{results}"\nd,h,D?,,\n'
    found = read(tmp_path, text).questions
    assert [(each.id, each.kg) for each in found] == [("a", "g"), ("b", "g"), ("c", "h"), ("d", "h")]
    assert found[0].answers == Truth(value=True)
    assert found[1].answers == Table(("value",), ({"value": Literal("1", XSD + "integer")},))
    assert found[2].answers == Table(("x",), ({"x": Literal("a")},))
    assert found[3].answers is None


# --- what is wrong ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "it has no questions"),
        ("   \n", "it has no questions"),
        ("{", "no JSON: line 1, column 2"),
        ("[1, 2]", "question 1: it is a number, not an object"),
        ({"items": []}, "it has no list `questions`; it has 'items'"),
        (qald(), "it has no questions"),
        (qald(question(), question(id="x", question=[])), r"question 2 \(id 'x'\): it has no text"),
        (qald(question(answers="yes")), r"question 1 \(id '1'\): its answers are a text"),
        (qald(question(answers=[{"head": {}}])), "neither `results` nor `boolean`"),
        (
            qald(question(answers=rows({"x": {"type": "?"}}))),
            "row 1 of its answers holds what is no RDF term",
        ),
        (qald(question(answers=rows(3))), "row 1 of its answers is a number"),
        (qald(question(answers=[{"boolean": 3}])), "`boolean` is 3, not true or false"),
        (qald(question(kg="z"), kg={"a": ["a.ttl"]}), "its kg 'z' is not in `dataset.kg`; there: a"),
        (qald(question(), kg={"a": ["a.ttl"], "b": ["b.ttl"]}), "it names no kg; there: a, b"),
        (qald(question(kg="a"), kg={"a": []}), "the files of graph 'a' in `dataset.kg` are no list"),
        (qald(question(kg="a"), kg={"a": ["https://a/sparql"]}), "is an address; `dataset.kg` lists files"),
        ("one,two\nthree,four\n", "neither of its two columns holds SPARQL"),
        ("just a text", "neither JSON nor a table of questions"),
        ('question,query\nWho?,"SELECT', "line 2: unexpected end of data"),
        ("question,query\nWho?\n", "question 1, to line 2: it has 1 columns, expected 2"),
        (f"question,query\n,{ASK}\n", "question 1, to line 2: the question is empty"),
        ("question,answers\nWho?,x y\n", "its answers are 'x y', not JSON"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_bad_files(tmp_path: Path, content: Any, message: str) -> None:
    """One line, with the file and the place."""
    with pytest.raises(HermesError, match=message) as error:
        read(tmp_path, content)
    assert error.value.code == "question-set"
    assert str(error.value).startswith(str(tmp_path))
    assert "\n" not in str(error.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    """There is none, or it is no text."""
    with pytest.raises(HermesError, match="cannot read"):
        read_questions(tmp_path / "nothing.json")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    with pytest.raises(HermesError, match="no UTF-8: byte 0"):
        read_questions(tmp_path / "bytes")


def test_ids_that_occur_again_are_renamed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """By their number, away from those that are there."""
    with caplog.at_level(logging.WARNING, "hermes"):
        found = read(tmp_path, qald(*(question(id=name) for name in ("a", "a", "a#2", "a"))))
    assert [each.id for each in found.questions] == ["a", "a#2#", "a#2", "a#3"]
    assert "2 ids occur again" in caplog.text


_KEYS = [
    *("id", "question", "query", "sparql", "answers", "head", "vars", "results", "bindings", "boolean"),
    *("type", "value", "x", "kg", "dataset", "questions", "string", "language", "datatype", "xml:lang"),
]
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_KEYS), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None)
@given(_JSON)
def test_any_json_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, content: Any) -> None:
    """Nothing else is raised, whatever is in the file."""
    folder = tmp_path_factory.getbasetemp()
    for whole in (content, qald(content), qald(question(answers=content)), qald(question(question=content))):
        try:
            found = read(folder, whole)
        except HermesError as error:
            assert error.code == "question-set"  # noqa: PT017 - both ends are right
        else:
            assert found.questions


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60) | st.lists(st.sampled_from([*'",;\t\n{}ab', "question", "query"])).map("".join))
def test_any_text_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    """The same of text."""
    path = tmp_path_factory.getbasetemp() / "text"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        assert read_questions(path).questions
    except HermesError as error:
        assert error.code == "question-set"  # noqa: PT017 - both ends are right


# --- features and the shared sets ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("ASK { ?s a ?c . ?s ?p ?o }", ("ASK", "2 triples")),
        ("SELECT (COUNT(DISTINCT ?s) AS ?n) { ?s ?p ?o } GROUP BY ?p HAVING(COUNT(?s) > 1)",
         ("SELECT", "1 triple", "GROUP", "HAVING", "COUNT")),
        ("SELECT DISTINCT ?s { ?s <p:a>/<p:b> ?o } ORDER BY ?o LIMIT 1 OFFSET 1",
         ("SELECT", "1 triple", "DISTINCT", "ORDER", "LIMIT", "OFFSET", "PATH")),
        ("SELECT ?s { ?s ?p ?o OPTIONAL { ?s ?p ?x } MINUS { ?s ?p ?y } FILTER NOT EXISTS { ?s ?p 1 } }",
         ("SELECT", "3+ triples", "FILTER", "OPTIONAL", "MINUS", "NOT EXISTS")),
        ("SELECT ?s { { SELECT ?s { ?s ?p ?o } LIMIT 1 } UNION { BIND(1 AS ?s) } VALUES ?s { 1 } }",
         ("SELECT", "1 triple", "UNION", "SUBSELECT", "LIMIT", "BIND", "VALUES")),
        ("SELECT (MAX(?a) AS ?m) FROM <g:a> { GRAPH ?g { ?s ?p ?a } }",
         ("SELECT", "1 triple", "FROM", "GRAPH", "MAX")),
        ("SELECT nothing", ()),
    ],
)  # fmt: skip
def test_features(query: str, expected: tuple[str, ...]) -> None:
    """Each word once, the form and the size first."""
    found = features(query)
    assert found[:2] == expected[:2]
    assert set(found) == set(expected)


@pytest.mark.parametrize(
    ("name", "number", "graphs"),
    [("ck25", 32, 1), ("geoquery", 228, 1), ("spider4sparql", 498, 20), ("spider4sparql-large", 230, 6)],
)
def test_shared_sets(name: str, number: int, graphs: int) -> None:
    """All questions are read, each with a query that hermes reads and a stated answer."""
    found = read_questions(data_folder(name) / "questions.dev.json")
    assert (len(found.questions), len(found.graphs)) == (number, graphs)
    assert all(each.features and each.answers and each.sparql and each.group for each in found.questions)
    assert all(file.is_file() for files in found.graphs.values() for file in files)


def test_shared_queries() -> None:
    """Thirteen collections of real queries, a question a line."""
    folder = data_folder("queries")
    sets = [read_questions(path) for path in sorted(folder.glob("q*.jsonl.gz"))]
    assert sum(len(each.questions) for each in sets) == 2057
