"""A deadline ends queries on every store, and is shared by all that are sent under it."""

from __future__ import annotations

import math

import pytest

from hermes import KG
from hermes.algebra import parse_query
from hermes.errors import StoreError
from hermes.repair import diagnose
from hermes.store import EndpointStore, allowed, deadline, seconds_left

_ENDLESS = (
    "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n ?o FILTER(?c = ?o + 1) }"
)


@pytest.fixture(scope="module")
def kg() -> KG:
    """Return the shipped graph."""
    return KG.load("olympics")


def test_a_query_is_ended(kg: KG) -> None:
    """It takes no longer than until the deadline, and the store answers afterwards."""
    with deadline(0.2), pytest.raises(StoreError) as failed:
        kg.select(_ENDLESS)
    assert failed.value.category == "timeout"
    assert kg.ask("ASK { ?s ?p ?o }")


def test_no_query_is_sent_when_time_is_out(kg: KG) -> None:
    """Neither to an embedded store nor to an endpoint; there, nothing listens."""
    endpoint = EndpointStore("http://localhost:9/sparql")
    with deadline(0):
        for store in (kg, endpoint):
            with pytest.raises(StoreError, match="no time is left"):
                store.select("SELECT * { ?s a <http://example.org/never-asked-before> }")


def test_the_earlier_deadline_counts() -> None:
    """One inside another can only be nearer."""
    assert seconds_left() == math.inf
    assert allowed(60) == 60
    with deadline(1000):
        with deadline(2000):
            assert seconds_left() <= 1000
        with deadline(10):
            assert allowed(60) <= 10
        assert seconds_left() > 10
    assert seconds_left() == math.inf


def test_a_diagnosis_says_what_it_found_in_time(kg: KG) -> None:
    """One query that would run for hours leaves time for the others, and that it was given up is said."""
    patterns = "?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n ?o FILTER(?c = ?o + 1)"
    found = diagnose(kg, parse_query(f"SELECT * {{ {patterns} }}"), seconds=2)
    assert not found.complete
