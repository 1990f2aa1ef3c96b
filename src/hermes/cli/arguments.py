"""What the commands have in common: the parser, and the options that choose the graph."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NoReturn

import hermes
from hermes.algebra.reads import MOST
from hermes.cli.configuration import configured
from hermes.cli.streams import say, shown
from hermes.labels import DEFAULT_LANGUAGE, checked_language
from hermes.store import TIME_LIMIT

if TYPE_CHECKING:
    from hermes.kg import KG

PROGRAM: Final = "hermes"
KG_VARIABLE: Final = "HERMES_KG"
DEFAULT_KG: Final = "olympics"
_BY_DEFAULT: Final = f"default: {KG_VARIABLE}, else kg in hermes.toml, else {DEFAULT_KG}"


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


def add_graph_options(parser: argparse.ArgumentParser, default: str = _BY_DEFAULT) -> None:
    """Add the options that choose the graph; `default` says what is used without `--kg`."""
    parser.add_argument(
        "--kg",
        action="append",
        metavar="KG",
        help="a file (.ttl .nt .nq .trig .rdf .owl .jsonld, each also .gz) or a shipped name, which may be "
        "repeated; or a directory that hermes load wrote, or the http(s) address of a SPARQL endpoint "
        f"({default})",
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
        metavar="HOST",
        help="a host that SERVICE may call; may be repeated (default: none)",
    )
    parser.add_argument(
        "--cache",
        metavar="FILE",
        help="keep the results of queries in FILE, for the next run too; processes may share it "
        "(default: only in memory)",
    )
    parser.add_argument(
        "--language",
        type=_language,
        metavar="TAG",
        help=f"the preferred language of labels, such as de or pt-BR (default: {DEFAULT_LANGUAGE})",
    )
    add_timeout(parser, "the time that one query may run; inf is no limit", default=None)
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="show the queries on stderr, and last what the cache did"
    )


def add_timeout(parser: argparse.ArgumentParser, says: str, default: float | None = TIME_LIMIT) -> None:
    """Add `--timeout SECONDS`, which must be more than 0; without a `default` it may be configured."""
    parser.add_argument(
        "--timeout",
        type=seconds_of,
        metavar="SECONDS",
        default=default,
        help=f"{says} (default: {TIME_LIMIT:g})",
    )


def add_limit(parser: argparse.ArgumentParser, says: str, default: int) -> None:
    """Add `--limit N`, from 1 to the largest limit of a read."""
    parser.add_argument(
        "--limit",
        type=_limit,
        default=default,
        metavar="N",
        help=f"{says}, at most {MOST} (default: {default})",
    )


def _limit(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MOST):
        raise argparse.ArgumentTypeError(f'expected a whole number from 1 to {MOST}, not "{text}"')
    return int(text)


def chosen_sources(options: argparse.Namespace) -> Sequence[str]:
    """Return what `--kg` says, else the environment, else `hermes.toml`, else the name of the shipped graph.

    Raises:
        HermesError: `hermes.toml` is wrong.
    """
    return list(options.kg or configured("kg") or [DEFAULT_KG])


def load(
    options: argparse.Namespace, sources: Sequence[str], prefixes: Mapping[str, str] | None = None
) -> KG:
    """Load the graph that the options describe, or the configuration; it is closed when the command is done.

    `prefixes` are used before those of the graph.

    Raises:
        StoreError: it cannot be loaded.
        HermesError: the configuration is wrong.
    """
    graph = options.graph or configured("graph")
    kg = hermes.KG.load(
        *sources,
        graph=graph,
        prefixes=prefixes,
        allow_services=options.allow_service or configured("allow_service") or (),
        cache=options.cache or configured("cache"),
        timeout=options.timeout or configured("timeout", seconds_of) or TIME_LIMIT,
        language=options.language or configured("language", _language) or DEFAULT_LANGUAGE,
    )
    options.at_end.callback(kg.close)
    if graph is None and kg.dataset == "union":
        say(
            sys.stderr,
            ["the default graph is empty: queries ask the union of the named graphs (see --graph)"],
        )
    return kg


def _language(text: str) -> str:
    try:
        return checked_language(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def seconds_of(text: str) -> float:
    """Return the seconds that an option says: more than 0, or inf.

    Raises:
        argparse.ArgumentTypeError: it says something else.
    """
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not seconds > 0:
        raise argparse.ArgumentTypeError(f'expected a number of seconds > 0, or inf, not "{text}"')
    return seconds
