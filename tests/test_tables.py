"""Tables for a terminal: labels, alignment, width, what is left out, and values that mean harm."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.cli.tables import table_lines
from hermes.printable import clip_columns, display_width
from hermes.terms import IRI, XSD, Literal, Prefixes, Row, Term

EX = "http://example.org/"
ESCAPE = "\x1b[2J\n-> 9 solutions"
ROWS: list[Row] = [
    {"city": IRI(EX + "LakePlacid"), "year": Literal("1932", XSD + "integer")},
    {
        "city": IRI(EX + "Tokyo"),
        "year": Literal("1964", XSD + "integer"),
        "name": Literal("東京", language="ja"),
    },
]


class Labelled:
    """Names with the labels that a test states."""

    def __init__(self, **labels: str) -> None:
        self.prefixes = Prefixes({"ex": EX})
        self.asked = 0
        self._labels = {IRI(EX + name): label for name, label in labels.items()}

    def stated_labels(self, terms: Iterable[Term], language: str | None = None) -> dict[IRI, str]:
        """Return those of the terms."""
        self.asked += 1
        return {term: self._labels[term] for term in terms if isinstance(term, IRI) and term in self._labels}


def test_labels_stand_before_names_in_aligned_columns() -> None:
    """A name without a label stands alone, an unbound variable is a dash; all labels come at once."""
    names = Labelled(LakePlacid="Lake Placid")
    assert table_lines(ROWS, ["city", "year", "name"], names, 80) == [
        "    ?city                        ?year  ?name",
        "    Lake Placid (ex:LakePlacid)  1932   -",
        '    ex:Tokyo                     1964   "東京"@ja',
    ]
    assert names.asked == 1


def test_wide_characters_take_two_columns() -> None:
    """What follows them is aligned in the terminal, not in characters."""
    rows = [{"a": Literal("東京"), "b": Literal("x")}, {"a": Literal("e\u0301"), "b": Literal("y")}]
    _, wide, combined = table_lines(rows, ["a", "b"], Labelled(), 80)
    assert wide == '    "東京"  "x"'
    assert combined == '    "e\u0301"     "y"'


def test_what_is_left_out_is_said() -> None:
    """Rows and columns that have no place are counted."""
    many = [f"v{n}" for n in range(9)]
    lines = table_lines([dict.fromkeys(many, Literal("x"))], many, Labelled(), 40, more=14)
    assert lines[0] == "    " + "  ".join(f"?v{n}" for n in range(7))
    assert lines[2:] == ["    ... and 2 more columns: ?v7, ?v8", "    ... and 14 more"]
    assert (
        table_lines(ROWS, ["city"], Labelled(), 80, more=9998, at_least=True)[-1] == "    ... and 9,998+ more"
    )


def test_names_give_way_to_labels() -> None:
    """Where there is no room for both: those of the last columns first."""
    rows = [{"a": IRI(EX + "LakePlacid"), "b": IRI(EX + "Winter1932")}]
    names = Labelled(LakePlacid="Lake Placid", Winter1932="1932 Winter Olympics")
    assert table_lines(rows, ["a", "b"], names, 70)[1] == (
        "    Lake Placid (ex:LakePlacid)  1932 Winter Olympics (ex:Winter1932)"
    )
    assert (
        table_lines(rows, ["a", "b"], names, 60)[1] == "    Lake Placid (ex:LakePlacid)  1932 Winter Olympics"
    )
    assert table_lines(rows, ["a", "b"], names, 50)[1] == "    Lake Placid  1932 Winter Olympics"


def test_the_end_of_an_iri_in_full_is_kept() -> None:
    """It tells more than the host."""
    rows = [{"a": IRI("http://www.semwebtech.org/mondial/10/countries/D/")}]
    assert table_lines(rows, ["a"], Labelled(), 40)[1] == "    <http://www.semwebtech.…ountries/D/>"


def test_a_column_that_needs_little_leaves_room_to_the_others() -> None:
    """Only the wide ones are clipped, and a line fits exactly."""
    rows = [{"a": Literal("x"), "b": Literal("y" * 90), "c": Literal("z" * 90)}]
    row = table_lines(rows, ["a", "b", "c"], Labelled(), 60)[1]
    assert row == '    "x"  "' + "y" * 22 + '…  "' + "z" * 23 + "…"
    assert display_width(row) == 60


@pytest.mark.parametrize("label", [ESCAPE, "\u202eevil", "a\tb\r\nc"])
def test_a_label_stays_in_its_cell(label: str) -> None:
    """It can break no line, send nothing to the terminal, and hide nothing."""
    lines = table_lines([{"a": IRI(EX + "x")}], ["a"], Labelled(x=label), 80)
    assert len(lines) == 2
    assert lines[1].isprintable()
    assert lines[1].endswith("(ex:x)")


@given(st.text(), st.integers(1, 30))
def test_clipped_text_fits(text: str, width: int) -> None:
    """It takes at most its columns, and what fits is kept whole."""
    clipped = clip_columns(text, width)
    assert display_width(clipped) <= width
    assert (clipped == text) == (display_width(text) <= width)


@given(
    st.lists(st.dictionaries(st.sampled_from("abcdef"), st.builds(Literal, st.text())), max_size=4),
    st.integers(20, 120),
)
def test_no_line_is_wider_than_the_terminal(rows: list[Row], width: int) -> None:
    """Whatever the values are, each row is one line."""
    lines = table_lines(rows, list("abcdef"), Labelled(), width)
    assert all(display_width(line) <= width for line in lines)
    assert len(lines) in (len(rows) + 1, len(rows) + 2)
