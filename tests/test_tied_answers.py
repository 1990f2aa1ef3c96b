"""Where a LIMIT cuts equal values, every answer that is as right counts as right."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest

from hermes import KG
from hermes.algebra import parse_query
from hermes.evaluation import Ties, compare, execute, tie_rows
from hermes.results import Result, Table, Truth
from hermes.terms import IRI

_PREFIX = "PREFIX ex: <http://example.org/> "
_GRAPH = """\
@prefix ex: <http://example.org/> .
ex:a ex:n 3 ; ex:of ex:x . ex:b ex:n 2 ; ex:of ex:x . ex:c ex:n 2.0 ; ex:of ex:y . ex:d ex:n 2 ; ex:of ex:y .
ex:e ex:n 1 ; ex:of ex:z .
"""


@pytest.fixture(scope="module")
def kg(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KG]:
    """Five things with numbers, three of which are equal."""
    path = tmp_path_factory.mktemp("ties") / "graph.ttl"
    path.write_text(_GRAPH, encoding="utf-8")
    loaded = KG.load(path)
    yield loaded
    loaded.close()


def ties_of(kg: KG, query: str) -> Ties | None:
    """Return the ties of a query."""
    return tie_rows(kg, parse_query(_PREFIX + query))


def names(*letters: str) -> Table:
    """Return a column of things."""
    return Table(("s",), [{"s": IRI(f"http://example.org/{each}")} for each in letters])


def shape(found: Ties | None) -> tuple[int, list[tuple[int, int]]] | None:
    """Return how many rows are certain, and the size of each choice with how many are wanted."""
    return (
        None if found is None else (len(found.certain), [(len(tie.rows), tie.wanted) for tie in found.ties])
    )


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT ?s { ?s ex:n ?n } ORDER BY DESC(?n) LIMIT 1", (1, [])),
        ("SELECT ?s { ?s ex:n ?n } ORDER BY DESC(?n) LIMIT 2", (1, [(3, 1)])),
        ("SELECT ?s ?n { ?s ex:n ?n } ORDER BY DESC(?n) LIMIT 3", (1, [(3, 2)])),
        ("SELECT ?s { ?s ex:n ?n } ORDER BY DESC(?n) LIMIT 4", (4, [])),
        ("SELECT ?s { ?s ex:n ?n } ORDER BY DESC(?n) LIMIT 9", (5, [])),
        ("SELECT ?s { ?s ex:n ?n } ORDER BY DESC(?n) LIMIT 0", (0, [])),
        ("SELECT ?s { ?s ex:n ?n } ORDER BY DESC(?n) OFFSET 2", (1, [(3, 2)])),
        ("SELECT ?s { ?s ex:n ?n } ORDER BY ?n LIMIT 1 OFFSET 2", (0, [(3, 1)])),
        ("SELECT ?s { ?s ex:n ?n } ORDER BY ?n ?s LIMIT 2", (2, [])),
        ("SELECT ?s { ?s ex:n ?n } LIMIT 2", (0, [(5, 2)])),
        ("SELECT DISTINCT ?x { ?s ex:n ?n ; ex:of ?x } ORDER BY DESC(?n) LIMIT 1", (1, [])),
        ("SELECT ?x (COUNT(?s) AS ?k) { ?s ex:of ?x } GROUP BY ?x ORDER BY DESC(?k) LIMIT 1", (0, [(2, 1)])),
        ("SELECT ?x { ?s ex:of ?x } GROUP BY ?x ORDER BY DESC(COUNT(?s)) LIMIT 1", (0, [(2, 1)])),
        ("SELECT ?s { ?s ex:n ?n } ORDER BY DESC(?n)", None),
        ("SELECT (MAX(?n) AS ?m) { ?s ex:n ?n } LIMIT 1", None),
        ("ASK { ?s ex:n ?n }", None),
    ],
)
def test_what_a_slice_leaves_open(kg: KG, query: str, expected: object) -> None:
    """Certain rows, and choices of which some are wanted; values are compared as values (2 and 2.0)."""
    assert shape(ties_of(kg, query)) == expected


def test_every_choice_is_right(kg: KG) -> None:
    """Whichever two of the three the store gives; all three are one too many."""
    query = "SELECT ?s { ?s ex:n ?n } ORDER BY DESC(?n) LIMIT 3"
    ties, gold = ties_of(kg, query), execute(kg, _PREFIX + query)
    for pair in combinations("bcd", 2):
        assert compare(gold, names("a", *pair), ties=ties).exact
    assert sum(compare(gold, names("a", *pair)).exact for pair in combinations("bcd", 2)) == 1
    three = compare(gold, names("a", "b", "c", "d"), ties=ties)
    assert (three.precision, three.recall) == (0.75, 1.0)
    one = compare(gold, names("a", "b", "e"), ties=ties)
    assert (one.precision, one.recall) == (2 / 3, 2 / 3)
    assert compare(gold, names("b", "c"), ties=ties).recall == 2 / 3
    assert compare(gold, gold, ordered=True, ties=ties).in_order
    assert compare(gold, names("a", "c", "d"), ordered=True, ties=ties).in_order
    assert compare(names("a", "e"), names("e", "a"), ordered=True).in_order is False
    stated = names("d", "e")
    assert compare(stated, stated, ties=ties).exact, (
        "a stated answer that the graph does not give counts alone"
    )
    assert not compare(stated, gold, ties=ties).exact


def test_a_choice_may_have_its_columns_in_any_order(kg: KG) -> None:
    """And an extra one, leniently."""
    query = "SELECT ?s { ?s ex:n ?n } ORDER BY DESC(?n) LIMIT 2"
    ties, gold = ties_of(kg, query), execute(kg, _PREFIX + query)
    wide = execute(kg, _PREFIX + "SELECT ?n ?s { VALUES ?s { ex:a ex:c } ?s ex:n ?n }")
    found = compare(gold, wide, ties=ties)
    assert (found.f1, found.lenient) == (0.0, 1.0)


# --- running a query -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("# SELECT\nPREFIX ask: <http://select/> ASK { ask:a ?p ?o }", Truth),
        ("PREFIX ex: <http://example.org/> SELECT ?s { ?s ex:n 3 }", Table),
        ("SELECT ?s { ?s rdf:type ?o . ?s wdt:P31 ?c }", Table),
    ],
)
def test_queries_run_as_they_are_written(kg: KG, query: str, kind: type[Result]) -> None:
    """Whatever their form; prefixes in wide use need no declaration."""
    assert isinstance(execute(kg, query), kind)


def test_triples_are_a_result(kg: KG) -> None:
    """Those of a CONSTRUCT."""
    made = execute(kg, _PREFIX + "CONSTRUCT { ?s ex:m ?n } WHERE { ?s ex:n ?n }")
    rows = execute(kg, _PREFIX + "SELECT ?s (ex:m AS ?p) ?n { ?s ex:n ?n }")
    assert compare(rows, made).exact
