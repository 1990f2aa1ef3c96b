"""Laws of plans, on plans built from random actions over the shipped graph."""

from __future__ import annotations

import json
from itertools import accumulate
from random import Random
from typing import Final

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hermes.algebra import Action, Plan, parse_action, parse_query, render
from hermes.errors import HermesError
from hermes.sparql.expressions import is_volatile
from hermes.sparql.tree import rewrite
from oracle.engines import Difference, compare, differences, known, oxigraph_fault, rdflib_fault
from oracle.sizes import affordable
from strategies import Built, Json, build, builds, olympics, plans, sequences, services, start, steps

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")
_HEADER: Final = olympics().header


def _taken(plan: Plan, action: Action) -> Plan:
    try:
        return action.apply(plan)
    except HermesError:
        return plan


def _replayed(actions: list[Action], plan: Plan) -> Plan:
    """Apply actions that went through JSON text; none may be refused."""
    for action in actions:
        plan = parse_action(json.dumps(action.to_json())).apply(plan)
    return plan


# --- text and actions --------------------------------------------------------------------------


@given(plans())
def test_what_is_rendered_reads_back(plan: Plan) -> None:
    """`parse_query(render(p)) == p`, with full and with short names."""
    for text in (render(plan), render(plan, _HEADER)):
        again = parse_query(text)
        assert again == plan, text
        assert hash(again) == hash(plan)


@given(plans())
def test_actions_rebuild_the_plan(plan: Plan) -> None:
    """The actions of a plan, written as JSON text, build it from nothing."""
    full = _replayed(plan.actions(), Plan())
    assert full == plan
    short = _replayed(plan.actions(olympics().prefixes), start())
    assert short == plan
    assert hash(short) == hash(full) == hash(plan)
    assert render(short) == render(full) == render(plan)


@given(plans())
def test_a_read_plan_rebuilds_too(plan: Plan) -> None:
    """The actions of a plan that was read from its text build the same plan."""
    assert _replayed(parse_query(render(plan)).actions(), Plan()) == plan


@given(sequences(), st.randoms(use_true_random=False))
def test_one_text_is_one_plan(steps_of: list[Json], random: Random) -> None:
    """Plans made on different ways are equal exactly when their texts are."""
    ways = [steps_of, random.sample(steps_of, len(steps_of)), steps_of * 2]
    made = {repr(plan): plan for way in ways for plan in _all_plans(way)}
    found = [*made.values(), *(parse_query(render(plan)) for plan in made.values())]
    texts: dict[str, Plan] = {}
    for plan in found:
        other = texts.setdefault(render(plan), plan)
        assert other == plan
        assert hash(other) == hash(plan)
    assert len(set(found)) == len(texts)


def _all_plans(steps_of: list[Json]) -> list[Plan]:
    """Return the plan after each step; a refused step changes nothing."""
    return list(accumulate(map(parse_action, steps_of), _taken, initial=start()))


@given(st.one_of(steps(), services()))
def test_actions_are_their_json(step: Json) -> None:
    """`parse_action` and `to_json` are inverse, through an object and through text."""
    action = parse_action(step)
    assert action.to_json() == step
    assert parse_action(action.to_json()) == action
    assert parse_action(json.dumps(action.to_json())) == action
    assert parse_action(str(action)) == action
    assert hash(parse_action(str(action))) == hash(action)


@given(builds(), st.lists(steps(), min_size=1, max_size=5))
def test_a_refused_step_changes_nothing(built: Built, more: list[Json]) -> None:
    """Neither an applied nor a refused action changes the plan that it was given."""
    before, text = repr(built.plan), render(built.plan)
    for step in more:
        _taken(built.plan, parse_action(step))
        assert repr(built.plan) == before
        assert render(built.plan) == text


@given(builds())
def test_short_names_say_the_same(built: Built) -> None:
    """Each action of a plan, names shortened, means the same as with full names."""
    short, full = built.plan.actions(olympics().prefixes), built.plan.actions()
    assert [a.op for a in short] == [a.op for a in full]
    for one, other in zip(short, full, strict=True):
        assert one.read(start()) == other.read(Plan())


# --- engines -----------------------------------------------------------------------------------


@given(sequences(), st.lists(services(), max_size=1))
def test_pyoxigraph_reads_every_plan(steps_of: list[Json], calls: list[Json]) -> None:
    """A plan that exists is legal SPARQL."""
    plan = build(steps_of + calls).plan
    for text in (render(plan), render(plan, _HEADER)):
        fault = oxigraph_fault(text)
        assert not fault or known("pyoxigraph refuses", text, fault), f"{fault}\n{text}"


@given(plans())
def test_rdflib_reads_every_plan(plan: Plan) -> None:
    """A second parser reads it too, but for a table of known differences."""
    text = render(plan)
    fault = rdflib_fault(text)
    assert not fault or known("rdflib refuses", text, fault), f"{fault}\n{text}"


def _unsliced(plan: Plan) -> Plan:
    """Return the plan without slices, here and in sub-queries: which rows they keep is not determined."""
    return rewrite(plan, _without_slice)


def _without_slice(part: object) -> object | None:
    if isinstance(part, Plan) and part.sliced:
        return rewrite(part.evolve(limit=None, offset=0), _without_slice)
    return None


@settings(derandomize=True)
@given(plans())
def test_two_engines_agree(plan: Plan) -> None:
    """Both engines find the same solutions, but for a table of known differences."""
    plan = _unsliced(plan)
    assume(plan.form in ("select", "ask") and not plan.dataset)
    assume(affordable(plan) and not is_volatile(plan))
    text = render(plan)
    assume(not oxigraph_fault(text))
    outcome = compare(text)
    assert not outcome or known("results", text, outcome), f"{outcome}\n{text}"


@pytest.mark.parametrize("difference", differences(), ids=lambda each: f"{each.stage}-{each.id}")
def test_differences_are_real(difference: Difference) -> None:
    """Every listed difference still shows on its example, and is recognised there."""
    query = difference.example
    read = {"pyoxigraph": oxigraph_fault(query), "rdflib": rdflib_fault(query)}
    match difference.stage:
        case "pyoxigraph refuses":
            outcome = read["pyoxigraph"]
        case "rdflib refuses":
            outcome = read["rdflib"]
        case "rdflib accepts":
            outcome = read["pyoxigraph"] if not read["rdflib"] else ""
        case "results":
            outcome = compare(query)
    assert outcome, "the engines agree now: take it out"
    assert difference.explains(query, outcome), outcome
