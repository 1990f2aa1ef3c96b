"""What became better and what became worse since another run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from hermes.evaluation.difference import Difference
from hermes.evaluation.record import Record
from hermes.evaluation.report.figures import difference_table
from hermes.evaluation.report.item import anchor
from hermes.pages import Markup, tag
from hermes.printable import clip

_CHANGES: Final = 200
"""Questions in a table; the list can show all of them by its filter."""
_QUESTION: Final = 160


def changed(found: Difference | None, records: Sequence[Record]) -> Iterator[Markup]:
    """Yield what changed since another run; nothing where there is none.

    Args:
        found: this run against the other.
        records: of this run, in the order of the page.
    """
    if found is None:
        return
    equal = found.questions - len(found.better) - len(found.worse)
    counts = f"{len(found.better):,} better, {len(found.worse):,} worse, {equal:,} the same"
    only = [
        f"{len(names):,} only in {which} run"
        for names, which in ((found.added, "this"), (found.missing, "the other"))
        if names
    ]
    yield tag("p", ", ".join([counts, *only]))
    if found.questions:
        yield difference_table(found)
    places = {record.id: place for place, record in enumerate(records, start=1)}
    for name, pairs in (("Worse", found.worse), ("Better", found.better)):
        if pairs:
            yield _changes_table(name, pairs, places, records)
        if len(pairs) > _CHANGES:
            yield tag("p", f"and {len(pairs) - _CHANGES:,} more", class_="note")


def _changes_table(
    name: str,
    pairs: Mapping[str, tuple[float, float]],
    places: Mapping[str, int],
    records: Sequence[Record],
) -> Markup:
    head = (tag("th", text, scope="col") for text in ("Question", "F1 before", "F1 now", "Difference"))
    largest = sorted(pairs.items(), key=lambda pair: -abs(pair[1][0] - pair[1][1]))[:_CHANGES]
    rows = (
        tag(
            "tr",
            tag("td", _link(places[question], records)),
            *(
                tag("td", text, class_="number")
                for text in (f"{before:.2f}", f"{now:.2f}", f"{now - before:+.2f}")
            ),
        )
        for question, (now, before) in largest
    )
    table = tag("table", tag("caption", name), tag("thead", tag("tr", *head)), tag("tbody", *rows))
    return tag("div", table, class_="wide")


def _link(place: int, records: Sequence[Record]) -> Markup:
    return tag("a", clip(records[place - 1].question, _QUESTION) or "(no text)", href=f"#{anchor(place)}")
