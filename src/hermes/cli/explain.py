"""`hermes explain`: read a SPARQL query in and show what each of its operators leaves."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Final, TextIO

from hermes.algebra import Plan, parse_query
from hermes.algebra.observation import Asked, Built, Empty, Observation, Rejected, Solutions
from hermes.algebra.parse_query import declared_prefixes
from hermes.cli.answers import sentence_lines
from hermes.cli.arguments import (
    Command,
    add_graph_options,
    chosen_sources,
    load,
)
from hermes.cli.diagnosing import diagnosed, diagnosis_lines, diagnosis_to_json
from hermes.cli.streams import complain, created_whole, read_all, say, title
from hermes.cli.tables import table_lines
from hermes.cli.verify import add_verify_option, verification
from hermes.errors import HermesError, VerifierError
from hermes.explanation import Explanation, Step
from hermes.explanation.explanation_json import explanation_to_json
from hermes.explanation.lines import Lines, elapsed_text
from hermes.explanation.page import page as write_page
from hermes.explanation.steps import in_order, steps
from hermes.verbalize import verbalize

if TYPE_CHECKING:
    from hermes.algebra.ports import Adviser
    from hermes.kg import KG
    from hermes.repair import Diagnosis

FORMAT: Final = 1

_TRIPLE: Final = ("subject", "predicate", "object")

_EXAMPLES: Final = """\
Each line is an operator of the query: its text, the solutions before and after it, and its time. Below
OPTIONAL, UNION, MINUS, GRAPH, EXISTS and sub-queries stand the counts inside. Clauses that may change
places are shown in the order in which they connect, the most selective first.

examples:
  hermes explain query.rq
  hermes explain query.rq --kg my.ttl --html query.html
  echo 'SELECT ?city { ?city ex:hosted ?games }' | hermes explain -
  echo 'SELECT ?city { ?city ex:host ?games }' | hermes explain - --diagnose"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "query",
        metavar="QUERY.rq",
        help="a SPARQL query: SELECT, ASK, CONSTRUCT or DESCRIBE; it may use the prefixes of the graph; "
        "- reads stdin",
    )
    add_graph_options(parser)
    parser.add_argument("--json", action="store_true", help="write one JSON object instead")
    parser.add_argument(
        "--diagnose",
        action="store_true",
        help="say which clauses leave nothing together and what mends that; or where solutions multiply",
    )
    add_verify_option(parser, "or the query is rejected before it runs")
    parser.add_argument(
        "--html", metavar="FILE", help="write a page too, with rows of each step and a drawing"
    )


def execute(options: argparse.Namespace) -> bool:
    """Run the command; return whether the whole query could be observed."""
    name = title(options.query)
    text = read_all(options.query)
    _refuse_overwriting(options)
    with _named(name):
        declared = declared_prefixes(text)
    kg = load(options, chosen_sources(options), declared)
    with _named(name):
        plan = parse_query(text, prefixes=kg.prefixes)
    ordered = in_order(kg, plan)
    adviser = _adviser(kg, plan, options.verify, name)
    sentence = verbalize(plan, kg)
    with _page(options.html) as page:
        if not options.json:
            say(sys.stdout, _introduction(sentence, plan))
        taken = _taken(kg, ordered, adviser, aloud=not options.json, samples=page is not None)
        found = Explanation(ordered, tuple(taken), plan.slips())
        diagnosis = diagnosed(kg, plan) if options.diagnose and _has_solutions(plan) else None
        if options.json:
            _print_json(kg, sentence, found, diagnosis)
        else:
            say(sys.stdout, ["", *_answer(kg, found)])
            if diagnosis is not None:
                say(sys.stdout, ["", *diagnosis_lines(diagnosis)])
        if page is not None:
            page.write(write_page(found, text, sentence, kg))
    return _is_whole(name, found.seen)


