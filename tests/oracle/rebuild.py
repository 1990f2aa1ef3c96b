"""The way round that the oracles judge: text to plan to JSON actions to a new plan to text."""

from __future__ import annotations

import json

from hermes.algebra import Plan, parse_action, parse_query, render


def rebuild(text: str, base: str) -> str:
    """Read a query in, take it apart into JSON actions, build it again from nothing, write it out.

    Raises:
        HermesError: when `text` is not SPARQL 1.1, or a step of its own does not fit.
    """
    plan = Plan()
    for action in parse_query(text, base=base).actions():
        plan = parse_action(json.dumps(action.to_json())).apply(plan)
    return render(plan)
