"""Promise 5 on the W3C suites: what runs as published runs the same after the way through a plan."""

from __future__ import annotations

import json
from functools import cache
from typing import Final

import pytest
from pyoxigraph import Store

from hermes.algebra import parse_query
from hermes.errors import HermesError
from oracle.constants import Names
from oracle.rebuild import rebuild
from oracle.rewrite import drop_service
from oracle.solutions import ENGINE_ERRORS
from oracle.stand_ins import stand_ins
from oracle.tokens import join, tokenize
from oracle.w3c import EXCEPTIONS, Case, cases, fault, observed
from shared import DATA, needs_data

pytestmark = needs_data
_KNOWN: Final[dict[str, str]] = json.loads(EXCEPTIONS.read_text(encoding="utf-8"))


@cache
def _all() -> dict[str, Case]:
    folder = DATA / "w3c-sparql-tests"
    return {case.id: case for case in cases(folder)} if folder.is_dir() else {}


def _ids(kind: str) -> list[str]:
    """Return the ids of the tests of one kind: `run`, `Positive` or `Negative`."""
    return [
        case.id for case in _all().values() if (case.runs if kind == "run" else case.kind.startswith(kind))
    ]


def _settle(case: Case, reason: str) -> None:
    """Fail on an unlisted fault, and on a listed one that is none any more."""
    if case.id in _KNOWN:
        assert reason, f"{case.id} passes now: take it out of {EXCEPTIONS.name}"
        pytest.skip(f"known exception: {_KNOWN[case.id]}")
    assert not reason, f"{case.id}: {reason}\n{case.text()}"


@pytest.mark.parametrize("name", _ids("run"))
def test_evaluation(name: str) -> None:
    """The rebuilt query gives the expected result wherever the original does on this engine.

    Where it does not, the rebuilt query must still give what the original gives; then it is a skip.
    """
    case = _all()[name]
    original = fault(case, case.text(), case.base)
    try:
        expected = observed(case, case.text(), case.base) if original else None
    except ENGINE_ERRORS:
        pytest.skip(f"pyoxigraph cannot run the published query: {original[:120]}")
    try:
        rebuilt = rebuild(case.text(), case.base)
    except HermesError as refusal:
        _settle(case, f"refused: {refusal}")
        return
    reason = fault(case, rebuilt, None, expected)
    _settle(case, reason and f"{reason}\n{rebuilt}\n---")
    if original:
        pytest.skip(f"the same, but pyoxigraph fails the published query: {original[:120]}")


@pytest.mark.parametrize("name", _ids("Positive"))
def test_positive_syntax(name: str) -> None:
    """A legal query is read, and what is written parses (SERVICE is taken out: nothing may be called)."""
    case = _all()[name]
    try:
        rebuilt = rebuild(case.text(), case.base)
        tokens = drop_service(tokenize(rebuilt))
        Store().query(join(tokens), custom_functions=stand_ins(tokens, Names({}, case.base)))
    except HermesError as refusal:
        _settle(case, f"refused: {refusal}")
    except ENGINE_ERRORS as error:
        _settle(case, f"{error}\n{rebuilt}\n---")
    else:
        _settle(case, "")


@pytest.mark.parametrize("name", _ids("Negative"))
def test_negative_syntax(name: str) -> None:
    """An illegal query is refused."""
    case = _all()[name]
    try:
        plan = parse_query(case.text(), base=case.base)
    except HermesError:
        _settle(case, "")
    else:
        _settle(case, f"read as {plan.actions()}")


def test_exceptions_are_tests() -> None:
    """Every listed exception is a test of the suite."""
    assert set(_KNOWN) <= set(_all())
