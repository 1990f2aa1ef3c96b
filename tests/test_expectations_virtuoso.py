"""Samples and the ontology of a graph on Virtuoso 7, where its Debian packages are installed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import virtuoso
from hermes import KG
from hermes.algebra import parse_query
from hermes.verifier import Kernel, Schema, sampling

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def kg(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KG]:
    """The shipped graph as a named graph of a server."""
    folder = tmp_path_factory.mktemp("virtuoso")
    with virtuoso.served_olympics(folder, prefixes={"ex": "http://example.org/olympics/"}) as kg:
        yield kg


@pytest.fixture(scope="module")
def kernel(kg: KG) -> Kernel:
    """What mining gives of an endpoint: a sample, and the ontology in the graph."""
    schema = Schema.mine(kg)
    assert not schema.complete
    assert not schema.unseen
    return Kernel(schema)


@pytest.mark.parametrize(
    ("where", "code"),
    [
        ("?city ex:host ?g", "unknown-predicate"),
        ("?city a ex:Cty ; ex:hosted ?g", "unknown-class"),
        ("?g ex:hosted ?city . ?city a ex:City", "no-common-terms"),
        ("?c ex:country ex:UnitedStates", "unknown-term"),
        ('?g ex:season "winter"', "unknown-term"),
        ('?g ex:year "1932"', "unknown-term"),
        ("?g ex:year ?y FILTER(?y > 2050)", "never-true"),
        ("?c a ex:Country ; ex:hosted ?g", "no-common-terms"),
    ],
)
def test_what_is_warned_of(kg: KG, kernel: Kernel, where: str, code: str) -> None:
    """A sample of a server warns as the graph itself would refuse, but refuses nothing."""
    verdict = kernel.check(parse_query(f"SELECT * {{ {where} }}", prefixes=kg.prefixes))
    assert verdict.accepted
    assert verdict.warnings[0].code == code


@pytest.mark.parametrize(
    "where",
    [
        "?c ex:hosted ?g . ?g ex:season ?s ; ex:year 2022",
        "?c a ex:City ; ex:country ?k . ?k ex:continent ?n",
        '?c rdfs:label "Athens"@en',
        "?c ex:hosted/ex:year ?y",
        "?g ex:medals ?m . ?m ex:team ?k ; ex:gold ?n",
        "?c a ex:City OPTIONAL { ?c ex:nickname ?n }",
    ],
)
def test_what_has_solutions_is_not_warned_of(kg: KG, kernel: Kernel, where: str) -> None:
    """No warning where there is nothing to warn of."""
    plan = parse_query(f"SELECT * {{ {where} }}", prefixes=kg.prefixes)
    assert kg.select(f"{kg.header}SELECT * {{ {where} }} LIMIT 1").rows
    assert kernel.check(plan).warnings == ()


def test_a_cut_sample(kg: KG, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where predicates and classes are cut, the classes of terms are asked for."""
    monkeypatch.setattr(sampling, "WHOLE", 3)
    monkeypatch.setattr(sampling, "CUT", 12)
    found = sampling.sample(kg)
    assert found.types
    assert not found.left
    kernel = Kernel(Schema.sample(kg))
    plan = parse_query("SELECT * { ?c a ex:City ; ex:season ?s }", prefixes=kg.prefixes)
    assert [warned.code for warned in kernel.check(plan).warnings] == ["no-common-terms"]


def test_the_ontology_of_a_server(kg: KG) -> None:
    """The ontology is read from the graph, by a bounded query."""
    expected = Schema.mine(kg).expected
    assert expected.are_disjoint(
        "http://example.org/olympics/SummerGames", "http://example.org/olympics/WinterGames"
    )
