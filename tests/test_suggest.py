"""Suggestions: each leaves what it says, at every variable of every sort of plan."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

import virtuoso
from hermes import KG
from hermes.algebra import Explorer, Plan, Trace, parse_action, parse_query, render
from hermes.algebra.observation import Rejected, Solutions, Suggested
from hermes.algebra.observation_json import observation_from_json, observation_to_json
from hermes.cli.explore.session import Session
from hermes.errors import PlanError
from hermes.findings import Suggestion, Suggestions
from hermes.store import tallied
from hermes.suggest import GraphSuggester, suggest
from hermes.terms import IRI, Variable
from hermes.verifier import Schema
from shared import data_folder
from strategies import EX, olympics

ODD: Final = """
@prefix ex: <http://example.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
ex:a a ex:Thing ; ex:size 1 , 2 ; ex:name "one" , "eins"@de ; ex:likes ex:b , _:x .
ex:a ex:born "2001-02-03"^^xsd:date .
ex:b a ex:Thing , ex:Other ; ex:size 2.0 , 7 ; ex:name "two" ; ex:likes ex:c , ex:a ; ex:flag true .
ex:c ex:size "x" , 9 , 11 , 12 ; ex:likes ex:c ; ex:born "2003-02-03"^^xsd:date , "2004-01-01"^^xsd:date .
_:x ex:name "nobody" ; ex:likes ex:a ; ex:born "1999-12-31"^^xsd:date .
ex:d ex:size 1.5e0 , "NaN"^^xsd:double ; ex:odd "1"^^ex:odd .
"""
GRAPHS: Final = """
@prefix ex: <http://example.org/> .
ex:a ex:p ex:b .
GRAPH ex:one { ex:a ex:p ex:b , ex:c . ex:b ex:q 1 . ex:c a ex:Thing . }
GRAPH ex:two { ex:a ex:p ex:b . ex:b ex:q 2 , 3 . }
"""
QUERIES: Final = (
    "SELECT * { ?s ex:likes ?o }",
    "SELECT DISTINCT ?s { ?s ex:likes ?o }",
    "SELECT DISTINCT ?s ?o { ?s ex:likes ?o . ?o ex:size ?n }",
    "SELECT ?s (COUNT(?o) AS ?n) { ?s ex:likes ?o } GROUP BY ?s",
    "SELECT ?s (COUNT(?o) AS ?n) { ?s ex:likes ?o } GROUP BY ?s HAVING (COUNT(?o) > 1)",
    "SELECT (COUNT(*) AS ?n) { ?s ex:likes ?o }",
    "SELECT * { ?s ex:likes ?o OPTIONAL { ?o ex:born ?d } }",
    "SELECT * { ?s ex:likes ?o OPTIONAL { ?o ex:born ?d FILTER(?d > '2002-01-01'^^xsd:date) } }",
    "SELECT * { { ?s ex:likes ?o } UNION { ?s ex:size ?n } }",
    "SELECT * { ?s ex:likes+ ?o }",
    "SELECT * { ?s ex:likes ?o MINUS { ?o ex:flag ?f } }",
    "SELECT * { ?s ex:likes ?o FILTER NOT EXISTS { ?o ex:flag ?value } }",
    "SELECT * { ?s ex:size ?n BIND(?n * 2 AS ?m) }",
    "SELECT * { ?s ex:likes ?o . ?x ex:born ?d }",
    "SELECT * { ?s ex:likes ?o } VALUES ?s { ex:a ex:b }",
    "SELECT * { ?s ex:likes ?o } VALUES ?x { ex:a ex:b }",
    "SELECT * { VALUES (?s ?x) { (ex:a 1) (ex:b UNDEF) } ?s ex:likes ?o }",
    "SELECT * { ?s ex:size ?n }",
    "SELECT * { ?s ex:born ?d }",
    "SELECT * { { SELECT ?s { ?s ex:likes ?hidden } } ?s ex:size ?n }",
    "ASK { ?s ex:likes ?o }",
)


def embedded(tmp_path: Path, text: str, suffix: str = ".ttl") -> KG:
    """Return a graph of a few triples."""
    path = tmp_path / f"graph{suffix}"
    path.write_text(text)
    return KG.load(path, prefixes={"ex": "http://example.org/"})


def query(text: str, kg: KG) -> Plan:
    """Read a query with the prefixes of a graph."""
    return parse_query(text, prefixes=kg.prefixes)


def wrong(kg: KG, plan: Plan, found: Suggestions) -> Iterator[str]:
    """Yield what is not as a suggestion says: the solutions after it, or the values of its focus."""
    explorer = Explorer(kg, sample_size=1)
    for action in plan.actions():
        assert not isinstance(explorer.run(action), Rejected), action
    for item in found.items:
        if item.estimated:
            continue
        action = parse_action(item.action)
        seen = explorer.preview(action)
        after = action.apply(explorer.plan)
        rows = seen.count if isinstance(seen, Solutions) else item.solutions
        where = after.where if after.values is None else after.where.add(after.values)
        name = found.focus or after.scope[0].name
        distinct = Plan(
            dataset=after.dataset, where=where, projection=(Variable(name),), projected=True, distinct=True
        )
        values = kg.select(render(distinct)).rows
        if isinstance(seen, Rejected) or rows != item.solutions or rows < 1:
            yield f"{item}: {seen.summary()}"
        elif sum(name in row for row in values) != item.values:
            yield f"{item}: {len(values)} values"


# --- what is suggested is so ------------------------------------------------------------------------


@pytest.mark.parametrize("text", QUERIES)
def test_each_leaves_what_it_says(text: str, tmp_path: Path) -> None:
    """At every variable of every sort of plan, and with the words of a text."""
    kg = embedded(tmp_path, ODD)
    plan = query(text, kg)
    for focus in plan.scope:
        for words in ("", "which thing likes b and two"):
            found = suggest(kg, plan, focus, words, limit=None)
            assert list(wrong(kg, plan, found)) == []
            assert all(item.values >= 1 for item in found.items)
    kg.close()


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * { GRAPH ?g { ?s ex:p ?o } }",
        "SELECT * { GRAPH ex:one { ?s ex:p ?o } }",
        "SELECT * { GRAPH ex:one { ?s ex:p ?o } ?s ex:p ?x }",
        "SELECT * FROM ex:two { ?s ex:p ?o }",
        "SELECT DISTINCT ?o { GRAPH ?g { ?s ex:p ?o } }",
    ],
)
def test_named_graphs(text: str, tmp_path: Path) -> None:
    """A step at a variable that only a named graph binds stays in that graph."""
    kg = embedded(tmp_path, GRAPHS, ".trig")
    plan = query(text, kg)
    seen = [suggest(kg, plan, focus, limit=None) for focus in plan.scope]
    for found in seen:
        assert list(wrong(kg, plan, found)) == []
    assert any(item.step in ("out", "class") for found in seen for item in found.items)
    kg.close()


def test_walks() -> None:
    """From suggestion to suggestion, with what else a person does in between."""
    kg, dice = olympics(), Random(7)  # noqa: S311 - a walk that can be repeated
    explorer = Explorer(kg, sample_size=1)
    for _ in range(120):
        plan = explorer.plan
        if len(plan.where.elements) > 4 or dice.random() < 0.1:
            explorer = Explorer(kg, sample_size=1)
            plan = explorer.plan
        focus = None if plan.empty else dice.choice(plan.scope)
        found = suggest(kg, plan, focus, limit=None)
        chosen = dice.sample(found.items, min(3, len(found.items)))
        some = Suggestions(found.focus, tuple(chosen))
        assert list(wrong(kg, plan, some)) == []
        if not chosen:
            explorer = Explorer(kg, sample_size=1)
        elif not plan.empty and dice.random() < 0.2:
            explorer.run(parse_action({"op": "distinct"}))
        else:
            explorer.run(parse_action(chosen[0].action))


# --- what is suggested -----------------------------------------------------------------------------


def items(kg: KG, text: str, focus: str, words: str = "", **settings: Any) -> dict[str, Suggestion]:
    """Return suggestions by what is done."""
    found = suggest(kg, query(text, kg), Variable(focus), words, limit=None, **settings)
    return {
        str(action.get("pattern") or action.get("expr") or action): item
        for item in found.items
        for action in [json.loads(item.action)]
    }


def test_what_a_person_expects() -> None:
    """Both directions, classes, values, ranges; the names of new variables say what they are."""
    kg = olympics()
    city = items(kg, "SELECT * { ?city ex:hosted ?g }", "city")
    assert city["?city ex:country ?country"].solutions == 19
    assert city["?twin_of ex:twin ?city"].values == 5
    assert city["?city a ex:City"].step == "class"
    assert city["?city = ex:London"].solutions == 3
    year = items(kg, "SELECT * { ?g ex:year ?year }", "year")
    assert year["?year = 1932"].solutions == 2
    ranges = [item for item in year.values() if item.step == "range"]
    assert {json.loads(item.action)["expr"].split()[1] for item in ranges} == {">=", "<"}


def test_the_text_comes_first() -> None:
    """A predicate by its label, a class, an entity by its name, a text that occurs, a quality."""
    kg = olympics()
    plan = query("SELECT * { ?city ex:hosted ?g }", kg)
    for focus, words, first in (
        ("city", "which country", "?city ex:country ?country"),
        ("city", "in the United States", "?city ex:country ex:USA"),
        ("g", "in Winter", '?g ex:season "Winter"'),
        ("city", "how many inhabitants", "?city ex:population ?population"),
    ):
        found = suggest(kg, plan, Variable(focus), words)
        patterns = [json.loads(item.action).get("pattern") for item in found.items[:2]]
        assert first in patterns, words


def test_the_beginning() -> None:
    """Of an empty plan the classes and predicates of the graph are suggested, with exact counts."""
    kg = olympics()
    found = suggest(kg, Plan(prefixes=kg.prefixes), limit=None)
    assert list(wrong(kg, Plan(prefixes=kg.prefixes), found)) == []
    assert {item.term for item in found.items if item.step == "class"} == {
        IRI(each) for each in kg.vocabulary.classes
    }
    assert suggest(kg, Plan(), text="hosted").items[0].term == IRI(EX + "hosted")


def test_the_beginning_of_other_plans(tmp_path: Path) -> None:
    """Of other graphs what these have; of different rows their number; names as the plan writes them."""
    kg = embedded(tmp_path, GRAPHS, ".trig")
    for steps in ([{"op": "from", "graph": "<http://example.org/two>"}], [{"op": "distinct"}]):
        plan = Plan()
        for step in steps:
            plan = parse_action(step).apply(plan)
        found = suggest(kg, plan, limit=None)
        assert found.items
        assert list(wrong(kg, plan, found)) == []
        for item in found.items:
            parse_action(item.action).apply(plan)
    with pytest.raises(PlanError):
        suggest(kg, parse_action({"op": "limit", "n": 1}).apply(Plan()))
    kg.close()


def test_a_focus_without_a_value_is_not_multiplied() -> None:
    """Where an OPTIONAL may not match, its own pattern is a step, and others are conditions."""
    kg = olympics()
    found = items(kg, "SELECT * { ?c a ex:City OPTIONAL { ?c ex:nickname ?n } }", "n")
    assert found["?c ex:nickname ?n"].solutions == 4
    assert all(item.step in ("in", "value") for item in found.values())


@pytest.mark.parametrize(
    ("text", "focus", "code"),
    [
        ("SELECT * { ?c ex:hosted ?g }", "zz", "unbound-variable"),
        ("SELECT * { ?c ex:hosted ?g } LIMIT 3", "c", "after-slice"),
    ],
)
def test_refused(text: str, focus: str, code: str) -> None:
    """A variable that nothing binds; a plan that a step would be evaluated before the slice of."""
    kg = olympics()
    with pytest.raises(PlanError) as error:
        suggest(kg, query(text, kg), Variable(focus))
    assert error.value.code == code


# --- what it costs ---------------------------------------------------------------------------------


def test_three_queries() -> None:
    """A focus costs three queries at most, once the names of the vocabulary are known."""
    kg = KG.load("olympics")
    plan = query("SELECT * { ?city ex:hosted ?g . ?city ex:country ?k }", kg)
    suggest(kg, plan, Variable("city"), "hosted in the United States")
    kg.store.close()
    kg = KG.load("olympics")
    assert kg.vocabulary.labels
    with tallied() as tally:
        suggest(kg, plan, Variable("g"))
    assert tally.queries <= 3
    kg.close()


def test_the_instances_of_a_class_cost_none() -> None:
    """The schema says what is around them, as the store does."""
    kg = KG.load("olympics")
    schema, plan = Schema.mine(kg), query("SELECT * { ?c a ex:Country }", kg)
    assert kg.vocabulary.labels
    with tallied() as tally:
        found = suggest(kg, plan, limit=None, schema=schema)
    assert tally.queries == 0
    assert found.items
    assert list(wrong(kg, plan, found)) == []
    plain = {item.action: item for item in suggest(kg, plan, limit=None).items}
    assert {item.action for item in found.items} == {
        key for key, item in plain.items() if item.step != "value"
    }
    assert all(plain[item.action].values == item.values for item in found.items)
    assert sum(item.estimated for item in found.items) < len(found.items) / 2
    kg.close()


def test_without_time_it_is_an_estimate() -> None:
    """What the schema makes likely, said to be so; without a schema all predicates."""
    kg = KG.load("olympics")
    plan = query("SELECT * { ?g ex:year ?year . ?city ex:hosted ?g }", kg)
    for schema in (Schema.mine(kg), None):
        found = suggest(kg, plan, Variable("g"), limit=None, schema=schema, seconds=1e-9)
        assert not found.complete
        assert found.items
        assert all(item.estimated for item in found.items)
    likely = suggest(kg, plan, Variable("g"), limit=None, schema=Schema.mine(kg), seconds=1e-9)
    assert IRI(EX + "population") not in {item.term for item in likely.items}
    kg.close()


# --- as a step -------------------------------------------------------------------------------------


def test_as_a_read() -> None:
    """The action, its observation as JSON and back, and the trace taken again."""
    kg = olympics()
    explorer = Explorer(kg)
    explorer.run(parse_action({"op": "triple", "pattern": "?city ex:hosted ?g"}))
    seen = explorer.run(parse_action({"op": "suggest", "focus": "?g", "text": "season", "limit": 3}))
    assert isinstance(seen, Suggested)
    first, *lines = seen.summary().split("\n")
    assert first == "3 steps at ?g"
    assert lines[0].split("  ")[2] == '{"op": "triple", "pattern": "?g ex:season ?season"}'
    assert observation_from_json(observation_to_json(seen)) == seen
    assert explorer.observation.summary() == "19 solutions"
    again = Trace.from_jsonl(explorer.trace.to_jsonl()).replay(kg)
    assert again.difference is None
    assert explorer.suggest("?g", "season", 3) == seen.found
    assert isinstance(explorer.run(parse_action({"op": "suggest", "focus": "?zz"})), Rejected)


def test_a_suggester_of_ones_own() -> None:
    """The explorer asks the one that it was given."""
    kg = olympics()
    explorer = Explorer(kg, suggester=GraphSuggester(kg, seconds=5))
    assert explorer.suggest(limit=2).items


def test_in_explore() -> None:
    """Suggestions have numbers, and `pick` takes one."""
    kg = KG.load("olympics")
    session = Session(kg)
    assert list(session.answer("pick 1")) == ["-> rejected: no step was suggested: suggest shows some"]
    lines = [*session.answer("?city ex:hosted ?g"), *session.answer("suggest ?g season")]
    assert any(line.lstrip().startswith("1. triple ?g ex:season ?season") for line in lines)
    assert next(iter(session.answer("pick 1"))).endswith("-> 19 -> 19 solutions")
    assert "from 1 to" in next(iter(session.answer("pick 99")))
    kg.close()


# --- real graphs and servers -------------------------------------------------------------------------


@pytest.mark.slow
def test_a_graph_of_others() -> None:
    """On MONDIAL, at every variable of a plan with a product, a path and an OPTIONAL."""
    kg = KG.load(data_folder("mondial-europe") / "mondial-europe.ttl.gz")
    names = "PREFIX : <http://www.semwebtech.org/mondial/10/meta#> "
    for text in (
        "SELECT * { ?c a :Country . ?r a :River }",
        "SELECT DISTINCT ?c { ?p :isProvinceOf ?c . ?city :cityIn ?p }",
        "SELECT * { ?c a :Country OPTIONAL { ?c :capital ?city } }",
    ):
        plan = parse_query(names + text)
        for focus in plan.scope:
            found = suggest(kg, plan, focus, limit=40)
            sure = tuple(item for item in found.items if item.solutions < 100_000)
            assert list(wrong(kg, plan, Suggestions(found.focus, sure))) == []
    kg.close()


@pytest.mark.slow
def test_an_endpoint(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Virtuoso says the same as the embedded store."""
    folder = tmp_path_factory.mktemp("virtuoso")
    here = olympics()
    with virtuoso.served_olympics(folder, prefixes={"ex": EX}) as kg:
        for text in ("SELECT * { ?city ex:hosted ?g }", "SELECT DISTINCT ?city { ?city ex:hosted ?g }"):
            plan = query(text, kg)
            for focus in plan.scope:
                there = suggest(kg, plan, focus, limit=None, seconds=30)
                assert there.complete
                assert list(wrong(kg, plan, there)) == []
                mine = {item.action for item in suggest(here, plan, focus, limit=None).items}
                edges = {item.action for item in there.items if item.step in ("out", "in", "class")}
                assert edges <= mine
                assert len(edges) > 5
