"""Where engines are known to differ from SPARQL 1.1, or from each other: the data of `engines.json`.

How a plan is recognised that meets a difference stands in `hermes.algebra.hints.engines`, by `id`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

_FILE: Final = "engines.json"


@dataclass(frozen=True, slots=True)
class Difference:
    """One known difference.

    Attributes:
        id: a stable word.
        engines: the names of the engines that do it, in lower case.
        happens: what they do, as a sentence without its full stop.
        why: what the specification says, with the section.
        hermes: what hermes does about it.
        advice: what a person may do; empty where hermes takes care of it, or nothing can be done.
        example: a query over the graph `olympics` that shows it; empty where that takes a server.
    """

    id: str
    engines: tuple[str, ...]
    happens: str
    why: str
    hermes: str
    advice: str
    example: str


@cache
def differences() -> dict[str, Difference]:
    """Return all known differences by id, in the order of the page."""
    text = files("hermes.algebra").joinpath(_FILE).read_text(encoding="utf-8")
    found = [Difference(**{**entry, "engines": tuple(entry["engines"])}) for entry in json.loads(text)]
    return {each.id: each for each in found}
