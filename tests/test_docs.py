"""The documents are right: examples run, generated pages are fresh, every code is listed."""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from hermes import KG
from hermes.algebra import Explorer, catalogue, parse_action
from hermes.algebra.kind import Kind, Operator
from hermes.algebra.observation import Rejected
from hermes.cli.explore.session import Session

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
_TIME = re.compile(r" *\b[\d.]+ m?s\b")
"""A time, with the spaces before it: no two runs take the same."""
_CODE = re.compile(
    r"""(?:code|category)="([a-z_-]+)"|default_code[^=\n]*= "([a-z-]+)"|"""
    r"""(?:Hint|Slip|Cause|Warned|_note)\(\s*"([a-z-]+)"|yield "([a-z]+(?:-[a-z]+)+)", """
)


def _blocks(language: str) -> list[tuple[str, str]]:
    return [
        (path.name, body)
        for path in DOCUMENTS
        for kind, body in _BLOCK.findall(path.read_text(encoding="utf-8"))
        if kind == language
    ]


@pytest.mark.parametrize("document", sorted({name for name, _ in _blocks("python")}))
def test_python_examples_run(document: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The Python blocks of a document run one after the other, in one namespace."""
    names: dict[str, object] = {}
    for name, body in _blocks("python"):
        if name == document:
            exec(compile(body, document, "exec"), names)  # noqa: S102 - our own documents
    printed = capsys.readouterr().out
    assert "HAVING (COUNT(?g) > 1)" in printed or document != "README.md"


@pytest.mark.parametrize(("document", "body"), _blocks("console"))
def test_console_examples_print_what_they_show(document: str, body: str) -> None:
    """A console block is a command and the beginning of what it prints."""
    command, *shown = body.splitlines()
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    ran = subprocess.run(  # noqa: S602 - our own documents
        re.sub(r"\bhermes (?=[a-z])", f"{sys.executable} -m hermes ", command.removeprefix("$ ")),
        shell=True,
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    printed = ran.stdout.splitlines()[: len(shown)]
    assert [_TIME.sub("", line) for line in printed] == [_TIME.sub("", line) for line in shown], document


@pytest.mark.parametrize("document", sorted({name for name, _ in _blocks("hermes")}))
def test_sessions_are_shown_as_they_go(document: str) -> None:
    """The hermes blocks of a document are one session; an answer that ends with `...` goes on."""
    session = Session(KG.load("olympics"))
    for body in (body for name, body in _blocks("hermes") if name == document):
        for typed, _, shown in (part.partition("\n") for part in body.split("hermes> ")[1:]):
            answer = "".join(f"{line}\n" for line in session.answer(typed))
            cut = shown.endswith("...\n") and not answer.endswith("...\n")
            assert answer.startswith(shown.removesuffix("...\n")) if cut else answer == shown, typed


def test_the_recorded_session_is_current() -> None:
    """It is what docs/record.py writes."""
    recorded = runpy.run_path(str(ROOT / "docs" / "record.py"))["picture"]()
    assert (ROOT / "docs" / "explore.svg").read_text(encoding="utf-8") == recorded


@pytest.mark.parametrize("target", ["actions.md", "engines.md"])
def test_generated_pages_are_fresh(target: str) -> None:
    """They are what docs/generate.py writes."""
    pages = runpy.run_path(str(ROOT / "docs" / "generate.py"))["PAGES"]
    assert (ROOT / "docs" / target).read_text(encoding="utf-8") == pages[target]()


def test_every_code_is_listed() -> None:
    """docs/codes.md lists the codes of the source, and no others."""
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    codes = {code for groups in _CODE.findall(source) for code in groups if code}
    codes |= {f"unknown-{role}" for role in ("predicate", "class")}
    listed = set(
        re.findall(r"`([a-z_]+(?:-[a-z]+)*)`", (ROOT / "docs" / "codes.md").read_text(encoding="utf-8"))
    )
    assert codes - listed == set()
    assert {code for code in listed - codes if "-" in code} == set()


@pytest.mark.parametrize("kind", list(catalogue()), ids=lambda kind: kind.op)
def test_every_example_runs_on_the_shipped_graph(kind: type[Kind]) -> None:
    """The example of each operator is an action that its neighbours make possible."""
    explorer = Explorer(KG.load("olympics", allow_services=["sparql.example.org"]))
    for text in ("?city ex:hosted ?games", "?games ex:year ?year", "?games ex:opened ?opened"):
        explorer.run(parse_action({"op": "triple", "pattern": text}))
    if kind.op == "having":
        explorer.run(parse_action({"op": "group", "vars": ["?city"]}))
    action = parse_action(kind.example)
    assert parse_action(json.loads(kind.example)) == action
    assert kind.op == kind.__name__.lower()
    assert kind.__doc__
    if issubclass(kind, Operator) and kind.op != "service":
        assert not isinstance(explorer.run(action), Rejected), explorer.trace.steps[-1].lines()
