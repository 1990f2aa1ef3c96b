"""Golden text files: actions, an empty line, and what is expected. Anyone can add a case.

render    the SPARQL text of the plan, with the prefixes of the olympics graph
rejected  the line that rejects the last action
session   the printed steps with their hints, an empty line, and the query
explain   what hermes explain prints of a query after its sentence, times left out
explore   what a session of `hermes explore` shows to the lines that are typed
words     the plan as a sentence, with the labels of the olympics graph
expected  what is warned of a query (the last line) where Turtle, an ontology or shapes, says what to expect
verified  the same as session, under `--verify warn`, or `refuse` where a comment begins with that word
kernel    the verdict on the plan, or on the query that stands in place of actions
graphs    the same on a dataset with named graphs, docs/graphs.trig

A line that begins with # is a comment; `---` alone on a line separates cases. `--update` rewrites what is
expected: read the difference before you keep it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from hermes import KG
from hermes.algebra import Explorer, Plan, Trace, parse_action, parse_query, render
from hermes.algebra.observation import Rejected
from hermes.algebra.observation_json import observation_to_json
from hermes.cli.check import verdict_lines
from hermes.cli.explore.queries import lines_of
from hermes.cli.explore.session import Session
from hermes.cli.verify import verification
from hermes.errors import HermesError
from hermes.explanation import explain
from hermes.explanation.lines import Lines
from hermes.linking import link
from hermes.linking.mentions_text import mention_lines
from hermes.verbalize import verbalize
from hermes.verifier import Kernel, Schema, recheck
from hermes.verifier.ontology import ontology
from hermes.verifier.shapes import shapes

FOLDER = Path(__file__).parent / "golden"
SEPARATOR = "\n---\n"
_PREFIXES = (
    "@prefix ex: <http://example.org/olympics/> .",
    "@prefix owl: <http://www.w3.org/2002/07/owl#> .",
    "@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .",
    "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .",
    "@prefix schema: <https://schema.org/> .",
    "@prefix sh: <http://www.w3.org/ns/shacl#> .",
    "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .",
)
_TIME = re.compile(r" +[\d.]+ m?s\b")


@dataclass(frozen=True)
class Case:
    """One case of a file: its comments, its actions, and what is expected."""

    path: Path
    number: int
    head: tuple[str, ...]
    expected: str

    @property
    def actions(self) -> list[str]:
        """The actions, without comments."""
        return [line for line in self.head if not line.startswith("#")]


def _cases(kind: str) -> list[Case]:
    found = []
    for path in sorted((FOLDER / kind).glob("*.txt")):
        for number, text in enumerate(path.read_text(encoding="utf-8").split(SEPARATOR)):
            head, _, expected = text.strip("\n").partition("\n\n")
            found.append(Case(path, number, tuple(head.splitlines()), expected))
    return found


def _check(case: Case, printed: str, *, update: bool) -> None:
    if not update:
        assert printed == case.expected
        return
    texts = case.path.read_text(encoding="utf-8").split(SEPARATOR)
    texts[case.number] = "\n".join(case.head) + "\n\n" + printed
    case.path.write_text(SEPARATOR.join(text.strip("\n") for text in texts) + "\n", encoding="utf-8")


@pytest.fixture(scope="module")
def kg() -> KG:
    """The shipped graph."""
    return KG.load("olympics")


def _render(case: Case, kg: KG) -> str:
    plan = Plan(prefixes=kg.prefixes)
    for action in case.actions:
        plan = parse_action(action).apply(plan)
    text = render(plan, kg.header)
    assert parse_query(text) == plan
    return text


def _rejected(case: Case, kg: KG) -> str:
    explorer = Explorer(kg)
    *before, last = case.actions
    for action in before:
        assert not isinstance(explorer.run(parse_action(action)), Rejected), action
    plan = explorer.plan
    try:
        seen = explorer.run(parse_action(last))
    except HermesError as error:
        seen = Rejected.of(error)
    assert isinstance(seen, Rejected)
    assert explorer.plan is plan
    return f"{seen.summary()} [{seen.code}]"


def _session(case: Case, kg: KG) -> str:
    explorer = Explorer(kg)
    for action in case.actions:
        explorer.run(parse_action(action))
    lines = [line for step in explorer.trace.steps for line in step.lines()]
    return "\n".join([*lines, "", explorer.sparql])


@cache
def _graphs() -> KG:
    return KG.load(Path(__file__).parent.parent / "docs" / "graphs.trig")


def _verified(case: Case, kg: KG) -> str:
    mode = "refuse" if case.head[0].startswith("# refuse") else "warn"
    verified = verification(kg, mode)
    explorer = Explorer(kg, kernel=verified.kernel, adviser=verified.adviser)
    for action in case.actions:
        explorer.run(parse_action(action))
    trace = Trace.from_jsonl(explorer.trace.to_jsonl())
    read, taken = (
        [observation_to_json(step.observation) for step in each.steps] for each in (trace, explorer.trace)
    )
    assert read == taken
    assert trace.replay(kg, *verified).difference is None
    return "\n".join(line for step in explorer.trace.steps for line in step.lines())


def _kernel(case: Case, kg: KG) -> str:
    text = "\n".join(case.actions)
    if text.startswith('{"op"'):
        plan = Plan(prefixes=kg.prefixes)
        for action in case.actions:
            plan = parse_action(action).apply(plan)
    else:
        plan = parse_query(text, prefixes=kg.prefixes)
    schema = Schema.mine(kg)
    verdict = Kernel(schema).check(plan)
    assert recheck(verdict, plan, schema) != "contradicted"
    return "\n".join(verdict_lines(verdict, kg.prefixes))


def _expected(case: Case, kg: KG) -> str:
    *turtle, query = case.actions
    with TemporaryDirectory() as folder:
        path = Path(folder) / "expected.ttl"
        path.write_text("\n".join((*_PREFIXES, *turtle)), encoding="utf-8")
        with closing(KG.load(path)) as beside:
            expectations = ontology(beside) | shapes(beside)
    schema = Schema("", "default", complete=False, expected=expectations)
    verdict = Kernel(schema).check(parse_query(query, prefixes=kg.prefixes))
    return "\n".join(f"{warned.code}: {warned}" for warned in verdict.warnings) or "nothing"


def _explore(case: Case, kg: KG) -> str:
    session = Session(kg, verified=verification(kg, "warn"))
    shown: list[str] = []
    for text in lines_of("\n".join(case.actions)):
        shown += [f"hermes> {text}", *session.answer(text)]
    return "\n".join(shown)


def _explain(case: Case, kg: KG) -> str:
    plan = parse_query("\n".join(case.actions), prefixes=kg.prefixes)
    found = explain(kg, plan)
    lines = Lines(found.plan)
    printed = [
        line for number, step in enumerate(found.steps, start=1) for line in lines.of_step(number, step)
    ]
    warnings = [f"warning: {slip.message}" for slip in found.warnings]
    return "\n".join(_TIME.sub("", line).rstrip() for line in (*warnings, *printed))


def _words(case: Case, kg: KG) -> str:
    plan = Plan(prefixes=kg.prefixes)
    for action in case.actions:
        plan = parse_action(action).apply(plan)
    return verbalize(plan, kg)


def _linking(case: Case, kg: KG) -> str:
    (question,) = case.actions
    return "\n".join(mention_lines(link(question, kg), kg.prefixes, 2))


CHECKS: dict[str, Callable[[Case, KG], str]] = {
    "render": _render,
    "rejected": _rejected,
    "session": _session,
    "expected": _expected,
    "verified": _verified,
    "kernel": _kernel,
    "graphs": lambda case, _: _kernel(case, _graphs()),
    "explain": _explain,
    "explore": _explore,
    "words": _words,
    "linking": _linking,
}


@pytest.mark.parametrize(
    ("kind", "case"),
    [(kind, case) for kind in CHECKS for case in _cases(kind)],
    ids=lambda value: f"{value.path.stem}-{value.number}" if isinstance(value, Case) else value,
)
def test_golden(kind: str, case: Case, kg: KG, *, update: bool) -> None:
    """What hermes prints is what the file says."""
    _check(case, CHECKS[kind](case, kg), update=update)
