"""`hermes load`: write a store directory, so that a large graph is loaded once."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final

from hermes.cli.arguments import Command
from hermes.cli.streams import say
from hermes.errors import StoreError

if TYPE_CHECKING:
    from hermes.store import Manifest

FORMAT: Final = 1

_SHORT: Final = 12
_MEGABYTE: Final = 1_000_000
_FIRST: Final = 1.0
"""Seconds until progress is first said; then after twice as long each time, up to `_LONGEST`."""
_LONGEST: Final = 30.0

_EXAMPLES: Final = """\
The directory appears when it is complete: a load that is interrupted leaves nothing there. One that is killed
may leave a folder .DIR.*.partial beside it, which can be removed.

example:
  hermes load dump.nt.gz more.ttl --to my-graph
  hermes run actions.jsonl --kg my-graph"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="a file (.ttl .nt .nq .trig .rdf .owl .jsonld, each also .gz) or a shipped name",
    )
    parser.add_argument("--to", required=True, metavar="DIR", help="the directory to make")
    parser.add_argument("--replace", action="store_true", help="replace a store that is there")
    parser.add_argument(
        "--graph",
        metavar="IRI|union|default",
        help="the default graph of queries (default: the default graph, or the union where it is empty)",
    )
    parser.add_argument("--json", action="store_true", help="write one JSON object about the store")
    parser.add_argument("-v", "--verbose", action="store_true", help="show the queries on stderr")


def execute(options: argparse.Namespace) -> bool:
    """Run the command; return True: what goes wrong is raised."""
    from hermes.sources import known_files  # noqa: PLC0415 - the store is loaded only by who needs it
    from hermes.store import is_store, write_store  # noqa: PLC0415

    start = monotonic()
    files = known_files(options.files)
    if any(map(is_store, files)):
        raise StoreError("this is a store already; hermes load reads files", code="unknown-source")
    manifest = write_store(
        files,
        Path(options.to),
        options.graph,
        source=", ".join(options.files),
        replace_store=options.replace,
        progress=Progress(files),
        name=_prefixes,
    )
    _report(options, manifest, monotonic() - start)
    return True


def _prefixes(store: Path) -> Mapping[str, str]:
    """Return the prefixes of a finished store, derived ones too, so that opening it needs no query."""
    from hermes.kg import KG  # noqa: PLC0415 - the store is loaded only by who needs it

    kg = KG.load(store, timeout=None)
    try:
        return dict(kg.prefixes)
    finally:
        kg.close()


def _report(options: argparse.Namespace, manifest: Manifest, seconds: float) -> None:
    about = manifest.about
    if options.json:
        found = {
            "format": FORMAT,
            "store": options.to,
            "source": manifest.source,
            "triples": about.size,
            "dataset": about.dataset,
            "fingerprint": about.fingerprint,
            "prefixes": about.declared,
            "seconds": round(seconds, 3),
        }
        sys.stdout.write(json.dumps(found, ensure_ascii=False) + "\n")
        return
    noun = "triple" if about.size == 1 else "triples"
    fingerprint = about.fingerprint[:_SHORT]
    say(
        sys.stdout,
        [f"{about.size:,} {noun} in {options.to}, fingerprint {fingerprint}, {seconds:.1f} s"],
    )


class Progress:
    """Says on stderr how far a load is, when it takes more than a second; ever less often."""

    def __init__(self, files: list[Path]) -> None:
        self._whole = sum(path.stat().st_size for path in files)
        self._start = monotonic()
        self._next = self._wait = _FIRST

    def __call__(self, read: int) -> None:
        """Take note of the bytes that were read so far."""
        now = monotonic() - self._start
        if now < self._next:
            return
        self._wait = min(2 * self._wait, _LONGEST)
        self._next = now + self._wait
        share = read / self._whole if self._whole else 1.0
        size = f"{self._whole / _MEGABYTE:,.0f} MB"
        say(sys.stderr, [f"hermes: read {share:.0%} of {size}, {now:.0f} s"])


COMMAND: Final = Command(
    says="write a store directory, so that a large graph is loaded once",
    examples=_EXAMPLES,
    configure=configure,
    execute=execute,
)
