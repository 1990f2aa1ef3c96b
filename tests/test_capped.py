"""Counts up to a cap say so, before and after a step, in the line and in the trace."""

from __future__ import annotations

from hermes import KG
from hermes.algebra import Explorer, Trace, parse_action


def test_a_capped_count_says_at_least() -> None:
    """The plus stays with the number that was cut, and a replay counts up to the same cap."""
    kg = KG.load("olympics")
    explorer = Explorer(kg, count_cap=10)
    seen = [
        explorer.run(parse_action({"op": "triple", "pattern": "?city ex:hosted ?g"})).summary(),
        explorer.run(parse_action({"op": "triple", "pattern": "?g ex:year ?y"})).summary(),
        explorer.run(parse_action({"op": "triple", "pattern": "?city ex:country ex:USA"})).summary(),
        explorer.run(parse_action({"op": "filter", "expr": "?y > 1990"})).summary(),
    ]
    assert seen == ["10+ solutions", "10+ -> 10+ solutions", "10+ -> 8 solutions", "8 -> 2 solutions"]
    trace = Trace.from_jsonl(explorer.trace.to_jsonl())
    assert trace.to_jsonl() == explorer.trace.to_jsonl()
    assert trace.replay(kg).difference is None
