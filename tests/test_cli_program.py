"""The program around the commands: help, wrong command lines, streams that end, interruption."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

import hermes
from hermes.cli import main
from processes import DOCUMENTED, HOSTED, ROOT, STEPS, start


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    """Help has examples; the version is the package's."""
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"hermes {hermes.__version__}\n"
    for words in (["--help"], ["run", "--help"], ["replay", "--help"]):
        assert main(words) == 0
        assert "hermes run examples/documented.jsonl" in capsys.readouterr().out


def test_help_shows_the_steps(capsys: pytest.CaptureFixture[str]) -> None:
    """The session in the help is the documented one."""
    main(["run", "--help"])
    shown = capsys.readouterr().out.replace("\n  ", "\n")
    assert STEPS in shown


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["rnu"], 'there is no command "rnu" (did you mean "run"?); commands: run, explore, explain'),
        (["run"], "the following arguments are required: ACTIONS.jsonl"),
        (["run", "a", "--format", "cvs"], 'did you mean "csv"?'),
        (["run", "a", "--format", "csv", "--json"], "not allowed with"),
        (["run", "a", "--sample-size", "-1"], 'expected a whole number >= 0, not "-1"'),
        (["run", "a", "--sample-size", "few"], 'expected a whole number >= 0, not "few"'),
        (["run", "a", "--keep"], "unrecognized arguments: --keep"),
    ],
)
def test_wrong_command_line(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A wrong command line is exit code 2 and one line."""
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("hermes: ")
    assert message in err
    assert err.count("\n") == 1


def test_broken_pipe() -> None:
    """When nobody reads any more, hermes ends without a word."""
    for words in (["run", "-"], ["run", "-", "--json"]):
        with start(*words) as started:
            assert started.stdout is not None
            assert started.stderr is not None
            assert started.stdin is not None
            started.stdout.close()
            started.stdin.write(HOSTED.encode())
            started.stdin.close()
            err = started.stderr.read().decode()
            assert started.wait(60) == 141
        assert "Error" not in err
        assert "Traceback" not in err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_full_disk() -> None:
    """Output that cannot be written fails in one line."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "hermes", "run", DOCUMENTED],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            cwd=ROOT,
        )
    assert done.returncode == 1
    assert done.stderr.decode() == "hermes: [Errno 28] No space left on device\n"


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT for one process")
def test_interrupted(tmp_path: Path) -> None:
    """Ctrl-C ends hermes quietly; the trace has the steps so far."""
    trace = tmp_path / "trace.jsonl"
    with start("run", "-", "--trace", str(trace)) as started:
        assert started.stdin is not None
        assert started.stdout is not None
        assert started.stderr is not None
        started.stdin.write(HOSTED.encode() + b"\n")
        started.stdin.flush()
        started.stdout.readline()
        started.send_signal(signal.SIGINT)
        assert started.wait(60) == 130
        assert started.stderr.read() == b""
    assert len(trace.read_text(encoding="utf-8").splitlines()) == 2
