"""What is mined of a graph, and what a schema that is not complete can do."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes import KG
from hermes.algebra import parse_query
from hermes.verifier import Kernel, Schema, mining

EX = "http://example.org/olympics/"


@pytest.fixture(scope="module")
def kg() -> KG:
    """The shipped graph."""
    return KG.load("olympics")


def test_counts_are_those_of_the_vocabulary(kg: KG) -> None:
    """Predicates and classes are counted as the graph's own vocabulary counts them."""
    schema = Schema.mine(kg)
    assert schema.complete
    assert schema.fingerprint == kg.fingerprint
    counted = {name: found.triples for name, found in schema.predicates.items()}
    assert counted == dict(kg.vocabulary.predicates)
    assert schema.classes == dict(kg.vocabulary.classes)
    assert schema.triples == sum(counted.values())


def test_signatures_say_what_terms_stand_in(kg: KG) -> None:
    """Each class has as many instances as its signatures have terms, each predicate as many subjects."""
    schema = Schema.mine(kg)
    for name, count in schema.classes.items():
        assert sum(each.count for each in schema.signatures if name in each.classes) == count
    for name, found in schema.predicates.items():
        assert sum(each.count for each in schema.signatures if name in each.subject_of) == found.subjects
        assert sum(each.count for each in schema.signatures if name in each.object_of) == found.objects


def test_what_is_functional_in_fact(kg: KG) -> None:
    """A city has one country and may have hosted twice; games were in one city."""
    schema = Schema.mine(kg)
    assert schema.predicates[EX + "country"].functional
    assert not schema.predicates[EX + "hosted"].functional
    assert schema.predicates[EX + "hosted"].inverse_functional


def test_a_graph_that_is_too_large_is_only_warned_of(kg: KG, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without all triples nothing is proved; the vocabulary still warns."""
    monkeypatch.setattr(mining, "MOST_TRIPLES", 10)
    schema = Schema.mine(kg)
    assert not schema.complete
    verdict = Kernel(schema).check(
        parse_query("SELECT ?c { ?c ex:host ?g . ?c a ex:Town }", prefixes=kg.prefixes)
    )
    assert verdict.accepted
    assert [warned.code for warned in verdict.warnings] == ["unknown-predicate", "unknown-class"]
    assert len(verdict.unknowns) == 1


def test_the_default_graph_that_was_chosen_is_mined(tmp_path: Path) -> None:
    """A schema is of the union, of the default graph or of a named one, as the queries are."""
    path = tmp_path / "graphs.trig"
    path.write_text(
        "@prefix ex: <http://example.org/> . ex:g { ex:a ex:p 1 } ex:h { ex:a ex:p 1 . ex:b ex:q 2 }",
        encoding="utf-8",
    )
    query = "SELECT ?x { ?x <http://example.org/q> 2 }"
    for chosen, accepted in ((None, True), ("http://example.org/g", False), ("http://example.org/h", True)):
        graph = KG.load(path, graph=chosen)
        assert Kernel(Schema.mine(graph)).check(parse_query(query)).accepted is accepted
        assert bool(graph.select(query).rows) is accepted
        graph.close()


def test_an_empty_graph_has_nothing(tmp_path: Path) -> None:
    """Every pattern is refused; a query without patterns is not."""
    path = tmp_path / "empty.ttl"
    path.write_text("", encoding="utf-8")
    graph = KG.load(path)
    kernel = Kernel(Schema.mine(graph))
    assert not kernel.check(parse_query("SELECT * { ?s ?p ?o }")).accepted
    assert kernel.check(parse_query("SELECT (1 AS ?x) { }")).accepted
    graph.close()
