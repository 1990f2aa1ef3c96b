"""Rows as an aligned table for a terminal: names with their labels, clipped to its width."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Protocol

from hermes.printable import clip_columns, display_width, printable
from hermes.terms import IRI, Prefixes, Row, Term, display

INDENT: Final = "    "
UNBOUND: Final = "-"
"""Stands where a solution does not bind a variable; a value that is a dash has quotes."""

_GAP: Final = "  "
_NARROWEST: Final = 12
"""A column is not made narrower than this; columns that then have no place are named instead."""
_LONGEST: Final = 400
"""Characters of a value that are looked at: no terminal shows more in one line."""


class Names(Protocol):
    """What knows the names of a graph; `hermes.KG` does.

    Asking for labels may raise a `StoreError`.
    """

    @property
    def prefixes(self) -> Prefixes:
        """The prefixes by which names are written."""

    def stated_labels(self, terms: Iterable[Term], language: str | None = None) -> Mapping[IRI, str]:
        """Return the labels that the graph states for some of the terms."""


def table_lines(  # noqa: PLR0913 - two say what is left out, with defaults
    rows: Sequence[Row],
    variables: Sequence[str],
    names: Names,
    width: int,
    *,
    more: int = 0,
    at_least: bool = False,
) -> list[str]:
    """Return a line of variables, a line for each row, and what is left out.

    A name with a label is shown as `Lake Placid (ex:LakePlacid)`, or by the label alone where there is no
    room for both: the last columns first. All labels are asked for at once.

    Args:
        rows: the rows to show.
        variables: the columns in order, without `?`.
        names: the labels and prefixes.
        width: of the terminal, in columns; no line is wider.
        more: how many rows there are beside these.
        at_least: whether there may be still more.

    Raises:
        StoreError: the labels cannot be had.
    """
    labels = names.stated_labels({term for row in rows for term in _iris(row)})
    columns = [_column(name, rows, labels, names.prefixes) for name in variables]
    shown = _fitting(columns, width)
    for at in reversed(range(shown)):
        if _taken(columns[:shown]) <= width:
            break
        columns[at] = _column(variables[at], rows, labels, names.prefixes, named=False)
    lines = aligned(list(zip(*columns[:shown], strict=True)), width)
    if shown < len(variables):
        hidden = ", ".join(f"?{name}" for name in variables[shown:])
        lines.append(
            clip_columns(f"{INDENT}... and {_count(len(variables) - shown, 'column')}: {hidden}", width)
        )
    if more:
        lines.append(f"{INDENT}... and {more:,}{'+' * at_least} more")
    return lines


def aligned(cells: Sequence[Sequence[str]], width: int) -> list[str]:
    """Return lines of equally many cells each, in columns, the widest of them clipped where it must be."""
    natural = [max(display_width(line[at]) for line in cells) for at in range(len(cells[0]))]
    widths = _fitted(natural, width - len(INDENT) - len(_GAP) * (len(natural) - 1))
    return [INDENT + _padded(line, widths) for line in cells]


def cell(term: Term | None, labels: Mapping[IRI, str], prefixes: Prefixes, *, named: bool = True) -> str:
    """Return a term on one line: its label where it has one, with its name in parentheses if `named`."""
    if term is None:
        return UNBOUND
    text = display(term, prefixes, _LONGEST)
    label = labels.get(term) if isinstance(term, IRI) else None
    if not label:
        return text
    said = printable(" ".join(label[:_LONGEST].split()))
    return f"{said} ({text})" if named else said


def _column(
    name: str, rows: Sequence[Row], labels: Mapping[IRI, str], prefixes: Prefixes, *, named: bool = True
) -> list[str]:
    return [f"?{name}", *(cell(row.get(name), labels, prefixes, named=named) for row in rows)]


def _iris(row: Row) -> Iterable[IRI]:
    return (term for term in row.values() if isinstance(term, IRI))


def _taken(columns: Sequence[Sequence[str]]) -> int:
    """Return how wide a table of whole cells is."""
    return len(INDENT) + sum(len(_GAP) + max(map(display_width, cells)) for cells in columns) - len(_GAP)


def _fitting(columns: Sequence[Sequence[str]], width: int) -> int:
    """Return how many columns have a place, the wide ones made narrow; at least one."""
    taken = len(INDENT) - len(_GAP)
    for at, cells in enumerate(columns):
        taken += len(_GAP) + min(_NARROWEST, max(map(display_width, cells)))
        if taken > width:
            return max(1, at)
    return len(columns)


def _fitted(natural: Sequence[int], room: int) -> list[int]:
    """Return the widths of columns that share `room`: narrow ones keep theirs, wide ones are equal."""
    widths = list(natural)
    by_width = sorted(range(len(natural)), key=natural.__getitem__)
    for place, column in enumerate(by_width):
        share = max(1, room // (len(by_width) - place))
        widths[column] = min(natural[column], share)
        room -= widths[column]
    return widths


def _padded(cells: Sequence[str], widths: Sequence[int]) -> str:
    clipped = [_clipped(text, width) for text, width in zip(cells, widths, strict=True)]
    padded = (text + " " * (width - display_width(text)) for text, width in zip(clipped, widths, strict=True))
    return _GAP.join(padded).rstrip()


def _clipped(text: str, width: int) -> str:
    """Return a cell in so many columns; of an IRI in full the end is kept, which tells more than the host."""
    if display_width(text) > width and text.endswith((">", ">)")):
        kept = width // 3 if text[-width:].isascii() else 0
        return f"{clip_columns(text, width - kept)}{text[-kept:]}" if kept else clip_columns(text, width)
    return clip_columns(text, width)


def _count(n: int, noun: str) -> str:
    return f"{n} more {noun}{'s' * (n != 1)}"
