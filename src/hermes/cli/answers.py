"""Answers on stdout: for people, in a format of the standards, and inside JSON."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from shutil import get_terminal_size
from textwrap import wrap
from typing import Any, Final

from hermes.cli.streams import complain
from hermes.errors import did_you_mean
from hermes.formats import FORMATS, write
from hermes.results import Result, Triples, Truth
from hermes.terms import NO_PREFIXES, Prefixes

FOR_PEOPLE: Final = "table"


def add_shape_options(parser: argparse.ArgumentParser, says: str) -> None:
    """Add `--format FORMAT` and `--json`; `says` is what the JSON object holds."""
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument(
        "--format",
        type=_format,
        default=FOR_PEOPLE,
        metavar="FORMAT",
        help=f"of the answer: {', '.join(FORMATS)} (default: {FOR_PEOPLE})",
    )
    shape.add_argument("--json", action="store_true", help=f"write one JSON object: {says}")


def _format(text: str) -> str:
    if text not in FORMATS:
        raise argparse.ArgumentTypeError(f"expected one of {', '.join(FORMATS)}{did_you_mean(text, FORMATS)}")
    return text


def print_answer(answer: Result, fmt: str, prefixes: Prefixes) -> None:
    """Write an answer to stdout, and say on stderr where it was cut."""
    sys.stdout.write(write(answer, fmt, prefixes))
    sys.stdout.flush()
    if not is_complete(answer):  # CSV, TSV and JSON have no word for it
        complain("the answer was cut: this is not all of it")


def is_complete(answer: Result | None) -> bool:
    """Whether there is an answer, and it is all of it."""
    return isinstance(answer, Truth) or (answer is not None and answer.complete)


def answer_to_json(answer: Result) -> Any:
    """Return an answer as SPARQL results JSON, as a boolean, or as the text of N-Triples."""
    if isinstance(answer, Truth):
        return answer.value
    if isinstance(answer, Triples):
        return write(answer, "ntriples", NO_PREFIXES)
    return json.loads(write(answer, "json", NO_PREFIXES))


def sentence_lines(sentence: str) -> Iterable[str]:
    """Return a sentence in lines of the terminal's width; names are not broken."""
    return wrap(sentence, get_terminal_size().columns, break_long_words=False, break_on_hyphens=False)
