"""Sessions to measure: the actions of gold queries, over the graph that they are for."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from benchmarks.examples import EXAMPLES
from benchmarks.samples import DATA, gold_queries
from hermes import KG
from hermes.algebra import Action, Plan, parse_action, parse_query
from hermes.errors import HermesError

_OLYMPICS: Final = "olympics"
_CK25: Final = "ck25"


@dataclass(frozen=True, slots=True)
class Sessions:
    """A graph, and one list of actions for each query over it."""

    name: str
    kg: KG
    actions: tuple[tuple[Action, ...], ...]


def load() -> Iterator[Sessions]:
    """Yield the sessions on the shipped graph and, where the shared data is there, those on ck25."""
    kg = KG.load(_OLYMPICS)
    yield Sessions(_OLYMPICS, kg, _actions(EXAMPLES, kg))
    gold = [query.text for query in gold_queries(_CK25)]
    if gold:
        kg = KG.load(DATA / _CK25 / "ck25.ttl.gz")
        yield Sessions(_CK25, kg, _actions(gold, kg))


def _actions(texts: Sequence[str], kg: KG) -> tuple[tuple[Action, ...], ...]:
    """Return the actions of each query as a policy would write them: as JSON, with the graph's prefixes."""
    found = []
    for text in texts:
        steps = parse_query(text).actions(kg.prefixes)
        found.append(tuple(parse_action(json.dumps(step.to_json())) for step in steps))
    return tuple(found)


def plans(sessions: Sessions) -> list[tuple[Action, Plan]]:
    """Return each action with the plan that it is applied to."""
    found = []
    for actions in sessions.actions:
        plan = Plan(prefixes=sessions.kg.prefixes)
        for action in actions:
            found.append((action, plan))
            try:
                plan = action.apply(plan)
            except HermesError:
                break
    return found
