"""`hermes explain`: what people see, JSON, the page, and what is wrong with a query."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from hermes.cli import main
from processes import ROOT, process

EXAMPLES: Final = sorted((ROOT / "examples").glob("*.rq"))
QUERY: Final = """\
PREFIX o: <http://example.org/olympics/>
SELECT DISTINCT ?city { ?city o:hosted ?g . ?city o:country o:USA . ?g o:season "Winter" }
"""


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HERMES_KG", raising=False)
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return the path of a query."""
    path = tmp_path / "query.rq"
    path.write_text(QUERY, encoding="utf-8")
    return path


def run(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, str]:
    """Run the command in this process; return its exit code, stdout and stderr."""
    code = main(["explain", *map(str, words)])
    out, err = capsys.readouterr()
    return code, out, err


# --- for people ---------------------------------------------------------------------------------------


def test_what_people_see(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The sentence, a step a line in the names of the query, the rows with labels, the time."""
    code, out, err = run(capsys, file)
    assert (code, err) == (0, "")
    sentence, steps, rows, total = out.split("\n\n")
    assert "hosted" in sentence
    assert [line.split("  -> ")[0].strip() for line in steps.splitlines()] == [
        "1  ?city o:hosted ?g",
        "2  ?city o:country o:USA",
        '3  ?g o:season "Winter"',
        "4  SELECT ?city",
        "5  DISTINCT",
    ]
    assert "Lake Placid (o:LakePlacid)" in rows
    assert total.startswith("5 steps, ")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_examples(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each example begins with a comment, and has an answer."""
    assert example.read_text(encoding="utf-8").startswith("# ")
    code, out, err = run(capsys, example)
    assert (code, err) == (0, "")
    assert "no solutions" not in out


def test_the_graphs_prefixes_are_known(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    """A query may leave out PREFIX lines that the graph has."""
    file.write_text("ASK { ?city ex:hosted ?g }")
    assert run(capsys, file)[1].split("\n\n")[-2] == "true"


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("SELECT ?c { ?c ex:hosted ex:none }", "(no solutions)"),
        ("CONSTRUCT { ?c a ?g } { ?c ex:hosted ?g ; ex:none ?x }", "(no triples)"),
        ("ASK { ?c ex:none ?g }", "false"),
        ("ASK {}", "true"),
        ("SELECT * { FILTER(1 = 1) }", "(solutions without columns)"),
        ("SELECT (1 AS ?x) {}", "?x\n    1"),
        ("SELECT * {}", "(the query has no patterns)"),
    ],
)
def test_answers(query: str, answer: str, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is empty says so."""
    file.write_text(query)
    code, out, _ = run(capsys, file)
    assert code == 0
    assert out.split("\n\n")[-2].strip() == answer


def test_what_is_left_out_is_counted(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first ten rows are shown, and how many there are beside them."""
    file.write_text("SELECT * { ?city ex:hosted ?g }")
    assert "    ... and 9 more\n" in run(capsys, file)[1]
    file.write_text("CONSTRUCT WHERE { ?city ex:hosted ?g }")
    assert "    ... and 9 more\n" in run(capsys, file)[1]


def test_a_slip_is_a_warning(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The query runs as it is."""
    file.write_text("SELECT ?city { ?city ex:hosted ?g FILTER(?yaer > 1) }")
    code, out, _ = run(capsys, file)
    assert code == 0
    assert "warning: ?yaer in filter is bound by nothing; in scope: ?city ?g\n" in out


def test_stdin_and_steps_stream() -> None:
    """`-` reads stdin."""
    code, out, err = process("explain", "-", stdin=QUERY.encode())
    assert (code, err) == (0, "")
    assert "-> 4 -> 3 solutions" in out


def test_nothing_of_a_query_reaches_the_terminal(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Control characters are shown as escapes, in one line."""
    file.write_text('SELECT ?c { ?c ex:season """a\x1b[31m\n\u202eb""" }', encoding="utf-8")
    _, out, _ = run(capsys, file)
    assert "\x1b" not in out
    assert "\u202e" not in out


# --- what is wrong -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("SELECT ?c {\n  ?c ex:hosted }", "line 2, column 16: expected an object"),
        ("SELECT ?c { ?c no:such ?g }", "no:"),
        ("", "line 1, column 1: expected PREFIX, SELECT, ASK, CONSTRUCT or DESCRIBE"),
        ("PREFIX ex <urn:x>", "line 1, column 8"),
        ("DELETE WHERE { ?a ?b ?c }", "DELETE changes a graph; hermes only reads"),
        ("SELECT * { SERVICE <http://service.invalid/> { ?a ?b ?c } }", "service would call"),
        ("SELECT (COUNT(?x) AS ?x) { ?x ex:hosted ?y }", "?x"),
    ],
)
def test_errors(query: str, message: str, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line on stderr that says what is wrong, and nothing on stdout."""
    file.write_text(query)
    code, out, err = run(capsys, file)
    assert (code, out) == (1, "")
    assert err.startswith("hermes: ")
    assert message in err
    assert err.count("\n") == 1


def test_not_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What cannot be read is named; so is text that is not UTF-8."""
    assert run(capsys, tmp_path / "none.rq")[2].endswith("none.rq: No such file or directory\n")
    (tmp_path / "latin.rq").write_bytes(b"SELECT \xff")
    assert run(capsys, tmp_path / "latin.rq")[0] == 1


@pytest.mark.slow
def test_a_query_that_cannot_be_counted(file: Path) -> None:
    """The steps that run too long say so, the exit code too, and the rest is shown."""
    file.write_text("SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n ?o } ORDER BY ?o ?a")
    code, out, err = process("explain", str(file), "--timeout", "0.5")
    assert code == 1
    assert "10000+ solutions" in out
    assert "not counted: " in out
    assert err.startswith(f"hermes: {file}: the whole query could not be observed: ")


# --- for programs ----------------------------------------------------------------------------------------


def test_json(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One object: the steps with their observations, and the rows of the last."""
    code, out, err = run(capsys, file, "--json")
    assert (code, err) == (0, "")
    found: dict[str, Any] = json.loads(out)
    assert list(found) == ["format", "graph", "sentence", "query", "warnings", "steps", "error"]
    assert found["format"] == 1
    assert found["error"] is None
    assert [step["observation"]["count"] for step in found["steps"]] == [19, 8, 4, 4, 3]
    assert len(found["steps"][-1]["observation"]["sample"]) == 3
    assert found["steps"][1]["action"]["op"] == "triple"
    assert found["query"].startswith("PREFIX o: <http://example.org/olympics/>\nSELECT DISTINCT ?city\n")


def test_json_has_the_parts(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Counts inside a step, and the steps of a sub-query."""
    file.write_text(
        "SELECT * { ?c a ex:City MINUS { ?c ex:twin ?t } { SELECT ?c { ?c ex:hosted ?g } LIMIT 3 } }"
    )
    steps = json.loads(run(capsys, file, "--json")[1])["steps"]
    sub_query = next(step for step in steps if step["action"]["op"] == "subquery")
    assert [part["text"] for part in sub_query["parts"]] == ["?c ex:hosted ?g", "SELECT ?c", "LIMIT 3"]
    assert sub_query["parts"][-1]["observation"]["count"] == 3
    minus = next(step for step in steps if step["action"]["op"] == "minus")
    tally = minus["parts"][0]["tally"]
    assert tally["meaning"] == "removed"
    assert tally["count"] == tally["of"] - minus["observation"]["count"]


# --- the page --------------------------------------------------------------------------------------------


def test_page(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is written beside what is printed; what stood there is replaced; no other file is left."""
    target = tmp_path / "page.html"
    target.write_text("old")
    code, out, err = run(capsys, file, "--html", target)
    assert (code, err) == (0, f"wrote {target}\n")
    assert "-> 4 -> 3 solutions" in out
    text = target.read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert "Lake Placid" in text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["page.html", "query.rq"]


def test_page_is_whole_or_not_there(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where the query is refused, the page that stood there stands."""
    target = tmp_path / "page.html"
    target.write_text("old")
    file.write_text("SELECT * { ?a ?b ?c ")
    assert run(capsys, file, "--html", target)[0] == 1
    assert target.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["page.html", "query.rq"]


@pytest.mark.parametrize("target", ["query.rq", "no/such/page.html"])
def test_page_that_cannot_be_written(
    target: str, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Said before a query is asked; the query itself is not overwritten."""
    code, out, err = run(capsys, file, "--html", tmp_path / target)
    assert (code, out) == (1, "")
    assert err.count("\n") == 1
    assert file.read_text() == QUERY
