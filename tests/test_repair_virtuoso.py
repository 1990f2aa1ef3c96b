"""Repairs and diagnosis on Virtuoso 7, where its Debian packages are installed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import virtuoso
from hermes import KG
from hermes.algebra import parse_query
from hermes.repair import diagnose, repairs
from hermes.sparql.patterns import Element

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def kg(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KG]:
    """The shipped graph as a named graph of a server."""
    folder = tmp_path_factory.mktemp("virtuoso")
    with virtuoso.served_olympics(folder, prefixes={"ex": "http://example.org/olympics/"}) as kg:
        yield kg


@pytest.mark.parametrize(
    ("where", "instead"),
    [
        ("?city ex:host ?g", "?city ex:hosted ?g"),
        ("?city a ex:Cty ; ex:hosted ?g", "?city a ex:City"),
        ("?g ex:hosted ?city . ?city a ex:City", "?city ex:hosted ?g"),
        ("?c ex:country ex:UnitedStates", "?c ex:country ex:USA"),
        ('?g ex:season "winter"', '?g ex:season "Winter"'),
        ('?g ex:year "1932"', "?g ex:year 1932"),
        ("?c a ex:Country ; ex:hosted ?g", "?c a ex:City"),
    ],
)
def test_the_first_repair(kg: KG, where: str, instead: str) -> None:
    """What was meant comes first, as on the embedded store."""
    found = repairs(kg, parse_query(f"SELECT * {{ {where} }}", prefixes=kg.prefixes))
    assert found
    assert isinstance(found[0].new, Element)
    assert found[0].new.text(kg.prefixes.names()) == instead
    assert found[0].count > 0


def test_diagnosis(kg: KG) -> None:
    """The failing set, the clause to blame and the numbers are those of the embedded store."""
    plan = parse_query("SELECT * { ?c a ex:Country ; ex:hosted ?g . ?g ex:year ?y }", prefixes=kg.prefixes)
    found = diagnose(kg, plan)
    names = kg.prefixes.names()
    shown = [each.text(names) for each in found.conflicts[0] if isinstance(each, Element)]
    assert shown == ["?c a ex:Country", "?c ex:hosted ?g"]
    assert [(each.text, each.without) for each in found.guilty] == [
        ("?c a ex:Country", 19),
        ("?c ex:hosted ?g", 133),
    ]
    many = diagnose(kg, parse_query("SELECT * { ?c ex:hosted ?g . ?o ex:country ?k }", prefixes=kg.prefixes))
    assert many.multiplies is not None
    assert many.multiplies.factor == 13
    assert many.joins
