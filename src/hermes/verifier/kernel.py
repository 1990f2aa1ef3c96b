"""The kernel: a plan and a schema in, a certificate or a refusal out.

It is pure: the same plan and schema give the same verdict, and no query is sent. It refuses only what its
rules prove empty: the WHERE of the plan has no solution in the graph that the schema was mined from.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Final

from hermes.algebra.plan import Plan
from hermes.terms import IRI, Names, Variable
from hermes.verifier.advice import advice
from hermes.verifier.bounds import Bounds, row_bounds
from hermes.verifier.doubts import doubts, judged_by_sample, without_doubles
from hermes.verifier.goal import Goal, Known, standings
from hermes.verifier.judgements import Judgements
from hermes.verifier.multiplicity import multiplicity
from hermes.verifier.rules.dataset import Dataset
from hermes.verifier.rules.expressions import Functions
from hermes.verifier.rules.graph_space import Values
from hermes.verifier.rules.groups import Groups
from hermes.verifier.rules.reasons import Reasons
from hermes.verifier.rules.solutions import Cause, NoSolution, Solutions
from hermes.verifier.rules.space import Space
from hermes.verifier.schema import Schema
from hermes.verifier.spelling import unused_names
from hermes.verifier.unexpected import unexpected
from hermes.verifier.verdict import Certificate, Refusal, Unknown, Verdict, Warned


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
        dataset = self._dataset(plan)
        if dataset is not None:
            groups = Groups(dataset, self._functions)
            with suppress(NoSolution):
                inside = groups.of(plan.where).values
                columns = groups.columns(plan).values
        bounds = row_bounds(plan, verdict.multiplicity, self._space, inside)
        return Known(bounds, columns if plan.grouped else inside | columns)

    def _dataset(self, plan: Plan) -> Dataset | None:
        """Return what the plan is asked of; None where too little is known of that."""
        unknown = not self.schema.complete or (plan.dataset and self.schema.graphs_unknown)
        return None if unknown else Dataset.of(plan.dataset, self._space)

    def _verdict(self, plan: Plan) -> Verdict:
        names = plan.prefixes.names()
        if not self.schema.complete:
            unknown = Unknown("", "the graph was not mined whole, so nothing is proved of it")
            sampled = judged_by_sample(plan, self.schema)
            seen = doubts(self._proved(plan, Dataset.of((), self._space), names)) if sampled else ()
            supposed = () if seen else unexpected(plan, self.schema, names)
            unused = unused_names(plan, self.schema, names)
            warnings = (*seen, *supposed, *unused, *advice(plan, self.schema.predicates, names))
            rows = multiplicity(plan, {})
            return Certificate(
                plan, multiplicity=rows, warnings=without_doubles(warnings), unknowns=(unknown,)
            )
        dataset = self._dataset(plan)
        if dataset is None:
            unknown = Unknown("FROM", self.schema.graphs_unknown)
            rows = multiplicity(plan, {})
            return Certificate(plan, multiplicity=rows, warnings=advice(plan, {}, names), unknowns=(unknown,))
        return self._proved(plan, dataset, names)

    def _proved(self, plan: Plan, dataset: Dataset, names: Names) -> Verdict:
        """Return what the rules say of a plan."""
        groups = Groups(dataset, self._functions)
        reasons = Reasons(dataset, names)
        try:
            solutions = groups.of(plan.where)
        except NoSolution as nothing:
            return self._empty(plan, groups, reasons, nothing.cause)
        beside = self._beside(plan, groups, solutions, reasons)
        proved = (*_missing(dataset, reasons), *_dead(groups, reasons), *beside)
        return Certificate(
            plan,
            Judgements(self._space, solutions.values),
            multiplicity(plan, dataset.facts),
            (*proved, *unexpected(plan, self.schema, names), *advice(plan, dataset.facts, names)),
            _unknowns(groups, reasons),
        )

    def _empty(self, plan: Plan, groups: Groups, reasons: Reasons, cause: Cause) -> Verdict:
        """Return the verdict on a plan whose WHERE has no solution: that may be the answer."""
        reason, at, dataset = reasons.of(cause), reasons.text(cause.at), groups.dataset
        warnings = (*_missing(dataset, reasons), *_dead(groups, reasons))
        unknowns = _unknowns(groups, reasons)
        says_something = (
            plan.form == "ask"
            or (plan.grouped and not plan.group_by)
            or any(isinstance(term, IRI) for term in plan.described)
        )
        if not says_something:
            return Refusal(plan, reason, at, cause.code, warnings, unknowns)
        warned = Warned("empty-where", f"WHERE has no solution: {reason}", at)
        rows = multiplicity(plan, dataset.facts)
        return Certificate(plan, {}, rows, (warned, *warnings), unknowns)

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


def _missing(dataset: Dataset, reasons: Reasons) -> Iterator[Warned]:
    """Warn of graphs that FROM and FROM NAMED name and that are not there."""
    for graph in dataset.missing:
        yield Warned("unknown-graph", reasons.no_graph(graph), reasons.text(graph))


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
    return tuple(Unknown(reasons.text(element), why) for element, why in groups.unknown.items())
