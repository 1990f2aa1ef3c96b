"""`hermes eval` and the run behind it: scores, records that outlive a kill, workers, other programs."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from hermes.cli import main
from hermes.evaluation.run_file import RECORDS, read_run
from shared import DATA, needs_data

ROOT = Path(__file__).parent.parent
OLYMPICS = ROOT / "examples" / "olympics.questions.json"
QUERY = "SELECT ?c { ?c a <http://example.org/olympics/City> }"


def _eval(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    capsys.readouterr()
    assert main(["eval", *words, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def _timeless(questions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {name: each[name] for name in each if name not in ("seconds", "store_queries")} for each in questions
    ]


def _set(tmp_path: Path, text: str, name: str = "set.csv") -> str:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def _program(tmp_path: Path, body: str) -> str:
    path = tmp_path / "answer.py"
    path.write_text(body, encoding="utf-8")
    return f"{sys.executable} {path}"


def test_gold_is_fully_right(capsys: pytest.CaptureFixture[str]) -> None:
    """The shipped set, answered by its own queries, scores 1 in every measure."""
    found = _eval(capsys, str(OLYMPICS), "--system", "gold")
    assert found["format"] == 1
    assert found["totals"]["questions"] == 15
    for measure in ("macro_f1", "macro_f1_qald", "exact", "lenient"):
        assert found["totals"][measure] == 1
    assert [each["id"] for each in found["questions"]] == [f"olympics-{n:02}" for n in range(1, 16)]
    assert all(each["f1"] == 1 and not each["error"] for each in found["questions"])
    assert found["totals"]["ordered"] == {"questions": 1, "in_order": 1}


def test_the_lower_bound_is_between(capsys: pytest.CaptureFixture[str]) -> None:
    """One pattern answers some questions and not all; what failed shows both queries step by step."""
    found = _eval(capsys, str(OLYMPICS))
    assert 0 < found["totals"]["macro_f1"] < 1
    by_id = {each["id"]: each for each in found["questions"]}
    assert by_id["olympics-04"]["f1"] == 1
    assert by_id["olympics-04"]["gold"]["steps"] == []
    failed = by_id["olympics-02"]
    assert failed["f1"] < 1
    assert ["?city ex:country ex:USA", "19 -> 8 solutions"] in failed["gold"]["steps"]
    assert failed["given"]["steps"][0][1] == "13 solutions"
    assert failed["store_queries"] > 0
    assert failed["steps"] == 2


def test_workers_change_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """With several questions at the same time the records and their order are the same."""
    one = _eval(capsys, str(OLYMPICS))
    three = _eval(capsys, str(OLYMPICS), "--workers", "3")
    assert _timeless(one["questions"]) == _timeless(three["questions"])
    assert one["totals"]["macro_f1"] == three["totals"]["macro_f1"]


def test_a_run_that_was_killed_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """SIGKILL in the middle, and a line cut in two, lose nothing but that question."""
    folder = tmp_path / "run"
    slow = _program(tmp_path, f"import sys, time\nsys.stdin.read()\ntime.sleep(0.2)\nprint({QUERY!r})\n")
    words = [str(OLYMPICS), "--command", slow, "--out", str(folder)]
    command = [sys.executable, "-m", "hermes", "eval", *words]
    process = subprocess.Popen(
        command, stderr=subprocess.DEVNULL, env=os.environ | {"PYTHONPATH": str(ROOT / "src")}
    )
    records = folder / RECORDS
    for _ in range(300):
        if records.exists() and records.read_bytes().count(b"\n") > 3:
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    whole = records.read_bytes().count(b"\n")
    assert 3 < whole < 16
    with records.open("ab") as out:
        out.write(b'{"id": "olympics-15", "quest')
    resumed = _eval(capsys, *words)
    at_once = _eval(capsys, *words[:-2])
    assert _timeless(resumed["questions"]) == _timeless(at_once["questions"])
    assert len(read_run(folder)) == 15
    again = _eval(capsys, *words)
    assert again["questions"] == resumed["questions"]


@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_interruption_waits_for_no_query(tmp_path: Path, workers: str) -> None:
    """Ctrl-C in queries that would run for a minute each ends the run, and nothing of it is left running."""
    endless = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
    marker = tmp_path / "asked"
    body = f"import pathlib\npathlib.Path({str(marker)!r}).touch()\nprint({endless!r})\n"
    program = _program(tmp_path, body)
    words = [str(OLYMPICS), "--command", program, "--workers", workers, "--timeout", "600"]
    process = subprocess.Popen(
        [sys.executable, "-m", "hermes", "eval", *words],
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
    )
    for _ in range(300):
        if marker.exists():
            break
        time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in err


def test_another_run_is_not_mixed_in(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder belongs to one set and one system."""
    folder = str(tmp_path / "run")
    _eval(capsys, str(OLYMPICS), "--system", "gold", "--out", folder)
    kept = (tmp_path / "run" / RECORDS).read_bytes()
    assert main(["eval", str(OLYMPICS), "--out", folder]) == 1
    assert "is of another run (its system differs)" in capsys.readouterr().err
    assert (tmp_path / "run" / RECORDS).read_bytes() == kept


