"""The steps as a list of HTML: text, bar, counts, time; below them hints, parts and rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import log1p
from typing import Final

from hermes.algebra.observation import Empty, Solutions
from hermes.explanation.lines import elapsed_text, mark_text, summary, tally_text
from hermes.explanation.page.term_table import term_table
from hermes.explanation.step import Part, Step
from hermes.pages.highlight import highlighted
from hermes.pages.markup import Markup, tag
from hermes.printable import clip
from hermes.terms import IRI, Prefixes

_FULL: Final = 100.0
_STEEP: Final = 200
"""From this ratio of the largest to the smallest count on, bars are logarithmic."""
_LONGEST: Final = 600


def elapsed_line(steps: Sequence[Step]) -> str:
    """Return in a line what the list shows: how many steps, their time, and how the bars are meant."""
    count = f"{len(steps)} step{'s' * (len(steps) != 1)}"
    scale = "logarithmic" if _Scale(steps).logarithmic else "linear"
    time = elapsed_text(sum(step.elapsed for step in steps))
    return f"{count}, {time}. Each bar is the number of solutions after the step, on a {scale} scale."


def step_list(steps: Sequence[Step], labels: Mapping[IRI, str], prefixes: Prefixes) -> Markup:
    """Return the steps as an ordered list."""
    scale = _Scale(steps)
    return tag("ol", *(tag("li", *_step(step, scale, labels, prefixes)) for step in steps), class_="steps")


class _Scale:
    """How long the bar of a count is, in hundredths of the longest."""

    def __init__(self, steps: Iterable[Step]) -> None:
        counts = [count for count in _counts(steps) if count]
        self._largest = max(counts, default=1)
        self.logarithmic = self._largest >= _STEEP * min(counts, default=1)

    def __call__(self, count: int) -> float:
        share = log1p(count) / log1p(self._largest) if self.logarithmic else count / self._largest
        return min(_FULL, _FULL * share)


def _counts(parts: Iterable[Step | Part]) -> Iterator[int]:
    for part in parts:
        count = _count(part)
        if count is not None:
            yield count
        yield from _counts(part.parts)


def _count(part: Step | Part) -> int | None:
    if isinstance(part, Part):
        return None if part.tally is None else part.tally.count
    return part.seen.count if isinstance(part.seen, Solutions) else None


def _step(step: Step, scale: _Scale, labels: Mapping[IRI, str], prefixes: Prefixes) -> Iterator[Markup]:
    yield _row(step, summary(step).removeprefix("-> ").replace("->", "\N{RIGHTWARDS ARROW}"), scale)
    if mark := mark_text(step):
        yield tag("p", tag("strong", mark), class_=f"mark {step.mark}")
    yield from (tag("p", str(hint), class_="hint") for hint in step.seen.hints)
    if step.parts:
        yield _parts(step.parts, scale)
    if isinstance(step.seen, Solutions) and step.seen.sample:
        count = len(step.seen.sample)
        rows = term_table(
            step.seen.sample, step.seen.variables, labels, prefixes, caption="Rows after this step"
        )
        yield tag("details", tag("summary", f"{count} row{'s' * (count != 1)}"), rows)


def _parts(parts: Iterable[Part | Step], scale: _Scale) -> Markup:
    return tag("ul", *(tag("li", *_part(part, scale)) for part in parts), class_="parts")


def _part(part: Part | Step, scale: _Scale) -> Iterator[Markup]:
    if isinstance(part, Step):
        yield from _step(part, scale, {}, Prefixes())
        return
    yield _row(part, tally_text(part), scale)
    if part.parts:
        yield _parts(part.parts, scale)


def _row(part: Step | Part, count: str, scale: _Scale) -> Markup:
    """Return the line of a step or of a part of one."""
    number = _count(part)
    bar = Markup("") if number is None else _bar(scale(number))
    timed = bool(part.elapsed) and not (isinstance(part, Step) and isinstance(part.seen, Empty))
    return tag(
        "div",
        tag("code", highlighted(clip(part.text, _LONGEST)), class_="text"),
        bar,
        tag("span", count, class_="count"),
        tag("span", elapsed_text(part.elapsed) if timed else "", class_="time"),
        class_="row",
    )


def _bar(length: float) -> Markup:
    """Return a bar; the number beside it says the same, so readers of the screen pass it over."""
    shape = tag("rect", width=f"{length:.2f}", height=8)
    return tag(
        "svg", shape, class_="bar", viewBox="0 0 100 8", preserveAspectRatio="none", aria_hidden="true"
    )
