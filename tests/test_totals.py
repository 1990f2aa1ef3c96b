"""Measures of runs with their intervals, and differences of two runs."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes.evaluation import Record, compare, difference_lines, paired, totals, totals_lines
from hermes.evaluation.bootstrap import RESAMPLES, estimates
from hermes.results import Table
from hermes.terms import IRI
from oracle import scores as oracle


def column(*names: str) -> Table:
    """Return an answer of IRIs."""
    return Table(("x",), [{"x": IRI(f"http://example.org/{name}")} for name in names])


def scored(name: str, gold: Table, answer: Table | None, **fields: object) -> Record:
    """Return the record of an answer."""
    found = compare(gold, answer)
    record = Record(
        name, name, precision=found.precision, recall=found.recall, f1=found.f1,
        precision_qald=found.precision_qald, recall_qald=found.recall_qald, exact=found.exact,
        lenient=found.lenient, error="" if answer else "none",
    )  # fmt: skip
    return replace(record, **fields)  # type: ignore[arg-type]


WORKED = [
    scored("1", column("a", "b"), column("a")),
    scored("2", column("c"), column()),
    scored("3", column(), column()),
]
"""The worked example of Gerbil's two measures."""


def test_the_worked_example() -> None:
    """Gold {a, b}, {c}, {} and answers {a}, {}, {}: QALD F1 0.6667, macro F1 0.5556."""
    found = totals(WORKED).to_json()
    assert found["macro_f1_qald"] == pytest.approx(2 / 3)
    assert found["macro_f1"] == pytest.approx(5 / 9)
    assert found["macro_precision"] == pytest.approx(2 / 3)
    assert [record.precision_qald for record in WORKED] == [1.0, 1.0, 1.0]
    assert found["macro_recall"] == found["intervals"]["macro_recall"][0] + 0.5 == 0.5
    assert found["exact"] == pytest.approx(1 / 3)
    lines = "\n".join(totals_lines(totals(WORKED)))
    assert "macro F1 QALD  0.6667 [" in lines
    assert "macro F1       0.5556 [" in lines
    assert "as Gerbil has it" in lines


def _records(number: int, seed: int) -> list[Record]:
    random_ = random.Random(seed)  # noqa: S311 - made-up scores
    pool = [column(), column("a"), column("a", "b"), column("a", "b", "c"), column("d")]
    records = []
    for at in range(number):
        gold, answer = random_.choices(pool, k=2)
        fields = {
            "group": f"g{random_.randrange(number)}" * (random_.random() > 0.5),
            "kg": random_.choice(["one", "two"]),
            "features": tuple(random_.sample(["SELECT", "COUNT", "ORDER"], 2)),
            "seconds": random_.random(),
            "steps": random_.randrange(5),
            "in_order": random_.choice([None, None, True, False]),
        }
        records.append(scored(f"q{at}", gold, None if random_.random() < 0.1 else answer, **fields))
    return records


@pytest.mark.parametrize("seed", range(5))
def test_measures_agree_with_a_second_computation(seed: int) -> None:
    """Of all questions, and of each part."""
    records = _records(60, seed)
    found = totals(records)
    parts = {id(found.whole): records}
    for name, part in found.by_graph.items():
        parts[id(part)] = [record for record in records if record.kg == name]
    for name, part in found.by_feature.items():
        parts[id(part)] = [record for record in records if name in record.features]
    for part in (found.whole, *found.by_graph.values(), *found.by_feature.values()):
        own = parts[id(part)]
        assert {name: each.value for name, each in part.measures.items()} == pytest.approx(oracle.macro(own))
        assert (part.questions, part.errors) == (len(own), sum(bool(record.error) for record in own))
    assert found.costs["steps"].total == sum(record.steps for record in records)


def test_intervals_agree_with_a_second_computation() -> None:
    """The same draws of groups, added up one question at a time."""
    records = sorted(_records(40, 3), key=lambda record: record.id)
    values: defaultdict[str, list[float]] = defaultdict(list)
    for record in records:
        values[f"group {record.group}" if record.group else record.id].append(
            0.0 if record.error else record.f1
        )
    low, high = oracle.interval(values, 20, RESAMPLES)
    found = totals(records).whole.measures["macro_f1"]
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-9)


def test_order_does_not_matter() -> None:
    """Records of several workers come in any order."""
    records = _records(50, 1)
    assert totals(records).to_json() == totals(records[::-1]).to_json()
    json.dumps(totals(records).to_json(), allow_nan=False)


