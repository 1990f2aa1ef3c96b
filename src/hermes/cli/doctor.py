"""`hermes doctor`: what a SPARQL endpoint supports, and what hermes does about it."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from dataclasses import replace
from typing import Final

from hermes.cli.arguments import Command, add_timeout
from hermes.cli.streams import say
from hermes.errors import HermesError
from hermes.store import ENDPOINT_LIMITS, EndpointStore, is_url
from hermes.store.http.doctor import MOST_REQUESTS, Examination, examine

_WIDTH: Final = 100

_EXAMPLES: Final = """\
Credentials come from HERMES_USER and HERMES_PASSWORD, HERMES_TOKEN, or the file that HERMES_CREDENTIALS
names; a contact for the User-Agent, which public endpoints want, from HERMES_CONTACT.

example:
  hermes doctor http://127.0.0.1:7878/query"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("url", metavar="URL", help="the http(s) address of a SPARQL endpoint")
    parser.add_argument("--graph", metavar="IRI", help="the default graph to ask (default: the endpoint's)")
    add_timeout(parser, "for one query, at most 15 seconds of them here")
    parser.add_argument("--json", action="store_true", help="write one JSON object")
    parser.add_argument("-v", "--verbose", action="store_true", help="show waits and redirects on stderr")


def execute(options: argparse.Namespace) -> bool:
    """Run the command; return whether the endpoint answered."""
    if not is_url(options.url):
        raise HermesError(f"{options.url} is not the http(s) address of an endpoint", code="unknown-source")
    store = EndpointStore(options.url, options.graph, limits=replace(ENDPOINT_LIMITS, time=options.timeout))
    try:
        found = examine(store)
    finally:
        store.close()
    if options.json:
        sys.stdout.write(json.dumps(found.to_json(), ensure_ascii=False) + "\n")
    else:
        say(sys.stdout, _table(found))
    return True


def _table(found: Examination) -> list[str]:
    """Return a line or more for each finding: what, what was found, and what hermes does about it."""
    first = max(len(each.feature) for each in found.findings)
    second = min(44, max(len(each.found) for each in found.findings))
    third = _WIDTH - first - second
    lines = [f"{found.url}: {found.engine}, {found.requests} requests", ""]
    for each in (("", "found", "hermes"), *((f.feature, f.found, f.hermes) for f in found.findings)):
        columns = [[each[0]], textwrap.wrap(each[1], second), textwrap.wrap(each[2], third)]
        for number in range(max(map(len, columns))):
            cells = [column[number] if number < len(column) else "" for column in columns]
            lines.append(f"{cells[0]:{first}}  {cells[1]:{second}}  {cells[2]}".rstrip())
    return lines


COMMAND: Final = Command(
    says=f"say what a SPARQL endpoint supports, after at most {MOST_REQUESTS} small queries",
    examples=_EXAMPLES,
    configure=configure,
    execute=execute,
)