def _adviser(kg: KG, plan: Plan, mode: str, name: str) -> Adviser | None:
    """Return what advises on the steps.

    Raises:
        VerifierError: the query is to be refused.
    """
    verified = verification(kg, mode)
    if verified.kernel is not None:
        verdict = verified.kernel.check(plan)
        if not verdict.accepted:
            raise VerifierError(f"{name} is refused: {verdict.reason}", code=verdict.code)
    return verified.adviser


def _has_solutions(plan: Plan) -> bool:
    """Whether the plan is of a form that can be diagnosed."""
    return not plan.empty and plan.form in {"select", "ask"}


def _refuse_overwriting(options: argparse.Namespace) -> None:
    if options.html and Path(options.html).resolve() == Path(options.query).resolve():
        raise HermesError(f"the page would overwrite the query in {options.html}", code="unwritable")


@contextmanager
def _named(name: str) -> Iterator[None]:
    """Say in an error which file it is about."""
    try:
        yield
    except HermesError as error:
        raise HermesError(f"{name}: {error}", code=error.code) from error


@contextmanager
def _page(name: str | None) -> Iterator[TextIO | None]:
    """Give the file of the page, if one is wanted; that it can be written is seen beforehand."""
    if name is None:
        yield None
        return
    with created_whole(name) as out:
        yield out
    say(sys.stderr, [f"wrote {name}"])


def _is_whole(name: str, seen: Observation | None) -> bool:
    if isinstance(seen, Rejected):
        complain(f"{name}: the whole query could not be observed: {seen.message}")
    return not isinstance(seen, Rejected)


# --- for people ----------------------------------------------------------------------------------


def _introduction(sentence: str, plan: Plan) -> Iterator[str]:
    yield from sentence_lines(sentence)
    yield ""
    yield from (f"warning: {slip.message}" for slip in plan.slips())


def _taken(kg: KG, ordered: Plan, adviser: Adviser | None, *, aloud: bool, samples: bool) -> Iterator[Step]:
    """Yield the steps; `aloud` shows each as soon as it has been taken."""
    shown = Lines(ordered)
    for number, step in enumerate(steps(kg, ordered, samples=samples, adviser=adviser), start=1):
        if aloud:
            say(sys.stdout, shown.of_step(number, step))
        yield step


def _answer(kg: KG, found: Explanation) -> Iterator[str]:
    """Yield the first rows of the answer."""
    width = get_terminal_size().columns
    match found.seen:
        case Asked(value=value):
            yield "true" if value else "false"
        case Solutions(count=0):
            yield "(no solutions)"
        case Solutions(variables=()):
            yield "(solutions without columns)"
        case Solutions(sample=rows, variables=names, count=count, capped=capped):
            yield from table_lines(rows, names, kg, width, more=max(0, count - len(rows)), at_least=capped)
        case Built(count=0):
            yield "(no triples)"
        case Built(sample=triples, count=count, capped=capped):
            built = [{"subject": t.subject, "predicate": t.predicate, "object": t.object} for t in triples]
            more = max(0, count - len(built))
            yield from table_lines(built, _TRIPLE, kg, width, more=more, at_least=capped)
        case Empty() | None:
            yield "(the query has no patterns)"
        case _:
            pass
    total = sum(step.elapsed for step in found.steps)
    yield ""
    yield f"{len(found.steps)} step{'s' * (len(found.steps) != 1)}, {elapsed_text(total)}"


# --- for programs --------------------------------------------------------------------------------


def _print_json(kg: KG, sentence: str, found: Explanation, diagnosis: Diagnosis | None) -> None:
    seen = found.seen
    content = {
        "format": FORMAT,
        "graph": {"source": kg.source, "fingerprint": kg.fingerprint},
        "sentence": sentence,
        **explanation_to_json(found, kg.header),
        "error": seen.message if isinstance(seen, Rejected) else None,
    }
    if diagnosis is not None:
        content["diagnosis"] = diagnosis_to_json(diagnosis)
    sys.stdout.write(json.dumps(content, ensure_ascii=False) + "\n")


COMMAND: Final = Command(
    says="show what each operator of a SPARQL query leaves",
    examples=_EXAMPLES,
    configure=configure,
    execute=execute,
)
