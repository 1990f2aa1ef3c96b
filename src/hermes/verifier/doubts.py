"""Doubts: what would be a refusal if the graph had been read whole, said of a sample as a warning."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from hermes.algebra.plan import Plan
from hermes.sparql.paths import NegatedPath
from hermes.sparql.patterns import TriplePattern
from hermes.sparql.tree import walk
from hermes.terms import IRI, Variable
from hermes.verifier.schema import Schema
from hermes.verifier.verdict import Refusal, Verdict, Warned

_SAMPLED: Final = " (by a sample of the graph)"
_PROVED: Final = frozenset(
    {
        "empty-where", "optional-never-matches", "branch-never-matches", "minus-never-matches",
        "exists-never-matches", "values-never-match", "subquery-over-nothing", "choice-never-true",
        "never-equal",
    }
)  # fmt: skip
"""The warnings that the rules prove, beside refusals."""


def judged_by_sample(plan: Plan, schema: Schema) -> bool:
    """Whether a sample shows something of all predicates and classes that a plan asks for."""
    if not schema.signatures or plan.dataset:
        return False
    for pattern in walk(plan.where):
        if isinstance(pattern, TriplePattern):
            parts = list(walk((pattern.predicate, pattern.object)))
            if any(isinstance(part, IRI) and part.value in schema.unseen for part in parts):
                return False
            anything = isinstance(pattern.predicate, Variable) or any(
                isinstance(p, NegatedPath) for p in parts
            )
            if anything and schema.unseen:
                return False
    return True


def doubts(verdict: Verdict) -> tuple[Warned, ...]:
    """Return what a verdict by a sample is worth: warnings, each of which says that it is by a sample."""
    found = [each for each in verdict.warnings if each.code in _PROVED]
    if isinstance(verdict, Refusal):
        found.insert(0, Warned(verdict.code, verdict.reason, verdict.at))
    return tuple(Warned(each.code, each.message + _SAMPLED, each.at) for each in found)


def without_doubles(warnings: Iterable[Warned]) -> tuple[Warned, ...]:
    """Return the first warning of each code at each place."""
    found: dict[tuple[str, str, str], Warned] = {}
    for each in warnings:
        once = "" if each.code.startswith("unknown-") else each.message
        found.setdefault((each.code, each.at, once), each)
    return tuple(found.values())
