"""Queries written to make the kernel wrong: errors, unbound variables, odd numbers, scopes, paths."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

import pytest

from hermes import KG
from hermes.algebra import Plan, parse_query, render
from hermes.verifier import Kernel, Schema, recheck
from hermes.verifier.rules.dataset import Dataset
from hermes.verifier.rules.expressions import Functions
from hermes.verifier.rules.groups import Groups
from hermes.verifier.rules.solutions import NoSolution
from hermes.verifier.rules.space import UNBOUND, Space
from oracle.mutant_corpus import has_solutions
from oracle.other_mutants import other_mutants
from oracle.plan_mutants import Names
from oracle.walks import walks

_FOLDER: Final = Path(__file__).parent / "adversarial"
_HEADER: Final = """\
PREFIX ex: <http://example.org/> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
"""


@cache
def _graph() -> tuple[KG, Schema]:
    kg = KG.load(_FOLDER / "graph.ttl")
    return kg, Schema.mine(kg)


def _queries() -> list[str]:
    lines = (_FOLDER / "queries.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


@pytest.mark.parametrize("where", _queries())
def test_the_engine_agrees(where: str) -> None:
    """What is refused has no solution; what is derived covers each solution; a second derivation agrees."""
    kg, schema = _graph()
    plan = parse_query(f"{_HEADER}SELECT * {{ {where} }}")
    verdict = Kernel(schema).check(plan)
    scope = plan.where.scope()
    rows = kg.select(render(Plan(where=plan.where).evolve(projection=scope, projected=True))).rows
    assert verdict.accepted or not rows, verdict.reason
    assert recheck(verdict, plan, schema) != "contradicted", verdict
    space = Space(schema)
    try:
        found = Groups(Dataset.of((), space), Functions(space)).of(plan.where)
    except NoSolution:
        assert not rows
        return
    for row in rows:
        for variable in scope:
            value = row.get(variable.name)
            assert (UNBOUND if value is None else space.of_term(value)) & found.of(variable), variable


def test_wrong_edits_of_walks() -> None:
    """Edits that no rule was made for, of queries from walks in the shipped graph: none wrongly refused."""
    kg = KG.load("olympics")
    schema = Schema.mine(kg)
    kernel = Kernel(schema)
    names = Names(tuple(sorted(kg.vocabulary.predicates)), tuple(sorted(kg.vocabulary.classes)))
    refused = 0
    for plan in walks(kg, 6, "walks"):
        assert has_solutions(kg, plan)
        assert kernel.check(plan).accepted
        for other in other_mutants(plan, names):
            verdict = kernel.check(other.plan)
            refused += not verdict.accepted
            assert verdict.accepted or not has_solutions(kg, other.plan), render(other.plan)
            assert recheck(verdict, other.plan, schema) != "contradicted", render(other.plan)
    assert refused > 50
