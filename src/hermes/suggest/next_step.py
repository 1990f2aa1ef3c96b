"""A next step as an operator, before it has a label and a place among others."""

from __future__ import annotations

from dataclasses import dataclass

from hermes.algebra.kind import Operator
from hermes.findings import Step
from hermes.terms import Term


@dataclass(frozen=True, slots=True)
class NextStep:
    """An operator, and what it leaves.

    Args:
        operator: what is done.
        step: what it adds.
        term: what it is about.
        other: the term at the other end of a triple; None where that is a variable.
        solutions: how many solutions it leaves.
        values: how many values of the focus.
        estimated: whether these are estimates.
    """

    operator: Operator
    step: Step
    term: Term
    other: Term | None
    solutions: int
    values: int
    estimated: bool = False
