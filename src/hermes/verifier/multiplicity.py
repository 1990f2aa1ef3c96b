"""How many rows a plan can have, from what is functional in the graph."""

from __future__ import annotations

from collections.abc import Mapping

from hermes.algebra.operators.values import Values
from hermes.algebra.plan import Plan
from hermes.sparql.patterns import TriplePattern
from hermes.terms import IRI, Variable
from hermes.verifier.schema import Predicate
from hermes.verifier.verdict import Multiplicity


def multiplicity(plan: Plan, facts: Mapping[str, Predicate]) -> Multiplicity:
    """Return how many rows a plan can have, by what is known of predicates; a truth value counts as one."""
    if plan.limit == 0:
        return "none"
    if plan.form == "ask":
        return "one"
    if plan.grouped and not plan.group_by and not _multiplied(plan):
        return "at most one" if plan.having or plan.offset or plan.values is not None else "one"
    if plan.limit == 1 or (plan.values is None and _pinned(plan, facts)):
        return "at most one"
    return "any"


def _multiplied(plan: Plan) -> bool:
    """Whether the one group may be joined with several rows of a table after the query (section 18.2.4.3)."""
    return isinstance(plan.values, Values) and len(plan.values.rows) > 1


def _pinned(plan: Plan, facts: Mapping[str, Predicate]) -> bool:
    """Whether constants settle all variables, each by a predicate with one object (or one subject)."""
    patterns = [element for element in plan.where.elements if isinstance(element, TriplePattern)]
    if len(patterns) != len(plan.where.elements):
        return False
    settled: set[object] = set()
    left = patterns
    while left:
        rest = [pattern for pattern in left if not _settles(pattern, settled, facts)]
        if len(rest) == len(left):
            return False
        left = rest
    return True


def _settles(pattern: TriplePattern, settled: set[object], facts: Mapping[str, Predicate]) -> bool:
    """Whether a pattern has one match at most, given what is settled; then its ends are settled too."""
    if not isinstance(pattern.predicate, IRI):
        return False
    subject, object_ = (
        not isinstance(end, Variable) or end in settled for end in (pattern.subject, pattern.object)
    )
    known = facts.get(pattern.predicate.value)
    one = known is not None and (
        (subject and object_) or (subject and known.functional) or (object_ and known.inverse_functional)
    )
    if one:
        settled |= {pattern.subject, pattern.object}
    return one
