"""The program: it reads the command line, runs a command, and turns what went wrong into an exit code."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Final

from hermes import __version__
from hermes.cli import (
    ask,
    check,
    doctor,
    evaluate,
    explain,
    explore,
    index,
    inspect,
    link,
    load,
    lookup,
    replay,
    run,
)
from hermes.cli.arguments import PROGRAM, Command, Parser
from hermes.cli.streams import complain, logged, prepare, silence
from hermes.errors import HermesError, did_you_mean

DONE: Final = 0
FAILED: Final = 1
WRONG_USAGE: Final = 2
INTERRUPTED: Final = 130  # what shells report for SIGINT
NOBODY_READS: Final = 141  # what shells report for SIGPIPE

COMMANDS: Final[dict[str, Command]] = {
    "run": run.COMMAND,
    "explore": explore.COMMAND,
    "explain": explain.COMMAND,
    "ask": ask.COMMAND,
    "replay": replay.COMMAND,
    "check": check.COMMAND,
    "eval": evaluate.COMMAND,
    "lookup": lookup.COMMAND,
    "link": link.COMMAND,
    "inspect": inspect.COMMAND,
    "load": load.COMMAND,
    "index": index.COMMAND,
    "doctor": doctor.COMMAND,
}

_EXAMPLES: Final = """\
examples:
  hermes run examples/documented.jsonl              the graph is the one that ships with hermes
  hermes run actions.jsonl --kg my.ttl --format csv > answer.csv
  echo '{"op": "triple", "pattern": "?city ex:hosted ?games"}' | hermes run -
  hermes explain examples/winter_cities.rq          a SPARQL query, step by step
  hermes run actions.jsonl --trace session.jsonl && hermes replay session.jsonl

An option that is not given is taken from the environment (HERMES_KG, HERMES_TIMEOUT, ...), else from
hermes.toml in the working folder.

exit codes: 0 done; 1 refused or failed, with one line that says why; 2 the command line is wrong"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code; nothing is raised for what a user can do wrong.

    Args:
        argv: the words after the program's name; by default those of the process.
    """
    prepare()
    try:
        code = _answer(sys.argv[1:] if argv is None else list(argv))
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        silence(sys.stdout, sys.stderr)
        return NOBODY_READS
    except OSError as error:  # the disk behind stdout is full, for one
        silence(sys.stdout)
        complain(str(error))
        return FAILED
    return code


def _answer(argv: Sequence[str]) -> int:
    try:
        options = _read(argv)
    except SystemExit as stop:  # argparse has said what it had to say
        return stop.code if isinstance(stop.code, int) else WRONG_USAGE
    with logged(queries=options.verbose), ExitStack() as options.at_end:
        try:
            return DONE if options.execute(options) else FAILED
        except HermesError as error:
            complain(str(error))
            return FAILED


def _read(argv: Sequence[str]) -> argparse.Namespace:
    parser = Parser(
        prog=PROGRAM,
        description="Build SPARQL queries over any RDF knowledge graph one verified step at a time.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, command in COMMANDS.items():
        own = commands.add_parser(
            name,
            help=command.says,
            description=f"{command.says[0].upper()}{command.says[1:]}.",
            epilog=command.examples,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        command.configure(own)
        own.set_defaults(execute=command.execute)
    if argv and not argv[0].startswith("-") and argv[0] not in COMMANDS:
        near = did_you_mean(argv[0], COMMANDS)
        parser.error(f'there is no command "{argv[0]}"{near}; commands: {", ".join(COMMANDS)}')
    return parser.parse_args(argv)
