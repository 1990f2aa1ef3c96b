"""What kind of failure an answer is, by its scores and sizes alone."""

from __future__ import annotations

from enum import StrEnum

from hermes.evaluation.record import Record


class Failure(StrEnum):
    """How an answer is wrong: the first of these that holds."""

    ERROR = "error"
    NO_GOLD = "no gold answer"
    NO_QUERY = "no query"
    NO_ANSWER = "no answer"
    ASK_FOR_SELECT = "ASK for SELECT"
    SELECT_FOR_ASK = "SELECT for ASK"
    WRONG_TRUTH = "wrong truth value"
    EMPTY = "empty answer"
    NOT_EMPTY = "rows where none are right"
    EXTRA_COLUMN = "right but for an extra column"
    MISSING_COLUMN = "right but for a missing column"
    OTHER_TERMS = "right but for labels or types"
    OTHER_COLUMNS = "wrong number of columns"
    NOTHING_RIGHT = "nothing right"
    TOO_FEW = "too few rows"
    TOO_MANY = "too many rows"
    MIXED = "some rows wrong, some missing"


def score(record: Record) -> float:
    """Return the F1 of a question: 0 where it has an error."""
    return 0.0 if record.error else record.f1


def kind_of(record: Record) -> Failure | None:
    """Return how an answer is wrong; None where its F1 is 1 and it has no error."""
    if record.error:
        return Failure.ERROR
    if record.f1 >= 1:
        return None
    if record.gold.truth is None and record.gold.size is None:
        return Failure.NO_GOLD
    if not record.given.sparql.strip():
        return Failure.NO_QUERY
    if record.given.truth is None and record.given.size is None:
        return Failure.NO_ANSWER
    return _of_form(record) or _of_columns(record) or _of_rows(record)


def _of_form(record: Record) -> Failure | None:
    """Return what is wrong where an answer is a truth value or has no rows, and the other has."""
    gold, given = record.gold, record.given
    if gold.truth is not None:
        return Failure.SELECT_FOR_ASK if given.truth is None else Failure.WRONG_TRUTH
    if given.truth is not None:
        return Failure.ASK_FOR_SELECT
    if not given.size:
        return Failure.EMPTY
    return None if gold.size else Failure.NOT_EMPTY


def _of_columns(record: Record) -> Failure | None:
    """Return what is wrong where the lenient score forgives it, or where the columns cannot be compared."""
    more = len(record.given.columns) - len(record.gold.columns)
    if record.lenient >= 1:
        if more == 0:
            return Failure.OTHER_TERMS
        return Failure.EXTRA_COLUMN if more > 0 else Failure.MISSING_COLUMN
    return Failure.OTHER_COLUMNS if more else None


def _of_rows(record: Record) -> Failure:
    if record.f1 <= 0:
        return Failure.NOTHING_RIGHT
    if record.precision >= 1:
        return Failure.TOO_FEW
    return Failure.TOO_MANY if record.recall >= 1 else Failure.MIXED
