"""What the records of a run come to: measures with intervals, by feature and by graph, and what it cost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from statistics import mean, median
from typing import Any, Final

from hermes.evaluation.bootstrap import LEVEL, RESAMPLES, Estimate, estimates
from hermes.evaluation.measures import MEASURES, scores_of
from hermes.evaluation.record import Record
from hermes.printable import clip_columns, display_width, printable

_COSTS: Final = ("seconds", "steps", "store_queries", "judge_calls", "tokens")
_WIDEST: Final = 40


@dataclass(frozen=True, slots=True)
class Part:
    """Some of the questions of a run.

    Args:
        questions: how many.
        groups: how many groups they are in.
        errors: how many have no answer because of an error; they count as 0 in every measure.
        measures: by the names of `MEASURES`; empty where there are no questions.
    """

    questions: int
    groups: int
    errors: int
    measures: Mapping[str, Estimate]

    def to_json(self) -> dict[str, Any]:
        """Return the part as a JSON object: the measures as numbers, their intervals beside them."""
        return {
            "questions": self.questions,
            "groups": self.groups,
            "errors": self.errors,
            **{name: found.value for name, found in self.measures.items()},
            "intervals": {name: [found.low, found.high] for name, found in self.measures.items()},
        }


@dataclass(frozen=True, slots=True)
class Spent:
    """What a question cost: the sum over all, the mean and the median."""

    total: float
    mean: float
    median: float


@dataclass(frozen=True, slots=True)
class Totals:
    """What a run comes to.

    Args:
        whole: all questions.
        by_feature: those whose gold query has a feature, by feature, the most frequent first.
        by_graph: those about one graph, by its name; empty where there is one graph only.
        costs: `seconds`, `steps`, `store_queries`, `judge_calls` and `tokens`.
        ordered: how many questions ask for an order, and how many answers have it; they are exact too.
    """

    whole: Part
    by_feature: Mapping[str, Part] = field(default_factory=dict)
    by_graph: Mapping[str, Part] = field(default_factory=dict)
    costs: Mapping[str, Spent] = field(default_factory=dict)
    ordered: tuple[int, int] = (0, 0)

    def to_json(self) -> dict[str, Any]:
        """Return the totals as a JSON object, with the definitions of the measures."""
        asked, right = self.ordered
        return {
            **self.whole.to_json(),
            "ordered": {"questions": asked, "in_order": right},
            "costs": {name: asdict(spent) for name, spent in self.costs.items()},
            "by_feature": {name: part.to_json() for name, part in self.by_feature.items()},
            "by_graph": {name: part.to_json() for name, part in self.by_graph.items()},
            "definitions": {name: measure.definition for name, measure in MEASURES.items()},
            "interval": {"level": LEVEL, "method": "percentile bootstrap of groups", "resamples": RESAMPLES},
        }


def totals(records: Iterable[Record]) -> Totals:
    """Return what the records of a run come to. The order of the records does not matter."""
    # A run with several workers writes its records in any order, and an interval should not depend on it.
    found = sorted(records, key=lambda record: record.id)
    by_feature: defaultdict[str, list[Record]] = defaultdict(list)
    by_graph: defaultdict[str, list[Record]] = defaultdict(list)
    for record in found:
        by_graph[record.kg].append(record)
        for feature in dict.fromkeys(record.features):
            by_feature[feature].append(record)
    asked = [record for record in found if record.in_order is not None]
    return Totals(
        whole=_part(found),
        by_feature={name: _part(by_feature[name]) for name in sorted(by_feature, key=_frequency(by_feature))},
        by_graph={name: _part(by_graph[name]) for name in sorted(by_graph)} if len(by_graph) > 1 else {},
        costs={name: _spent([float(getattr(record, name)) for record in found]) for name in _COSTS if found},
        ordered=(len(asked), sum(record.in_order is True and not record.error for record in asked)),
    )


def _part(records: Sequence[Record]) -> Part:
    groups = [group_of(record) for record in records]
    measures = {name: measure.of for name, measure in MEASURES.items()}
    found = estimates([scores_of(record) for record in records], groups, measures) if records else {}
    return Part(len(records), len(set(groups)), sum(bool(record.error) for record in records), found)


def group_of(record: Record) -> str:
    """Return the group of a question: its own where it has none."""
    return f"group {record.group}" if record.group else f"id {record.id}"


def _frequency(parts: Mapping[str, Sequence[Record]]) -> Any:
    return lambda name: (-len(parts[name]), name)


def _spent(values: Sequence[float]) -> Spent:
    return Spent(sum(values), mean(values), median(values))


# --- in lines --------------------------------------------------------------------------------------


def totals_lines(found: Totals) -> list[str]:
    """Return the totals for a terminal: measures with definitions, parts, and costs."""
    whole = found.whole
    counted = f"{_many(whole.questions, 'question')} in {_many(whole.groups, 'group')}"
    lines = [f"{counted}, {_many(whole.errors, 'error')} (an error counts as 0 in every measure)"]
    if not whole.questions:
        return lines
    lines += ["", *_measure_lines(whole)]
    lines.append(
        f"  in brackets: {LEVEL:.0%} intervals, percentile bootstrap of {RESAMPLES:,} draws of whole groups"
    )
    asked, right = found.ordered
    if asked:
        lines.append(f"  of {_many(asked, 'question')} that ask for an order, {right} exact answers have it")
    for title, parts in (("by feature of the gold query", found.by_feature), ("by graph", found.by_graph)):
        if parts:
            lines += ["", title, *_part_lines(parts)]
    return [*lines, "", "cost of a question", *_cost_lines(found.costs)]


def _many(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' * (number != 1)}"


def _measure_lines(part: Part) -> Iterator[str]:
    width = max(len(measure.title) for measure in MEASURES.values())
    for name, measure in MEASURES.items():
        yield f"  {measure.title:{width}}  {interval_text(part.measures[name])}  {measure.definition}"


def interval_text(found: Estimate) -> str:
    """Return an estimate with its interval: `0.5556 [0.0000, 1.0000]`."""
    return f"{found.value:.4f} [{found.low:.4f}, {found.high:.4f}]"


def _part_lines(parts: Mapping[str, Part]) -> Iterator[str]:
    shown = {name: clip_columns(printable(name), _WIDEST) or "(none)" for name in parts}
    width = max(map(display_width, shown.values()))
    for name, part in parts.items():
        space = " " * (width - display_width(shown[name]))
        f1, exact = part.measures["macro_f1"], part.measures["exact"].value
        yield f"  {shown[name]}{space}  {part.questions:5,}  macro F1 {interval_text(f1)}  exact {exact:.4f}"


def _cost_lines(costs: Mapping[str, Spent]) -> Iterator[str]:
    for name, spent in costs.items():
        title = name.replace("_", " ")
        yield f"  {title:13}  mean {spent.mean:,.2f}  median {spent.median:,.2f}  all {spent.total:,.2f}"
