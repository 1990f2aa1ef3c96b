"""What the commands have in common: the parser, and the options that choose the graph."""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NoReturn

import hermes
from hermes.cli.streams import shown

if TYPE_CHECKING:
    from hermes.kg import KG

PROGRAM: Final = "hermes"
KG_VARIABLE: Final = "HERMES_KG"
DEFAULT_KG: Final = "olympics"


class Parser(argparse.ArgumentParser):
    """A parser that says in one line what is wrong with the command line."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and exit with code 2."""
        self.exit(2, f"{PROGRAM}: {shown(message)} (see {self.prog} --help)\n")


@dataclass(frozen=True, slots=True)
class Command:
    """One command: what it says of itself, its options, and what it does.

    `execute` returns whether the work was done; where it was not, it has said why in one line on stderr.
    """

    says: str
    examples: str
    configure: Callable[[argparse.ArgumentParser], None]
    execute: Callable[[argparse.Namespace], bool]


def add_graph_options(parser: argparse.ArgumentParser, default: str) -> None:
    """Add the options that choose the graph; `default` says what is used without `--kg`."""
    parser.add_argument(
        "--kg",
        action="append",
        metavar="KG",
        help=f"a file (.ttl .nt .nq .trig .rdf .owl .jsonld, each also .gz) or a shipped name; may be "
        f"repeated; or a directory that hermes load wrote ({default})",
    )
    parser.add_argument(
        "--graph",
        metavar="IRI|union|default",
        help="the default graph of queries: a named graph, the union of all graphs, or the default graph "
        "(default: the default graph, or the union where it is empty)",
    )
    parser.add_argument(
        "--allow-service",
        action="append",
        default=[],
        metavar="HOST",
        help="a host that SERVICE may call; may be repeated (default: none)",
    )
    parser.add_argument(
        "--timeout",
        type=_seconds,
        metavar="SECONDS",
        help="the time that one query may run; inf is no limit (default: 30)",
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="show the queries on stderr")


def chosen_sources(options: argparse.Namespace) -> Sequence[str]:
    """Return what `--kg` says, else the environment, else the name of the shipped graph."""
    return options.kg or [os.environ.get(KG_VARIABLE) or DEFAULT_KG]


def load(options: argparse.Namespace, sources: Sequence[str]) -> KG:
    """Load the graph that the options describe.

    Raises:
        StoreError: it cannot be loaded.
    """
    limit = {} if options.timeout is None else {"timeout": options.timeout}
    return hermes.KG.load(*sources, graph=options.graph, allow_services=options.allow_service, **limit)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not seconds > 0:
        raise argparse.ArgumentTypeError(f'expected a number of seconds > 0, or inf, not "{text}"')
    return seconds
