"""A change of one clause that may mend a plan."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf
from typing import TypeVar

from hermes.algebra.plan import Plan
from hermes.errors import PlanError
from hermes.sparql.expressions import Expression
from hermes.sparql.patterns import Element
from hermes.sparql.tree import rewrite

T = TypeVar("T")

Clause = Element | Expression
"""An element of a group, or the condition of one of its filters."""

Change = OneOf[
    "predicate",
    "class",
    "reversed",
    "variable",
    "hop",
    "entity",
    "value",
    "case",
    "language",
    "datatype",
    "kind",
]
"""What is changed: a name, the direction or an end of an edge, a step between, a constant or its spelling."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A clause with what may have been meant by it; `score` says how likely that is, from 0 to 1."""

    old: Clause
    new: Clause
    change: Change
    score: float

    def applied(self, plan: Plan) -> Plan | None:
        """Return the plan with the new clause in the place of the old one; None where SPARQL forbids it."""
        try:
            return plan.evolve(where=put(plan.where, self.old, self.new))
        except PlanError:
            return None


def put(tree: T, old: object, new: object) -> T:
    """Return `tree` with `new` in the place of this one `old`."""
    return rewrite(tree, lambda part: new if part is old else None)
