"""`hermes ask`: answer a question; the steps, what was understood, the query and the answer."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TextIO

from hermes.algebra.render import render
from hermes.cli.answers import (
    FOR_PEOPLE,
    add_shape_options,
    answer_to_json,
    is_complete,
    print_answer,
    sentence_lines,
)
from hermes.cli.arguments import Command, add_graph_options, chosen_sources, load
from hermes.cli.streams import complain, created, say
from hermes.cli.tables import table_lines
from hermes.explanation import explain as explain_plan
from hermes.explanation.lines import Lines
from hermes.results import Table
from hermes.systems import Answer, load_system
from hermes.verbalize import verbalize

if TYPE_CHECKING:
    from hermes.kg import KG

FORMAT: Final = 1
SYSTEM: Final = "uniqgen"
_ROWS: Final = 20
_WIDTH: Final = 100

_EXAMPLES: Final = """\
The steps of the query come first, as hermes run takes them, then a sentence of what was understood, the
query, and the answer with labels. Where there is no answer, the steps of the best attempt show where it
broke,
and the words are named that nothing was found for.

examples:
  hermes ask "Which cities in the United States hosted winter games?"
  hermes ask "How many people live in Athens?" --json
  hermes ask "Who directed Big Show?" --kg films.nt.gz --trace session.jsonl"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("question", type=_text, metavar="QUESTION", help="a question in plain words")
    add_graph_options(parser)
    add_shape_options(parser, "sentence, steps, query, answer, alternatives")
    parser.add_argument("--system", default=SYSTEM, metavar="NAME", help=f"what answers (default: {SYSTEM})")
    parser.add_argument(
        "--explain", action="store_true", help="show the steps of the query as hermes explain does"
    )
    parser.add_argument("--trace", metavar="FILE", help="write the steps to FILE, for hermes replay")


def _text(text: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError("expected a question, not an empty text")
    return text


def execute(options: argparse.Namespace) -> bool:
    """Run the command; return whether there is an answer."""
    people = sys.stderr if options.json or options.format != FOR_PEOPLE else sys.stdout
    with _traced(options.trace) as trace:
        system = load_system(options.system)
        kg = load(options, chosen_sources(options))
        answer = system.answer(options.question, kg)
        if trace is not None and answer.trace is not None:
            trace.write(answer.trace.to_jsonl())
    say(people, _steps(answer, kg, explain=options.explain))
    complaint = "" if answer.sparql else _nothing(answer)
    if options.json:
        _print_json(options.question, answer, kg, complaint)
    elif answer.rows is not None:
        _print_rows(answer, kg, options.format)
        say(people, _otherwise(answer, kg))
    if complaint:
        complain(complaint)
    return not complaint


@contextmanager
def _traced(name: str | None) -> Iterator[TextIO | None]:
    """Open the file of the trace; that it can be written is seen before anything is asked."""
    if name is None:
        yield None
        return
    with created(name) as out:
        yield out


def _steps(answer: Answer, kg: KG, *, explain: bool) -> Iterator[str]:
    """Yield how the answer was come by: its steps, what was understood, the query."""
    if answer.plan is not None and explain:
        found = explain_plan(kg, answer.plan)
        lines = Lines(found.plan)
        for number, shown in enumerate(found.steps, start=1):
            yield from lines.of_step(number, shown)
    elif answer.trace is not None:
        for step in answer.trace.steps:
            yield from step.lines()
    if answer.plan is not None:
        yield ""
        yield from sentence_lines(verbalize(answer.plan, kg))
    if answer.sparql:
        yield from ("", *answer.sparql.split("\n"), "")


def _nothing(answer: Answer) -> str:
    if answer.missing:
        return f"no answer: nothing was found for {', '.join(map(json.dumps, answer.missing))}"
    return "no answer: nothing in this graph fits the question"


def _print_rows(answer: Answer, kg: KG, fmt: str) -> None:
    rows = answer.rows
    if rows is None:
        return
    if fmt == FOR_PEOPLE and isinstance(rows, Table) and rows.rows:
        shown = rows.rows[:_ROWS]
        more = len(rows.rows) - len(shown)
        say(sys.stdout, table_lines(shown, rows.variables, kg, _WIDTH, more=more, at_least=not rows.complete))
    else:
        print_answer(rows, fmt, kg.prefixes)


def _otherwise(answer: Answer, kg: KG) -> Iterator[str]:
    """Yield what the question says beside, and what else it may have meant."""
    if answer.missing:
        yield ""
        yield f"not understood: {', '.join(map(json.dumps, answer.missing))}"
    if answer.alternatives:
        yield ""
        yield "did you mean:"
        for plan in answer.alternatives:
            yield from (f"    {line}" for line in sentence_lines(verbalize(plan, kg)))


def _print_json(question: str, answer: Answer, kg: KG, complaint: str) -> None:
    steps = () if answer.trace is None else answer.trace.steps
    written = {
        "format": FORMAT,
        "graph": {"source": kg.source, "fingerprint": kg.fingerprint},
        "question": question,
        "steps": [step.to_json() for step in steps],
        "sentence": "" if answer.plan is None else verbalize(answer.plan, kg),
        "query": answer.sparql,
        "answer": None if answer.rows is None else answer_to_json(answer.rows),
        "complete": is_complete(answer.rows),
        "confidence": answer.confidence,
        "missing": list(answer.missing),
        "alternatives": [
            {"sentence": verbalize(plan, kg), "query": render(plan, kg.header)}
            for plan in answer.alternatives
        ],
        "error": complaint or None,
    }
    sys.stdout.write(json.dumps(written, ensure_ascii=False) + "\n")


COMMAND: Final = Command(
    says="answer a question, with the steps, the query and what was understood",
    examples=_EXAMPLES,
    configure=configure,
    execute=execute,
)