def test_groups_make_intervals_wider() -> None:
    """Paraphrases that are right or wrong together say less than other questions would."""
    alone = [Record(str(at), "", f1=float(at // 5 % 2)) for at in range(100)]
    together = [replace(record, group=f"g{at // 5}") for at, record in enumerate(alone)]
    widths = [
        found.high - found.low
        for found in (totals(run).whole.measures["macro_f1"] for run in (alone, together))
    ]
    assert widths[1] > 1.8 * widths[0]


def test_the_interval_covers_what_it_should() -> None:
    """Of 150 samples of 60 questions about 95 % have the true mean inside."""
    random_ = random.Random(7)  # noqa: S311 - made-up scores
    inside = 0
    for _ in range(150):
        scores = [[float(random_.random() < 0.4)] for _ in range(60)]
        found = estimates(scores, [str(at) for at in range(60)], {"mean": lambda means: means[0]})["mean"]
        inside += found.low <= 0.4 <= found.high
    assert 0.90 <= inside / 150 <= 0.99


@settings(max_examples=50, deadline=None)
@given(st.lists(st.lists(st.floats(-1, 1), min_size=2, max_size=2), min_size=1, max_size=8))
def test_an_interval_is_inside_of_what_there_is(rows: Sequence[Sequence[float]]) -> None:
    """And a single group has none."""
    found = estimates(rows, [str(at) for at in range(len(rows))], {"first": lambda means: means[0]})["first"]
    column_ = [row[0] for row in rows]
    assert min(column_) - 1e-9 <= found.low <= found.high <= max(column_) + 1e-9
    assert found.value == pytest.approx(sum(column_) / len(rows))
    single = estimates(rows, ["one"] * len(rows), {"first": lambda means: means[0]})["first"]
    assert single.low == single.high == pytest.approx(single.value, abs=1e-9)


def test_an_empty_run() -> None:
    """It has no measures, and no error."""
    assert totals([]).to_json()["questions"] == 0
    assert totals_lines(totals([])) == [
        "0 questions in 0 groups, 0 errors (an error counts as 0 in every measure)"
    ]
    assert paired([], []).measures == {}


# --- two runs --------------------------------------------------------------------------------------


def test_a_difference_is_that_of_the_measures() -> None:
    """Over the questions that both have; the others are named."""
    ours, theirs = _records(40, 1), _records(40, 2)[5:]
    ours.append(Record("new", ""))
    found = paired(ours, theirs)
    common = [record for record in ours if record.id in {each.id for each in theirs}]
    expected = {name: value - oracle.macro(theirs)[name] for name, value in oracle.macro(common).items()}
    assert {name: each.value for name, each in found.measures.items()} == pytest.approx(expected)
    assert found.added == tuple(sorted(["new", *(f"q{at}" for at in range(5))]))
    assert found.missing == ()
    one = {record.id: 0.0 if record.error else record.f1 for record in common}
    other = {record.id: 0.0 if record.error else record.f1 for record in theirs}
    assert set(found.better) == {name for name in one if one[name] > other[name]}
    assert set(found.worse) == {name for name in one if one[name] < other[name]}
    assert found.to_json()["equal"] == sum(one[name] == other[name] for name in one)
    json.dumps(found.to_json(), allow_nan=False)


def test_pairing_takes_away_what_is_hard_for_both() -> None:
    """A run that is a little better everywhere is surely better."""
    ours = [Record(str(at), "", f1=0.1 + 0.8 * (at % 2)) for at in range(40)]
    theirs = [replace(record, f1=record.f1 - 0.1) for record in ours]
    found = paired(ours, theirs).measures["macro_f1"]
    assert (found.low, found.value, found.high) == pytest.approx((0.1, 0.1, 0.1))


def test_equal_runs_do_not_differ() -> None:
    """Nor does a run turned round differ otherwise."""
    run, other = _records(30, 4), _records(30, 5)
    assert all(each.low == each.value == each.high == 0 for each in paired(run, run).measures.values())
    there, back = paired(run, other), paired(other, run)
    assert there.better.keys() == back.worse.keys()
    assert there.measures["exact"].value == pytest.approx(-back.measures["exact"].value)


def test_ids_cannot_forge_a_line() -> None:
    """Names come from files."""
    name = "x\n\x1b[31mforged"
    ours = [Record(name, "", f1=1.0, features=(name,), kg=name), Record("y", "", kg="z")]
    lines = [*totals_lines(totals(ours)), *difference_lines(paired(ours, [Record(name, "")]))]
    assert all(line.isprintable() for line in lines)
    assert sum("forged" in line for line in lines) == 3