def test_compared_with_another_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What differs is said with an interval, in lines, in JSON and on the page."""
    _eval(capsys, str(OLYMPICS), "--out", str(tmp_path / "low"))
    page = tmp_path / "report.html"
    words = ["--system", "gold", "--compare", str(tmp_path / "low"), "--report", str(page)]
    found = _eval(capsys, str(OLYMPICS), *words)
    assert found["difference"]["macro_f1"] > 0
    assert "olympics-02" in found["difference"]["better"]
    assert "What changed" in page.read_text(encoding="utf-8")
    assert main(["eval", str(OLYMPICS), *words]) == 0
    assert "15 questions in both runs" in capsys.readouterr().out
    assert main(["eval", str(OLYMPICS), "--compare", str(tmp_path / "none")]) == 1
    assert "cannot read" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("print('SELECT ?c {')", "expected"),
        ("raise SystemExit('no idea')", 'ended with status 1: "no idea"'),
        ("pass", "printed nothing"),
        ("print('I do not know')", "no SPARQL query"),
        ("print('DELETE WHERE { ?s ?p ?o }')", "DELETE"),
        ("print('SELECT * { SERVICE <http://example.org/> { ?s ?p ?o } }')", "hosts that this graph allows"),
        ("print('CONSTRUCT WHERE { ?s ?p ?o }')", "gives triples"),
    ],
)
def test_a_program_that_answers_badly(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], body: str, error: str
) -> None:
    """What is wrong with one answer is written in its record, and counts as 0."""
    found = _eval(capsys, str(OLYMPICS), "--command", _program(tmp_path, body), "--limit", "2")
    assert found["totals"]["errors"] == 2
    assert found["totals"]["macro_f1"] == 0
    assert error.lower() in found["questions"][0]["error"].lower()


def test_a_program_that_answers_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It gets the question, and its query is scored."""
    body = f"import sys\nassert sys.stdin.read().strip() == 'Which cities are there?'\nprint({QUERY!r})\n"
    questions = _set(tmp_path, f'question,query\nWhich cities are there?,"{QUERY}"\n')
    found = _eval(capsys, questions, "--command", _program(tmp_path, body))
    assert found["totals"]["macro_f1"] == 1
    assert found["questions"][0]["given"]["size"] == 13


def test_what_is_right_is_not_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A question whose gold query cannot be run is counted apart, and not as an error of the system."""
    questions = _set(tmp_path, f'question,query\nWhich?,"SELECT ?c {{"\nWhich cities?,"{QUERY}"\n')
    found = _eval(capsys, questions, "--system", "gold")
    assert found["totals"]["questions"] == 1
    assert found["totals"]["macro_f1"] == 1
    assert len(found["unscored"]) == 1
    assert main(["eval", questions]) == 0
    assert "not scored: 1, since what is right is not known" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["nowhere.json"], "cannot read"),
        ([str(OLYMPICS), "--system", "single-tripel"], 'did you mean "single-triple"'),
        ([str(OLYMPICS), "--command", "./no-such-program"], ""),
        ([], "expected a question set"),
    ],
)
def test_wrong_words(capsys: pytest.CaptureFixture[str], words: list[str], error: str) -> None:
    """One line says what is wrong; a program that is not there is the error of each question."""
    code = main(["eval", *words])
    out, err = capsys.readouterr()
    assert (code, err.count("\n")) == (1, 1) if error else "15 errors" in out
    assert error in err


def test_lint_and_systems(capsys: pytest.CaptureFixture[str]) -> None:
    """The shipped set has no fault, and the systems are listed."""
    assert main(["eval", str(OLYMPICS), "--lint"]) == 0
    assert capsys.readouterr().out == "0 of 15 questions have a fault or a warning\n"
    assert main(["eval", "--systems"]) == 0
    assert {"single-triple", "gold", "command"} <= set(capsys.readouterr().out.split())


@needs_data
def test_a_set_that_names_its_graphs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The graphs are found beside the file, or where `--data` says."""
    questions = DATA / "ck25" / "questions.dev.json"
    assert _eval(capsys, str(questions), "--system", "gold", "--limit", "3")["totals"]["macro_f1"] == 1
    copy = _set(tmp_path, questions.read_text(encoding="utf-8"), "copy.json")
    found = _eval(capsys, copy, "--system", "gold", "--limit", "3", "--data", str(questions.parent))
    assert found["totals"]["macro_f1"] == 1
    assert main(["eval", copy, "--limit", "1"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_a_report_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The line names the file that was asked for, and no question is asked."""
    page = tmp_path / "no" / "report.html"
    assert main(["eval", str(OLYMPICS), "--system", "gold", "--report", str(page)]) == 1
    assert capsys.readouterr().err == f"hermes: cannot write {page}: No such file or directory\n"
