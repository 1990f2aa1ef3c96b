"""What is measured: the real queries, the W3C syntax tests, the gold queries; or the built-in examples."""

from __future__ import annotations

import gzip
import json
import os
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from benchmarks.examples import EXAMPLES

SHARED: Final = Path(os.environ.get("HERMES_SHARED") or Path(__file__).resolve().parents[2] / "shared")
DATA: Final = SHARED / "data"
BASE: Final = "http://example.org/"
"""What relative IRIs of the samples are resolved against."""

_SERVICE: Final = re.compile(r"\bSERVICE\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Query:
    """A query text and where it comes from."""

    collection: str
    id: str
    text: str


def data_line() -> str:
    """Return the line that says which queries are measured."""
    if (DATA / "queries").is_dir():
        return (
            "queries: the real ones of the shared data that parse as published; those with SERVICE left out"
        )
    return f"the shared data is absent (set HERMES_SHARED): {len(EXAMPLES)} built-in examples are measured"


@cache
def real_queries() -> tuple[Query, ...]:
    """Return the real queries that parse as published, without those that call other hosts."""
    found = [
        Query(path.name.removesuffix(".jsonl.gz"), entry["id"], entry["sparql"])
        for path in sorted((DATA / "queries").glob("*.jsonl.gz"))
        for entry in _entries(path)
        if entry["parses"] == "as-is" and "SERVICE" not in entry["features"]
    ]
    return tuple(found) or tuple(Query("examples", str(n), text) for n, text in enumerate(EXAMPLES))


def _entries(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def sample(queries: Sequence[Query], size: int) -> list[Query]:
    """Return a fixed sample: as many of each collection as of the next, while there are some."""
    by_collection: dict[str, list[Query]] = defaultdict(list)
    for query in queries:
        by_collection[query.collection].append(query)
    for group in by_collection.values():
        group.sort(key=lambda query: sha256(query.id.encode()).digest())
    chosen: list[Query] = []
    while len(chosen) < min(size, len(queries)):
        for group in by_collection.values():
            if group and len(chosen) < size:
                chosen.append(group.pop(0))
    return chosen


def syntax_tests(kind: str) -> list[Query]:
    """Return the W3C syntax tests of a kind, `Positive` or `Negative`, without those with SERVICE."""
    folder = DATA / "w3c-sparql-tests"
    index = folder / "index.json"
    if not index.is_file():
        return []
    found = []
    for entry in json.loads(index.read_text(encoding="utf-8")):
        if entry["type"].startswith(kind + "Syntax"):
            text = (folder / entry["query"]).read_text(encoding="utf-8")
            if not _SERVICE.search(text):
                found.append(Query("w3c", entry["query"], text))
    return found


def gold_queries(folder: str) -> list[Query]:
    """Return the gold queries of a folder's questions."""
    path = DATA / folder / "questions.dev.json"
    if not path.is_file():
        return []
    questions = json.loads(path.read_text(encoding="utf-8"))["questions"]
    return [Query(folder, question["id"], question["query"]["sparql"]) for question in questions]
