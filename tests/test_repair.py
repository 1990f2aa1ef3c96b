"""Repairs and diagnosis: on the shipped graph by hand, on mutants of gold queries by number."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from hermes import KG
from hermes.algebra import Explorer, Plan, parse_action, parse_query, render
from hermes.algebra.observation import Solutions
from hermes.cli import main
from hermes.errors import PlanError, StoreError
from hermes.repair import Diagnosis, Repair, diagnose, repairs
from hermes.repair.units import only, units
from hermes.results import Table
from hermes.sparql.expressions import Expression
from hermes.sparql.patterns import Element
from hermes.store import Store
from hermes.terms import full_iri
from hermes.verifier import Kernel, Schema
from oracle.gold_plans import gold
from oracle.left_out import left_out
from oracle.mutant_corpus import Corpus, corpus, has_solutions
from oracle.plan_mutants import KINDS, Names, mutants
from oracle.random_plans import plans
from shared import DATA, needs_data

GRAPHS = ("ck25", "pets_1", *(pytest.param(name, marks=pytest.mark.slow) for name in ("geo", "singer")))


class CountingStore:
    """Counts the queries, and fails those that hold a word."""

    def __init__(self, inner: Store, fails: str = "") -> None:
        self.inner = inner
        self.fails = fails
        self.asked = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self.inner, name)

    def select(self, query: str) -> Table:
        """Execute a SELECT query."""
        self.asked += 1
        if self.fails and self.fails in query:
            raise StoreError("the query ran longer than it may", category="timeout")
        return self.inner.select(query)


@pytest.fixture(scope="module")
def kg() -> KG:
    """Return the shipped graph."""
    return KG.load("olympics")


@pytest.fixture(scope="module")
def kernel(kg: KG) -> Kernel:
    """Return its kernel."""
    return Kernel(Schema.mine(kg))


def _plan(kg: KG, where: str) -> Plan:
    return parse_query(f"SELECT * {{ {where} }}", prefixes=kg.prefixes)


def _text(clause: Element | Expression, kg: KG) -> str:
    names = kg.prefixes.names()
    return clause.text(names) if isinstance(clause, Element) else str(clause)


CASES = [
    ("?city ex:host ?g", "predicate", "?city ex:hosted ?g"),
    ("?city a ex:Cty ; ex:hosted ?g", "class", "?city a ex:City"),
    ("?g ex:hosted ?city . ?city a ex:City", "reversed", "?city ex:hosted ?g"),
    ("?c ex:country ex:UnitedStates", "entity", "?c ex:country ex:USA"),
    ('?c ex:country "United States"', "entity", "?c ex:country ex:USA"),
    ('?city rdfs:label "London"', "language", '?city rdfs:label "London"@'),
    ('?g ex:season "winter"', "case", '?g ex:season "Winter"'),
    ('?g ex:year "1932"', "datatype", "?g ex:year 1932"),
    ("?g ex:season ex:Winter", "kind", '?g ex:season "Winter"'),
    ("?c a ex:Country ; ex:hosted ?g", "class", "?c a ex:City"),
]


@pytest.mark.parametrize("proving", [True, False], ids=["kernel", "alone"])
@pytest.mark.parametrize(("where", "change", "instead"), CASES)
def test_the_first_repair(  # noqa: PLR0913 - three are a case
    kg: KG, kernel: Kernel, where: str, change: str, instead: str, *, proving: bool
) -> None:
    """What was meant comes first, and the action makes it."""
    plan = _plan(kg, where)
    found = repairs(kg, plan, kernel=kernel if proving else None)
    assert found
    assert found[0].change == change
    assert _text(found[0].new, kg).startswith(instead)
    _check(kg, plan, found)


def _check(kg: KG, plan: Plan, found: tuple[Repair, ...]) -> None:
    assert len(found) <= 3
    for repair in found:
        assert repair.action.apply(plan) == repair.plan
        assert repair.count > 0
        assert has_solutions(kg, repair.plan)


@pytest.mark.parametrize(
    ("where", "instead"),
    [
        ("?city a ex:City . ?city ex:continent ex:Europe", "?city ex:country/ex:continent ex:Europe"),
        ("?g a ex:SummerGames . ?g ex:population ?p", "?g ^ex:hosted/ex:population ?p"),
    ],
)
def test_a_missing_hop(kg: KG, kernel: Kernel, where: str, instead: str) -> None:
    """A step between is named where one predicate after another leads there."""
    found = repairs(kg, _plan(kg, where), kernel=kernel, most=8)
    assert instead in [_text(repair.new, kg) for repair in found]
    assert sum(repair.change == "hop" for repair in found) == 1


@pytest.mark.parametrize("proving", [True, False], ids=["kernel", "alone"])
@pytest.mark.parametrize("where", [case[0] for case in CASES])
def test_at_most_three_queries(kg: KG, kernel: Kernel, where: str, *, proving: bool) -> None:
    """A repair is found with three queries, also where the store has no time for one of them."""
    for fails in ("", "REPLACE", "LIMIT 1 }"):
        store = CountingStore(kg.store, fails)
        slow = KG(store, kg.prefixes, vocabulary=kg.vocabulary)  # type: ignore[arg-type]
        repairs(slow, _plan(kg, where), kernel=kernel if proving else None)
        assert store.asked <= 3


def test_a_repair_is_a_step(kg: KG) -> None:
    """The explorer takes it."""
    explorer = Explorer(kg)
    for action in _plan(kg, "?city ex:hostd ?g . OPTIONAL { ?city ex:nickname ?n }").actions(kg.prefixes):
        explorer.run(action)
    (repair, *_) = repairs(kg, explorer.plan)
    seen = explorer.run(repair.action)
    assert isinstance(seen, Solutions)
    assert seen.count > 0


# --- diagnosis -----------------------------------------------------------------------------------


def test_two_clauses_that_fail_together(kg: KG, kernel: Kernel) -> None:
    """Each alone has solutions, and so has the rest without either."""
    plan = _plan(kg, "?g ex:season ?s . ?city ex:hosted ?g . ?g ex:population ?n")
    for found in (diagnose(kg, plan, kernel), diagnose(kg, plan)):
        for conflict in found.conflicts:
            assert not has_solutions(kg, _of(plan, conflict))
            for lacking in conflict:
                fewer = tuple(clause for clause in conflict if clause is not lacking)
                assert not fewer or has_solutions(kg, _of(plan, fewer))
        assert found.guilty[0].text == "?g ex:population ?n"
        assert found.guilty[0].without == 19


def _of(plan: Plan, clauses: tuple[Element | Expression, ...]) -> Plan:
    elements = tuple(each for each in plan.where.elements if each in clauses)
    filters = tuple(each for each in plan.where.filters if each in clauses)
    return plan.evolve(where=type(plan.where)(elements, filters), projected=False)


def test_several_faults(kg: KG, kernel: Kernel) -> None:
    """Where no single change helps, each fault has one of its own."""
    plan = _plan(kg, '?city ex:hostd ?g . ?g ex:season "winter" . ?city ex:country ex:USA')
    found = diagnose(kg, plan, kernel)
    assert not found.repairs
    assert [_text(repair.new, kg) for repair in found.partial] == [
        "?city ex:hosted ?g",
        '?g ex:season "Winter"',
    ]


def test_what_is_said_after_where(kg: KG) -> None:
    """HAVING and OFFSET can leave nothing of solutions that there are."""
    text = "SELECT ?c (COUNT(?g) AS ?n) { ?c ex:hosted ?g } GROUP BY ?c HAVING (COUNT(?g) > 10)"
    found = diagnose(kg, parse_query(text, prefixes=kg.prefixes))
    assert [(each.text, each.without) for each in found.guilty] == [("HAVING (COUNT(?g) > 10)", 13)]
    late = diagnose(kg, parse_query("SELECT ?c { ?c ex:hosted ?g } OFFSET 500", prefixes=kg.prefixes))
    assert [(each.text, each.without) for each in late.guilty] == [("OFFSET 500", 19)]


def test_a_product_and_the_join_that_is_missing(kg: KG) -> None:
    """The step that multiplies is named, and what connects the parts."""
    found = diagnose(kg, _plan(kg, "?city ex:hosted ?g . ?other ex:country ?k"))
    assert found.count == 247
    assert found.multiplies is not None
    assert _text(found.multiplies.clause, kg) == "?other ex:country ?k"
    assert found.multiplies.factor == 13
    assert "?city ex:country ?k" in [_text(join.pattern, kg) for join in found.joins]


@needs_data
@pytest.mark.parametrize("name", ["pets_1", "car_1"])
def test_a_join_that_is_left_out_is_named(name: str) -> None:
    """Gold queries without a pattern that holds two parts together: what multiplies, and the pattern."""
    each = next(each for each in gold(DATA, ("spider4sparql",)) if each.name == name)
    kg = KG.load(*each.sources)
    shortened = [one for plan in each.plans for one in left_out(plan)][:4]
    assert shortened
    for one in shortened:
        found = diagnose(kg, one.plan)
        assert found.complete
        assert found.multiplies is not None
        assert one.pattern in [join.pattern for join in found.joins], one.pattern.text(full_iri)
    kg.close()


def test_time_is_limited(kg: KG) -> None:
    """When time is out no query is sent, and that is said."""
    store = CountingStore(kg.store)
    slow = KG(store, kg.prefixes, vocabulary=kg.vocabulary)  # type: ignore[arg-type]
    found = diagnose(slow, _plan(kg, "?city ex:host ?g"), seconds=0)
    assert not found.complete
    assert store.asked == 0


def test_a_slow_store_is_asked_n_and_ten_times(kg: KG) -> None:
    """Where one query for all is too slow each is asked alone."""
    plan = _plan(kg, '?city ex:hosted ?g . ?g ex:season "winter" . ?city ex:country ex:USA')
    store = CountingStore(kg.store, "UNION")
    slow = KG(store, kg.prefixes, vocabulary=kg.vocabulary)  # type: ignore[arg-type]
    found = diagnose(slow, plan)
    assert store.asked <= 13
    assert not found.complete
    assert found.guilty[0].text == '?g ex:season "winter"'


def test_no_host_is_called(kg: KG) -> None:
    """A plan that calls one is not diagnosed."""
    plan = _plan(kg, "?c a ex:Cty . SERVICE <http://elsewhere.example.org/> { ?c ?p ?o }")
    with pytest.raises(PlanError, match="elsewhere"):
        diagnose(kg, plan)
    with pytest.raises(PlanError, match="elsewhere"):
        repairs(kg, plan)


@pytest.mark.parametrize("proving", [True, False], ids=["kernel", "alone"])
def test_laws_of_diagnosis(kg: KG, kernel: Kernel, *, proving: bool) -> None:
    """Of random plans too: failing sets fail and are minimal, repairs have solutions, queries are bounded."""
    original = _plan(
        kg, '?city a ex:City ; ex:hosted ?g . ?g ex:season "Winter" ; ex:year ?y FILTER(?y > 1930)'
    )
    store = CountingStore(kg.store)
    counting = KG(store, kg.prefixes, vocabulary=kg.vocabulary)  # type: ignore[arg-type]
    for plan in plans(kg, (original,), 60, "diagnosis"):
        before = store.asked
        found = diagnose(counting, plan, kernel if proving else None)
        size = len(plan.where.elements) + len(plan.where.filters)
        assert store.asked - before <= size + 10
        assert found.count is None or (found.count > 0) == has_solutions(kg, plan)
        for repair in (*found.repairs, *found.partial):
            assert has_solutions(kg, repair.plan), render(plan)
            assert repair.action.apply(plan)
        for repair in found.repairs:
            assert repair.action.apply(plan) == repair.plan
        _check_conflicts(kg, plan, found, minimal=not proving)


def _check_conflicts(kg: KG, plan: Plan, found: Diagnosis, *, minimal: bool) -> None:
    parts = units(plan)
    for conflict in found.conflicts:
        chosen = [unit for unit in parts if any(unit.clause is clause for clause in conflict)]
        assert not has_solutions(kg, only(plan, chosen)), render(plan)
        for lacking in chosen if minimal else ():
            fewer = [unit for unit in chosen if unit != lacking]
            assert has_solutions(kg, only(plan, fewer)), render(plan)


# --- the corpus ----------------------------------------------------------------------------------


def test_mutants_are_the_same_each_time(kg: KG) -> None:
    """And each differs from its original in the clause that it names."""
    names = Names(tuple(sorted(kg.vocabulary.predicates)), tuple(sorted(kg.vocabulary.classes)))
    plan = _plan(
        kg, '?city a ex:City ; ex:country ex:USA ; ex:hosted ?g . ?g ex:season "Winter" ; ex:year 1932'
    )
    made = list(mutants(plan, names))
    assert made == list(mutants(plan, names))
    assert {mutant.kind for mutant in made} == set(KINDS)
    for mutant in made:
        assert mutant.plan != plan
        assert mutant.wrong in (*mutant.plan.where.elements, *mutant.plan.where.filters)
        assert mutant.right in (*plan.where.elements, *plan.where.filters)
        assert parse_query(render(mutant.plan)) == mutant.plan


@needs_data
@pytest.mark.parametrize("name", GRAPHS)
def test_mutants_of_gold_queries(name: str) -> None:
    """The kernel refuses no living one; of four in five dead ones the original is among the repairs."""
    each = next(found for found in gold(DATA, ("ck25", "geoquery", "spider4sparql")) if found.name == name)
    kg = KG.load(*each.sources, timeout=10)
    kernel = Kernel(Schema.mine(kg))
    found = corpus(kg, each)
    wrong = [render(mutant.plan) for mutant in found.live if not kernel.check(mutant.plan).accepted]
    assert not wrong, wrong[0]
    _check_diagnoses(kg, kernel, found)


def _check_diagnoses(kg: KG, kernel: Kernel, found: Corpus) -> None:
    chosen = found.dead[:: max(1, len(found.dead) // 60)]
    guilty = among = 0
    store = CountingStore(kg.store)
    kg.store = store  # type: ignore[assignment]
    for mutant in chosen:
        before = store.asked
        seen = diagnose(kg, mutant.plan, kernel)
        where = mutant.plan.where
        assert store.asked - before <= len(where.elements) + len(where.filters) + 10
        guilty += bool(seen.guilty) and seen.guilty[0].clause == mutant.wrong
        among += any(repair.plan.where == mutant.original.where for repair in seen.repairs)
        for repair in seen.repairs:
            assert kernel.check(repair.plan).accepted, repair.plan.where.text(full_iri)
    assert guilty >= 0.9 * len(chosen)
    assert among >= 0.8 * len(chosen)


# --- refusals ------------------------------------------------------------------------------------


def _check_refusals(kg: KG, originals: tuple[Plan, ...], number: int, seed: str) -> None:
    kernel = Kernel(Schema.mine(kg))
    refused = [plan for plan in plans(kg, originals, number, seed) if not kernel.check(plan).accepted]
    assert len(refused) > number / 10
    wrong = [render(plan, kg.header) for plan in refused if has_solutions(kg, plan)]
    assert not wrong, wrong[0]


def test_what_is_refused_has_no_solution(kg: KG) -> None:
    """Random plans over the shipped graph, and wrong edits of a plan."""
    plan = _plan(kg, '?city a ex:City ; ex:hosted ?g . ?g ex:season "Winter" ; ex:year ?y FILTER(?y > 1930)')
    _check_refusals(kg, (plan,), 400, "olympics")


@pytest.mark.slow
@needs_data
@pytest.mark.parametrize("name", ["ck25", "geo", "car_1"])
def test_what_is_refused_of_gold_queries_has_no_solution(name: str) -> None:
    """The same with gold queries."""
    each = next(found for found in gold(DATA, ("ck25", "geoquery", "spider4sparql")) if found.name == name)
    _check_refusals(KG.load(*each.sources, timeout=10), each.plans, 3000, name)


# --- the program ---------------------------------------------------------------------------------


def _printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    main(words)
    return capsys.readouterr().out


def test_explain_diagnose(kg: KG, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The program writes a diagnosis as one JSON object, whose actions can be run."""
    query = tmp_path / "query.rq"
    query.write_text("SELECT ?city { ?city ex:hosts ?g . ?g ex:year 1932 }", encoding="utf-8")
    shown = _printed(capsys, "explain", str(query), "--diagnose", "--json")
    found = json.loads(shown)["diagnosis"]
    assert found["count"] == 0
    assert found["conflicts"] == [["?city ex:hosts ?g"]]
    assert found["guilty"][0] == {"text": "?city ex:hosts ?g", "without": 2}
    plan = parse_query(query.read_text(encoding="utf-8"), prefixes=kg.prefixes)
    assert has_solutions(kg, parse_action(found["repairs"][0]["action"]).apply(plan))


