"""The natural order of a plan: the same solutions, no product where there is a way around it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hermes import KG
from hermes.algebra import Plan, parse_query, render
from hermes.algebra.kind import GroupOperator
from hermes.explanation import natural_order
from hermes.explanation.binding import certain_of, mentioned
from hermes.explanation.order import items, operators
from hermes.sparql.patterns import Element, TriplePattern
from hermes.sparql.tree import walk
from hermes.terms import Variable
from strategies import olympics, plans
from test_laws_key import determined, solutions

EX = "http://example.org/olympics/"
_RUNS_BY_ITSELF = st.sampled_from(("?a ex:p ?b", "?b ex:q ?c", "?c ex:r ex:x", "?a a ex:K", "?d ex:p ?c"))


@dataclass(frozen=True)
class Counts:
    """A vocabulary made for a test."""

    predicates: dict[str, int] = field(default_factory=dict)
    classes: dict[str, int] = field(default_factory=dict)


def plan_of(where: str, select: str = "*") -> Plan:
    """Read a query over the names of the shipped graph."""
    return parse_query(f"SELECT {select} {{ {where} }}", prefixes=olympics().prefixes)


def texts(plan: Plan) -> list[str]:
    """Return the clauses and filters in the order in which they are shown."""
    names = plan.prefixes.names()
    found = []
    for operator in operators(plan):
        if isinstance(operator, GroupOperator):
            found += [item.removesuffix(" .") for item in operator.add_to(Plan().where).items(names)]
    return found


@given(plans())
def test_the_order_keeps_the_solutions(plan: Plan) -> None:
    """Where only neighbours that join have changed places the key is the same; else the rows are."""
    ordered = natural_order(plan, olympics().vocabulary)
    if ordered.key != plan.key:
        assume(determined(plan) and determined(ordered))
        assert solutions(ordered) == solutions(plan)


@given(plans())
def test_the_operators_build_the_ordered_plan(plan: Plan) -> None:
    """What is shown, applied to the empty plan, is the plan in another order of its filters."""
    ordered = natural_order(plan)
    built = Plan(prefixes=plan.prefixes)
    for operator in operators(ordered):
        built = operator.apply(built)
    assert set(built.where.filters) == set(ordered.where.filters)
    assert built.key == ordered.key
    assert built.columns == plan.columns


@given(plans())
def test_a_filter_comes_when_what_it_reads_is_bound(plan: Plan) -> None:
    """No clause after a filter brings in what the filter reads, unless it was bound for sure before."""
    shown = list(items(plan.where))
    assert [item for item in shown if isinstance(item, Element)] == list(plan.where.elements)
    assert sorted(map(repr, shown)) == sorted(map(repr, (*plan.where.elements, *plan.where.filters)))
    for place, item in enumerate(shown):
        if not isinstance(item, Element):
            before = [part for part in shown[:place] if isinstance(part, Element)]
            later = [part for part in shown[place:] if isinstance(part, Element)]
            for name in mentioned(item) & {name for part in later for name in part.binds()}:
                assert name in certain_of(before)


@given(st.lists(_RUNS_BY_ITSELF, min_size=2, max_size=5, unique=True), st.permutations(range(5)))
def test_a_connected_pattern_is_never_a_product(patterns: list[str], shuffle: list[int]) -> None:
    """Each pattern after the first shares a variable with those before, where all are connected."""
    shuffled = [patterns[place] for place in shuffle if place < len(patterns)]
    plan = plan_of(" . ".join(shuffled))
    assume(_connected(plan.where.elements))
    counts = Counts({f"{EX}p": 5000, f"{EX}q": 10, f"{EX}r": 100}, {f"{EX}K": 3})
    for vocabulary in (None, counts):
        known: set[Variable] = set()
        for element in natural_order(plan, vocabulary).where.elements:
            own = set(element.binds())
            assert not known or own & known
            known |= own


def _connected(elements: tuple[Element, ...]) -> bool:
    reached, left = set(elements[0].binds()), list(elements[1:])
    while touching := [element for element in left if reached.intersection(element.binds())]:
        reached.update(*(element.binds() for element in touching))
        left = [element for element in left if element not in touching]
    return not left


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        # few before many, connected
        ("?r ex:many ?d . ?d a ex:Few", ["?d a ex:Few", "?r ex:many ?d"]),
        # of one magnitude: as written
        ("?a ex:some ?b . ?b ex:few ?c", ["?a ex:some ?b", "?b ex:few ?c"]),
        # a name that does not occur comes last, so that what does match is seen
        ("?a ex:absent ?b . ?a ex:many ?c", ["?a ex:many ?c", "?a ex:absent ?b"]),
        # OPTIONAL, MINUS and BIND stay where they are
        (
            "?a ex:many ?b OPTIONAL { ?a ex:few ?c } ?a ex:few ?d",
            ["?a ex:many ?b", "OPTIONAL { ?a ex:few ?c }", "?a ex:few ?d"],
        ),
        # but for what would else be a product
        (
            "?a a ex:Few . ?b a ex:Few MINUS { ?a ex:few ex:x } ?a ex:many ?b",
            ["?a a ex:Few", "?a ex:many ?b", "?b a ex:Few", "MINUS { ?a ex:few ex:x }"],
        ),
        # which what OPTIONAL may bind cannot
        (
            "?a a ex:Few . ?b a ex:Few OPTIONAL { ?a ex:few ?c } ?b ex:many ?a ; ex:some ?c",
            ["?a a ex:Few", "?b ex:many ?a", "?b a ex:Few", "OPTIONAL { ?a ex:few ?c }", "?b ex:some ?c"],
        ),
        # a filter comes as soon as it can be read, and not before
        (
            "?a ex:few ?b . ?a ex:some ?c FILTER(BOUND(?d)) FILTER(?b > 2) OPTIONAL { ?a ex:many ?d }",
            [
                "?a ex:few ?b",
                "FILTER(?b > 2)",
                "?a ex:some ?c",
                "OPTIONAL { ?a ex:many ?d }",
                "FILTER(BOUND(?d))",
            ],
        ),
        # groups inside are in order too, joined with what is outside
        (
            "?a a ex:Few OPTIONAL { ?b a ex:Few . ?a ex:many ?b }",
            ["?a a ex:Few", "OPTIONAL { ?a ex:many ?b . ?b a ex:Few }"],
        ),
        # what a filter compares with a constant is like a constant
        (
            "?a ex:some ?b . ?a ex:many ?c . ?a ex:few ?d FILTER(?c = 1 && ?d > 2)",
            ["?a ex:some ?b", "?a ex:many ?c", "?a ex:few ?d", "FILTER(?c = 1 && ?d > 2)"],
        ),
        (
            "?a ex:many ?b . ?c ex:many ?a . ?c ex:many ?d FILTER(?d = 1 || ?d IN (2, 3))",
            ["?c ex:many ?d", "FILTER(?d = 1 || ?d IN (2, 3))", "?c ex:many ?a", "?a ex:many ?b"],
        ),
        # a table first: it is written to choose
        ("?a ex:many ?b VALUES ?b { 1 2 }", ["VALUES ?b { 1 2 }", "?a ex:many ?b"]),
    ],
)
def test_orders(written: str, shown: list[str]) -> None:
    """The order of patterns whose numbers are known."""
    counts = Counts({f"{EX}many": 90_000, f"{EX}some": 300, f"{EX}few": 200}, {f"{EX}Few": 12})
    assert texts(natural_order(plan_of(written), counts)) == shown


def test_the_shipped_graph_is_read_as_written() -> None:
    """The documented session keeps its order: its patterns are of one magnitude."""
    kg = KG.load("olympics")
    plan = plan_of('?city ex:hosted ?g . ?city ex:country ex:USA . ?g ex:season "Winter"', "DISTINCT ?city")
    assert natural_order(plan, kg.vocabulary) == plan


def test_sub_queries_are_ordered_by_themselves() -> None:
    """A sub-query sees nothing of outside, so its patterns are connected among themselves."""
    plan = plan_of(
        "?a ex:few ?b { SELECT ?b (COUNT(*) AS ?n) { ?b ex:p ?c . ?d ex:q ?e . ?c ex:r ?d } GROUP BY ?b }"
    )
    ordered = natural_order(plan)
    assert [part.text(ordered.prefixes.names()) for part in _triples(ordered)][1:] == [
        "?b ex:p ?c",
        "?c ex:r ?d",
        "?d ex:q ?e",
    ]
    assert parse_query(render(ordered)).key == plan.key


def _triples(plan: Plan) -> Iterator[TriplePattern]:
    return (part for part in walk(plan) if isinstance(part, TriplePattern))
