"""An explanation as lines for a reader: a step a line, its parts indented below it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hermes.algebra.observation import Empty, Rejected
from hermes.algebra.plan import Plan
from hermes.explanation.step import Part, Step
from hermes.explanation.texts import all_texts
from hermes.printable import clip, display_width, printable

_INDENT: Final = "  "
_WIDEST: Final = 56
"""Columns for the text of a step; after a longer one, what follows stands further to the right."""
_LONGEST: Final = 400
"""Characters of a text; a long table of VALUES is not worth more."""
_COUNT_WIDTH: Final = 24
_SECOND: Final = 1000.0
_SMALL: Final = 10.0
_FEW_TIMES: Final = 10.0


class Lines:
    """Writes the steps of one explanation, in columns that fit their texts.

    Args:
        ordered: the plan, in the order of its steps.
    """

    def __init__(self, ordered: Plan) -> None:
        texts = list(all_texts(ordered, ordered.prefixes.names()))
        self._number = len(str(sum(depth == 0 for depth, _ in texts)))
        widths = (display_width(text) + depth * len(_INDENT) for depth, text in texts)
        self._width = max((width for width in widths if width <= _WIDEST), default=0)

    def of_step(self, number: int, step: Step) -> Iterator[str]:
        """Yield the lines of a step: its own, its hints, and those of its parts."""
        margin = " " * (self._number + len(_INDENT))
        yield self._line(f"{number:{self._number}}{_INDENT}", step)
        yield from (f"{margin}{_INDENT}{hint}" for hint in step.seen.hints)
        for part in step.parts:
            yield from self._of_part(part, margin + _INDENT)

    def _of_part(self, part: Part | Step, margin: str) -> Iterator[str]:
        if isinstance(part, Step):
            yield self._line(margin, part)
            yield from (f"{margin}{_INDENT}{hint}" for hint in part.seen.hints)
        else:
            yield self._columns(
                margin + part.text, tally_text(part), elapsed_text(part.elapsed) if part.elapsed else ""
            )
        for inner in part.parts:
            yield from self._of_part(inner, margin + _INDENT)

    def _line(self, margin: str, step: Step) -> str:
        mark = mark_text(step)
        elapsed = elapsed_text(step.elapsed) + (f"  <- {mark}" if mark else "")
        return self._columns(margin + step.text, summary(step), elapsed)

    def _columns(self, text: str, count: str, elapsed: str) -> str:
        width = self._number + len(_INDENT) + self._width
        return _INDENT.join(
            (_padded(clip(printable(text), _LONGEST), width), _padded(count, _COUNT_WIDTH), elapsed)
        ).rstrip()


def summary(step: Step) -> str:
    """Return what a step came to: `-> 19 -> 8 solutions`, or why that is not known."""
    match step.seen:
        case Rejected(message=message):
            return f"-> not counted: {message}"
        case Empty():
            return ""
        case _:
            return f"-> {step.seen.summary()}"


def tally_text(part: Part) -> str:
    """Return the count of a part in words, or why there is none."""
    if part.tally is not None:
        return str(part.tally)
    return f"not counted: {part.failure}" if part.failure else ""


def mark_text(step: Step) -> str:
    """Return in words what stands out of a step, or an empty text."""
    match step.mark:
        case "empty":
            return "no solutions from here"
        case "product":
            return f"a product: {_times(step)} as many"
        case "explodes":
            return f"{_times(step)} as many"
        case None:
            return ""


def elapsed_text(seconds: float) -> str:
    """Return a time as `0.4 ms`, `12 ms` or `3.1 s`."""
    milliseconds = seconds * _SECOND
    if milliseconds >= _SECOND:
        return f"{seconds:.1f} s"
    return f"{milliseconds:.0f} ms" if milliseconds >= _SMALL else f"{milliseconds:.1f} ms"


def _times(step: Step) -> str:
    times = step.times or 0
    return f"{times:,.0f} times" if times >= _FEW_TIMES else f"{times:.3g} times"


def _padded(text: str, width: int) -> str:
    return text + " " * (width - display_width(text))
