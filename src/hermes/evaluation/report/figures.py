"""The figures of a run as tables of HTML: each with its interval, drawn too, and its definition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from hermes.evaluation.bootstrap import LEVEL, RESAMPLES, Estimate
from hermes.evaluation.difference import Difference
from hermes.evaluation.measures import MEASURES
from hermes.evaluation.report.wording import counted
from hermes.evaluation.totals import Part, Spent, Totals
from hermes.pages import Markup, tag
from hermes.printable import clip

_FULL: Final = 100.0
_MARK: Final = 1.5
"""Hundredths of the bar that the mark of the value takes."""
_LONGEST: Final = 80
_COLUMNS: Final = ("Value", "Interval", "From 0 to 1")
_INTERVALS: Final = f"{LEVEL:.0%} intervals: percentile bootstrap of {RESAMPLES:,} draws of whole groups"


def totals_tables(found: Totals) -> Iterator[Markup]:
    """Yield the tables of a run: the measures, the parts by feature and by graph, the costs."""
    whole = found.whole
    said = f"{counted(whole.questions, 'question')} in {counted(whole.groups, 'group')}"
    yield tag("p", f"{said}, {counted(whole.errors, 'error')} (an error counts as 0 in every measure)")
    if not whole.questions:
        return
    rows = [_measure(name, estimate) for name, estimate in whole.measures.items()]
    yield _table(f"Measures, with {_INTERVALS}", ("Measure", *_COLUMNS, "Definition"), rows)
    asked, right = found.ordered
    if asked:
        yield tag(
            "p", f"Of {counted(asked, 'question')} that ask for an order, {right:,} exact answers have it."
        )
    if found.by_feature:
        yield _parts("Macro F1 by feature of the gold query", "Feature", found.by_feature)
    if found.by_graph:
        yield _parts("Macro F1 by graph", "Graph", found.by_graph)
    yield _costs(found.costs)


def difference_table(found: Difference) -> Markup:
    """Return the measures of this run minus those of the other."""
    rows = [_measure(name, estimate, signed=True) for name, estimate in found.measures.items()]
    caption = (
        f"This run minus the other, over {counted(found.questions, 'common question')}; paired {_INTERVALS}"
    )
    columns = ("Measure", "Difference", "Interval", "From \N{MINUS SIGN}1 to 1", "Definition")
    return _table(caption, columns, rows)


def _table(caption: str, columns: tuple[str, ...], rows: list[Markup]) -> Markup:
    head = tag("thead", tag("tr", *(tag("th", name, scope="col") for name in columns)))
    return tag("div", tag("table", tag("caption", caption), head, tag("tbody", *rows)), class_="wide figures")


def _measure(name: str, found: Estimate, *, signed: bool = False) -> Markup:
    measure = MEASURES[name]
    definition = tag("td", measure.definition, class_="definition")
    return tag("tr", _name(measure.title), *_estimate(found, signed=signed), definition)


def _parts(caption: str, what: str, parts: Mapping[str, Part]) -> Markup:
    rows = [
        tag(
            "tr",
            _name(name),
            *_estimate(part.measures["macro_f1"]),
            _number(f"{part.measures['exact'].value:.3f}"),
            _number(f"{part.questions:,}"),
        )
        for name, part in parts.items()
    ]
    return _table(caption, (what, *_COLUMNS, "Exact match", "Questions"), rows)


def _costs(costs: Mapping[str, Spent]) -> Markup:
    rows = [
        tag(
            "tr",
            _name(name.replace("_", " ")),
            *(_number(f"{number:,.2f}") for number in (spent.mean, spent.median, spent.total)),
        )
        for name, spent in costs.items()
    ]
    return _table("Cost of a question", ("Cost", "Mean", "Median", "All questions"), rows)


def _name(text: str) -> Markup:
    return tag("th", clip(text, _LONGEST) or "(none)", scope="row")


def _number(text: str) -> Markup:
    return tag("td", text, class_="number")


def _estimate(found: Estimate, *, signed: bool = False) -> Iterator[Markup]:
    sign = "+" if signed else ""
    yield _number(f"{found.value:{sign}.3f}")
    yield _number(f"{found.low:{sign}.3f} to {found.high:{sign}.3f}")
    yield tag("td", _bar(found, signed=signed))


def _bar(found: Estimate, *, signed: bool) -> Markup:
    """Return the interval as a range with the value in it; the numbers beside it say the same."""
    low, value, high = (_share(number, signed=signed) for number in (found.low, found.value, found.high))
    parts = [
        tag("rect", x=f"{low:.2f}", width=f"{high - low:.2f}", height=8, class_="range"),
        tag("rect", x=f"{value - _MARK / 2:.2f}", width=_MARK, height=8, class_="value"),
    ]
    if signed:
        parts.insert(0, tag("rect", x=_FULL / 2 - _MARK / 4, width=_MARK / 2, height=8, class_="zero"))
    return tag(
        "svg", *parts, class_="bar", viewBox="0 0 100 8", preserveAspectRatio="none", aria_hidden="true"
    )


def _share(value: float, *, signed: bool) -> float:
    return _FULL * ((value + 1) / 2 if signed else value)
