"""`hermes explore` in a pseudo-terminal: both front ends, completion by Tab, Ctrl-C, Ctrl-D, no colours."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any, Final

import pytest

from processes import ROOT

pexpect = pytest.importorskip("pexpect", reason="pexpect is not installed (extra dev)")
pytest.importorskip("prompt_toolkit", reason="prompt_toolkit is not installed (extra explore)")
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no pseudo-terminals here")

PLAIN: Final = ("--plain",)
FANCY: Final = ()
COLOUR: Final = re.compile(r"\x1b\[[0-9;]*(?:3[0-9]|4[0-9]|9[0-7]|10[0-7])(?:;[0-9;]*)?m")
WITHOUT_EXTRA: Final = (
    "-c",
    "import sys; sys.modules['prompt_toolkit'] = None; from hermes.cli import main; sys.exit(main())",
)
RUNAWAY: Final = "?s1 ?p1 ?o1 . ?s2 ?p2 ?o2 . ?s3 ?p3 ?o3 . ?s4 ?p4 ?o4"


@contextmanager
def terminal(
    tmp_path: Path,
    *options: str,
    program: tuple[str, ...] = ("-m", "hermes"),
    greeting: str = "olympics: 478 triples",
    **environment: str,
) -> Iterator[Any]:
    """Start a session in a terminal of 100 columns, and end it."""
    child = pexpect.spawn(
        sys.executable,
        [*program, "explore", "--kg", "olympics", *options],
        cwd=str(ROOT),
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": "src",
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "PROMPT_TOOLKIT_NO_CPR": "1",
            "HOME": str(tmp_path),
            "XDG_STATE_HOME": str(tmp_path / "state"),
            **environment,
        },
        dimensions=(40, 100),
        encoding="utf-8",
        timeout=15,
    )
    try:
        child.expect_exact(greeting)
        child.expect_exact("hermes>")
        yield child
    finally:
        child.close(force=True)


def interrupt(child: Any, says: str) -> None:
    """Press Ctrl-C until the answer comes: readline may miss one that arrives before it waits for a key."""
    for _ in range(5):
        child.sendintr()
        if child.expect_exact([says, pexpect.TIMEOUT], timeout=3) == 0:
            return
    raise AssertionError(f"no {says!r} after Ctrl-C")


@pytest.mark.parametrize("options", [PLAIN, FANCY], ids=["plain", "menu"])
def test_steps_tables_and_leaving(tmp_path: Path, options: tuple[str, ...]) -> None:
    """A step is answered with its count and rows; Ctrl-D ends the program with success."""
    with terminal(tmp_path, *options) as child:
        child.send("?c ex:country ex:Greece\r")
        child.expect_exact("-> 1 solution")
        child.expect_exact("Athens (ex:Athens)")
        child.expect_exact("hermes>")
        child.sendeof()
        child.expect(pexpect.EOF)
        child.wait()
        assert child.exitstatus == 0


@pytest.mark.parametrize("options", [PLAIN, FANCY], ids=["plain", "menu"])
def test_tab_completes_what_occurs_here(tmp_path: Path, options: tuple[str, ...]) -> None:
    """After a city, `ex:cou` can only be the predicate of its country."""
    with terminal(tmp_path, *options) as child:
        child.send("?c a ex:City\r")
        child.expect_exact("-> 13 solutions")
        child.expect_exact("hermes>")
        child.send("?c ex:cou")
        child.expect_exact("cou")
        child.send("\t")
        child.expect_exact("ntry")
        child.send(" ex:USA\r")
        child.expect_exact("-> 13 -> 6 solutions")


@pytest.mark.parametrize("options", [PLAIN, FANCY], ids=["plain", "menu"])
def test_ctrl_c_ends_a_query_and_clears_a_line(tmp_path: Path, options: tuple[str, ...]) -> None:
    """The plan is as before, and the session goes on."""
    with terminal(tmp_path, *options) as child:
        child.send("?c ex:country ex:Greece\r")
        child.expect_exact("-> 1 solution")
        child.expect_exact("hermes>")
        child.send("this is never sent")
        child.expect_exact(
            "sent"
        )  # readline waits for another key where Ctrl-C takes what it was about to read
        interrupt(child, "hermes>")
        child.send(f"{RUNAWAY}\r")
        child.expect_exact("triple ?s2 ?p2 ?o2  -> ")
        child.expect_exact("still running; Ctrl-C ends it")
        interrupt(child, "interrupted; what was running changed nothing")
        child.expect_exact("hermes>")
        child.send("prefixes\r")
        child.expect_exact("<http://example.org/olympics/>")


def test_lines_are_remembered(tmp_path: Path) -> None:
    """What was typed in one session comes back with the arrow in the next, in either front end."""
    for typed, options in (("classes", PLAIN), ("prefixes", FANCY)):
        with terminal(tmp_path, *options) as child:
            child.send(f"{typed}\r")
            child.expect_exact("hermes>")
    history = tmp_path / "state" / "hermes" / "history"
    assert history.read_text(encoding="utf-8") == "classes\nprefixes\n"
    assert history.stat().st_mode & 0o077 == 0
    with terminal(tmp_path, *PLAIN) as child:
        child.send("\x1b[A\r")
        child.expect_exact("<http://example.org/olympics/>")


def test_history_that_cannot_be_written_is_no_failure(tmp_path: Path) -> None:
    """The session goes on without it."""
    (tmp_path / "state").write_text("a file where a folder should be")
    for options in (PLAIN, FANCY):
        with terminal(tmp_path, *options) as child:
            child.send("prefixes\r")
            child.expect_exact("<http://example.org/olympics/>")


@pytest.mark.parametrize(("no_color", "coloured"), [("1", False), ("", True)])
def test_no_color(tmp_path: Path, no_color: str, coloured: bool) -> None:  # noqa: FBT001 - what is expected
    """Where NO_COLOR is set nothing is coloured; the menu is, where it is not."""
    with terminal(tmp_path, NO_COLOR=no_color) as child:
        child.logfile_read = seen = StringIO()
        child.send("pre")
        child.expect_exact("List the prefixes")
        child.send("\t\t\r")
        child.expect_exact("hermes>")
        assert bool(COLOUR.search(seen.getvalue())) is coloured


def test_without_the_extra_it_is_said_once(tmp_path: Path) -> None:
    """The command that installs it is named, and the session goes on in lines."""
    with terminal(tmp_path, program=WITHOUT_EXTRA, greeting="pip install 'hermes-kg[explore]'") as child:
        child.send("?c ex:country ex:Greece\r")
        child.expect_exact("-> 1 solution")


def test_a_terminal_that_can_do_nothing_is_asked_for_nothing(tmp_path: Path) -> None:
    """With TERM=dumb nothing but lines is written."""
    with terminal(tmp_path, TERM="dumb") as child:
        child.send("?c ex:country ex:Greece\r")
        child.expect_exact("-> 1 solution")
        child.expect_exact("hermes>")
        child.sendeof()
        child.expect(pexpect.EOF)
        assert "\x1b" not in (child.before or "")
