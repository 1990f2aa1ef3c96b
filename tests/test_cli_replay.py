"""`hermes run --trace` and `hermes replay`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import hermes
from hermes.cli import main
from processes import DOCUMENTED, HOSTED, STEPS, UNKNOWN, process


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HERMES_KG", raising=False)


def test_trace_is_replayed(tmp_path: Path) -> None:
    """What run writes, replay takes again, without being told the graph; stdin works too."""
    trace = tmp_path / "trace.jsonl"
    assert process("run", DOCUMENTED, "--trace", str(trace))[0] == 0
    assert process("replay", str(trace)) == (0, f"{STEPS}same: 4 steps\n", "")
    code, out, err = process("replay", "-", "--json", stdin=trace.read_bytes())
    found = json.loads(out)
    assert (code, err) == (0, f"{STEPS}same: 4 steps\n")
    assert (found["format"], found["same"], found["difference"]) == (1, True, None)
    assert found["graph"]["same"] is True
    assert [step["observation"]["count"] for step in found["steps"]] == [19, 8, 4, 3]


def test_rejected_steps_are_traced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A rejection is a step of the trace, and replays as one."""
    trace, file = tmp_path / "trace.jsonl", tmp_path / "actions.jsonl"
    file.write_text(f"{HOSTED}\n{UNKNOWN}\n")
    assert main(["run", str(file), "--trace", str(trace)]) == 1
    capsys.readouterr()
    assert main(["replay", str(trace)]) == 0
    assert capsys.readouterr().out.endswith("same: 2 steps\n")


def test_changed_graph(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A replay says that the graph is another one, and where it first matters."""
    trace, changed = tmp_path / "trace.jsonl", tmp_path / "changed.ttl"
    assert main(["run", DOCUMENTED, "--trace", str(trace)]) == 0
    olympics = (Path(hermes.__file__).parent / "datasets" / "olympics.ttl").read_text(encoding="utf-8")
    changed.write_text(olympics + "\n# the same triples\n", encoding="utf-8")
    capsys.readouterr()
    assert main(["replay", str(trace), "--kg", str(changed)]) == 0
    assert capsys.readouterr().out.startswith("another graph than the trace's olympics: fingerprint ")
    more = 'ex:Oslo ex:hosted ex:Winter1952 ; ex:country ex:USA . ex:Winter1952 ex:season "Winter" .\n'
    changed.write_text(olympics + more, encoding="utf-8")
    assert main(["replay", str(trace), "--kg", str(changed)]) == 1
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0].startswith("another graph than the trace's olympics: fingerprint ")
    assert lines[1:] == [
        f"{HOSTED}  -> 20 solutions",
        f"different: step 1, {HOSTED}: was '19 solutions', is now '20 solutions'",
    ]
    assert err == f"hermes: the replay of {trace} differs at step 1\n"
    assert main(["replay", str(trace), "--kg", str(changed), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["same"], found["graph"]["same"]) == (False, False)
    assert found["difference"].startswith("step 1, ")


def test_the_trace_names_its_graph(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without --kg the sources of the trace are loaded; where they are gone, that is said."""
    first, second, trace = tmp_path / "a, b.ttl", tmp_path / "c.ttl", tmp_path / "trace.jsonl"
    for path in (first, second):
        path.write_text(f"<urn:{path.stem[0]}> <urn:p> 1 .")
    actions = tmp_path / "actions.jsonl"
    actions.write_text('{"op": "triple", "pattern": "?s <urn:p> ?o"}')
    assert main(["run", str(actions), "--kg", str(first), "--trace", str(trace)]) == 0
    assert main(["replay", str(trace)]) == 0
    first = first.rename(tmp_path / "a.ttl")
    sources = ["--kg", str(first), "--kg", str(second)]
    assert main(["run", str(actions), *sources, "--trace", str(trace)]) == 0
    assert main(["replay", str(trace)]) == 0
    second.unlink()
    capsys.readouterr()
    assert main(["replay", str(trace)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"hermes: the graph of the trace, {first}, {second}, cannot be loaded; name one wi")


@pytest.mark.parametrize("content", [b"", b"{}", b"no trace", b"\xff", HOSTED.encode()])
def test_no_trace(content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is no trace fails in one line."""
    path = tmp_path / "trace.jsonl"
    path.write_bytes(content)
    assert main(["replay", str(path)]) == 1
    err = capsys.readouterr().err
    assert err.startswith("hermes: ")
    assert err.count("\n") == 1


def test_unwritable_trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A trace that cannot be written is seen before the first step."""
    assert main(["run", DOCUMENTED, "--trace", str(tmp_path / "none" / "trace.jsonl")]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("hermes: cannot write ")


def test_trace_over_the_actions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The file of actions is not overwritten by their trace."""
    path = tmp_path / "actions.jsonl"
    path.write_text(HOSTED)
    assert main(["run", str(path), "--trace", str(tmp_path / "." / "actions.jsonl")]) == 1
    assert "would overwrite the actions" in capsys.readouterr().err
    assert path.read_text() == HOSTED
