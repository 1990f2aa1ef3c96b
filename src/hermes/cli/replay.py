"""`hermes replay`: take the steps of a trace again and say where they first go another way."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Final

from hermes.algebra import Trace
from hermes.algebra.observation_json import observation_to_json
from hermes.algebra.trace import Replay
from hermes.cli.arguments import Command, add_graph_options, load
from hermes.cli.streams import complain, read_all, say, step_lines, title
from hermes.cli.verify import OFF, REFUSE, WARN, verification
from hermes.errors import HermesError, StoreError
from hermes.store.endpoint import is_url

if TYPE_CHECKING:
    from hermes.kg import KG

FORMAT: Final = 1
_SHORT: Final = 12

_EXAMPLES: Final = """\
example:
  hermes run examples/documented.jsonl --trace session.jsonl
  hermes replay session.jsonl"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("trace", metavar="TRACE", help="a file that hermes run --trace wrote; - reads stdin")
    add_graph_options(parser, default="default: the source that the trace names")
    parser.add_argument("--json", action="store_true", help="write one JSON object: steps and difference")


def execute(options: argparse.Namespace) -> bool:
    """Run the command; return whether all steps came out the same."""
    people = sys.stderr if options.json else sys.stdout
    trace = Trace.from_jsonl(read_all(options.trace))
    options.graph = options.graph or trace.dataset
    kg = _load(options, trace)
    if kg.fingerprint != trace.fingerprint:
        now, was = kg.fingerprint[:_SHORT], trace.fingerprint[:_SHORT]
        say(people, [f"another graph than the trace's {trace.source}: fingerprint {now}, was {was}"])
    done = trace.replay(kg, *verification(kg, _mode(trace)))
    for step in done.trace.steps:
        say(people, step_lines(str(step.action), step.observation))
    count = len(done.trace.steps)
    verdict = f"same: {count} step{'' if count == 1 else 's'}"
    say(people, [verdict if done.difference is None else f"different: {done.difference}"])
    if options.json:
        _print_json(done, same_graph=kg.fingerprint == trace.fingerprint)
    if done.difference is not None:
        complain(f"the replay of {title(options.trace)} differs at step {count}")
    return done.difference is None


def _load(options: argparse.Namespace, trace: Trace) -> KG:
    """Load the graph that `--kg` names, else the source that the trace names.

    Raises:
        StoreError: it cannot be loaded.
    """
    if options.kg:
        return load(options, options.kg)
    if is_url(trace.source):  # a trace may come from anyone, and must not choose whom hermes calls
        raise HermesError(
            f"the trace was recorded at the endpoint {trace.source}, which is not asked without your word; "
            f"name it, or another graph, with --kg",
            code="unknown-source",
        )
    reasons = []
    either = ((trace.source,), tuple(trace.source.split(", ")))  # a file's own name may hold a comma
    for sources in dict.fromkeys(either):
        try:
            return load(options, sources)
        except StoreError as error:
            reasons.append(str(error))
    raise HermesError(
        f"the graph of the trace, {trace.source}, cannot be loaded; name one with --kg ({reasons[-1]})",
        code="unknown-source",
    )


def _print_json(done: Replay, *, same_graph: bool) -> None:
    steps = [
        {
            "action": step.action.to_json(),
            "observation": observation_to_json(step.observation),
            "query": step.query,
        }
        for step in done.trace.steps
    ]
    found = {
        "format": FORMAT,
        "graph": {"source": done.trace.source, "fingerprint": done.trace.fingerprint, "same": same_graph},
        "steps": steps,
        "same": done.difference is None,
        "difference": done.difference,
    }
    sys.stdout.write(json.dumps(found, ensure_ascii=False) + "\n")


def _mode(trace: Trace) -> str:
    """Return how the steps were verified: a replay compares only what was refused."""
    if not trace.refused:
        return OFF
    return REFUSE if trace.refused - {"goal-refuted"} else WARN


COMMAND: Final = Command(
    says="take the steps of a trace again and report the first difference",
    examples=_EXAMPLES,
    configure=configure,
    execute=execute,
)
