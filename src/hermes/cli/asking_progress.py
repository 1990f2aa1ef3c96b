"""How far a run is: a bar on a terminal, else a line now and then."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from time import monotonic
from types import TracebackType
from typing import Final, Self

from hermes.evaluation import Record

_WIDTH: Final = 30
_OFTEN: Final = 0.1
_FIRST: Final = 5.0
_LONGEST: Final = 60.0


class AskingProgress:
    """Writes to stderr how many questions are answered, and the mean F1 of those.

    Args:
        questions: how many there are.
        known: the records that were there before.
    """

    def __init__(self, questions: int, known: Iterable[Record]) -> None:
        found = [_f1(record) for record in known]
        self._questions = questions
        self._done = self._known = len(found)
        self._sum = sum(found)
        self._start = self._last = monotonic()
        self._wait = _FIRST
        self._bar = sys.stderr.isatty()

    def __enter__(self) -> Self:
        if self._known:
            sys.stderr.write(f"{self._known:,} of {self._questions:,} questions were answered before\n")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar and self._done > self._known:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def add(self, record: Record) -> None:
        """Take note of a record."""
        self._done += 1
        self._sum += _f1(record)
        now = monotonic()
        if now - self._last < (_OFTEN if self._bar else self._wait):
            return
        self._last = now
        said = f"{self._done:,} of {self._questions:,} questions, F1 {self._sum / self._done:.3f}"
        seconds = f"{now - self._start:.0f} s"
        if self._bar:
            full = _WIDTH * self._done // self._questions
            sys.stderr.write(f"\r\x1b[K[{'#' * full}{'.' * (_WIDTH - full)}] {said}, {seconds}")
        else:
            self._wait = min(2 * self._wait, _LONGEST)
            sys.stderr.write(f"{said}, {seconds}\n")
        sys.stderr.flush()


def _f1(record: Record) -> float:
    return 0.0 if record.error else record.f1
