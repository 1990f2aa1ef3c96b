"""One question of a report: a line that says how it went, and behind it the queries side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from hermes.evaluation.record import Record
from hermes.evaluation.report.amount import Amount
from hermes.evaluation.report.facet import RIGHT
from hermes.evaluation.report.failure import kind_of, score
from hermes.evaluation.report.side import side
from hermes.evaluation.report.step_difference import first_difference
from hermes.evaluation.report.wording import counted
from hermes.pages import Markup, tag
from hermes.printable import clip

_FEATURES: Final = 12


@dataclass(frozen=True, slots=True)
class Item:
    """A question at its place in the page.

    Args:
        place: from 1.
        record: how it was answered.
        facets: the places of its values, by the key of the facet.
        before: how another run answered it, where that scored otherwise.
    """

    place: int
    record: Record
    facets: tuple[tuple[str, str], ...] = ()
    before: Record | None = None


def anchor(place: int) -> str:
    """Return the name of the question at a place, from 1, in the address of the page."""
    return f"question-{place}"


def question_item(item: Item, amount: Amount) -> Markup:
    """Return a question as an article.

    It is no item of a list: browsers number items anew when one is hidden, seconds for a thousand of them.
    """
    record = item.record
    kind = kind_of(record)
    about = [record.id, record.kg, ", ".join(record.features[:_FEATURES])]
    before = "" if item.before is None else f", was {score(item.before):.2f}"
    summary = tag(
        "summary",
        tag("h3", clip(record.question, amount.words)),
        " ",
        tag("span", f"F1 {score(record):.2f}{before}", class_="score"),
        " ",
        tag("span", kind or RIGHT, class_="kind" if kind else "kind right"),
        " ",
        tag(
            "span",
            " \N{MIDDLE DOT} ".join(clip(text, amount.value) for text in about if text),
            class_="about",
        ),
    )
    return tag(
        "article",
        tag("details", summary, *_inside(item, amount)),
        id=anchor(item.place),
        **{f"data-{key}": places for key, places in item.facets},
    )


def _inside(item: Item, amount: Amount) -> Iterator[Markup]:
    record = item.record
    yield tag("p", _scores(record), class_="note")
    if record.error:
        yield tag("p", tag("strong", "Error: "), clip(record.error, amount.words), class_="mark empty")
    differs = first_difference(record.gold.steps, record.given.steps)
    sides = [
        side("Gold query", record.gold, amount, differs),
        side("Given query", record.given, amount, differs),
    ]
    if item.before is not None:
        title = f"Given in the other run (F1 {score(item.before):.2f})"
        sides.append(side(title, item.before.given, amount))
    yield tag("div", *sides, class_="sides")


def _scores(record: Record) -> str:
    said = [
        f"precision {record.precision:.2f}",
        f"recall {record.recall:.2f}",
        f"F1 {score(record):.2f}",
        f"lenient F1 {record.lenient:.2f}",
        counted(record.steps, "step"),
        counted(record.store_queries, "store query", "store queries"),
        counted(record.judge_calls, "judge call"),
        counted(record.tokens, "token"),
        f"{record.seconds:.2f} s",
    ]
    if record.in_order is not None:
        said.append(f"{'in' if record.in_order else 'not in'} the order asked for")
    if record.confidence is not None:
        said.append(f"confidence {record.confidence:.2f}")
    return ", ".join(said)
