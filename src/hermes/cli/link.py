"""`hermes link`: the terms of a graph that the words of a question may mean."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Final

from hermes.cli.arguments import Command, add_graph_options, add_limit, chosen_sources, load
from hermes.cli.streams import say
from hermes.linking import link
from hermes.linking.mentions_json import mentions_to_json
from hermes.linking.mentions_text import mention_lines

FORMAT: Final = 1
LIMIT: Final = 3

_EXAMPLES: Final = """\
Each span of the question is shown with what it may mean, the best first: its score from 0 to 1, what the term
is, and how the span says it. Predicates and classes that only come with others are "implied".

examples:
  hermes link "Which cities in the USA hosted winter games?"
  hermes link "How many people live in Iowa?" --kg geo.nt.gz --limit 5
  hermes link "Who directed 'Big Show'?" --kg https://... --json"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("question", type=_text, metavar="QUESTION", help="a question in English")
    add_graph_options(parser)
    add_limit(parser, "how many terms to show for each span", LIMIT)
    parser.add_argument("--json", action="store_true", help="write one JSON object, with all candidates")


def _text(text: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError("expected a question, not an empty text")
    return text


def execute(options: argparse.Namespace) -> bool:
    """Run the command; that nothing is found is an answer."""
    kg = load(options, chosen_sources(options))
    found = link(options.question, kg)
    if options.json:
        graph = {"source": kg.source, "fingerprint": kg.fingerprint}
        written = {"format": FORMAT, "graph": graph, **mentions_to_json(found)}
        sys.stdout.write(json.dumps(written, ensure_ascii=False) + "\n")
    else:
        say(sys.stdout, mention_lines(found, kg.prefixes, options.limit))
    return True


COMMAND: Final = Command(
    says="link the words of a question to the terms of a graph",
    examples=_EXAMPLES,
    configure=configure,
    execute=execute,
)
