"""Answers compared as sets of rows: the order of rows and the names and order of columns do not count.

What is the same value is said in `values`, which column is which in `columns`; docs/scores.md has examples.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from hermes.evaluation.lenient import lenient_matches
from hermes.evaluation.rows import Asked, Rows, match
from hermes.evaluation.ties import Ties
from hermes.evaluation.values import value_of
from hermes.results import Result
from hermes.terms import IRI


@dataclass(frozen=True, slots=True)
class Scores:
    """How an answer compares with the gold answer, from 0 to 1.

    Args:
        precision: the part of the given rows that is right; 1 where both answers are empty.
        recall: the part of the gold rows that is given; 1 where both answers are empty.
        f1: the harmonic mean of the two; 0 where both are 0.
        precision_qald: as `precision`, but 1 for an empty answer to a question that has one.
        recall_qald: as `recall`.
        exact: whether the two sets of rows are equal.
        lenient: `f1` where a label may stand for its IRI, a text for a literal of another type or language,
            and one of the answers may have one column that the other lacks; never less than `f1`.
        in_order: whether an exact answer has its rows in the order of the gold answer; None where no order is
            asked for.
    """

    precision: float = 0.0
    recall: float = 0.0
    f1: float = 0.0
    precision_qald: float = 0.0
    recall_qald: float = 0.0
    exact: bool = False
    lenient: float = 0.0
    in_order: bool | None = None


def compare(
    gold: Result | None,
    given: Result | None,
    *,
    ordered: bool = False,
    labels: Mapping[IRI, Collection[str]] | None = None,
    ties: Ties | None = None,
) -> Scores:
    """Return the scores of an answer.

    Where there is no gold answer or no given one, all scores are 0: None is a failure, not an empty answer. A
    truth value is compared as one row with one Boolean.

    Args:
        gold: the right answer.
        given: the answer to score.
        ordered: whether the order of the rows is asked for; it is a score of its own.
        labels: the labels of IRIs in both answers, in any language, for the lenient score.
        ties: the answers that are as right, where a LIMIT of the gold query cuts equal values.
    """
    if gold is None or given is None:
        return Scores(in_order=False if ordered else None)
    asked, answer = Asked.of(gold, ties), Rows.of(given)
    found = match(asked, answer, value_of)
    lenient = found.f1
    if not found.exact:
        others = (each.f1 for each in lenient_matches(asked, answer, labels or {}))
        lenient = max(lenient, *others, 0.0)
    return Scores(
        precision=found.precision,
        recall=found.recall,
        f1=found.f1,
        precision_qald=1.0 if found.asked and not found.given else found.precision,
        recall_qald=found.recall,
        exact=found.exact,
        lenient=lenient,
        in_order=found.in_order if ordered else None,
    )
