"""Clauses, numbers and repairs for a reader."""

from __future__ import annotations

from typing import Final

from hermes.algebra.plan import Plan
from hermes.printable import clip, printable
from hermes.repair.repairs import Repair, clause_text
from hermes.repair.trial import MOST

_LONGEST: Final = 200
"""Characters of a clause that are shown: a table of values may be long."""


def repair_text(plan: Plan, repair: Repair) -> str:
    """Return what to say instead of which clause, and what there is then."""
    old, new = (shown(clause_text(each, plan)) for each in (repair.old, repair.new))
    return f"instead of {old}: {new} ({counted(repair.count, MOST)})"


def shown(text: str) -> str:
    """Return the text of a clause on one line, clipped."""
    return clip(printable(text), _LONGEST)


def counted(count: int, most: int) -> str:
    """Return a number of solutions that were counted up to `most`."""
    text = f"{count:,}{'+' * (count >= most)} solution"
    return text if count == 1 else f"{text}s"
