"""Known differences between engines: they happen, and a step that meets one on that engine says so, once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import pytest
import rdflib
from pyoxigraph import QuerySolutions, RdfFormat, Store

from hermes import KG
from hermes.algebra import Explorer, parse_action, parse_query
from hermes.algebra.engines import differences
from hermes.algebra.hints.engines import RULES, Case
from hermes.algebra.observation import Empty, Rejected
from hermes.algebra.render import render
from hermes.results import Table, Triples
from oracle.engines import differences as oracle_differences
from oracle.engines import oxigraph_answer, oxigraph_fault, rdflib_answer, rdflib_fault

E: Final = "http://example.org/olympics/"
EMBEDDED: Final = frozenset({"oxigraph", "rdflib"})


class Posing:
    """The store of a graph under the name of another engine."""

    def __init__(self, kg: KG, engine: str) -> None:
        self.inner = kg.store
        self.engine = engine
        self.source, self.fingerprint = kg.source, kg.fingerprint

    def select(self, query: str) -> Table:
        """Execute a SELECT query."""
        return self.inner.select(query)

    def ask(self, query: str) -> bool:
        """Execute an ASK query."""
        return self.inner.ask(query)

    def construct(self, query: str) -> Triples:
        """Execute a CONSTRUCT query."""
        return self.inner.construct(query)

    def close(self) -> None:
        """Close the store inside."""
        self.inner.close()


def posing(engine: str) -> KG:
    """The shipped graph, served by another engine."""
    kg = KG.load("olympics")
    return KG(Posing(kg, engine), kg.prefixes)


# --- they happen ------------------------------------------------------------------------------------


def _group_concat() -> None:
    (row,) = rows(differences()["group-concat-of-non-strings"].example)
    assert row == {}
    assert len(ask_rdflib(differences()["group-concat-of-non-strings"].example)[0]) == 1
    (row,) = rows("SELECT (GROUP_CONCAT(STR(?x)) AS ?y) { VALUES ?x { 1 } }")
    assert row == {"y": '"1"'}


def _having() -> None:
    query = differences()["having-alias"].example
    assert rows(query) == ask_rdflib(query) == []
    assert len(rows(query.replace("?n > 1", "COUNT(?g) > 1"))) > 1


def _tags() -> None:
    query = differences()["language-tag-case"].example
    assert rows(query) == [{"tag": '"en-us"'}]
    assert ask_rdflib(query) == [{"tag": "en-US"}]
    data = '<http://e/s> <http://e/p> "x"@en-US .'
    assert len(rows('SELECT * { ?s ?p "x"@en-US }', data)) == 1


def _spelling() -> None:
    query = differences()["literal-spelling"].example
    assert rows(query) == [{"text": '"10"'}]
    assert ask_rdflib(query) == [{"text": "010"}]
    data = (
        "<http://e/s> <http://e/p> "
        '"010"^^<http://www.w3.org/2001/XMLSchema#integer>, '
        '"1.50"^^<http://www.w3.org/2001/XMLSchema#decimal>, '
        '"1"^^<http://www.w3.org/2001/XMLSchema#boolean> .'
    )
    found = {row["x"] for row in rows("SELECT (STR(?o) AS ?x) { ?s ?p ?o }", data)}
    assert found == {'"10"', '"1.5"', '"true"'}


def _absent_start() -> None:
    query = differences()["absent-start-of-a-path"].example
    assert rows(query) == []
    assert ask_rdflib(query) == [{"x": E + "absent"}]


def _from_twice() -> None:
    data = "<http://e/G> { <http://e/s> <http://e/p> 1 } <http://e/H> { <http://e/s> <http://e/p> 1 }"
    query = "SELECT * FROM <http://e/G> FROM <http://e/H> { ?s ?p ?o }"
    assert len(rows(query, data)) == 2
    dataset = rdflib.Dataset()
    dataset.parse(data=data, format="trig")
    assert len(list(dataset.query(query))) == 1


def _two_dots() -> None:
    query = differences()["two-dots-in-a-name"].example
    assert "expected" in oxigraph_fault(query)
    assert not oxigraph_fault(render(parse_query(query), KG.load("olympics").header))


def _empty_negated_set() -> None:
    query = differences()["empty-negated-set"].example
    assert oxigraph_fault(query)
    assert rdflib_fault(query)


HAPPEN: Final = {
    "empty-negated-set": _empty_negated_set,
    "group-concat-of-non-strings": _group_concat,
    "having-alias": _having,
    "language-tag-case": _tags,
    "literal-spelling": _spelling,
    "absent-start-of-a-path": _absent_start,
    "from-keeps-duplicates": _from_twice,
    "two-dots-in-a-name": _two_dots,
}


def rows(query: str, data: str | None = None) -> list[dict[str, str]]:
    """What pyoxigraph finds on the shipped graph, or in some TriG; terms as text."""
    if data is None:
        answer = oxigraph_answer(query)
        assert not isinstance(answer, bool)
        return [{name: str(term) for name, term in row.items()} for row in answer]
    store = Store()
    store.load(data.encode(), RdfFormat.TRIG)
    found = store.query(query)
    assert isinstance(found, QuerySolutions)
    names = [variable.value for variable in found.variables]
    return [{name: str(row[name]) for name in names if row[name] is not None} for row in found]


def ask_rdflib(query: str) -> list[dict[str, str]]:
    """What rdflib finds on the shipped graph; the values alone."""
    answer = rdflib_answer(query)
    assert not isinstance(answer, bool)
    return [{name: getattr(term, "value", "") for name, term in row.items()} for row in answer]


@pytest.mark.parametrize("name", HAPPEN)
def test_it_happens(name: str) -> None:
    """The engine still does it; those of the two-oracle test are shown there."""
    HAPPEN[name]()


def test_each_difference_of_an_embedded_engine_is_shown() -> None:
    """Here, or by the examples of the two-oracle test."""
    embedded = {each.id for each in differences().values() if EMBEDDED & set(each.engines)}
    assert embedded == {each.id for each in oracle_differences()} | set(HAPPEN)


def test_the_data_is_whole() -> None:
    """Every entry says something, in one line; rules are of entries that are there, and give a way out."""
    for each in differences().values():
        assert each.engines
        assert all((each.happens, each.why, each.hermes))
        assert "\n" not in f"{each.happens}{each.why}{each.hermes}{each.advice}"
        assert bool(each.advice) == (each.id in RULES), each.id
        assert not each.happens.endswith(".")
    assert set(RULES) <= set(differences())


# --- they are warned of -----------------------------------------------------------------------------

HOSTED: Final = {"op": "triple", "pattern": "?city ex:hosted ?games"}
YEAR: Final = {"op": "triple", "pattern": "?games ex:year ?year"}
LABEL: Final = {"op": "triple", "pattern": "?city rdfs:label ?label"}


def _filter(expr: str) -> dict[str, Any]:
    return {"op": "filter", "expr": expr}


MET: Final[Sequence[tuple[str, str, list[dict[str, Any]]]]] = [
    (
        "oxigraph",
        "group-concat-of-non-strings",
        [HOSTED, YEAR, {"op": "aggregate", "expr": "GROUP_CONCAT(?year)", "alias": "?years"}],
    ),
    ("oxigraph", "language-tag-case", [LABEL, _filter('LANG(?label) = "pt-BR"')]),
    ("oxigraph", "language-tag-case", [LABEL, _filter('LANG(?label) IN ("en", "EN")')]),
    ("oxigraph", "literal-spelling", [YEAR, _filter('STR(?year) = "01932"')]),
    (
        "oxigraph",
        "date-comparison",
        [
            {"op": "triple", "pattern": "?games ex:opened ?day"},
            _filter('xsd:date(?day) > "1932-01-01T00:00:00"^^xsd:dateTime'),
        ],
    ),
    ("oxigraph", "not-in-nothing", [YEAR, _filter("?year NOT IN ()")]),
    ("oxigraph", "truth-of-a-tagged-text", [LABEL, _filter("?label")]),
    ("oxigraph", "absent-start-of-a-path", [{"op": "triple", "pattern": "ex:absent ex:twin* ?x"}]),
    (
        "oxigraph",
        "graph-over-no-pattern",
        [HOSTED, {"op": "graph", "name": "?g", "patterns": ["VALUES ?x { 1 }"]}],
    ),
    (
        "oxigraph",
        "from-keeps-duplicates",
        [{"op": "from", "graph": "ex:a"}, HOSTED, {"op": "from", "graph": "ex:b"}],
    ),
    ("virtuoso", "division-by-zero", [YEAR, {"op": "bind", "expr": "1 / ?year", "var": "?x"}]),
    ("virtuoso", "open-path", [{"op": "triple", "pattern": "?a ex:twin+ ?b"}]),
    (
        "virtuoso",
        "row-cap",
        [{"op": "triple", "pattern": f"?a{n} ex:hosted ?b{n}"} for n in range(4)],
    ),
    (
        "virtuoso",
        "sort-cap",
        [HOSTED, {"op": "order", "expr": "?city"}, {"op": "limit", "n": 10}, {"op": "offset", "n": 10_000}],
    ),
    ("rdflib", "group-over-nothing", [_filter("false"), HOSTED, {"op": "group", "vars": ["?city"]}]),
]


@pytest.mark.parametrize(("engine", "name", "steps"), MET, ids=[f"{e}-{n}" for e, n, _ in MET])
def test_a_step_that_meets_one_says_so_once(engine: str, name: str, steps: list[dict[str, Any]]) -> None:
    """At the step that brings it in, not before and not again; on another engine never."""
    for kg in (posing(engine), posing("another")):
        explorer = Explorer(kg)
        seen = [explorer.run(parse_action(step)) for step in [*steps, {"op": "reduced"}]]
        assert not [each for each in seen if isinstance(each, Rejected)], seen
        texts = [[hint.text for hint in each.hints if hint.code == "engine-difference"] for each in seen]
        known = differences()[name]
        expected = [f"{engine}: {known.happens}; {known.advice}"] if kg.engine == engine else []
        assert texts == [[]] * (len(steps) - 1) + [expected, []]


@pytest.mark.parametrize(
    "steps",
    [
        [HOSTED, YEAR, {"op": "aggregate", "expr": "GROUP_CONCAT(STR(?year))", "alias": "?years"}],
        [
            LABEL,
            {"op": "bind", "expr": "STR(?label)", "var": "?text"},
            {"op": "aggregate", "expr": "GROUP_CONCAT(?text)", "alias": "?all"},
        ],
        [LABEL, _filter('LANG(?label) = "en"'), _filter('LANGMATCHES(LANG(?label), "EN")')],
        [YEAR, _filter('STR(?year) = "1932"'), _filter("?year = 01932"), _filter("?year NOT IN (1)")],
        [{"op": "triple", "pattern": "ex:Paris ex:twin* ?x"}],
        [{"op": "from", "graph": "ex:a"}, {"op": "from", "graph": "ex:b", "named": True}, HOSTED],
        [{"op": "graph", "name": "?g", "patterns": ["?city ex:hosted ?games"]}],
    ],
)
def test_what_is_right_is_not_warned_of(steps: list[dict[str, Any]]) -> None:
    """A plan that does not meet a difference has no such hint."""
    explorer = Explorer(KG.load("olympics"))
    for step in steps:
        seen = explorer.run(parse_action(step))
        assert not isinstance(seen, Rejected), seen
        assert "engine-difference" not in [hint.code for hint in seen.hints]


def test_what_only_virtuoso_does_is_not_said_of_others() -> None:
    """A constant divisor is no danger, and an end that is bound is none either."""
    explorer = Explorer(posing("virtuoso"))
    for step in (
        YEAR,
        {"op": "bind", "expr": "?year / 10", "var": "?x"},
        {"op": "triple", "pattern": "ex:Paris ex:twin+ ?b"},
        {"op": "order", "expr": "?x"},
        {"op": "limit", "n": 10},
    ):
        assert "engine-difference" not in [hint.code for hint in explorer.run(parse_action(step)).hints]


def test_a_refused_step_warns_of_nothing() -> None:
    """Only what is committed, or would be, is spoken of."""
    explorer = Explorer(posing("virtuoso"))
    assert isinstance(explorer.run(parse_action(_filter("1 / ?x"))), Rejected)


def test_rules_read_a_plan_alone() -> None:
    """A rule can be asked of a plan of which nothing was seen: the examples of the data are recognised."""
    for name, meets in RULES.items():
        if example := differences()[name].example:
            plan = parse_query(example)
            assert meets(Case(plan, Empty())) or name in (
                "literal-spelling",
                "language-tag-case",
                "date-comparison",
            ), name
