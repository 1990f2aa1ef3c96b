"""What is measured of a run, and how that is defined: the definitions are printed beside the numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from hermes.evaluation.bootstrap import Means
from hermes.evaluation.record import Record

_SCORES: Final = ("f1", "precision", "recall", "precision_qald", "recall_qald", "exact", "lenient")
"""The scores of a record that measures are made of."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure of a run, from 0 to 1.

    Args:
        title: how it is called in print.
        definition: what it is, in one line.
        of: makes it of the mean scores of the questions.
    """

    title: str
    definition: str
    of: Callable[[Means], float]


def scores_of(record: Record) -> list[float]:
    """Return the scores of a question that measures are made of; all 0 where it has an error."""
    return [0.0 if record.error else float(getattr(record, name)) for name in _SCORES]


def harmonic(one: float, other: float) -> float:
    """Return the harmonic mean; 0 where both are 0."""
    return 2 * one * other / (one + other) if one + other else 0.0


def _mean(name: str) -> Callable[[Means], float]:
    place = _SCORES.index(name)
    return lambda means: means[place]


def _f1_qald(means: Means) -> float:
    return harmonic(means[_SCORES.index("precision_qald")], means[_SCORES.index("recall_qald")])


MEASURES: Final[Mapping[str, Measure]] = {
    "macro_f1": Measure("macro F1", "mean over the questions of F1 of the set of rows", _mean("f1")),
    "macro_f1_qald": Measure(
        "macro F1 QALD",
        "harmonic mean of mean precision (1 of an empty answer) and mean recall, as Gerbil has it",
        _f1_qald,
    ),
    "macro_precision": Measure("precision", "mean part of the given rows that is right", _mean("precision")),
    "macro_recall": Measure("recall", "mean part of the gold rows that is given", _mean("recall")),
    "exact": Measure(
        "exact match", "part of the questions whose set of rows is the gold one", _mean("exact")
    ),
    "lenient": Measure(
        "lenient F1",
        "macro F1 where labels stand for IRIs, types of literals do not count, one column may be extra",
        _mean("lenient"),
    ),
}
"""The measures by their name in JSON, in the order in which they are printed."""
