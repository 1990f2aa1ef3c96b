"""The gold queries of the question sets as plans, each once, with the graph that they are for."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hermes.algebra import Plan, parse_query

SMALL: Final = ("ck25", "geoquery", "spider4sparql")
LARGE: Final = ("spider4sparql-large",)
_BASE: Final = "http://www.example.org/"


@dataclass(frozen=True, slots=True)
class Gold:
    """A graph with its gold queries.

    `plans` are the different ones; `questions` is how many questions they answer, several of which may
    have one query.
    """

    name: str
    sources: tuple[Path, ...]
    plans: tuple[Plan, ...]
    questions: int


def gold(data: Path, folders: Sequence[str]) -> Iterator[Gold]:
    """Yield the graphs of some folders of the shared data; none of a folder that is absent."""
    for folder in folders:
        path = data / folder / "questions.dev.json"
        if not path.is_file():
            continue
        content = json.loads(path.read_text(encoding="utf-8"))
        for kg, files in content["dataset"]["kg"].items():
            texts = [each["query"]["sparql"] for each in content["questions"] if each["kg"] == kg]
            plans = {plan.key: plan for plan in (parse_query(text, base=_BASE) for text in texts)}
            sources = tuple(data / folder / name for name in files)
            yield Gold(kg, sources, tuple(plans.values()), len(texts))
