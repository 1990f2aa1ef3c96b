"""The report of a run: its totals, what changed, and every question with its queries side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Final

from hermes.evaluation.difference import Difference, paired
from hermes.evaluation.record import Record
from hermes.evaluation.report.amount import within
from hermes.evaluation.report.changed import changed
from hermes.evaluation.report.facet import Facet, facets, filters
from hermes.evaluation.report.failure import kind_of, score
from hermes.evaluation.report.figures import totals_tables
from hermes.evaluation.report.item import Item, question_item
from hermes.evaluation.report.wording import counted
from hermes.evaluation.totals import Totals
from hermes.pages import Markup, document, tag
from hermes.version import __version__

_FOLDER: Final = files("hermes.evaluation.report")
_STYLE: Final = _FOLDER.joinpath("report.css").read_text(encoding="utf-8")
_SCRIPT: Final = _FOLDER.joinpath("report.js").read_text(encoding="utf-8")
_MOST: Final = 2_800_000
"""Bytes of all questions; with this a browser opens the page at once."""


def report_page(
    records: Sequence[Record],
    totals: Totals,
    title: str,
    *,
    source: str = "",
    other: Sequence[Record] | None = None,
) -> str:
    """Return the report of a run as one page of HTML that asks nothing of the network.

    The failures (an F1 below 1, or an error) come first, the worst of them first; then the rest in their
    order. What is too long is cut and says so: a thousand questions are at most about 3 MB.

    Args:
        records: the questions of the run, each `id` once.
        totals: what the records come to.
        title: what was scored on what.
        source: what else there is to say in a line, such as where the graph came from; empty for nothing.
        other: an earlier run over the same questions, to say what became better and what worse.
    """
    shown = sorted(records, key=score)
    difference = None if other is None else paired(shown, other)
    found = facets(shown, difference)
    questions = _questions(shown, found, _before(difference, other))
    return document(
        title,
        tag(
            "header",
            tag("h1", title),
            tag("p", _summary(shown), class_="source"),
            *[tag("p", source, class_="source")] * bool(source),
        ),
        tag(
            "main",
            *_section("Totals", "totals", list(totals_tables(totals))),
            *_section("What changed", "changed", list(changed(difference, shown))),
            *_section("Questions", "list", [filters(found), questions]),
        ),
        tag("footer", tag("p", f"Written by hermes {__version__}.")),
        style=_STYLE,
        script=_SCRIPT,
    )


def _section(title: str, name: str, inside: Sequence[Markup]) -> Iterator[Markup]:
    """Yield a section with its heading; nothing where it would be empty."""
    if inside:
        yield tag("section", tag("h2", title, id=name), *inside, aria_labelledby=name)


def _summary(records: Sequence[Record]) -> str:
    failures = sum(kind_of(record) is not None for record in records)
    return f"{counted(len(records), 'question')}, {failures:,} not right"


def _before(found: Difference | None, other: Sequence[Record] | None) -> Mapping[str, Record]:
    """Return the records of the other run for the questions that it scored otherwise."""
    if found is None or other is None:
        return {}
    return {record.id: record for record in other if record.id in found.better or record.id in found.worse}


# --- the list ------------------------------------------------------------------------------------------


def _questions(records: Sequence[Record], found: Sequence[Facet], before: Mapping[str, Record]) -> Markup:
    items = [
        Item(
            place + 1,
            record,
            tuple((facet.key, facet.places(place)) for facet in found),
            before.get(record.id),
        )
        for place, record in enumerate(records)
    ]
    return tag(
        "div",
        tag("p", f"{len(records):,} of {len(records):,} questions", id="shown", role="status"),
        tag("div", *within(_MOST, items, question_item), id="questions"),
    )
