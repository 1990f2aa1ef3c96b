"""Counts up to a cap say so, before and after a step, in the line and in the trace."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes import KG
from hermes.algebra import Explorer, Trace, parse_action
from hermes.algebra.observation import Rejected


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


@pytest.fixture
def small(tmp_path: Path) -> KG:
    """So few triples that five patterns of them cannot be counted in the time there is."""
    path = tmp_path / "g.nt"
    path.write_text("".join(f"<http://e/{n}> <http://e/p> <http://e/{n}> .\n" for n in range(60)))
    return KG.load(path, prefixes={"e": "http://e/"}, timeout=0.5)


def test_what_cannot_be_counted_in_time_is_counted_up_to_a_cap(small: KG) -> None:
    """The step is taken: its first rows are there, and so is the hint that says why it is so large."""
    explorer = Explorer(small)
    for name in "abcd":
        explorer.run(parse_action({"op": "triple", "pattern": f"?{name} e:p ?{name}{name}"}))
    seen = explorer.run(parse_action({"op": "triple", "pattern": "?e e:p ?ee"}))
    assert seen.summary().endswith("-> 10000+ solutions")
    assert "product" in {hint.code for hint in seen.hints}
    assert len(explorer.plan.where.elements) == 5
    seen = explorer.run(parse_action({"op": "filter", "expr": "?a = e:1 && ?b = e:1 && ?c = e:1"}))
    assert seen.summary() == "10000+ -> 3600 solutions"


def test_groups_that_cannot_be_counted_in_time(small: KG) -> None:
    """They are not known before the last row: the step is rejected, the plan as before."""
    explorer = Explorer(small)
    for name in "abcde":
        explorer.run(parse_action({"op": "triple", "pattern": f"?{name} e:p ?{name}{name}"}))
    before = explorer.plan
    seen = explorer.run(parse_action({"op": "group", "vars": ["?a"]}))
    assert isinstance(seen, Rejected)
    assert seen.code == "timeout"
    assert explorer.plan == before
