"""`hermes eval`: score a question-answering system on a question set."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from hermes.cli.arguments import Command, add_graph_options, chosen_sources, load, seconds_of
from hermes.cli.asking_progress import AskingProgress
from hermes.cli.configuration import configured
from hermes.cli.streams import created_whole, say
from hermes.errors import HermesError
from hermes.evaluation import (
    Difference,
    Question,
    QuestionSet,
    Record,
    Totals,
    Unscored,
    difference_lines,
    paired,
    read_questions,
    read_run,
    run,
    totals,
    totals_lines,
)
from hermes.evaluation.lint import fault_lines, faults_json, lint
from hermes.evaluation.report import report_page
from hermes.evaluation.run_file import Identity, RunFile
from hermes.kg import KG
from hermes.systems import System, load_system, system_names
from hermes.verifier import Kernel, Schema

FORMAT: Final = 1
DEFAULT_SYSTEM: Final = "single-triple"
_MOST_WORKERS: Final = 64
_SHOWN: Final = 10

_EXAMPLES: Final = """\
A set may name the files of its graphs; then no --kg is needed. Otherwise all questions are about one graph.
Without answers in the set, the gold queries are run. `hermes eval --systems` lists the systems.

examples:
  hermes eval examples/olympics.questions.json
  hermes eval questions.json --system gold --out runs/gold
  hermes eval questions.csv --kg my.ttl --command "python answer.py" --workers 2 --report report.html
  hermes eval questions.json --out runs/new --compare runs/old
  hermes eval questions.json --lint"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "questions",
        metavar="QUESTIONS",
        nargs="?",
        help="QALD JSON, LC-QuAD JSON, JSON Lines, or a CSV of question and query; each also .gz",
    )
    add_graph_options(parser)
    parser.add_argument(
        "--data", metavar="DIR", help="the folder of the graph files that the set names (default: its own)"
    )
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument(
        "--system", metavar="NAME", default=DEFAULT_SYSTEM, help=f"who answers (default: {DEFAULT_SYSTEM})"
    )
    chosen.add_argument(
        "--command",
        metavar="CMD",
        help="a program that answers: the question on its stdin, a query on its stdout",
    )
    chosen.add_argument("--systems", action="store_true", help="list the systems")
    parser.add_argument("--limit", type=_natural, metavar="N", help="only the first N questions")
    parser.add_argument(
        "--workers", type=_workers, default=1, metavar="N", help="questions at the same time (default: 1)"
    )
    parser.add_argument(
        "--question-timeout",
        type=seconds_of,
        metavar="SECONDS",
        help="the time that the queries of one answer may take together (default: no limit but that of each)",
    )
    parser.add_argument(
        "--out", metavar="DIR", help="keep the records in DIR; a run that was interrupted goes on from there"
    )
    parser.add_argument("--compare", metavar="DIR", help="say how the run differs from the one kept in DIR")
    parser.add_argument("--report", metavar="FILE.html", help="write a page with every question")
    parser.add_argument("--lint", action="store_true", help="ask nobody: say what is wrong with the set")
    parser.add_argument("--json", action="store_true", help="write one JSON object")


