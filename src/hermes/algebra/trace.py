"""Traces: all steps of a session as JSON Lines, and their replay.

The first line says the format, the version and the graph; then one line a step. A replay needs no model:
it takes the actions again and reports the first thing that differs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final

from hermes.algebra.action import Action, parse_action
from hermes.algebra.observation import Declared, Inspected, LookedUp, Observation, Rejected, Suggested
from hermes.algebra.observation_json import observation_from_json, observation_to_json
from hermes.algebra.ports import Adviser, Graph, Kernel
from hermes.errors import HermesError
from hermes.version import __version__

if TYPE_CHECKING:
    from hermes.algebra.explorer import Explorer

FORMAT: Final = 1

_Written = LookedUp | Inspected | Suggested | Declared
"""Observations that are written with the prefixes of the graph."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step: the action, what came back, the query after it (empty for an empty plan), and seconds."""

    action: Action
    observation: Observation
    query: str
    elapsed: float

    def lines(self) -> list[str]:
        """Return the step for a reader: the action, an arrow and the summary; then the hints."""
        return [
            *f"{self.action}  -> {self.observation.summary()}".split("\n"),
            *(f"    {hint}" for hint in self.observation.hints),
        ]

    def to_json(self) -> dict[str, Any]:
        """Return the step as it stands in a trace."""
        return {
            "action": self.action.to_json(),
            "observation": observation_to_json(self.observation),
            "query": self.query,
            "elapsed": round(self.elapsed, 6),
        }


@dataclass(frozen=True, slots=True)
class Replay:
    """A trace taken again: the new trace, and the first difference in words (None if there is none)."""

    trace: Trace
    difference: str | None


@dataclass(frozen=True, slots=True)
class Trace:
    """The steps of a session on one graph."""

    steps: tuple[Step, ...]
    source: str
    fingerprint: str
    dataset: str
    sample_size: int
    count_cap: int | None = None

    @property
    def refused(self) -> frozenset[str]:
        """The codes with which a kernel refused steps."""
        return frozenset(
            step.observation.code
            for step in self.steps
            if isinstance(step.observation, Rejected) and step.observation.stage == "verify"
        )

    def to_jsonl(self) -> str:
        """Return the trace as JSON Lines."""
        head = {
            "format": FORMAT,
            "hermes": __version__,
            "graph": {
                "source": self.source,
                "fingerprint": self.fingerprint,
                "dataset": self.dataset,
            },
            "sample_size": self.sample_size,
            "count_cap": self.count_cap,
        }
        return "".join(
            json.dumps(line, ensure_ascii=False) + "\n"
            for line in (head, *(step.to_json() for step in self.steps))
        )

    @classmethod
    def from_jsonl(cls, text: str) -> Trace:
        """Read a trace.

        Raises:
            HermesError: with code `trace`: not a trace, or of a format that this version does not know.
        """
        # Not splitlines: a value may hold other line separators than the line feed.
        lines = [line for line in text.split("\n") if line.strip()]
        try:
            head, *rest = map(json.loads, lines)
            if head["format"] != FORMAT:
                raise HermesError(
                    f"the trace has format {head['format']}; this version reads format {FORMAT}", code="trace"
                )
            steps = tuple(map(_step_from_json, rest))
            return cls(steps, **head["graph"], sample_size=head["sample_size"], count_cap=head["count_cap"])
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise HermesError(f"this is not a trace of hermes: {error!r:.120}", code="trace") from error

    def replay(self, kg: Graph, kernel: Kernel | None = None, adviser: Adviser | None = None) -> Replay:
        """Take the actions again on `kg` and say where it first goes another way.

        `kernel` and `adviser` are those of the session: what they refused is refused again.
        """
        from hermes.algebra.explorer import Explorer  # noqa: PLC0415 - the explorer writes traces

        explorer = Explorer(kg, self.sample_size, kernel, count_cap=self.count_cap, adviser=adviser)
        for number, step in enumerate(self.steps, start=1):
            seen = explorer.run(step.action)
            difference = _difference(step, seen, explorer)
            if difference:
                return Replay(explorer.trace, f"step {number}, {step.action}: {difference}")
        return Replay(explorer.trace, None)


def _difference(step: Step, seen: Observation, explorer: Explorer) -> str | None:
    query = explorer.trace.steps[-1].query
    before = step.observation
    if isinstance(before, _Written) and type(seen) is type(before):
        # Not by their lines: those show examples, and any other example is as good.
        if seen != before and not _unfinished(before, seen):
            return _first_difference(_plain(before, explorer), _plain(seen, explorer))
    elif seen.summary() != before.summary():
        return f"was {before.summary()!r}, is now {seen.summary()!r}"
    if query != step.query:
        return f"the query was {step.query!r}, is now {query!r}"
    if isinstance(before, _Written):
        return None
    if _without_labels(observation_to_json(seen)) != _without_labels(observation_to_json(before)):
        return "the count is the same, but the rows of the sample differ"
    return None


def _unfinished(before: Observation, seen: Observation) -> bool:
    """Whether there was no time for all suggestions: what is missing may be there the next time."""
    found = [each.found.complete for each in (before, seen) if isinstance(each, Suggested)]
    return bool(found) and not all(found)


def _plain(read: _Written, explorer: Explorer) -> Sequence[str]:
    """Return the lines of what is written, without examples, names shortened as the graph does."""
    if isinstance(read, Inspected):
        read = replace(read, found=read.found.without_examples())
    if not isinstance(read, Suggested):
        read = replace(read, prefixes=explorer.kg.prefixes)
    return read.summary().split("\n")


def _first_difference(before: Sequence[str], now: Sequence[str]) -> str:
    """Say which lines differ first; one that is not there is empty."""
    for was, is_now in zip_longest(before, now, fillvalue=""):
        if was.split() != is_now.split():
            return f"was {' '.join(was.split())!r}, is now {' '.join(is_now.split())!r}"
    return "the lines are the same, but what they were clipped from differs"


_LABEL: Final = re.compile(r'"type": "bnode", "value": "[^"]*"')


def _without_labels(found: Mapping[str, Any]) -> str:
    """Return the observation without blank node labels (new at every load) and without hints."""
    compared = {name: value for name, value in found.items() if name not in ("hints", "derived")}
    return _LABEL.sub('"type": "bnode"', json.dumps(compared, sort_keys=True))


# --- JSON -------------------------------------------------------------------------------------


def _step_from_json(found: Mapping[str, Any]) -> Step:
    return Step(
        parse_action(found["action"]),
        observation_from_json(found["observation"]),
        found["query"],
        found["elapsed"],
    )
