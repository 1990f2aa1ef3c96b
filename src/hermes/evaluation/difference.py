"""Two runs over the same questions: which is better, and by how much, with an interval."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from hermes.evaluation.bootstrap import LEVEL, RESAMPLES, Estimate, Means, estimates
from hermes.evaluation.measures import MEASURES, scores_of
from hermes.evaluation.record import Record
from hermes.evaluation.totals import group_of, interval_text
from hermes.printable import clip, printable

_SHOWN: Final = 20
_WIDEST: Final = 40


@dataclass(frozen=True, slots=True)
class Difference:
    """How one run differs from another, over the questions that both have.

    Args:
        questions: how many questions both have.
        measures: this run minus the other, by the names of `MEASURES`; empty without common questions.
        better: the ids of questions with a higher F1 than in the other run, each with both (this, other).
        worse: those with a lower F1.
        missing: ids that only the other run has.
        added: ids that only this run has.
    """

    questions: int
    measures: Mapping[str, Estimate]
    better: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    worse: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    added: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the difference as a JSON object."""
        return {
            "questions": self.questions,
            **{name: found.value for name, found in self.measures.items()},
            "intervals": {name: [found.low, found.high] for name, found in self.measures.items()},
            "better": {name: list(both) for name, both in self.better.items()},
            "worse": {name: list(both) for name, both in self.worse.items()},
            "equal": self.questions - len(self.better) - len(self.worse),
            "missing": list(self.missing),
            "added": list(self.added),
        }


def paired(records: Iterable[Record], others: Iterable[Record]) -> Difference:
    """Return how a run differs from another one over the questions that both have, by id.

    The interval is that of the paired bootstrap: a draw takes a question with both of its scores, so what
    makes a question hard for both runs does not widen it. Questions are drawn in the groups of the first run.
    """
    ours, theirs = (
        {each.id: each for each in sorted(run, key=lambda one: one.id)} for run in (records, others)
    )
    both = [(ours[name], theirs[name]) for name in ours if name in theirs]
    scores = {ours_.id: (_f1(ours_), _f1(theirs_)) for ours_, theirs_ in both}
    return Difference(
        questions=len(both),
        measures=_differences(both),
        better={name: pair for name, pair in scores.items() if pair[0] > pair[1]},
        worse={name: pair for name, pair in scores.items() if pair[0] < pair[1]},
        missing=tuple(name for name in theirs if name not in ours),
        added=tuple(name for name in ours if name not in theirs),
    )


def _differences(both: list[tuple[Record, Record]]) -> dict[str, Estimate]:
    if not both:
        return {}
    rows = [[*scores_of(one), *scores_of(other)] for one, other in both]
    half = len(rows[0]) // 2

    def minus(name: str) -> Any:
        measure = MEASURES[name].of

        def difference(means: Means) -> float:
            return measure(means[:half]) - measure(means[half:])

        return difference

    return estimates(rows, [group_of(one) for one, _ in both], {name: minus(name) for name in MEASURES})


def _f1(record: Record) -> float:
    return 0.0 if record.error else record.f1


def difference_lines(found: Difference) -> list[str]:
    """Return the difference for a terminal."""
    lines = [f"{found.questions:,} questions in both runs; this run minus the other:"]
    width = max(len(measure.title) for measure in MEASURES.values())
    for name, estimate in found.measures.items():
        sign = "0 is inside" if estimate.low <= 0 <= estimate.high else "0 is outside"
        lines.append(f"  {MEASURES[name].title:{width}}  {interval_text(estimate)}  {sign}")
    lines.append(
        f"  in brackets: {LEVEL:.0%} intervals, paired bootstrap of {RESAMPLES:,} draws of whole groups"
    )
    equal = found.questions - len(found.better) - len(found.worse)
    lines.append(
        f"F1 is higher for {len(found.better):,}, lower for {len(found.worse):,}, equal for {equal:,}"
    )
    for title, changed in (("higher", found.better), ("lower", found.worse)):
        for name, (ours, theirs) in list(changed.items())[:_SHOWN]:
            lines.append(f"  {title}: {clip(printable(name), _WIDEST)}  {theirs:.4f} -> {ours:.4f}")
        if len(changed) > _SHOWN:
            lines.append(f"  {title}: {len(changed) - _SHOWN:,} more")
    for title, names in (("only in the other run", found.missing), ("only in this run", found.added)):
        if names:
            shown = ", ".join(clip(printable(name), _WIDEST) for name in names[:5])
            lines.append(f"{title}: {len(names):,} ({shown}{', ...' if len(names) > 5 else ''})")  # noqa: PLR2004
    return lines
