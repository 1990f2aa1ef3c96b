"""The labels for the lenient score come from the graph, and only where a text could be one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hermes import KG
from hermes.errors import StoreError
from hermes.evaluation import compare, execute, labels_for
from hermes.results import Table, Truth
from hermes.terms import IRI, Literal


@pytest.fixture(scope="module")
def kg() -> Iterator[KG]:
    """The shipped graph."""
    loaded = KG.load("olympics")
    yield loaded
    loaded.close()


@pytest.mark.parametrize("tag", ["en", "de"])
def test_any_language_will_do(kg: KG, tag: str) -> None:
    """Cities by their names, in either answer."""
    iris = execute(kg, f"{kg.header} SELECT ?c {{ ?c ex:country ex:Greece }}")
    names = execute(
        kg,
        f"{kg.header} SELECT ?l {{ ?c ex:country ex:Greece ; rdfs:label ?l FILTER(LANG(?l) = '{tag}') }}",
    )
    for gold, given in ((iris, names), (names, iris)):
        scores = compare(gold, given, labels=labels_for(kg, gold, given))
        assert (scores.f1, scores.lenient) == (0.0, 1.0)


def test_nothing_is_asked_in_vain(kg: KG) -> None:
    """Where no cell is a text, or none an IRI, or the IRI is none."""
    athens = Table(("c",), [{"c": IRI(kg.prefixes["ex"] + "Athens")}])
    text = Table(("c",), [{"c": Literal("Athens")}])
    odd = Table(("c",), [{"c": IRI("http://a/> } DROP ALL #")}])
    assert labels_for(kg, athens, athens) == {}
    assert labels_for(kg, text, Truth(value=True)) == {}
    assert labels_for(kg, odd, text) == {}
    assert "Athens" in labels_for(kg, athens, text)[IRI(kg.prefixes["ex"] + "Athens")]


def test_a_label_is_never_worth_a_failure(
    kg: KG, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A store that fails leaves the strict scores alone."""

    def fail(_: str) -> Table:
        raise StoreError("gone")

    monkeypatch.setattr(kg, "select", fail)
    athens = Table(("c",), [{"c": IRI(kg.prefixes["ex"] + "Athens")}])
    assert labels_for(kg, athens, Table(("c",), [{"c": Literal("Athens")}])) == {}
    assert "not complete: gone" in caplog.text
