"""`hermes inspect`: what is around a term of a graph."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Final, get_args

from hermes.algebra import Explorer, parse_action
from hermes.algebra.observation import Inspected
from hermes.cli.arguments import (
    Command,
    add_graph_options,
    add_limit,
    chosen_sources,
    load,
)
from hermes.cli.streams import complain, say
from hermes.finding_json import inspection_to_json
from hermes.findings import Role

FORMAT: Final = 1
LIMIT: Final = 40

_EXAMPLES: Final = """\
Of an entity: its predicates, as subject (out) and as object (in). Of a class: those of its direct instances,
with the number of triples, and of instances that have them. Of a predicate: the classes of its subjects and
objects, and the datatypes of its values. Where not all was counted, the first line says so.

examples:
  hermes inspect ex:LakePlacid
  hermes inspect ex:City --kind entity              the class itself, not its instances
  hermes inspect http://dbpedia.org/ontology/City --kg https://dbpedia.org/sparql
  hermes inspect '<http://example.org/a,b>' --kg my.ttl --json"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "term", metavar="TERM", help="a prefixed name such as ex:City, an <IRI>, or a bare IRI"
    )
    add_graph_options(parser)
    parser.add_argument(
        "--kind",
        choices=("any", *get_args(Role)),
        default="any",
        help="as what to look at it (default: as a class if it has instances, else as a predicate if it has "
        "triples, else as an entity)",
    )
    add_limit(parser, "how many predicates to show", LIMIT)
    parser.add_argument("--json", action="store_true", help="write one JSON object")


def execute(options: argparse.Namespace) -> bool:
    """Run the command; return whether the term occurs."""
    given = {"op": "inspect", "term": options.term, "kind": options.kind, "limit": options.limit}
    kg = load(options, chosen_sources(options))
    explorer = Explorer(kg)
    seen = explorer.run(parse_action(given))
    hints = [hint.text for hint in seen.hints]
    if not isinstance(seen, Inspected):
        complain("; ".join([seen.summary().removeprefix("rejected: "), *hints]))
        return False
    if options.json:
        found = {
            "format": FORMAT,
            "graph": {"source": kg.source, "fingerprint": kg.fingerprint},
            **inspection_to_json(seen.found),
            "hints": [{"code": hint.code, "text": hint.text} for hint in seen.hints],
        }
        sys.stdout.write(json.dumps(found, ensure_ascii=False) + "\n")
    lines = seen.summary().split("\n")
    if seen.found.count:
        if not options.json:
            say(sys.stdout, lines)
        return True
    complain("; ".join([*lines, *hints]))
    return False


COMMAND: Final = Command(
    says="show the predicates around a term, with counts and examples",
    examples=_EXAMPLES,
    configure=configure,
    execute=execute,
)
