"""What it costs to compare two large answers, and to add up a run with its intervals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from benchmarks.report import Report, conditions, print_all
from benchmarks.timing import times
from hermes.evaluation import Record, compare, paired, totals
from hermes.results import Table
from hermes.terms import IRI, XSD, Literal, Term

_ROWS: Final = 200_000
_QUESTIONS: Final = 1000
_RUNS: Final = 3
_MOST_TO_COMPARE: Final = 6.0
_MOST_TO_ADD_UP: Final = 2.0
_FEATURES: Final = ("SELECT", "ASK", "COUNT", "GROUP", "ORDER", "LIMIT", "FILTER", "UNION")


def answer(first: int, columns: str) -> Table:
    """Return rows of an IRI, a double and a text; equal terms are one object, as in what a store gives."""
    known: dict[Term, Term] = {}

    def term(column: int, row: int) -> Term:
        found: Term = IRI(f"http://example.org/{row}")
        if column == 1:
            found = Literal(str(row % 977 / 2), XSD + "double")
        elif column:
            found = Literal(f"text {row % 5000}")
        return known.setdefault(found, found)

    rows = range(first, first + _ROWS)
    return Table(tuple(columns), [{name: term(at, row) for at, name in enumerate(columns)} for row in rows])


def run(seed: int) -> list[Record]:
    """Return the records of a run with made-up scores, three questions to a group."""
    random = Random(seed)  # noqa: S311 - made-up scores
    records = []
    for at in range(_QUESTIONS):
        score = random.choice([0.0, 0.0, 0.5, 1.0])
        records.append(
            Record(
                str(at), "", kg=f"graph {at % 20}", group=str(at // 3),
                features=tuple(random.sample(_FEATURES, 4)),
                precision=score, recall=score, f1=score, precision_qald=score, recall_qald=score,
                exact=score == 1, lenient=score,
            )
        )  # fmt: skip
    return records


def measure() -> Iterator[Report]:
    """Yield the table of comparisons and that of runs."""
    gold = answer(0, "abc")
    compared = Report(f"compare {_ROWS:,} rows", "s")
    for what, given in (("equal", answer(0, "xyz")), ("ten rows differ, and leniently", answer(10, "xyz"))):
        taken = times(lambda other: compare(gold, other), [given], _RUNS)
        compared.add(what, [microseconds / 1_000_000 for microseconds in taken], _MOST_TO_COMPARE)
    yield compared
    ours, theirs = run(1), run(2)
    added = Report(f"{_QUESTIONS:,} questions", "s")
    for what, work in (
        ("totals, 20 graphs, 8 features", totals),
        ("difference", lambda one: paired(one, theirs)),
    ):
        taken = times(work, [ours], _RUNS)
        added.add(what, [microseconds / 1_000_000 for microseconds in taken], _MOST_TO_ADD_UP)
    yield added


def main(_: Sequence[str] = ()) -> int:
    """Print the tables; the exit code is 1 when a target is missed."""
    print("\n".join(conditions()))
    return print_all(measure())


if __name__ == "__main__":
    raise SystemExit(main())
