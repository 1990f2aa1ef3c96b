"""What is kept of each question of a run: one line of JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Shown:
    """A query as a report shows it.

    Args:
        sparql: the query; empty where there is none.
        steps: the text of each step and what it left, such as `19 -> 8 solutions`; none where not explained.
        columns: of the answer.
        rows: the first rows of the answer, terms as hermes displays them.
        size: how many rows the answer has; None where there is none.
        truth: the truth value of an ASK.
    """

    sparql: str = ""
    steps: tuple[tuple[str, str], ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    size: int | None = None
    truth: bool | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """One question, answered and scored.

    Args:
        id, question, kg, features, group: as in `Question`.
        gold, given: the two queries with their answers.
        precision, recall, f1: of the set of rows, from 0 to 1.
        precision_qald, recall_qald: the same as Gerbil's QALD measure counts them.
        exact: whether the sets of rows are equal.
        lenient: F1 where a label may stand for its IRI and each answer may have one extra column.
        in_order: whether an exact answer has its rows in the gold order; None where no order is asked for.
        steps: how many steps the system took.
        store_queries, judge_calls, tokens, seconds: what the answer took.
        confidence: as the system sees it.
        error: why there is no answer, in one line; empty where there is one.
    """

    id: str
    question: str
    kg: str = ""
    features: tuple[str, ...] = ()
    group: str = ""
    gold: Shown = Shown()
    given: Shown = Shown()
    precision: float = 0.0
    recall: float = 0.0
    f1: float = 0.0
    precision_qald: float = 0.0
    recall_qald: float = 0.0
    exact: bool = False
    lenient: float = 0.0
    in_order: bool | None = None
    steps: int = 0
    store_queries: int = 0
    judge_calls: int = 0
    tokens: int = 0
    seconds: float = 0.0
    confidence: float | None = None
    error: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the record as a JSON object."""
        return asdict(self)

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> Self:
        """Return the record of a JSON object that `to_json` made.

        Raises:
            TypeError: it is none.
        """
        return cls(
            **{
                **found,
                "features": tuple(found["features"]),
                "gold": _shown(found["gold"]),
                "given": _shown(found["given"]),
            }
        )


def _shown(found: Mapping[str, Any]) -> Shown:
    return Shown(
        **{
            **found,
            "steps": tuple((text, left) for text, left in found["steps"]),
            "columns": tuple(found["columns"]),
            "rows": tuple(map(tuple, found["rows"])),
        }
    )
