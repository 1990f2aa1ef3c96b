"""What is mined of a graph, and what a schema that is not complete can do."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
import pytest

from hermes import KG
from hermes.algebra import parse_query
from hermes.results import Table
from hermes.terms import IRI, XSD, Literal, Term
from hermes.verifier import Kernel, Schema, mining
from kernel_graphs import LocalStore

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


def test_the_vocabulary_is_that_of_the_default_graph(kg: KG, monkeypatch: pytest.MonkeyPatch) -> None:
    """What GRAPH and FROM ask for may be in another graph: nothing is said of their names."""
    monkeypatch.setattr(mining, "MOST_TRIPLES", 10)
    kernel = Kernel(Schema.mine(kg))
    for query in ("{ GRAPH ?g { ?c ex:host ?g } }", "FROM <http://example.org/g> { ?c ex:host ?g }"):
        assert not kernel.check(parse_query(f"SELECT ?c {query}", prefixes=kg.prefixes)).warnings


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


GRAPHS = """\
@prefix ex: <http://example.org/> .
ex:g ex:about ex:a .
ex:g { ex:a a ex:C ; ex:p 1, 2 . ex:b ex:p 1 }
ex:h { ex:a a ex:C ; ex:p 1 . ex:b ex:q ex:a }
_:n { ex:c ex:q ex:a }
"""
_SIZES = "SELECT ?g ?p (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g ?p"


@pytest.fixture
def graphs(tmp_path: Path) -> Path:
    """A file with a default graph and three named ones, two of which share triples."""
    path = tmp_path / "graphs.trig"
    path.write_text(GRAPHS, encoding="utf-8")
    return path


def _name(term: Term) -> str:
    return term.value if isinstance(term, IRI) else str(term)


@pytest.mark.parametrize("chosen", ["default", "union", "http://example.org/h"])
def test_named_graphs_are_mined(graphs: Path, chosen: str) -> None:
    """Whatever the default graph is, each has what the store counts in it."""
    kg = KG.load(graphs, graph=chosen)
    schema = Schema.mine(kg)
    assert schema.complete
    assert not schema.graphs_unknown
    found = {
        (name, predicate): known.triples
        for name, graph in schema.graphs.items()
        for predicate, known in graph.predicates.items()
    }
    counted = {(_name(row["g"]), _name(row["p"])): row["n"] for row in kg.select(_SIZES).rows}
    assert {place: Literal(str(count), XSD + "integer") for place, count in found.items()} == counted
    vocabulary = {name: known.triples for name, known in schema.predicates.items()}
    assert vocabulary == dict(kg.vocabulary.predicates)
    assert schema.classes == dict(kg.vocabulary.classes)
    assert sorted(each.graph or "" for each in schema.signatures if each.graph)[1:] == [
        "http://example.org/g",
        "http://example.org/h",
    ]


def test_a_union_is_not_read_again() -> None:
    """What named graphs have together is taken from them: only the rest of a union is asked for."""
    triples = ox.Store()
    triples.load(GRAPHS.encode(), ox.RdfFormat.TRIG)
    triples.update("INSERT { ?s ?p ?o } WHERE { GRAPH ?g { ?s ?p ?o } }")  # as the union of a store is made
    store = AskedStore(triples)
    schema = mining.mine(KG(store, {}, dataset="union"))
    read = [query for query in store.asked if "GRAPH" not in query and "COUNT" not in query]
    assert read == ["SELECT ?s ?o { ?s <http://example.org/about> ?o }"]
    assert schema.complete
    assert schema.triples == 7


class AskedStore(LocalStore):
    """A store that remembers what it was asked."""

    def __init__(self, store: ox.Store) -> None:
        super().__init__(store)
        self.asked: list[str] = []

    def select(self, query: str) -> Table:
        """Take down the query, and answer it."""
        self.asked.append(query)
        return super().select(query)


def test_too_many_graphs_are_not_known(graphs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond a bound the default graph is known, GRAPH and FROM are not, and that is said."""
    kg = KG.load(graphs)
    bounds = (("MOST_GRAPHS", 2), ("MOST_TRIPLES", 7), ("MOST_SIGNATURES", 5))
    for bound, most in bounds:
        with monkeypatch.context() as patched:
            patched.setattr(mining, bound, most)
            kernel = Kernel(Schema.mine(kg))
        assert kernel.schema.complete
        assert not kernel.schema.graphs
        pattern = "{ ?x <http://e/absent> ?y }"
        for query in (f"{{ GRAPH ?g {pattern} }}", f"FROM <http://e/g> {pattern}"):
            verdict = kernel.check(parse_query(f"SELECT * {query}"))
            assert verdict.accepted
            assert [each.reason for each in verdict.unknowns] == [kernel.schema.graphs_unknown]
        assert not kernel.check(parse_query("SELECT * { ?x <http://e/absent> ?y }")).accepted
