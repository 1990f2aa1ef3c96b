"""The collections of real queries, and what becomes of each on its way through the plan."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hermes.errors import HermesError
from oracle.equivalence import Verdict, judge, prologue_of
from oracle.prefixes import missing_prefixes
from oracle.solutions import BASE

EXCEPTIONS: Final = Path(__file__).with_name("real_exceptions.json")
Rebuild = Callable[[str, str], str]


@dataclass(frozen=True, slots=True)
class RealQuery:
    """A query of a collection; `marked` is how it parses: as-is, with-prefixes or repaired."""

    id: str
    text: str
    marked: str
    prefixes: dict[str, str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How far a query came: read in, rebuilt, equivalent. `reason` says where it stopped."""

    query: RealQuery
    verdict: Verdict
    read: bool = True
    rebuilt: bool = True

    @property
    def passed(self) -> bool:
        """Whether the rebuilt query is equivalent."""
        return self.read and self.rebuilt and self.verdict.equivalent


def collections(folder: Path) -> list[str]:
    """Return the names of the collections in `folder`."""
    return sorted(path.name.removesuffix(".jsonl.gz") for path in folder.glob("*.jsonl.gz"))


def queries(folder: Path, name: str) -> Iterator[RealQuery]:
    """Yield the queries of one collection that are SPARQL 1.1, perhaps with prefixes or a repair."""
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            entry = json.loads(line)
            if entry["parses"] == "no":
                continue
            prefixes = missing_prefixes(entry["kg"], entry["parses"], entry["features"])
            text = entry.get("repaired") or entry["sparql"]
            yield RealQuery(f"{name}/{entry['id']}", text, entry["parses"], prefixes)


def examine(query: RealQuery, rebuild: Rebuild) -> Outcome:
    """Take a query through `rebuild` and judge what comes out."""
    text = prologue_of(query.prefixes) + query.text if query.prefixes else query.text
    try:
        rebuilt = rebuild(text, BASE)
    except HermesError as fault:
        refused = fault.stage == "parse"
        return Outcome(query, Verdict(str(fault)), read=not refused, rebuilt=False)
    return Outcome(query, judge(query.text, rebuilt, query.id, query.prefixes))


def exceptions() -> dict[str, str]:
    """Return the ids of queries that may fail, with the reason of each."""
    known: dict[str, str] = json.loads(EXCEPTIONS.read_text(encoding="utf-8"))
    return known
