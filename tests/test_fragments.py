"""Pieces of texts: what a text contains is never denied, in whatever case it is looked for."""

from __future__ import annotations

from typing import Final

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.verifier.fragments import Fragments

_ODD: Final = (
    "aAbBsSkKiIfF \u00df\u1e9e\u017f\u212a\u0130\u0131\ufb01\ufb03\ufb05\u03a3\u03c3\u03c2\u0149\u01f0"
)
"""Letters that become others, or several, in another case."""
_TEXTS: Final = st.text(
    st.one_of(st.sampled_from(_ODD), st.characters(exclude_categories=["Cs"])), max_size=9
)
_WANTED: Final = st.text(st.sampled_from("abfiks SK1"), min_size=1, max_size=5)
_STORE: Final = ox.Store()


def _true(condition: str, text: str, wanted: str) -> bool:
    values = f"VALUES (?t ?w) {{ ({ox.Literal(text)} {ox.Literal(wanted)}) }}"
    return bool(_STORE.query(f"ASK {{ {values} FILTER({condition}) }}"))


@given(_TEXTS, st.integers(0, 8), st.integers(0, 8))
def test_a_part_of_a_text_is_there(text: str, start: int, end: int) -> None:
    """Every part, of whatever length."""
    assert Fragments.of([("other", 0), (text, 1)]).containing(text[start:end]) >> 1 & 1


@pytest.mark.parametrize(
    "condition", ["CONTAINS(LCASE(?t), ?w)", "CONTAINS(LCASE(UCASE(?t)), LCASE(?w))", 'REGEX(?t, ?w, "i")']
)
@given(text=_TEXTS, wanted=_WANTED)
def test_case_is_folded_as_the_engine_does(condition: str, text: str, wanted: str) -> None:
    """What the engine finds in another case is not denied."""
    found = Fragments.of([(text, 0)]).containing(wanted.lower(), folded=True)
    assert found or not _true(condition, text, wanted)


def test_what_is_not_there() -> None:
    """A piece that no text has, the wrong case, and letters in a number."""
    known = Fragments.of([("Lake Placid", 0), ("Oslo", 1)], [("1936", 2), ("1e3", 2)])
    assert known.read == 0b111
    assert known.containing("Lake") == 0b001
    assert known.containing("lake") == 0
    assert known.containing("lake", folded=True) == 0b001
    assert known.containing("lo") == 0b010
    assert known.containing("36") == 0b100
    assert known.containing("Placido") == 0


def test_odd_numbers_are_not_read() -> None:
    """A number that is none may say anything."""
    assert Fragments.of([], [("old", 0), ("1", 1)]).read == 0b10
