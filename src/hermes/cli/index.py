"""`hermes index`: make the indexes of names and values of a graph, so that later commands find them ready."""

from __future__ import annotations

import argparse
import sys
from time import monotonic
from typing import Final

from hermes.cli.arguments import Command, add_graph_options, chosen_sources, load
from hermes.cli.streams import say

_EXAMPLES: Final = """\
The indexes of files and of store directories are made when they are first needed; this makes them now.
Those of an endpoint are only made by this command: its names and short texts are read a page at a time, and
kept in the cache directory. From then on look-up and linking ask it no more for names.

examples:
  hermes index https://example.org/sparql
  hermes index large.nt.gz
  hermes index store-directory -v                   with what is read so far"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("source", nargs="*", metavar="KG", help="the graph, instead of --kg")
    add_graph_options(parser)


def execute(options: argparse.Namespace) -> bool:
    """Run the command."""
    start = monotonic()
    kg = load(options, options.source or chosen_sources(options))
    names, values = kg.make_indexes()
    say(sys.stdout, [f"{names:,} names and {values:,} texts indexed in {monotonic() - start:.1f} s"])
    return True


COMMAND: Final = Command(
    says="make the indexes of the names and texts of a graph",
    examples=_EXAMPLES,
    configure=configure,
    execute=execute,
)
