"""`hermes lookup`: the terms of a graph whose names contain a text."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Final, get_args

from hermes.cli.arguments import (
    Command,
    add_graph_options,
    add_limit,
    chosen_sources,
    load,
)
from hermes.cli.streams import say
from hermes.finding_json import lookup_to_json
from hermes.finding_text import lookup_lines
from hermes.findings import Role

FORMAT: Final = 1
LIMIT: Final = 10

_EXAMPLES: Final = """\
Case, accents and punctuation do not count. The best comes first: names that are the text, that begin with it,
that have it, or all its words, as words, inside of words; and where there is nothing better, those that have
it but for a typo or two.

examples:
  hermes lookup placid
  hermes lookup "lake placid" --kind entity
  hermes lookup Shqiperi --kg mondial-europe.ttl.gz
  hermes lookup population --kg https://... --kind predicate --json"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("text", type=_text, metavar="TEXT", help="what a name has to contain")
    add_graph_options(parser)
    parser.add_argument(
        "--kind",
        choices=("any", *get_args(Role)),
        default="any",
        help="what the term has to be (default: any)",
    )
    add_limit(parser, "how many terms to show", LIMIT)
    parser.add_argument("--json", action="store_true", help="write one JSON object")


def _text(text: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError("expected a text: every name contains an empty one")
    return text


def execute(options: argparse.Namespace) -> bool:
    """Run the command; that nothing is found is an answer."""
    kg = load(options, chosen_sources(options))
    role = None if options.kind == "any" else options.kind
    found = kg.lookup(options.text, role, options.limit)
    if options.json:
        graph = {"source": kg.source, "fingerprint": kg.fingerprint}
        written = {"format": FORMAT, "graph": graph, **lookup_to_json(found)}
        sys.stdout.write(json.dumps(written, ensure_ascii=False) + "\n")
    else:
        say(sys.stdout, lookup_lines(found, kg.prefixes))
    return True


COMMAND: Final = Command(
    says="find the terms whose names contain a text",
    examples=_EXAMPLES,
    configure=configure,
    execute=execute,
)
