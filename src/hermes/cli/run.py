"""`hermes run`: apply the actions of a file, a line a step; then the query and the answer."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hermes.algebra import Explorer, Observation
from hermes.algebra.observation import Rejected
from hermes.algebra.observation_json import observation_to_json
from hermes.algebra.observe import SAMPLE_SIZE
from hermes.cli.action_file import Entry, entries
from hermes.cli.answers import FOR_PEOPLE, add_shape_options, answer_to_json, is_complete, print_answer
from hermes.cli.arguments import (
    Command,
    add_graph_options,
    chosen_sources,
    load,
)
from hermes.cli.streams import complain, created, opened, say, step_lines, title
from hermes.cli.verify import add_verify_option, verification
from hermes.errors import HermesError
from hermes.results import Result

FORMAT: Final = 1

_EXAMPLES: Final = """\
Steps, query and answer go to stdout. With a format other than table, stdout holds the answer alone, and
with --json one JSON object alone; the steps and the query then go to stderr.

example:
  $ hermes run examples/documented.jsonl
  {"op": "triple", "pattern": "?city ex:hosted ?g"}  -> 19 solutions
  {"op": "triple", "pattern": "?city ex:country ex:USA"}  -> 19 -> 8 solutions
  {"op": "triple", "pattern": "?g ex:season \\"Winter\\""}  -> 8 -> 4 solutions
  {"op": "distinct"}  -> 4 -> 3 solutions
  ..."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "actions",
        metavar="ACTIONS.jsonl",
        help="one JSON action a line (lines that begin with # are skipped), or one JSON array; - reads stdin",
    )
    add_graph_options(parser)
    add_shape_options(parser, "steps, query, answer")
    add_verify_option(parser)
    parser.add_argument("--keep-going", action="store_true", help="do not stop at a rejected action")
    parser.add_argument("--trace", metavar="FILE", help="write all steps to FILE, for hermes replay")
    parser.add_argument(
        "--sample-size",
        type=_natural,
        default=SAMPLE_SIZE,
        metavar="N",
        help=f"rows of each step in --json and --trace (default: {SAMPLE_SIZE})",
    )


def _natural(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = -1
    if number < 0:
        raise argparse.ArgumentTypeError(f'expected a whole number >= 0, not "{text}"')
    return number


@dataclass(frozen=True, slots=True)
class Taken:
    """An entry of the file, what came back, and the query after it."""

    entry: Entry
    observation: Observation
    query: str

    def to_json(self) -> dict[str, Any]:
        """Return the step as it stands in a trace, with its place in the file."""
        return {
            "place": self.entry.place,
            "action": self.entry.given(),
            "observation": observation_to_json(self.observation),
            "query": self.query,
        }


def execute(options: argparse.Namespace) -> bool:
    """Run the command; return whether every action was taken and the answer came."""
    people = sys.stderr if options.json or options.format != FOR_PEOPLE else sys.stdout
    name = title(options.actions)
    with opened(options.actions) as stream:
        _refuse_overwriting(options)
        kg = load(options, chosen_sources(options))
        verified = verification(kg, options.verify)
        explorer = Explorer(kg, options.sample_size, verified.kernel, adviser=verified.adviser)
        taken = []
        with _traced(explorer, options.trace):
            for step in _steps(explorer, entries(stream, name), keep_going=options.keep_going):
                say(people, step_lines(step.entry.text, step.observation))
                taken.append(step)
    query = _query(explorer)
    say(people, ["", *(query or "(empty plan)").split("\n"), ""])
    complaint = _complaint(name, taken, keep_going=options.keep_going)
    answer = None
    try:
        answer = explorer.answer() if query else None
        if answer is not None and not options.json:
            print_answer(answer, options.format, kg.prefixes)
    except HermesError as error:
        complaint = "; ".join(filter(None, (complaint, str(error))))
    if options.json:
        _print_json(explorer, taken, answer, complaint)
    if complaint:
        complain(complaint)
    return not complaint


def _refuse_overwriting(options: argparse.Namespace) -> None:
    if options.trace and Path(options.trace).resolve() == Path(options.actions).resolve():
        raise HermesError(f"the trace would overwrite the actions in {options.trace}", code="unwritable")


def _query(explorer: Explorer) -> str:
    return "" if explorer.plan.empty else explorer.sparql


def _steps(explorer: Explorer, found: Iterator[Entry], *, keep_going: bool) -> Iterator[Taken]:
    """Take the actions; the last one is a rejected one, unless `keep_going`."""
    for entry in found:
        try:
            action = entry.action()
        except HermesError as error:
            seen: Observation = Rejected.of(error)
        else:
            seen = explorer.run(action)
        yield Taken(entry, seen, _query(explorer))
        if isinstance(seen, Rejected) and not keep_going:
            return


def _complaint(name: str, taken: list[Taken], *, keep_going: bool) -> str:
    """Return why the run is not a success, or an empty text."""
    if not taken:
        return f"{name} holds no action"
    rejected = [step for step in taken if isinstance(step.observation, Rejected)]
    if not rejected:
        return ""
    if keep_going:
        places = ", ".join(step.entry.place for step in rejected)
        return f"{name}: {len(rejected)} of {len(taken)} actions rejected: {places}"
    last = rejected[-1]
    return f"{name}, {last.entry.place}: {last.observation.summary()}"


@contextmanager
def _traced(explorer: Explorer, name: str | None) -> Iterator[None]:
    """Write the trace, also after an interruption; that the file can be written is seen beforehand."""
    if name is None:
        yield
        return
    with created(name) as out:
        try:
            yield
        finally:
            out.write(explorer.trace.to_jsonl())


# --- the answer ----------------------------------------------------------------------------------


def _print_json(explorer: Explorer, taken: list[Taken], answer: Result | None, complaint: str) -> None:
    found = {
        "format": FORMAT,
        "graph": {"source": explorer.kg.source, "fingerprint": explorer.kg.fingerprint},
        "steps": [step.to_json() for step in taken],
        "query": _query(explorer),
        "answer": None if answer is None else answer_to_json(answer),
        "complete": is_complete(answer),
        "error": complaint or None,
    }
    sys.stdout.write(json.dumps(found, ensure_ascii=False) + "\n")


COMMAND: Final = Command(
    says="apply the actions of a file, a line a step; print the query and its answer",
    examples=_EXAMPLES,
    configure=configure,
    execute=execute,
)
