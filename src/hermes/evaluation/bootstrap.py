"""Intervals by the bootstrap: how much a mean could differ if other questions like these had been asked.

Whole groups of questions are drawn, since paraphrases of one question are answered right or wrong together
(the cluster bootstrap; Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 8; the interval
is the percentile interval of chapter 13). The draws are seeded: the same scores give the same interval.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from random import Random
from typing import Final

RESAMPLES: Final = 2000
"""How often the groups are drawn again."""
LEVEL: Final = 0.95
"""How much of the drawn means an interval holds."""

_SEED: Final = 20
_SCALE: Final = 1 << 40
"""A score is kept in so many parts: then sums are whole, and the same in any order."""
_WIDTH: Final = 64
"""Bits for the sum of one score; room for eight million questions."""
_OFFSET: Final = 1
"""Added to a score before it is packed, so that a difference of two is not negative."""

Means = Sequence[float]
"""A mean for each score."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its 95 % interval, the ends included."""

    value: float
    low: float
    high: float


def estimates(
    scores: Sequence[Means],
    groups: Sequence[str],
    measures: Mapping[str, Callable[[Means], float]],
) -> dict[str, Estimate]:
    """Return each measure of the mean scores of some questions, with its interval.

    Args:
        scores: the same scores of each question, from -1 to 1; at least one question.
        groups: the group of each question.
        measures: what is made of the mean scores.
    """
    width = len(scores[0])
    clusters: dict[str, int] = {}
    for row, group in zip(scores, groups, strict=True):
        clusters[group] = clusters.get(group, 0) + _packed(row)
    packed = list(clusters.values())
    drawn = _drawn(packed, width)
    whole = [fsum(column) / len(scores) for column in zip(*scores, strict=True)]
    return {
        name: _estimate(measure(whole), sorted(map(measure, drawn))) for name, measure in measures.items()
    }


def _drawn(packed: Sequence[int], width: int) -> list[Means]:
    if len(packed) == 1:  # there is nothing to draw from
        return [_means(packed[0], width)]
    draw, number = Random(_SEED).choices, len(packed)  # noqa: S311 - statistics, not secrets
    return [_means(sum(draw(packed, k=number)), width) for _ in range(RESAMPLES)]


def _packed(row: Means) -> int:
    """Return the scores of a question, and the number 1, side by side in one whole number.

    One sum then adds them all, which makes the draws several times faster.
    """
    found = 1
    for score in row:
        found = found << _WIDTH | round((score + _OFFSET) * _SCALE)
    return found


def _means(total: int, width: int) -> Means:
    sums = [total >> _WIDTH * place & (1 << _WIDTH) - 1 for place in reversed(range(width + 1))]
    return [found / _SCALE / sums[0] - _OFFSET for found in sums[1:]]


def _estimate(value: float, drawn: Sequence[float]) -> Estimate:
    aside = (1 - LEVEL) / 2
    return Estimate(value, _quantile(drawn, aside), _quantile(drawn, 1 - aside))


def _quantile(ordered: Sequence[float], part: float) -> float:
    """Return a quantile, between two values in proportion (Hyndman and Fan 1996, type 7)."""
    place = part * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])
