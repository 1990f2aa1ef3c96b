"""`hermes explore`: the command line, and the choice of a front end."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from hermes.cli.arguments import (
    Command,
    add_graph_options,
    chosen_sources,
    load,
)
from hermes.cli.explore import plain
from hermes.cli.explore.guide import greeting
from hermes.cli.explore.session import INTERRUPTED, Session
from hermes.cli.streams import say
from hermes.cli.verify import add_verify_option, verification
from hermes.store import is_url

_LARGE: Final = 1_000_000
"""Files of so many bytes take more than a second to load."""
_WIDTH: Final = 100
"""Columns where the output is no terminal."""

_EXAMPLES: Final = """\
A line is a step, such as ?city ex:hosted ?games or filter ?year > 1950, or a command, such as classes; help
lists them. Tab completes, Ctrl-C ends a query or clears the line, Ctrl-D leaves. Lines may come from a pipe.

examples:
  hermes explore                           the graph that ships with hermes
  hermes explore --kg my.ttl
  hermes explore --kg https://... --plain  line by line, without a menu: for screen readers too"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_graph_options(parser)
    add_verify_option(parser)
    parser.add_argument(
        "--plain", action="store_true", help="draw nothing: lines alone, as for a pipe or TERM=dumb"
    )


def execute(options: argparse.Namespace) -> bool:
    """Run the command; return True: what fails in a session is said there."""
    sources = chosen_sources(options)
    _announce(sources)
    kg = load(options, sources)
    session = Session(kg, _width, verification(kg, options.verify))
    front_end = _front_end(plain_asked=options.plain)
    try:
        for line in greeting(session):
            say(sys.stdout, [line])
    except KeyboardInterrupt:
        say(sys.stdout, [INTERRUPTED])
    front_end(session)
    return True


def _announce(sources: Sequence[str]) -> None:
    """Say what takes a while, before it does."""
    if any(map(is_url, sources)):
        say(sys.stderr, [f"asking {', '.join(sources)} what it has, for some seconds ..."])
    elif sum(path.stat().st_size for path in map(Path, sources) if path.is_file()) > _LARGE:
        say(sys.stderr, [f"loading {', '.join(sources)} ..."])


def _front_end(*, plain_asked: bool) -> Callable[[Session], None]:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return plain.read_piped
    if plain_asked or os.environ.get("TERM", "dumb") == "dumb":
        return plain.converse
    if find_spec("prompt_toolkit") is None:
        says = "for a menu of what may come next: pip install 'hermes-kg[explore]'; Tab lists it here too"
        say(sys.stderr, [says])
        return plain.converse
    from hermes.cli.explore import prompt  # noqa: PLC0415 - an extra that only this front end needs

    return prompt.converse


def _width() -> int:
    return shutil.get_terminal_size((_WIDTH, 24)).columns


COMMAND: Final = Command(
    says="build a query step by step, interactively: completion, previews, undo",
    examples=_EXAMPLES,
    configure=configure,
    execute=execute,
)