def _natural(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise argparse.ArgumentTypeError(f'expected a whole number of at least 1, not "{text}"')
    return int(text)


def _workers(text: str) -> int:
    number = _natural(text)
    if number > _MOST_WORKERS:
        raise argparse.ArgumentTypeError(f"expected at most {_MOST_WORKERS}, not {number}")
    return number


def execute(options: argparse.Namespace) -> bool:
    """Run the command; wrong answers are results, and no reason to fail."""
    if options.systems:
        say(sys.stdout, system_names())
        return True
    if options.questions is None:
        raise HermesError("expected a question set (see hermes eval --help)", code="question-set")
    file = Path(options.questions)
    found = read_questions(file, None if options.data is None else Path(options.data))
    asked = found.questions[: options.limit]
    graph_of = _graphs(options, found)
    if options.lint:
        _lint(options, asked, graph_of)
        return True
    # What is to be written and compared with is looked at before an hour of asking.
    other = None if options.compare is None else read_run(Path(options.compare))
    with nullcontext() if options.report is None else created_whole(options.report) as page:
        outcome = _asked(options, file, found, asked, graph_of)
        difference = None if other is None else paired(outcome.records, other)
        if page is not None:
            title = f"{outcome.system} on {found.id}"
            page.write(report_page(outcome.records, outcome.totals, title, other=other))
    if options.json:
        sys.stdout.write(json.dumps(outcome.to_json(difference), ensure_ascii=False) + "\n")
    else:
        say(sys.stdout, outcome.lines(difference))
    return True


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What a run came to."""

    system: str
    records: Sequence[Record]
    unscored: Sequence[Unscored]
    totals: Totals

    def to_json(self, difference: Difference | None) -> dict[str, Any]:
        found: dict[str, Any] = {
            "format": FORMAT,
            "system": self.system,
            "totals": self.totals.to_json(),
            "questions": [record.to_json() for record in self.records],
            "unscored": [{"id": each.id, "reason": each.reason} for each in self.unscored],
        }
        return found if difference is None else found | {"difference": difference.to_json()}

    def lines(self, difference: Difference | None) -> Iterator[str]:
        yield from totals_lines(self.totals)
        if self.unscored:
            yield f"not scored: {len(self.unscored):,}, since what is right is not known"
            yield from (f"  {each.id}: {each.reason}" for each in self.unscored[:_SHOWN])
        failed = [record.id for record in self.records if record.error or record.f1 < 1]
        if failed:
            more = f", and {len(failed) - _SHOWN:,} more" if len(failed) > _SHOWN else ""
            yield f"not fully right: {', '.join(failed[:_SHOWN])}{more}"
        if difference is not None:
            yield ""
            yield from difference_lines(difference)


def _asked(
    options: argparse.Namespace,
    file: Path,
    found: QuestionSet,
    asked: Sequence[Question],
    graph_of: Callable[[str], KG],
) -> _Outcome:
    name, system = _system(options)
    kept = None
    if options.out is not None:
        identity = Identity.of(found.id, file, name, _settings(options))
        kept = options.at_end.enter_context(closing(RunFile(Path(options.out), identity)))
    records = {} if kept is None else dict(kept.records)
    left = [question for question in asked if question.id not in records]
    unscored = []
    with AskingProgress(len(asked), list(records.values())) as progress:
        outcomes = run(left, graph_of, system, workers=options.workers, seconds=options.question_timeout)
        for outcome in outcomes:
            if isinstance(outcome, Unscored):
                unscored.append(outcome)
                continue
            records[outcome.id] = outcome
            if kept is not None:
                kept.add(outcome)
            progress.add(outcome)
    ordered = [records[question.id] for question in asked if question.id in records]
    return _Outcome(name, ordered, unscored, totals(ordered))


def _system(options: argparse.Namespace) -> tuple[str, System]:
    if options.command is None:
        return options.system, load_system(options.system)
    try:
        argv = shlex.split(options.command)
    except ValueError as error:
        raise HermesError(f"--command cannot be read: {error}", code="system-settings") from error
    return "command", load_system("command", argv=argv)


def _settings(options: argparse.Namespace) -> Mapping[str, str]:
    """Return what changes what a run gives, as texts."""
    names = ("command", "data", "graph", "limit", "language", "question_timeout")
    found = {name: str(getattr(options, name)) for name in names if getattr(options, name) is not None}
    return found | ({"kg": " ".join(options.kg)} if options.kg else {})


def _graphs(options: argparse.Namespace, found: QuestionSet) -> Callable[[str], KG]:
    """Return what loads a graph by its name; what the command line names comes before what the set names."""
    if options.kg or not found.graphs:
        sources = chosen_sources(options)
        return lambda _: load(options, sources)
    if configured("kg") is not None:
        say(sys.stderr, ["the set names its graphs, so the configured one is not used (see --kg)"])
    return partial(_named, options, found.graphs)


def _named(options: argparse.Namespace, graphs: Mapping[str, Sequence[Path]], name: str) -> KG:
    return load(options, [str(path) for path in graphs[name]])


def _lint(options: argparse.Namespace, asked: Sequence[Question], graph_of: Callable[[str], KG]) -> None:
    by_graph: dict[str, list[Question]] = {}
    for question in asked:
        by_graph.setdefault(question.kg, []).append(question)
    faults = []
    for name, questions in by_graph.items():
        with closing(graph_of(name)) as kg:
            kernel = Kernel(Schema.mine(kg))
            faults += [fault for question in questions for fault in lint(kg, question, kernel)]
    if options.json:
        sys.stdout.write(json.dumps(faults_json(faults, len(asked)), ensure_ascii=False) + "\n")
    else:
        say(sys.stdout, fault_lines(faults, len(asked)))


COMMAND: Final = Command(
    says="score a question-answering system on a question set",
    examples=_EXAMPLES,
    configure=configure,
    execute=execute,
)
