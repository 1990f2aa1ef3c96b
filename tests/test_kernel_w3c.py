"""The kernel on the W3C query tests: none that has solutions is refused, with any choice of default graph."""

from __future__ import annotations

import pytest

from hermes.algebra import Plan, parse_query, render
from hermes.errors import HermesError, StoreError
from hermes.kg import KG
from hermes.terms import WELL_KNOWN
from hermes.verifier import Kernel, Schema, recheck
from kernel_graphs import LocalStore
from oracle.w3c import ROOT, Case, cases
from shared import DATA, needs_data

pytestmark = needs_data


def _cases() -> list[Case]:
    folder = DATA / "w3c-sparql-tests"
    return [case for case in cases(folder) if case.runs] if folder.is_dir() else []


@pytest.mark.parametrize("case", _cases(), ids=lambda case: case.id)
def test_what_is_refused_has_no_solution(case: Case) -> None:
    """On the data of the test, and a second derivation agrees."""
    try:
        plan = parse_query(case.text(), base=case.base)
    except HermesError:
        pytest.skip("not read; test_w3c.py lists it")
    for chosen in ("default", "union", *(ROOT + name for name in case.graph_data)):
        kg = KG(LocalStore(case.store(), chosen), WELL_KNOWN, dataset=chosen)
        schema = Schema.mine(kg)
        verdict = Kernel(schema).check(plan)
        assert recheck(verdict, plan, schema) != "contradicted"
        asked = Plan(where=plan.where, dataset=plan.dataset).evolve(form="ask", projection=(), projected=True)
        try:
            assert verdict.accepted or not kg.ask(render(asked)), verdict.reason
        except StoreError:  # what the engine does not run has no solutions to miss
            continue
