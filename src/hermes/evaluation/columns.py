"""Which column of an answer is which column of the gold answer: names do not count, values do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from itertools import islice, permutations
from typing import Final

Cells = tuple[int, ...]
"""A row: a number for each value."""

ALL_TRIED: Final = 6
"""Up to so many columns all assignments are weighed."""
_MOST: Final = 720
"""Of wider answers so many assignments are weighed: those around the one that puts like columns together."""
_WORK: Final = 4_000_000
"""So many rows are rearranged at most, an assignment at a time; 24 assignments always are."""
_LEAST: Final = 24


def assignments(gold: Collection[Cells], given: Collection[Cells], width: int) -> Iterator[tuple[int, Cells]]:
    """Yield assignments of columns: as they stand, then the most promising first.

    An assignment says for each column of the gold answer which column of the given one it is. Beside it is
    how many rows it can match at most.
    """
    as_they_are = tuple(range(width))
    yield len(given), as_they_are
    if width <= 1:
        return
    likeness = _likeness(gold, given, width)
    weighed = [
        (min(likeness[at][column] for at, column in enumerate(each)), each)
        for each in (
            permutations(as_they_are) if width <= ALL_TRIED else islice(_likely(likeness, width), _MOST)
        )
        if each != as_they_are
    ]
    weighed.sort(key=lambda one: -one[0])
    yield from islice(weighed, max(_LEAST, _WORK // (len(given) + 1)))


def _likeness(gold: Collection[Cells], given: Collection[Cells], width: int) -> list[list[int]]:
    """Return for each gold column and each given one how many given rows have there a value of the gold."""
    there = [set(column) for column in zip(*gold, strict=True)] or [set() for _ in range(width)]
    counts = [Counter(column) for column in zip(*given, strict=True)] or [Counter() for _ in range(width)]
    return [[sum(n for value, n in count.items() if value in known) for count in counts] for known in there]


def _likely(likeness: list[list[int]], width: int) -> Iterator[Cells]:
    """Yield assignments from the likeliest column of each on, without building them all."""

    def extend(taken: Cells) -> Iterator[Cells]:
        at = len(taken)
        if at == width:
            yield taken
            return
        free = (column for column in range(width) if column not in taken)
        for column in sorted(free, key=lambda column: (-likeness[at][column], column != at, column)):
            yield from extend((*taken, column))

    yield from extend(())
