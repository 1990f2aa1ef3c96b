"""`hermes explore` on Virtuoso 7, where its Debian packages are installed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import virtuoso
from hermes import KG
from hermes.cli.explore.completion import Completion
from hermes.cli.explore.guide import greeting
from hermes.cli.explore.session import Session

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def kg(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KG]:
    """The shipped graph as a named graph of a server."""
    folder = tmp_path_factory.mktemp("virtuoso")
    with virtuoso.served_olympics(folder, timeout=5) as kg:
        yield kg


def test_a_first_session(kg: KG) -> None:
    """Names can be typed, labels are shown, and completion says what occurs."""
    session = Session(kg)
    greeted = list(greeting(session))
    assert greeted[0].endswith("478 triples, 10 classes, 23 predicates")
    assert "    prefixes made for this session: olympics:" in greeted
    said = [
        line
        for text in ("?c olympics:hosted ?g", "?c olympics:country olympics:Greece")
        for line in session.answer(text)
    ]
    assert "-> 19 solutions" in said
    assert "-> 19 -> 2 solutions" in said
    assert any(line.startswith("    Athens (olympics:Athens)") for line in said)
    predicates = [each.text for each in Completion(session).suggest("?g ")]
    assert "olympics:season" in predicates
    assert "olympics:hosted" not in predicates
    assert next(iter(session.answer("lookup Placid"))) == '-> 1 entity for "Placid"'


def test_what_the_server_cannot_finish_is_said(kg: KG) -> None:
    """It refuses, or it stops before the end, and the count has a plus; the plan is one that has run."""
    session = Session(kg)
    assert next(iter(session.answer("?a ?b ?c"))) == "-> 478 solutions"
    said = list(session.answer("?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n ?o"))
    assert any("-> rejected: " in line or "+ solutions" in line for line in said)
    assert session.explorer.plan.where.elements
