"""The kernel on small graphs with every sort of term: no false refusal, nothing wrong in what it derives."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hermes.algebra import Plan, parse_query, render
from hermes.errors import HermesError, StoreError
from hermes.kg import KG
from hermes.results import Table
from hermes.verifier import Kernel, Schema, mining, occurrences, recheck
from hermes.verifier.rules.dataset import Dataset
from hermes.verifier.rules.expressions import Functions
from hermes.verifier.rules.groups import Groups
from hermes.verifier.rules.solutions import NoSolution
from hermes.verifier.rules.space import UNBOUND, Space
from kernel_graphs import GraphDice, dataset, graph, planted, query


def _plans(dice: Random, kg: KG, count: int) -> list[Plan]:
    found = []
    for number in range(count):
        try:
            found.append(parse_query(planted(dice, kg) if number % 2 else query(dice)))
        except HermesError:  # dice name a variable twice
            continue
    return found


def _solutions(kg: KG, plan: Plan) -> Table:
    where = Plan(where=plan.where, dataset=plan.dataset)
    try:
        return kg.select(render(where.evolve(projection=where.scope, projected=True, limit=50)))
    except StoreError:  # the engine does not read it
        return Table((), ())


def _check(dice: Random, kg: KG) -> None:
    """Check some queries on one graph against the engine and against a second derivation."""
    schema = Schema.mine(kg)
    kernel, space = Kernel(schema), Space(schema)
    functions = Functions(space)
    assert schema.complete
    for plan in _plans(dice, kg, 8):
        verdict = kernel.check(plan)
        assert recheck(verdict, plan, schema) != "contradicted", render(plan)
        rows = _solutions(kg, plan).rows
        assert verdict.accepted or not rows, f"{verdict}\n{render(plan)}"
        if plan.dataset and schema.graphs_unknown:
            continue
        try:
            found = Groups(Dataset.of(plan.dataset, space), functions).of(plan.where)
        except NoSolution:
            continue
        for row in rows:
            for variable in plan.where.scope():
                value = row.get(variable.name)
                bits = UNBOUND if value is None else space.of_term(value)
                assert bits & found.of(variable), f"{variable} = {value}\n{render(plan)}"


@given(st.integers(0, 10**9))
def test_verdicts_on_odd_terms_are_right(seed: int) -> None:
    """A refused query has no solution; each value of each solution is one that the rules allow."""
    dice = Random(seed)  # noqa: S311 - dice for a test
    _check(dice, graph(dice))


@given(st.integers(0, 10**9))
def test_verdicts_on_named_graphs_are_right(seed: int) -> None:
    """The same of GRAPH, FROM and FROM NAMED, whatever the default graph is."""
    dice = GraphDice(seed)
    _check(dice, dataset(dice))


@settings(suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10**9))
def test_merged_signatures_refuse_nothing_more(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are too many signatures, those that become one are known less well, but not wrongly."""
    with monkeypatch.context() as patched:
        patched.setattr(mining, "MOST_SIGNATURES", 3)
        dice = Random(seed)  # noqa: S311 - dice for a test
        _check(dice, graph(dice))


@settings(suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10**9))
def test_unknown_graphs_refuse_nothing_more(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where named graphs make too many signatures, the default graph is known without them."""
    with monkeypatch.context() as patched:
        patched.setattr(mining, "MOST_SIGNATURES", 12)
        dice = GraphDice(seed)
        _check(dice, dataset(dice))


@settings(suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10**9))
def test_colliding_hashes_refuse_nothing_more(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two terms with one hash are taken for each other, which only makes the kernel accept more."""
    real = occurrences.hash_of
    with monkeypatch.context() as patched:
        patched.setattr(occurrences, "hash_of", lambda key: real(key) % 11)
        dice = Random(seed)  # noqa: S311 - dice for a test
        kg = graph(dice)
        kernel = Kernel(Schema.mine(kg))
        for plan in _plans(dice, kg, 8):
            verdict = kernel.check(plan)
            assert verdict.accepted or not _solutions(kg, plan).rows, f"{verdict}\n{render(plan)}"
