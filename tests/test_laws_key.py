"""Laws of `plan.key`: equal keys have the same solutions, and what cannot matter does not change the key."""

from __future__ import annotations

from collections import Counter
from itertools import accumulate, groupby
from random import Random
from typing import Final

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hermes.algebra import Plan, parse_action, parse_query, render
from hermes.errors import HermesError
from hermes.sparql.expressions import Aggregate, is_volatile
from hermes.sparql.patterns import Element, Group
from hermes.sparql.tree import rewrite, walk
from hermes.terms import Term, Variable
from oracle.engines import oxigraph_fault
from oracle.sizes import affordable
from strategies import Json, olympics, plans, sequences, start

_MOST_ROWS: Final = 20_000
Rows = Counter[tuple[Term | None, ...]]


def solutions(plan: Plan) -> Rows | bool:
    """Return the truth value of a plan, or its rows, by the places of the columns and not their names."""
    text = render(plan)
    if plan.form == "ask":
        return olympics().ask(text)
    table = olympics().select(text)
    return Counter(tuple(row.get(name) for name in table.variables) for row in table.rows)


def determined(plan: Plan) -> bool:
    """Whether the solutions are determined by SPARQL, and can be computed quickly."""
    parts = list(walk(plan))
    return (
        plan.form in ("select", "ask")
        and affordable(plan)
        and not is_volatile(plan)
        and not any(isinstance(part, Plan) and (part.sliced or part.reduced) for part in parts)
        and not any(isinstance(part, Aggregate) and part.function == "GROUP_CONCAT" for part in parts)
    )


def reordered(plan: Plan, random: Random) -> Plan:
    """Return the plan with neighbours that commute, and filters, in another order, in every group."""

    def shuffle(part: object) -> object | None:
        if not isinstance(part, Group):
            return None
        elements: list[Element] = []
        for commutes, run in groupby(part.elements, key=lambda element: element.commutes):
            same = list(run)
            elements += random.sample(same, len(same)) if commutes else same
        filters = random.sample(part.filters, len(part.filters))
        inner = (rewrite(tuple(elements), shuffle), rewrite(tuple(filters), shuffle))
        return Group(*inner)

    return rewrite(plan, shuffle)


def renamed(plan: Plan, random: Random) -> Plan:
    """Return the plan with other names for the variables that are no columns, in every group."""
    found = {part for part in walk(plan) if isinstance(part, Variable)}
    free = sorted(found - set(plan.columns), key=str)
    numbers = random.sample(range(len(free)), len(free))
    names = {
        variable: Variable(f"{'_hermes_b9' if variable.blank else 'other'}{number}")
        for variable, number in zip(free, numbers, strict=True)
        if variable.blank or not variable.reserved
    }
    return rewrite(plan, lambda part: names.get(part) if isinstance(part, Variable) else None)


@given(plans(), st.randoms(use_true_random=False))
def test_equal_keys_have_equal_solutions(plan: Plan, random: Random) -> None:
    """Other orders and other names: where the key is the same, so are the solutions."""
    assume(determined(plan) and not oxigraph_fault(render(plan)))
    for other in (reordered(plan, random), renamed(plan, random), renamed(reordered(plan, random), random)):
        if other.key == plan.key:
            assert solutions(other) == solutions(plan), f"{render(plan)}\n{render(other)}"


@given(sequences(), st.randoms(use_true_random=False))
def test_plans_of_one_key_have_equal_solutions(steps_of: list[Json], random: Random) -> None:
    """Of all plans on two ways through the same actions, those of one key have the same solutions."""
    ways = (steps_of, random.sample(steps_of, len(steps_of)))
    by_key: dict[str, Plan] = {}
    for plan in (plan for way in ways for plan in accumulate(way, _taken, initial=start())):
        if determined(plan) and not oxigraph_fault(render(plan)):
            other = by_key.setdefault(plan.key, plan)
            assert other == plan or solutions(other) == solutions(plan), f"{render(plan)}\n{render(other)}"


def _taken(plan: Plan, step: Json) -> Plan:
    try:
        return parse_action(step).apply(plan)
    except HermesError:
        return plan


@given(plans(), st.randoms(use_true_random=False))
def test_order_does_not_change_the_key(plan: Plan, random: Random) -> None:
    """Clauses that commute, and filters, may stand in any order."""
    assume(not any(isinstance(part, Variable) and part.blank for part in walk(plan)))
    assert reordered(plan, random).key == plan.key, render(plan)


@given(plans())
def test_equal_plans_have_equal_keys(plan: Plan) -> None:
    """The key is of the slots: a plan that was read has the key of the plan that was written."""
    assert parse_query(render(plan)).key == plan.key


@given(plans())
def test_the_key_is_one_query(plan: Plan) -> None:
    """The key is the text of a plan, and that plan has the same key."""
    assert parse_query(plan.key).key == plan.key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("?s ?p ?o . ?o ?p2 ?z", "?o ?p2 ?z . ?s ?p ?o"),
        ("?s <a:b> ?o . ?s <a:c> ?x", "?s <a:c> ?kind . ?s <a:b> ?thing"),
        ("?s <a:b> ?o FILTER(?o > 1) FILTER(?o < 9)", "?s <a:b> ?n FILTER(?n < 9) FILTER(?n > 1)"),
        ("?s <a:b> [] ", "?s <a:b> _:any"),
        ("?s <a:b> ?o { ?s <a:c> ?x . ?x <a:d> ?y }", "{ ?x <a:d> ?y . ?s <a:c> ?x } ?s <a:b> ?z"),
    ],
)
def test_the_same_question_has_one_key(one: str, other: str) -> None:
    """Examples: order, names and blank nodes do not matter."""
    assert parse_query(f"SELECT ?s {{ {one} }}").key == parse_query(f"SELECT ?s {{ {other} }}").key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("SELECT ?s { ?s <a:b> ?o }", "SELECT ?o { ?s <a:b> ?o }"),
        ("SELECT ?s { ?s <a:b> ?o . ?s <a:b> ?x }", "SELECT ?s { ?s <a:b> ?o . ?x <a:b> ?s }"),
        (
            "SELECT ?s { ?s <a:b> ?o OPTIONAL { ?s <a:c> ?x } ?s <a:d> ?x }",
            "SELECT ?s { ?s <a:b> ?o . ?s <a:d> ?x OPTIONAL { ?s <a:c> ?x } }",
        ),
        ("SELECT ?s { ?s <a:b> ?o }", "SELECT DISTINCT ?s { ?s <a:b> ?o }"),
        ("SELECT ?s { ?s <a:b> ?o } LIMIT 1", "SELECT ?s { ?s <a:b> ?o } LIMIT 2"),
        ("SELECT ?s { ?s <a:b> ?o }", "SELECT ?s { ?s <a:b> ?s }"),
        ("SELECT ?s { ?s <a:b>/<a:b> ?o }", "SELECT ?s { ?s <a:b>|<a:b> ?o }"),
        ('SELECT ?s { ?s <a:b> "?x" }', 'SELECT ?s { ?s <a:b> "?y" }'),
        ("SELECT ?s { ?s <a:b> ?o } ORDER BY ?s", "SELECT ?s { ?s <a:b> ?o } ORDER BY ?o"),
    ],
)
def test_different_questions_have_different_keys(one: str, other: str) -> None:
    """Examples: the answer, the shape, what does not commute, and modifiers matter."""
    assert parse_query(one).key != parse_query(other).key
