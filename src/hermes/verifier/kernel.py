"""The kernel: a plan and a schema in, a certificate or a refusal out.

It is pure: the same plan and schema give the same verdict, and no query is sent. It refuses only what its
rules prove empty: the WHERE of the plan has no solution in the graph that the schema was mined from.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Final

from hermes.algebra.plan import Plan
from hermes.terms import IRI, Variable
from hermes.verifier.advice import advice
from hermes.verifier.bounds import Bounds, row_bounds
from hermes.verifier.goal import Goal, Known, standings
from hermes.verifier.judgements import Judgements
from hermes.verifier.multiplicity import multiplicity
from hermes.verifier.rules.expressions import Functions
from hermes.verifier.rules.groups import Groups
from hermes.verifier.rules.reasons import Reasons
from hermes.verifier.rules.solutions import Cause, NoSolution, Solutions
from hermes.verifier.rules.space import Space, Values
from hermes.verifier.schema import Schema
from hermes.verifier.spelling import unused_names
from hermes.verifier.verdict import Certificate, Refusal, Unknown, Verdict, Warned

_NOTHING_KNOWN: Final = Schema("", "default", complete=False)


class Kernel:
    """Checks plans against a schema.

    Args:
        schema: what it trusts. One that is not complete leads to warnings only.
    """

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self._space = Space(schema)
        self._functions = Functions(self._space)

    def check(self, plan: Plan, goal: Goal | None = None) -> Verdict:
        """Return the verdict on a plan: a refusal only where its WHERE has no solution in the graph.

        With a goal, the verdict says of each part of it whether the plan proves or refutes it.
        """
        verdict = self._verdict(plan)
        if goal is None:
            return verdict
        parts = standings(goal, plan, self._space, self._known(plan, verdict))
        return replace(verdict, goal=tuple(parts))

    def _known(self, plan: Plan, verdict: Verdict) -> Known:
        """Return what is known of the rows of a plan; of one whose WHERE is empty no more than that."""
        if isinstance(verdict, Refusal):
            return Known(Bounds(0, 0), {})
        inside: dict[Variable, Values] = {}
        columns: dict[Variable, Values] = {}
        if not plan.dataset and self.schema.complete:
            groups = Groups(self._space, self._functions)
            with suppress(NoSolution):
                inside = groups.of(plan.where).values
                columns = groups.columns(plan).values
        bounds = row_bounds(plan, verdict.multiplicity, self._space, inside)
        return Known(bounds, columns if plan.grouped else inside | columns)

    def _verdict(self, plan: Plan) -> Verdict:
        names = plan.prefixes.names()
        if not self.schema.complete:
            unknown = Unknown("", "the graph was not mined whole, so nothing is proved of it")
            warnings = (*unused_names(plan, self.schema, names), *advice(plan, self.schema, names))
            rows = multiplicity(plan, _NOTHING_KNOWN)
            return Certificate(plan, multiplicity=rows, warnings=warnings, unknowns=(unknown,))
        if plan.dataset:
            unknown = Unknown("FROM", "the schema is of the dataset that the graph was loaded with")
            rows = multiplicity(plan, _NOTHING_KNOWN)
            warnings = advice(plan, self.schema, names)
            return Certificate(plan, multiplicity=rows, warnings=warnings, unknowns=(unknown,))
        groups = Groups(self._space, self._functions)
        reasons = Reasons(self._space, names)
        try:
            solutions = groups.of(plan.where)
        except NoSolution as nothing:
            return self._empty(plan, groups, reasons, nothing.cause)
        dead = (*_dead(groups, reasons), *self._beside(plan, groups, solutions, reasons))
        return Certificate(
            plan,
            Judgements(self._space, solutions.values),
            multiplicity(plan, self.schema),
            (*dead, *advice(plan, self.schema, names)),
            _unknowns(groups, reasons),
        )

    def _empty(self, plan: Plan, groups: Groups, reasons: Reasons, cause: Cause) -> Verdict:
        """Return the verdict on a plan whose WHERE has no solution: that may be the answer."""
        reason, at = reasons.of(cause), reasons.text(cause.at)
        warnings = _dead(groups, reasons)
        unknowns = _unknowns(groups, reasons)
        says_something = (
            plan.form == "ask"
            or (plan.grouped and not plan.group_by)
            or any(isinstance(term, IRI) for term in plan.described)
        )
        if not says_something:
            return Refusal(plan, reason, at, cause.code, warnings, unknowns)
        warned = Warned("empty-where", f"WHERE has no solution: {reason}", at)
        return Certificate(plan, {}, multiplicity(plan, self.schema), (warned, *warnings), unknowns)

    def _beside(
        self, plan: Plan, groups: Groups, solutions: Solutions, reasons: Reasons
    ) -> tuple[Warned, ...]:
        """Warn of a table after the query that no solution matches."""
        if plan.values is None or plan.grouped:
            return ()
        try:
            groups.joined_with(plan.values, solutions)
        except NoSolution:
            at = reasons.text(plan.values)
            return (Warned("values-never-match", f"no solution matches a row of {at}", at),)
        return ()


def _dead(groups: Groups, reasons: Reasons) -> tuple[Warned, ...]:
    found = []
    for (code, part), cause in groups.dead.items():
        said = reasons.text(part)
        before = f"{said} {_NEVER[code]}: " if code in _NEVER else ""
        found.append(Warned(code, before + reasons.of(cause), said))
    return tuple(found)


_NEVER: Final = {
    "optional-never-matches": "never matches",
    "branch-never-matches": "has no solution",
    "minus-never-matches": "removes nothing",
    "exists-never-matches": "has no match",
    "subquery-over-nothing": "is over nothing",
}
"""What is said of a part that never matches, before the reason."""


def _unknowns(groups: Groups, reasons: Reasons) -> tuple[Unknown, ...]:
    return tuple(
        Unknown(reasons.text(element), "no rule decides what it matches") for element in groups.unknown
    )
