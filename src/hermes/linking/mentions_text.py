"""Mentions for a reader, in lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from hermes.linking.mentions import Candidate, Mention, Mentions, Span
from hermes.printable import clip, printable
from hermes.terms import Prefixes, display, quote

_GAP: Final = "  "
_TEXT: Final = 48
_TERM: Final = 80
_WORTH: Final = 0.2
"""Candidates with less are not shown: they are many, and hardly meant."""


def mention_lines(found: Mentions, prefixes: Prefixes, limit: int = 3) -> list[str]:
    """Return what the spans of a question may mean, then its numbers and what it asks for.

    Args:
        found: the mentions.
        prefixes: how terms are written.
        limit: so many candidates of each span.
    """
    rows = [row for mention in found.mentions for row in _rows(mention, prefixes, limit)]
    lines = list(_aligned(rows)) or ["no word of this names anything here"]
    if found.numbers:
        lines.append("numbers: " + ", ".join(display(each.value, prefixes, _TERM) for each in found.numbers))
    if found.cues:
        lines.append("asks: " + ", ".join(f"{each.asks} ({_quoted(each.span)})" for each in found.cues))
    return lines if found.complete else [*lines, "... and perhaps more: there was no time to look at all"]


def _rows(mention: Mention, prefixes: Prefixes, limit: int) -> Iterator[Sequence[str]]:
    shown = [each for each in mention.candidates if each.score >= _WORTH][:limit]
    for place, candidate in enumerate(shown):
        yield [_quoted(mention.span) if place == 0 else "", *_cells(candidate, prefixes)]


def _cells(candidate: Candidate, prefixes: Prefixes) -> Sequence[str]:
    units = {"class": "instance", "value": "use"}
    unit = units.get(candidate.kind, "triple")
    counted = f"{candidate.count:,} {unit}{'s' * (candidate.count != 1)}"
    term = display(candidate.term, prefixes, _TERM)
    return [f"{candidate.score:.2f}", candidate.kind, term, candidate.evidence, counted]


def _quoted(span: Span) -> str:
    return printable(quote(clip(span.text, _TEXT)))


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield _GAP.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
