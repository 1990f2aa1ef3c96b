"""What an adviser says beside steps: repairs that can be taken as they stand, and what that costs."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes import KG
from hermes.algebra import Explorer, parse_action
from hermes.algebra.observation import Hint, Observation, Rejected, Solutions
from hermes.repair import GraphAdviser
from hermes.results import Table
from hermes.verifier import Kernel, Schema

_START = '{"op": "triple", "pattern": "?city ex:hosted ?g"}'
_WRONG = (
    '{"op": "triple", "pattern": "?g ex:seson ?s"}',
    '{"op": "triple", "pattern": "?g ex:season \\"winter\\""}',
    '{"op": "triple", "pattern": "ex:USA ex:country ?city"}',
    '{"op": "triple", "pattern": "?city a ex:Country"}',
    '{"op": "triple", "pattern": "?city ex:year ?y"}',
    '{"op": "filter", "expr": "?g = ex:USA"}',
    '{"op": "union", "branches": [["?g ex:seson ?s"], ["?g ex:yeer ?y"]]}',
    '{"op": "join", "patterns": ["?city ex:country ex:Usa"]}',
)


@pytest.fixture
def kg() -> KG:
    """The shipped graph."""
    return KG.load("olympics")


def _repairs(seen: Observation) -> list[Hint]:
    return [hint for hint in seen.hints if hint.code == "repair"]


@pytest.mark.parametrize("wrong", _WRONG)
def test_a_repair_of_a_refused_step_is_a_step_that_fits(kg: KG, wrong: str) -> None:
    """Taken instead, or before the step that was refused, it leaves solutions."""
    kernel = Kernel(Schema.mine(kg))
    for number in range(3):
        explorer = Explorer(kg, kernel=kernel, adviser=GraphAdviser(kg, kernel))
        explorer.run(parse_action(_START))
        plan = explorer.plan
        refused = explorer.run(parse_action(wrong))
        assert isinstance(refused, Rejected)
        assert (explorer.plan, refused.stage) == (plan, "verify")
        assert refused.code != "refused"
        hints = _repairs(refused)
        assert len(hints) <= 3
        if number < len(hints) and hints[number].action:
            seen = explorer.run(parse_action(hints[number].action))
            assert isinstance(seen, Solutions), hints[number]
            assert seen.count


@pytest.mark.parametrize("wrong", _WRONG)
def test_a_repair_of_a_step_that_was_taken_brings_solutions_back(kg: KG, wrong: str) -> None:
    """It replaces the clause in the plan."""
    explorer = Explorer(kg, adviser=GraphAdviser(kg))
    explorer.run(parse_action(_START))
    empty = explorer.run(parse_action(wrong))
    assert isinstance(empty, Solutions)
    assert not empty.count
    for hint in _repairs(empty):
        seen = explorer.run(parse_action(hint.action))
        assert isinstance(seen, Solutions), hint
        assert seen.count
        explorer.undo()


def test_most_refused_steps_have_a_step_to_take_instead(kg: KG) -> None:
    """Of those above all that change one clause at the top."""
    kernel = Kernel(Schema.mine(kg))
    having = 0
    for wrong in _WRONG:
        explorer = Explorer(kg, kernel=kernel, adviser=GraphAdviser(kg, kernel))
        explorer.run(parse_action(_START))
        having += any(hint.action for hint in _repairs(explorer.run(parse_action(wrong))))
    assert having >= len(_WRONG) - 1


def test_advice_costs_three_queries_where_nothing_is_left_and_none_else(
    kg: KG, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside those that the step costs without it."""
    asked: list[str] = []
    select = kg.select

    def recorded(query: str) -> Table:
        asked.append(query)
        return select(query)

    monkeypatch.setattr(kg, "select", recorded)
    costs = []
    for adviser in (None, GraphAdviser(kg, Kernel(Schema.mine(kg)))):
        for steps in ([_START], [_START, _WRONG[0]]):
            asked.clear()
            explorer = Explorer(kg, adviser=adviser)
            for step in steps:
                explorer.run(parse_action(step))
            costs.append(len(asked))
    alone, wrong_alone, advised, wrong_advised = costs
    assert alone == advised
    assert wrong_alone < wrong_advised <= wrong_alone + 3


def test_a_large_graph_is_read_only_when_it_must_be(tmp_path: Path) -> None:
    """Until a step leaves nothing or there is a goal, what is said needs no schema."""
    name = tmp_path / "large.nt"
    name.write_text(
        "".join(f"<http://e/s{n}> <http://e/p> <http://e/o{n}> .\n" for n in range(6000)), encoding="utf-8"
    )
    large = KG.load(name)
    adviser = GraphAdviser(large)
    explorer = Explorer(large, adviser=adviser)
    explorer.run(parse_action('{"op": "triple", "pattern": "?s <http://e/p> ?o"}'))
    seen = explorer.run(parse_action('{"op": "limit", "n": 3}'))
    assert [hint.code for hint in seen.hints] == ["limit-without-order"]
    assert not _complete(adviser)
    explorer.run(parse_action('{"op": "goal", "max": 3}'))
    assert _complete(adviser)


def _complete(adviser: GraphAdviser) -> bool:
    kernel = adviser.kernel(needed=False)
    assert isinstance(kernel, Kernel)
    return kernel.schema.complete


def test_without_a_kernel_a_goal_is_not_checked(kg: KG) -> None:
    """That is said, and the number of rows is looked at all the same."""
    explorer = Explorer(kg)
    seen = explorer.run(parse_action('{"op": "goal", "form": "number", "max": 3}'))
    assert [hint.code for hint in seen.hints] == ["goal-unchecked"]
    explorer.run(parse_action(_START))
    assert [hint.code for hint in explorer.run(parse_action('{"op": "finish"}')).hints] == ["goal-count"]


def test_what_a_goal_names_is_shown_as_text(kg: KG) -> None:
    """An IRI can neither break the line nor hide in it."""
    explorer = Explorer(kg, adviser=GraphAdviser(kg))
    action = '{"op": "goal", "mentions": ["<http://e/\\u202e\\u2028x>"]}'
    explorer.run(parse_action(_START))
    seen = explorer.run(parse_action(action))
    lines = [seen.summary(), *map(str, seen.hints)]
    assert all(line.isprintable() for line in lines), lines
