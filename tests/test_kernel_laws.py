"""Laws of the kernel over generated plans: what it refuses has no solution, what it derives covers each."""

from __future__ import annotations

from functools import cache
from typing import Final

from hypothesis import HealthCheck, example, given, settings

from hermes.algebra import Plan, render
from hermes.errors import StoreError
from hermes.results import Table
from hermes.verifier import Certificate, Kernel, Refusal, Schema, recheck
from hermes.verifier.rules.dataset import Dataset
from hermes.verifier.rules.expressions import Functions
from hermes.verifier.rules.groups import Groups
from hermes.verifier.rules.solutions import NoSolution
from hermes.verifier.rules.space import UNBOUND, Space
from strategies import Json, olympics, plans_on_the_way, sequences

_ROWS: Final = 200


@cache
def _schema() -> Schema:
    return Schema.mine(olympics())


@cache
def _space() -> Space:
    return Space(_schema())


def _solutions(plan: Plan) -> Table | None:
    """Return solutions of the WHERE alone, with every variable in scope; None where the store has none."""
    where = Plan(where=plan.where, dataset=plan.dataset)
    asked = where.evolve(projection=where.scope, projected=True, limit=_ROWS)
    try:
        return olympics().select(render(asked))
    except StoreError:  # a name that the engine does not read, or a product that takes too long
        return None


@settings(suppress_health_check=list(HealthCheck), deadline=None)
@given(sequences())
def test_what_is_refused_has_no_solution(steps: list[Json]) -> None:
    """After each step: a refused plan has an empty WHERE, and a second derivation says so too."""
    kernel = Kernel(_schema())
    for plan in plans_on_the_way(steps):
        verdict = kernel.check(plan)
        assert recheck(verdict, plan, _schema()) != "contradicted", render(plan)
        empty = isinstance(verdict, Refusal) or any(each.code == "empty-where" for each in verdict.warnings)
        if empty and (table := _solutions(plan)) is not None:
            assert not table.rows, f"{verdict}\n{render(plan)}"


@settings(suppress_health_check=list(HealthCheck), deadline=None)
@given(sequences())
def test_what_is_derived_covers_each_solution(steps: list[Json]) -> None:
    """Each value of each solution is one that the rules allow."""
    functions = Functions(_space())
    for plan in plans_on_the_way(steps):
        try:
            found = Groups(Dataset.of(plan.dataset, _space()), functions).of(plan.where)
        except NoSolution:
            continue
        table = _solutions(plan)
        for row in table.rows if table is not None else ():
            for variable in plan.where.scope():
                value = row.get(variable.name)
                bits = UNBOUND if value is None else _space().of_term(value)
                assert bits & found.of(variable), f"{variable} = {value}\n{render(plan)}"


@settings(suppress_health_check=list(HealthCheck), deadline=None)
@given(sequences())
def test_a_verdict_is_a_function_of_plan_and_schema(steps: list[Json]) -> None:
    """A kernel keeps nothing of a plan: one that has checked others says the same as a new one."""
    old = Kernel(_schema())
    for plan in plans_on_the_way(steps):
        first, second = old.check(plan), Kernel(_schema()).check(plan)
        assert (first.accepted, first.reason, first.warnings) == (
            second.accepted,
            second.reason,
            second.warnings,
        )


@settings(suppress_health_check=list(HealthCheck), deadline=None)
@given(sequences())
@example(
    [
        {"op": "triple", "pattern": "?city ex:hosted ?games"},
        {"op": "values", "vars": ["?city"], "rows": [["ex:Athens"], ["ex:Athens"]], "at": "end"},
        {"op": "order", "expr": "ASC(COUNT(*))"},
    ]
)
def test_a_plan_has_as_many_rows_as_is_said(steps: list[Json]) -> None:
    """None, one and at most one are meant literally."""
    kernel = Kernel(_schema())
    for plan in plans_on_the_way(steps):
        verdict = kernel.check(plan)
        if plan.form != "select" or not isinstance(verdict, Certificate) or verdict.multiplicity == "any":
            continue
        try:
            count = len(olympics().select(render(plan.variant())).rows)
        except StoreError:
            continue
        allowed = {"none": {0}, "one": {1}, "at most one": {0, 1}}[verdict.multiplicity]
        assert count in allowed, render(plan)