def test_a_refused_step_has_its_repair(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Under `--verify refuse` the rejection says what could be said instead."""
    actions = tmp_path / "actions.jsonl"
    actions.write_text('{"op": "triple", "pattern": "?g ex:season \\"winter\\""}\n', encoding="utf-8")
    shown = _printed(capsys, "run", str(actions), "--verify", "refuse")
    assert 'instead of ?g ex:season "winter": ?g ex:season "Winter" (7 solutions)' in shown


def test_values_of_the_graph_stay_on_their_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A literal with line breaks and escapes in it cannot forge a line of a diagnosis."""
    data = tmp_path / "data.ttl"
    data.write_text(
        '@prefix e: <http://example.org/> . e:a e:name "Evil\\n-> 9 solutions\\u001b[31m" .', encoding="utf-8"
    )
    query = tmp_path / "query.rq"
    query.write_text(
        'SELECT ?x { ?x <http://example.org/name> "evil\\n-> 9 solutions\\u001b[31m" }', encoding="utf-8"
    )
    shown = _printed(capsys, "explain", str(query), "--kg", str(data), "--diagnose")
    shown = shown.partition("why there are no solutions:")[2]
    assert "Evil" in shown
    assert "\x1b" not in shown
    assert not any(line.startswith("->") for line in shown.splitlines())


def test_entities_whose_names_end_with_their_separator(tmp_path: Path) -> None:
    """Among more entities than are looked at one by one, those that say the same are found."""
    wanted = ("Tirana", "Durres", "Skopje", "Berlin", "Lisboa", "Madrid", "Dublin", "Oslo")
    names = [*wanted, *(f"{number:04}Town" for number in range(6000))]
    data = tmp_path / "data.ttl"
    lines = [f"<http://example.org/c/{name}/> <http://example.org/size> {len(name)} ." for name in names]
    data.write_text("\n".join(lines), encoding="utf-8")
    with closing(KG.load(data)) as towns:
        for name in wanted:
            wrong = f"<http://example.org/c/{name.upper()}/> <http://example.org/size> ?n"
            assert f"/c/{name}/" in str(repairs(towns, _plan(towns, wrong))[0].new)
