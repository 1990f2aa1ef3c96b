"""The names in use: counted at the load, the same as a query gives, kept by a store directory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hermes import KG
from hermes.store import EmbeddedStore, write_store
from hermes.store.directory import MANIFEST
from hermes.store.usage import USAGE_QUERY, Usage
from hermes.terms import IRI, Literal

QUADS = """\
<http://e/a> <http://e/p> "1" .
<http://e/a> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://e/C> .
<http://e/b> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://e/C> .
<http://e/b> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> _:odd .
<http://e/c> <http://e/q> "1" <http://e/G> .
<http://e/a> <http://e/p> "1" <http://e/G> .
<http://e/a> <http://e/p> "1" <http://e/H> .
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Two named graphs with a triple in common, beside the default graph."""
    path = tmp_path / "g.nq"
    path.write_text(QUADS, encoding="utf-8")
    return path


def asked(store: EmbeddedStore) -> Usage:
    """What the query says of a store now."""
    found = []
    for row in store.select(USAGE_QUERY).rows:
        role, term, n = row["role"], row["term"], row["n"]
        assert isinstance(role, Literal)
        assert isinstance(n, Literal)
        if isinstance(term, IRI):
            found.append((role.lexical, term.value, int(n.lexical)))
    return Usage.of(found)


@pytest.mark.parametrize("graph", ["default", "union", "http://e/G", None])
def test_counted_at_the_load(path: Path, graph: str | None) -> None:
    """For each choice of the default graph."""
    store = EmbeddedStore([path], graph)
    assert store.usage == asked(store)
    assert store.usage is not None
    expected = {"default": {"http://e/p"}, "http://e/G": {"http://e/p", "http://e/q"}}
    if graph in expected:
        assert {iri for iri in store.usage.predicates if iri.startswith("http://e/")} == expected[graph]
    store.close()


def test_a_class_that_is_no_iri_is_left_out(path: Path) -> None:
    """It cannot be named."""
    store = EmbeddedStore([path])
    assert store.usage is not None
    assert store.usage.classes == {"http://e/C": 2}
    store.close()


def test_kept_by_a_store_directory(path: Path, tmp_path: Path) -> None:
    """For the graph that it was loaded with; counted again for another one."""
    write_store([path], tmp_path / "d", None)
    kg = KG.load(tmp_path / "d")
    assert kg.vocabulary_known
    assert kg.vocabulary.classes == {"http://e/C": 2}
    kg.close()
    other = KG.load(tmp_path / "d", graph="http://e/G")
    assert set(other.vocabulary.predicates) == {"http://e/p", "http://e/q"}
    other.close()


def test_a_store_directory_without_counts(path: Path, tmp_path: Path) -> None:
    """It opens, and the counts are made when they are asked for."""
    write_store([path], tmp_path / "d", None)
    manifest = tmp_path / "d" / MANIFEST
    found = json.loads(manifest.read_text(encoding="utf-8"))
    del found["about"]["usage"]
    manifest.write_text(json.dumps(found), encoding="utf-8")
    kg = KG.load(tmp_path / "d")
    assert kg.vocabulary.classes == {"http://e/C": 2}
    kg.close()
