"""`hermes run`: steps, rejections, where actions come from, formats, the graph."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from hermes.cli import main
from hermes.kg import KG
from hermes.results import Table
from processes import CITIES, DOCUMENTED, HOSTED, QUERY, ROOT, STEPS, UNKNOWN, process, start

EXAMPLES: Final = sorted((ROOT / "examples").glob("*.jsonl"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return the path of a file of actions."""
    return tmp_path / "actions.jsonl"


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HERMES_KG", raising=False)


# --- run: what people see ---------------------------------------------------------------------------


def test_documented_session() -> None:
    """The steps, an empty line, the query, an empty line, the answer; nothing on stderr."""
    code, out, err = process("run", DOCUMENTED)
    assert (code, err) == (0, "")
    assert out.startswith(f"{STEPS}\n{QUERY}\ncity\n---")
    assert {line.removeprefix("ex:") for line in out.splitlines()[-3:]} == CITIES


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_examples(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each example begins with a comment, runs, and has an answer."""
    assert example.read_text(encoding="utf-8").startswith("# ")
    assert main(["run", str(example)]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert len(out.rpartition("\n\n")[2].splitlines()) > 2


def test_text_as_given(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A step shows the line as it stands in the file; a terminal sees no control character of it."""
    given = '{"op":"triple",   "pattern":"?city ex:hosted \\u003fg"}'
    file.write_bytes(f"\ufeff\r\n  # a comment\r\n\t{given}\t\r\n{{}}\x1b[31m\u202e".encode())
    assert main(["run", str(file), "--keep-going"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{given}  -> 19 solutions"
    assert lines[1].startswith(r"{}\u001B[31m\u202E  -> rejected: ")


def test_hints_have_lines_of_their_own(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A hint follows its step."""
    file.write_text('{"op": "triple", "pattern": "?city ex:hostd ?g"}\n')
    assert main(["run", str(file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("  -> 0 solutions")
    assert lines[1].startswith("    hint: ex:hostd does not occur; nearest: ex:hosted")


# --- run: rejections --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (UNKNOWN, "no:"),
        ('{"op": "tripel", "pattern": "?s ?p ?o"}', 'did you mean "triple"?'),
        ("not json", "this is not JSON"),
        ("[1]", "not a list"),
    ],
)
def test_stops_at_a_rejection(
    line: str, message: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The rejected line is a step; the committed plan is answered; stderr names the line."""
    file.write_text(f'# one\n{HOSTED}\n\n{line}\n{{"op": "distinct"}}\n')
    assert main(["run", str(file)]) == 1
    out, err = capsys.readouterr()
    steps, query, answer = out.split("\n\n")
    assert steps.splitlines()[1].startswith(f"{line}  -> rejected: ")
    assert len(steps.splitlines()) == 2
    assert query.startswith("PREFIX ex:")
    assert len(answer.splitlines()) == 2 + 19
    assert err.startswith(f"hermes: {file}, line 4: rejected: ")
    assert message in err
    assert err.count("\n") == 1


def test_keep_going(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All lines are tried; the exit code and stderr say that not all were taken."""
    file.write_text(f'{UNKNOWN}\n{HOSTED}\n{{"op": "nothing"}}\n{{"op": "distinct"}}\n')
    assert main(["run", str(file), "--keep-going"]) == 1
    out, err = capsys.readouterr()
    assert [" -> rejected" in line for line in out.splitlines()[:4]] == [True, False, True, False]
    assert err == f"hermes: {file}: 2 of 4 actions rejected: line 1, line 3\n"


def test_nothing_committed(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where the first line is rejected there is no query; a file without actions is a failure."""
    file.write_text(UNKNOWN)
    assert main(["run", str(file)]) == 1
    assert capsys.readouterr().out.endswith("\n\n(empty plan)\n\n")
    file.write_text("# nothing\n\n")
    assert main(["run", str(file)]) == 1
    assert capsys.readouterr().err == f"hermes: {file} holds no action\n"


def test_not_utf8(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line that is not UTF-8 is a rejected step."""
    file.write_bytes(HOSTED.encode() + b'\n{"op": "\xff"}\n')
    assert main(["run", str(file)]) == 1
    out, err = capsys.readouterr()
    assert '{"op": "\\xff"}  -> rejected: this is not UTF-8 text\n' in out
    assert "line 2" in err


# --- run: where actions come from --------------------------------------------------------------------


def test_stdin() -> None:
    """`-` reads stdin."""
    code, out, _ = process("run", "-", stdin=HOSTED.encode())
    assert code == 0
    assert out.startswith(f"{HOSTED}  -> 19 solutions\n\nPREFIX")
    assert process("run", "-")[2] == "hermes: stdin holds no action\n"


def test_steps_stream() -> None:
    """A step is on stdout before the next action is there."""
    with start("run", "-") as started:
        assert started.stdin is not None
        assert started.stdout is not None
        started.stdin.write(HOSTED.encode() + b"\n")
        started.stdin.flush()
        assert started.stdout.readline().decode() == f"{HOSTED}  -> 19 solutions\n"
        started.communicate(b'{"op": "distinct"}\n', timeout=60)
    assert started.returncode == 0


def test_array(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file may hold one JSON array of actions."""
    file.write_text(f'# all at once\n[\n  {HOSTED},\n  {{"op":\n"distinct"}}, 7\n]\n')
    assert main(["run", str(file)]) == 1
    out, err = capsys.readouterr()
    assert out.startswith(
        f'{HOSTED}  -> 19 solutions\n{{"op": "distinct"}}  -> 19 -> 13 solutions\n7  -> rej'
    )
    assert err.startswith(f"hermes: {file}, action 3: rejected: ")


@pytest.mark.parametrize("text", ["[1,", "[" * 100_000, '[]\n{"op": "distinct"}', '["\\ud800'])
def test_broken_array(text: str, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What begins like an array and is none fails in one line."""
    file.write_text(text)
    assert main(["run", str(file)]) == 1
    err = capsys.readouterr().err
    assert err.startswith(f"hermes: {file} begins with [ but is not a JSON array of actions: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("name", ["missing.jsonl", "", ".", "a\0b"])
def test_no_such_file(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that cannot be read fails in one line."""
    assert main(["run", str(tmp_path / name)]) == 1
    assert capsys.readouterr().err.startswith(f"hermes: cannot read {tmp_path}")


# --- run: for programs ------------------------------------------------------------------------------


def test_json() -> None:
    """Stdout holds one object; the steps for people are on stderr."""
    code, out, err = process("run", DOCUMENTED, "--json", "--sample-size", "2")
    found: dict[str, Any] = json.loads(out)
    assert code == 0
    assert err == f"{STEPS}\n{QUERY}\n"
    assert (found["format"], found["query"], found["error"], found["complete"]) == (1, QUERY[:-1], None, True)
    assert found["graph"]["source"] == "olympics"
    assert [step["observation"]["count"] for step in found["steps"]] == [19, 8, 4, 3]
    assert [len(step["observation"]["sample"]) for step in found["steps"]] == [2, 2, 2, 2]
    assert found["steps"][3]["action"] == {"op": "distinct"}
    assert found["steps"][3]["query"] == QUERY[:-1]
    bindings = found["answer"]["results"]["bindings"]
    assert {row["city"]["value"].rpartition("/")[2] for row in bindings} == CITIES


def test_json_of_other_forms(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """ASK is a boolean, CONSTRUCT the text of N-Triples, an empty plan null."""
    file.write_text(f'{HOSTED}\n{{"op": "ask"}}\n')
    assert main(["run", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["answer"] is True
    file.write_text(f'{HOSTED}\n{{"op": "construct", "template": ["?g ex:in ?city"]}}\n')
    assert main(["run", str(file), "--json"]) == 0
    triples = json.loads(capsys.readouterr().out)["answer"]
    assert "<http://example.org/olympics/Summer1896> <http://example.org/olympics/in> " in triples
    file.write_text("oops\n")
    assert main(["run", str(file), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["query"], found["answer"]) == ("", None)
    assert found["steps"][0]["action"] == "oops"
    assert found["error"].startswith(f"{file}, line 1: rejected: this is not JSON")


@pytest.mark.parametrize("fmt", ["csv", "tsv", "json", "markdown", "turtle", "ntriples"])
def test_stdout_is_clean(fmt: str) -> None:
    """With a format other than table, stdout holds the answer alone."""
    name = "construct" if fmt in ("turtle", "ntriples") else "documented"
    code, out, err = process("run", str(ROOT / "examples" / f"{name}.jsonl"), "--format", fmt)
    assert code == 0
    assert '{"op"' not in out
    assert '{"op": "triple"' in err
    if fmt == "csv":
        assert out.startswith("city\r\nhttp://example.org/olympics/")
    if fmt == "json":
        assert json.loads(out)["head"] == {"vars": ["city"]}


def test_format_that_does_not_fit(capsys: pytest.CaptureFixture[str]) -> None:
    """Turtle of a table fails in one line, after the steps."""
    assert main(["run", DOCUMENTED, "--format", "turtle"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(STEPS)
    assert err.splitlines()[-1].startswith("hermes: turtle writes triples")


def test_cut_answer(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """An answer of which the store gave a part only is said to be cut."""

    def select(kg: KG, query: str) -> Table:
        table = kg.store.select(query)
        return Table(table.variables, table.rows, complete=False)

    monkeypatch.setattr(KG, "select", select)
    assert main(["run", DOCUMENTED, "--format", "csv"]) == 0
    assert capsys.readouterr().err.endswith("hermes: the answer was cut: this is not all of it\n")
    assert main(["run", DOCUMENTED, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["complete"] is False


def test_surrogates_and_c_locale(tmp_path: Path) -> None:
    """Output is UTF-8 in every locale; what UTF-8 cannot say is escaped."""
    text = b'{"op": "filter", "expr": "?x = \\"\xc3\xa9\\ud800\\""}'
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    trace = tmp_path / "trace.jsonl"
    code, out, _ = process("run", "-", "--json", "--trace", str(trace), stdin=text, **plain)
    assert code == 1
    assert json.loads(out)["steps"][0]["action"]["expr"] == '?x = "é\ud800"'
    assert json.loads(trace.read_text(encoding="utf-8").splitlines()[1])["action"]["expr"].endswith('\ud800"')
    code, out, _ = process("run", "-", stdin=b'[{"op": "filter", "expr": "?x = \\"\\ud800\\""}]', **plain)
    assert code == 1
    assert '\\"\\uD800\\"' in out


def test_verbose(capsys: pytest.CaptureFixture[str]) -> None:
    """-v shows the queries on stderr, this time only."""
    assert main(["run", DOCUMENTED, "-v"]) == 0
    assert "SELECT DISTINCT ?city\nWHERE {" in capsys.readouterr().err
    assert main(["run", DOCUMENTED]) == 0
    assert capsys.readouterr().err == ""


# --- run: the graph ---------------------------------------------------------------------------------


def test_graph_options(tmp_path: Path, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Several files are one graph; --graph chooses a named graph."""
    (tmp_path / "a.ttl").write_text("<urn:a> <urn:p> 1 .")
    (tmp_path / "b.trig").write_text("<urn:g> { <urn:b> <urn:p> 2 }")
    file.write_text('{"op": "triple", "pattern": "?s <urn:p> ?o"}\n')
    kg = ["--kg", str(tmp_path / "a.ttl"), "--kg", str(tmp_path / "b.trig")]
    for graph, count in ([], "1 solution"), (["--graph", "union"], "2 solutions"):
        assert main(["run", str(file), *kg, *graph]) == 0
        assert capsys.readouterr().out.splitlines()[0].endswith(f"-> {count}")
    assert main(["run", str(file), *kg, "--graph", "urn:g", "--format", "csv"]) == 0
    assert capsys.readouterr().out == "s\r\nurn:b\r\n"
    assert main(["run", str(file), *kg, "--graph", "urn:h"]) == 1
    assert capsys.readouterr().err.startswith("hermes: no graph urn:h; ")


def test_unknown_graph(capsys: pytest.CaptureFixture[str]) -> None:
    """A graph that is not there fails in one line."""
    assert main(["run", DOCUMENTED, "--kg", "olympcs"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("hermes: unknown source olympcs; ")
    assert err.endswith('(did you mean "olympics"?)\n')


def test_environment(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """HERMES_KG is the default of --kg."""
    monkeypatch.setenv("HERMES_KG", "nowhere.ttl")
    assert main(["run", DOCUMENTED]) == 1
    assert capsys.readouterr().err.startswith("hermes: no file nowhere.ttl")
    assert main(["run", DOCUMENTED, "--kg", "olympics"]) == 0


def test_service_is_refused_unless_allowed(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--allow-service puts a host on the list of the graph."""
    text = {"op": "service", "endpoint": "<http://localhost:9/sparql>", "patterns": ["?s ?p ?o"]}
    file.write_text(json.dumps(text))
    assert main(["run", str(file)]) == 1
    assert "hosts that this graph allows: none" in capsys.readouterr().err
    assert main(["run", str(file), "--allow-service", "localhost"]) == 1
    assert "hosts that this graph allows" not in capsys.readouterr().err
