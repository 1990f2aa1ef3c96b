"""What is wrong with a question, and how that is printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from hermes.printable import clip, printable

_WIDEST: Final = 60
_LONGEST: Final = 300


@dataclass(frozen=True, slots=True)
class Fault:
    """Something in a question that is wrong, or hardly meant.

    Args:
        question: the id of the question.
        code: a stable word, listed in docs/codes.md.
        message: one line that says what.
        kg: the graph of the question, where the set names one.
    """

    question: str
    code: str
    message: str
    kg: str = ""

    def __str__(self) -> str:
        named = clip(printable(self.question), _WIDEST)
        return f"{named}: {self.code}: {clip(printable(self.message), _LONGEST)}"


def fault_lines(faults: Sequence[Fault], questions: int) -> list[str]:
    """Return a line for each fault, and the totals: how many questions have each."""
    totals = _totals(faults)
    concerned = len({fault.question for fault in faults})
    lines = [*map(str, faults)]
    if faults:
        lines.append("")
    lines.append(f"{concerned:,} of {questions:,} questions have a fault or a warning")
    width = max(map(len, totals), default=0)
    return [*lines, *(f"  {code:{width}}  {number:5,}" for code, number in totals.items())]


def faults_json(faults: Sequence[Fault], questions: int) -> dict[str, Any]:
    """Return the same as a JSON object."""
    return {
        "format": 1,
        "questions": questions,
        "totals": dict(_totals(faults)),
        "faults": [asdict(fault) for fault in faults],
    }


def _totals(faults: Iterable[Fault]) -> Mapping[str, int]:
    pairs = {(fault.question, fault.code) for fault in faults}
    return dict(sorted(Counter(code for _, code in pairs).items(), key=lambda each: (-each[1], each[0])))
