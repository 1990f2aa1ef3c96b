"""The oracles themselves: they accept what is equal and notice what is not."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Final

import pytest
from pyoxigraph import BlankNode, Literal, NamedNode

from oracle.equivalence import judge, prologue_of
from oracle.matching import same_solutions
from oracle.mutants import mutants
from oracle.real_queries import RealQuery, collections, queries
from oracle.results import Solution
from oracle.rewrite import comparable, expose_order, slices
from oracle.tokens import join, tokenize
from oracle.w3c import cases, fault
from shared import DATA, data_folder, needs_data

_P: Final = "PREFIX : <http://example.org/> "
_SURELY: Final = ("column dropped", "term", "string", "DESC to ASC", "UNION to nothing", "filter dropped")
"""Edits that a judge must notice nearly always; others often leave a query as it was (DISTINCT)."""


@pytest.mark.parametrize(
    "text",
    [
        'SELECT * { ?s :p \'a } b\', """c"d""" ; <x#y> 1.5e3 . # { LIMIT 3\n } LIMIT 2',
        "SELECT ?x { ?x wdt:P31/wdt:P279* wd:Q5; :a\\#b ?y FILTER(?y<5&&?x!=:z.) }",
    ],
)
def test_tokens_join_to_the_text(text: str) -> None:
    """Nothing is lost between tokens."""
    assert join(tokenize(text)) == text


def test_comments_and_strings_hold_no_keywords() -> None:
    """LIMIT in a comment is no slice."""
    assert slices(tokenize("SELECT ?x { ?x ?y 'LIMIT 1' } # LIMIT 2\n LIMIT 3 OFFSET 0")) == [("LIMIT", 3)]


def test_service_and_having() -> None:
    """SERVICE becomes a group; an alias in HAVING its expression."""
    text = (
        "SELECT ?x (COUNT(?y) AS ?n) { SERVICE SILENT <http://e.org/> { ?x :p ?y } }"
        " GROUP BY ?x HAVING (?n > 2)"
    )
    edited = join(comparable(text))
    assert "SERVICE" not in edited
    assert "HAVING ( (COUNT(?y) ) > 2)" in edited


def test_sort_keys_become_columns() -> None:
    """Only the DISTINCT of the query goes, not that of an aggregate."""
    text = "SELECT DISTINCT ?x (COUNT(DISTINCT ?y) AS ?n) WHERE { ?x :p ?y } GROUP BY ?x ORDER BY DESC(?n) ?x"
    assert expose_order(tokenize(text)) == (
        "SELECT ?x (COUNT(DISTINCT ?y) AS ?n) ((?n) AS ?_k0) (?x AS ?_k1) WHERE { ?x :p ?y }"
        " GROUP BY ?x ORDER BY DESC(?n) ?x"
    )


@pytest.mark.parametrize(
    ("first", "second", "equivalent"),
    [
        (
            "SELECT * { ?s :p ?o OPTIONAL { ?o :q ?r } }",
            "SELECT ?s ?o ?r { ?s :p ?o OPTIONAL { ?o :q ?r } }",
            True,
        ),
        ("SELECT ?s { ?s :p ?o . ?s :q 1 }", "SELECT ?s { ?s :q 1 ; :p ?o }", True),
        ("SELECT ?s { ?s :p ?o }", "SELECT DISTINCT ?s { ?s :p ?o }", False),
        ("SELECT ?s { ?s :p+ ?o }", "SELECT ?s { ?s :p/:p* ?o }", False),
        (
            "SELECT ?s { ?s :p ?o OPTIONAL { ?o :q ?r } ?s :t ?r }",
            "SELECT ?s { ?s :p ?o ; :t ?r OPTIONAL { ?o :q ?r } }",
            False,
        ),
        ("SELECT ?s { ?s :p ?o } ORDER BY ?o", "SELECT ?s { ?s :p ?o } ORDER BY STRLEN(STR(?o))", False),
        ("SELECT ?s { ?s :p ?o } LIMIT 3", "SELECT ?s { ?s :p ?o } LIMIT 4", False),
        ("SELECT ?s FROM :g { ?s :p ?o }", "SELECT ?s { ?s :p ?o }", False),
        ("SELECT ?s { GRAPH ?g { ?s :p ?o } }", "SELECT ?s { ?s :p ?o }", False),
        ("ASK { ?s :p 3 MINUS { ?s :q ?o } }", "ASK { ?s :p 3 }", False),
        (
            "CONSTRUCT { ?s :r [ :v ?o ] } { ?s :p ?o }",
            "CONSTRUCT { ?s :r _:b . _:b :v ?o } { ?s :p ?o }",
            True,
        ),
    ],
)
def test_judge(first: str, second: str, equivalent: bool) -> None:  # noqa: FBT001 - a parameter
    """The judge tells equal from unequal."""
    verdict = judge(_P + first, _P + second, first, {})
    assert verdict.equivalent == equivalent, verdict
    assert verdict.telling or not equivalent


def _row(**values: str) -> Solution:
    return {name: BlankNode(v[2:]) if v.startswith("_:") else Literal(v) for name, v in values.items()}


def test_blank_nodes_are_renamed_consistently() -> None:
    """Equal counts are not enough: one renaming must serve for all rows."""
    chain = [_row(a="_:1", b="_:2"), _row(a="_:2", b="_:3")]
    assert same_solutions(chain, [_row(a="_:y", b="_:z"), _row(a="_:x", b="_:y")], ordered=False)
    assert not same_solutions(chain, [_row(a="_:y", b="_:z"), _row(a="_:y", b="_:x")], ordered=False)
    assert not same_solutions(chain[:1], [_row(a="_:x", b="_:x")], ordered=False)
    assert not same_solutions([{"a": NamedNode("http://e.org/")}], [_row(a="http://e.org/")], ordered=False)


@needs_data
def test_w3c_originals_mostly_pass() -> None:
    """The reader of the suite is right: the engine passes what it is known to pass."""
    runs = [case for case in cases(data_folder("w3c-sparql-tests")) if case.runs]
    passed = sum(not fault(case, case.text(), case.base) for case in runs)
    assert len(runs) == 519
    assert passed >= 494


def _sample() -> list[RealQuery]:
    folder = DATA / "queries"
    return [query for name in collections(folder) for query in list(queries(folder, name))[5::97]]


@needs_data
def test_judge_accepts_the_query_itself() -> None:
    """With nothing changed there is no difference."""
    for query in _sample():
        verdict = judge(query.text, prologue_of(query.prefixes) + query.text, query.id, query.prefixes)
        assert verdict.equivalent, f"{query.id}: {verdict.reason}"


@needs_data
def test_judge_notices_wrong_edits() -> None:
    """Most of the small wrong edits of real queries are noticed."""
    made: Counter[str] = Counter()
    noticed: Counter[str] = Counter()
    for query in _sample():
        for kind, text in mutants(query.text, Random(query.id)):  # noqa: S311 - dice for tests
            if kind in _SURELY and judge(text, text, query.id, query.prefixes).equivalent:
                made[kind] += 1
                whole = prologue_of(query.prefixes) + text
                noticed[kind] += not judge(query.text, whole, query.id, query.prefixes).equivalent
    assert made.total() > 150
    assert noticed.total() >= 0.93 * made.total(), (noticed, made)
