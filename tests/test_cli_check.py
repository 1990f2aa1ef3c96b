"""`hermes check` and `--verify`: the verdict for people and for programs, and the exit codes."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from hermes.cli import main

_GOOD = "SELECT ?c { ?c a ex:City ; ex:country ?k }"
_EMPTY = "SELECT ?c { ?c a ex:City ; ex:season ?s }"


def _stdin(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_an_accepted_query(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The verdict says what the variables can be."""
    _stdin(monkeypatch, _GOOD)
    assert main(["check", "-"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == ["accepted; rows: any", "    ?c: ex:City", "    ?k: ex:Country"]
    assert err == ""


def test_a_refused_query(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A refusal is exit code 1, with the reason on stdout and one line on stderr."""
    _stdin(monkeypatch, _EMPTY)
    assert main(["check", "-"]) == 1
    out, err = capsys.readouterr()
    assert out.startswith("refused (no-common-terms): nothing is both")
    assert err.startswith("hermes: stdin is refused: nothing is both")
    assert err.count("\n") == 1


def test_json(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """With --json stdout holds one JSON object."""
    _stdin(monkeypatch, _GOOD + " LIMIT 2")
    assert main(["check", "-", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["accepted"] is True
    assert found["format"] == 1
    assert found["judgements"]["k"]["classes"] == ["http://example.org/olympics/Country"]
    assert [warned["code"] for warned in found["warnings"]] == ["limit-without-order"]
    _stdin(monkeypatch, _EMPTY)
    assert main(["check", "-", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["code"] == "no-common-terms"


@pytest.mark.parametrize(("query", "code"), [(_GOOD, 0), (_EMPTY, 1)])
def test_recheck(
    query: str, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The verdict is derived by another way too, and what that says is printed."""
    _stdin(monkeypatch, query)
    assert main(["check", "-", "--recheck"]) == code
    assert "    recheck: confirmed\n" in capsys.readouterr().out
    _stdin(monkeypatch, query)
    assert main(["check", "-", "--recheck", "--json"]) == code
    assert json.loads(capsys.readouterr().out)["recheck"] == "confirmed"


@pytest.mark.parametrize(("mode", "code"), [("off", 0), ("warn", 0), ("refuse", 1)])
def test_verify_in_explain(
    mode: str, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`warn` gives the reason where the solutions end; `refuse` rejects the query before it runs."""
    _stdin(monkeypatch, _EMPTY)
    assert main(["explain", "-", "--verify", mode]) == code
    out, err = capsys.readouterr()
    assert out.count("hint: nothing is both") == (mode == "warn")
    assert err.startswith("hermes: stdin is refused: nothing is both") == (mode == "refuse")


def test_a_refused_finish_is_refused_again(tmp_path: Path) -> None:
    """A replay verifies as the session did."""
    actions, trace = tmp_path / "a.jsonl", tmp_path / "session.trace"
    steps = ({"op": "goal", "form": "truth"}, {"op": "triple", "pattern": "?c a ex:City"}, {"op": "finish"})
    actions.write_text("\n".join(map(json.dumps, steps)), encoding="utf-8")
    assert main(["run", str(actions), "--trace", str(trace)]) == 1
    assert main(["replay", str(trace)]) == 0


def test_a_label_cannot_forge_a_verdict(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a query holds is quoted and escaped in the lines of a verdict."""
    _stdin(monkeypatch, 'SELECT ?c { ?c rdfs:label "a\\naccepted; rows: any\\u001b[2J" }')
    assert main(["check", "-"]) == 1
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert not any(line.startswith("accepted") for line in out.splitlines())


def test_what_is_no_query(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A text that is no query is one line and exit code 1."""
    _stdin(monkeypatch, "SELECT ?c { ?c ")
    assert main(["check", "-"]) == 1
    assert capsys.readouterr().err.startswith("hermes: line 1")


@pytest.mark.parametrize(
    ("mode", "code", "shown"),
    [
        ("off", 0, "13 -> 0 solutions"),
        ("warn", 0, "hint: nothing is both an instance of ex:City and a subject of ex:season"),
        ("refuse", 1, "rejected: nothing is both an instance of ex:City and a subject of ex:season"),
    ],
)
def test_verify(mode: str, code: int, shown: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--verify` says nothing, hints, or rejects the step."""
    actions = tmp_path / "actions.jsonl"
    lines = [{"op": "triple", "pattern": "?c a ex:City"}, {"op": "triple", "pattern": "?c ex:season ?s"}]
    actions.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert main(["run", str(actions), "--verify", mode]) == code
    out = capsys.readouterr().out
    assert shown in out
    assert ("nothing is both" in out) is (mode != "off")
