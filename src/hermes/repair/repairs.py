"""Repairs: for a plan without solutions the single changes that bring some back, the likeliest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from hermes.algebra.action import Action
from hermes.algebra.explorer import refuse_service
from hermes.algebra.operators.replace import Replace
from hermes.algebra.operators.service import Service
from hermes.algebra.plan import Plan
from hermes.algebra.ports import Graph, Kernel
from hermes.errors import HermesError, StoreError
from hermes.repair.candidate import Candidate, Change, Clause
from hermes.repair.names import changes, hops, renamed, turned
from hermes.repair.places import clauses, constants
from hermes.repair.trial import alive, counts
from hermes.repair.values import VALUE, found, retyped
from hermes.sparql.expressions import expression_text
from hermes.sparql.patterns import Element, Group, TriplePattern, filter_text
from hermes.sparql.tree import walk
from hermes.store import deadline, seconds_left
from hermes.terms import Variable
from hermes.verifier import Refusal

At = str | Clause | Sequence[Clause] | None
"""Where a plan is wrong: a clause or its text, or several clauses of which one is wrong."""

MOST: Final = 3
"""Repairs that are named."""

SECONDS: Final = 20.0
"""How long the queries of a repair, or of a diagnosis, may take by default."""

_CHECKED: Final = 600
"""Candidates that the kernel looks at, the likeliest first."""
_TRIED: Final = 32
"""Candidates that are tried in the graph, in one query."""
_ASKED: Final = 6
"""Constants for which the graph is asked for other terms."""


@dataclass(frozen=True, slots=True)
class Repair:
    """A change of one clause that brings solutions back.

    Attributes:
        plan: the plan after it.
        old: the clause that was wrong.
        new: the clause instead.
        change: what is changed (see `Change`).
        score: how likely this was meant, from 0 to 1.
        count: how many solutions WHERE then has, up to 10,000.
        action: the step that makes it: `replace`.
    """

    plan: Plan
    old: Clause
    new: Clause
    change: Change
    score: float
    count: int
    action: Action


def repairs(  # noqa: PLR0913 - settings with defaults
    kg: Graph,
    plan: Plan,
    at: At = None,
    kernel: Kernel | None = None,
    most: int = MOST,
    *,
    seconds: float = SECONDS,
) -> tuple[Repair, ...]:
    """Return at most `most` changes of one clause that bring solutions back; by three queries at most.

    Where the store has no time for all of them, the likeliest are tried alone. The vocabulary, where
    it is not known yet, is asked for besides, once.

    Args:
        kg: the graph.
        plan: a plan whose WHERE has no solutions.
        at: the clause that is wrong, or its text as hermes prints it; that and its neighbours are changed. Or
            several clauses of which one is wrong; only these are changed. By default the clause that the
            kernel refuses, else every one.
        kernel: refuses candidates without a query; each repair is one that it accepts.
        most: how many are wanted.
        seconds: how long all queries together may take (default 20); each has a share of what is left.

    Raises:
        StoreError: the store could not answer.
        PlanError: the plan calls a host that the graph does not allow.
    """
    refuse_calls(plan, kg)
    with deadline(seconds):
        return _repairs(kg, plan, at, kernel, most)


def _repairs(kg: Graph, plan: Plan, at: At, kernel: Kernel | None, most: int) -> tuple[Repair, ...]:
    suspects = list(_suspects(plan, at or _refused(plan, kernel)))
    likely = sorted(_candidates(kg, plan, suspects, kernel), key=lambda each: -each.score)
    fitting = list(islice(_accepted(plan, likely, kernel), _TRIED))
    try:
        with deadline(seconds_left() / 2):
            living = alive(kg, [changed for _, changed in fitting])
        best = _varied([fitting[place] for place in sorted(living)], most)
    except StoreError as error:
        if error.category != "timeout":
            raise
        best = fitting[:most]
    numbers = counts(kg, [changed for _, changed in best])
    return tuple(_repair(plan, *pair, count) for pair, count in zip(best, numbers, strict=True) if count)


def refuse_calls(plan: Plan, kg: Graph) -> None:
    """Refuse a plan that calls a host that the graph does not allow.

    Raises:
        PlanError: with code `service-refused`.
    """
    for part in walk(plan):
        if isinstance(part, Service):
            refuse_service(part, kg)


def _candidates(
    kg: Graph, plan: Plan, suspects: Sequence[Clause], kernel: Kernel | None
) -> Iterator[Candidate]:
    """Yield what may have been meant; where no kernel tells which names join, the graph is asked."""
    known = [place for clause in suspects for place in constants(plan, clause, VALUE)]
    terms = [place for place in known if place.role == "term"]
    names = [] if kernel else [place for place in known if place.role != "term"][:_ASKED]
    for place in terms:
        yield from retyped(place)
    try:
        with deadline(seconds_left() / 2):
            there = list(found(kg, plan, [*terms[:_ASKED], *names]))
        yield from there
    except StoreError as error:
        if error.category != "timeout":
            raise
    asked = [place.clause for place in names]
    for clause in suspects:
        if isinstance(clause, TriplePattern):
            yield from turned(clause)
            yield from renamed(plan, clause)
            yield from hops(clause, kg.vocabulary)
            if clause not in asked:
                yield from changes(plan, clause, kg.vocabulary)


def _accepted(
    plan: Plan, candidates: Iterable[Candidate], kernel: Kernel | None
) -> Iterator[tuple[Candidate, Plan]]:
    """Yield the candidates that the kernel accepts, each once, with the plan after each."""
    seen = {plan.where}
    for candidate in islice(candidates, _CHECKED):
        changed = candidate.applied(plan)
        if changed is None or changed.where in seen:
            continue
        seen.add(changed.where)
        if kernel is None or kernel.check(solutions_of(changed)).accepted:
            yield candidate, changed


def _refused(plan: Plan, kernel: Kernel | None) -> str | None:
    """Return the text of the clause at which the kernel refuses WHERE."""
    verdict = kernel.check(solutions_of(plan)) if kernel else None
    return verdict.at if isinstance(verdict, Refusal) else None


def solutions_of(plan: Plan) -> Plan:
    """Return the plan of the solutions of WHERE: an ASK or a COUNT over none has an answer all the same."""
    columns = plan.where.scope()
    return Plan(
        dataset=plan.dataset, where=plan.where, projection=columns, projected=True, prefixes=plan.prefixes
    )


def _varied(fitting: list[tuple[Candidate, Plan]], most: int) -> list[tuple[Candidate, Plan]]:
    """Return the first ones, of the hops only one.

    The last of them changes another clause where the others change the same one.
    """
    hop = next((pair for pair in fitting if pair[0].change == "hop"), None)
    fitting = [pair for pair in fitting if pair is hop or pair[0].change != "hop"]
    best = fitting[:most]
    changed = {id(candidate.old) for candidate, _ in best}
    if len(best) == most > 1 and len(changed) == 1:
        others = (pair for pair in fitting[most:] if id(pair[0].old) not in changed)
        best[-1] = next(others, best[-1])
    return best


def _suspects(plan: Plan, at: At) -> Iterator[Clause]:
    """Yield the clauses that may be wrong: the one that is named, what is in it, and what it meets."""
    every = list(clauses(plan))
    if isinstance(at, Sequence) and not isinstance(at, str):
        yield from (clause for clause in every if any(_holds(each, clause) for each in at))
        return
    named = [] if at is None else [clause for clause in every if _is_named(plan, clause, at)]
    if not named:
        yield from every
        return
    yield from named
    shared = {part for clause in named for part in walk(clause) if isinstance(part, Variable)}
    yield from (
        clause
        for clause in every
        if clause not in named and any(isinstance(p, Variable) and p in shared for p in walk(clause))
    )


def _is_named(plan: Plan, clause: Clause, at: str | Clause) -> bool:
    """Whether `at` is the clause or one around it."""
    if not isinstance(at, str):
        return _holds(at, clause)
    if isinstance(clause, Element):
        return clause_text(clause, plan) in at
    return expression_text(clause, plan.prefixes.names()) in at


def _holds(around: Clause, clause: Clause) -> bool:
    return any(part is clause for part in walk(around))


def clause_text(clause: Clause, plan: Plan) -> str:
    """Return a clause as hermes prints it, with the short names of the plan."""
    names = plan.prefixes.names()
    return clause.text(names) if isinstance(clause, Element) else filter_text(clause, names)


def _repair(plan: Plan, candidate: Candidate, changed: Plan, count: int) -> Repair:
    action = _replacing(plan, candidate, changed)
    return Repair(changed, candidate.old, candidate.new, candidate.change, candidate.score, count, action)


def _replacing(plan: Plan, candidate: Candidate, changed: Plan) -> Action:
    """Return the step from the plan to the changed one.

    Where the clause stands several times in the plan, the clause around it is replaced.
    """
    action = Action.of(Replace(clause_text(candidate.old, plan), as_group(candidate.new)), plan.prefixes)
    try:
        if action.apply(plan) == changed:
            return action
    except HermesError:
        pass
    pairs = (
        *zip(plan.where.elements, changed.where.elements, strict=True),
        *zip(plan.where.filters, changed.where.filters, strict=True),
    )
    old, new = next((old, new) for old, new in pairs if old != new)
    return Action.of(Replace(clause_text(old, plan), as_group(new)), plan.prefixes)


def as_group(clause: Clause) -> Group:
    """Return a group of one clause."""
    return Group((clause,)) if isinstance(clause, Element) else Group(filters=(clause,))
