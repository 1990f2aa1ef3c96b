"""The rules of the lint: each looks at one thing and says in a line what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from hermes.algebra.plan import Plan
from hermes.algebra.render import render
from hermes.errors import StoreError
from hermes.evaluation.comparison import compare
from hermes.evaluation.lint.case import Case, size
from hermes.results import Table, Truth
from hermes.sparql.expressions import Aggregate
from hermes.sparql.patterns import TriplePattern
from hermes.sparql.tree import rewrite, walk
from hermes.terms import Variable, display
from hermes.verifier import Certificate, Refusal

Said = tuple[str, str]
"""A code and a line."""

Rule = Callable[[Case], Iterator[Said]]

_COUNTING: Final = "COUNT"
_SAID_BY_QUERY: Final = frozenset(["empty-where", "limit-without-order", "multiplied-aggregate"])
"""Warnings of the kernel that a rule here checks by a query."""


def judged(case: Case) -> Iterator[Said]:
    """Say what the kernel refuses, and what it warns of."""
    verdict = case.verdict
    if verdict is None:
        return
    if isinstance(verdict, Refusal):
        yield verdict.code, f"WHERE has no solution: {verdict.reason}"
    for warned in verdict.warnings:
        if warned.code not in _SAID_BY_QUERY:
            yield warned.code, warned.message


def slips(case: Case) -> Iterator[Said]:
    """Say what SPARQL allows but nobody means, such as a variable that nothing binds."""
    for slip in case.plan.slips():
        yield slip.code, slip.message


def empty(case: Case) -> Iterator[Said]:
    """Say that there is no answer, or one that says nothing."""
    if not size(case.answer):
        yield "empty-answer", "the gold query gives no rows"
    elif isinstance(case.answer, Table) and not any(case.answer.rows):
        yield "empty-answer", "the gold query gives rows in which nothing is bound"


def always_same(case: Case) -> Iterator[Said]:
    """Say that the answer does not depend on the graph, or is that of an aggregate over nothing."""
    plan = case.plan
    if not any(isinstance(part, TriplePattern) for part in walk((plan.where, plan.template))):
        if not plan.described:
            yield "always-same", "the gold query has no triple pattern: its answer is the same over any graph"
    elif plan.grouped and not plan.group_by and case.where_has_solutions is False:
        yield "always-same", "WHERE has no solution, and the aggregate says something all the same"


def multiplied(case: Case) -> Iterator[Said]:
    """Say that an aggregate has values several times; of a COUNT only where DISTINCT changes the answer."""
    if case.verdict is None:
        return
    warned = [each for each in case.verdict.warnings if each.code == "multiplied-aggregate"]
    yield from ((each.code, each.message) for each in warned if not each.message.startswith(_COUNTING))
    counts = [each.message for each in warned if each.message.startswith(_COUNTING)] or _counted_things(case)
    if counts and (other := _with_distinct(case)) is not None:
        yield "multiplied-aggregate", f"{counts[0]} {other}"


def _counted_things(case: Case) -> list[str]:
    """Return what could be said of a COUNT of things that are no values: each of them is meant once."""
    if not isinstance(case.verdict, Certificate):
        return []
    judged = case.verdict.judgements
    return [
        f"COUNT({part.argument}) counts a thing once for each row that it is in: DISTINCT?"
        for part in walk((case.plan.projection, case.plan.having, case.plan.order_by))
        if isinstance(part, Aggregate) and part.function == _COUNTING and not part.distinct
        and isinstance(part.argument, Variable) and (known := judged.get(part.argument)) is not None
        and not known.computed and set(known.kinds) <= {"iri", "blank"}
    ]  # fmt: skip


def _with_distinct(case: Case) -> str | None:
    """Return how the answer is another with COUNT(DISTINCT ...); None where it is the same."""

    def distinct(part: object) -> object | None:
        if isinstance(part, Aggregate) and part.function == _COUNTING and part.argument is not None:
            return replace(part, distinct=True)
        return None

    plan: Plan = rewrite(case.plan, distinct)
    if plan == case.plan or plan.form != "select":
        return None
    try:
        found = case.kg.select(render(plan, case.kg.header))
    except StoreError:
        return None
    if compare(case.answer, found, ties=case.ties).exact:
        return None
    before, after = _value(case, case.answer), _value(case, found)
    return f"It gives {after} instead of {before}" if before and after else "It changes the answer"


def _value(case: Case, result: object) -> str:
    """Return the value of a result of one row and one column."""
    if not isinstance(result, Table) or len(result.rows) != 1 or len(result.rows[0]) != 1:
        return ""
    return display(next(iter(result.rows[0].values())), case.kg.prefixes)


def cut_ties(case: Case) -> Iterator[Said]:
    """Say that LIMIT or OFFSET cuts through rows that the order does not tell apart."""
    for tie in case.ties.ties if case.ties else ():
        order = "rows tie" if case.plan.order_by else "rows stand in no order"
        marked = "" if case.question.tie else "; the set does not say so"
        yield "cut-tie", f"{len(tie.rows):,} {order} for {_places(tie.wanted)}{marked}"
    if case.question.tie and case.ties is not None and not case.ties.ties:
        yield "no-tie", "the set says that a LIMIT cuts equal values; it does not"


def _places(number: int) -> str:
    return f"{number:,} place{'s' * (number != 1)}"


def stated(case: Case) -> Iterator[Said]:
    """Say that the stated answer is not what the gold query gives."""
    said = case.question.answers
    if said is None:
        return
    scores = compare(said, case.answer, ties=case.ties)
    if scores.exact:
        return
    if isinstance(said, Truth) and isinstance(case.answer, Truth):
        yield "other-answer", f"the set states {said.value}, the gold query gives {case.answer.value}".lower()
        return
    shared = f"precision {scores.precision:.2f}, recall {scores.recall:.2f}"
    yield (
        "other-answer",
        f"the set states {_rows(said)}, the gold query gives {_rows(case.answer)} ({shared})",
    )


def _rows(result: object) -> str:
    if isinstance(result, Truth):
        return str(result.value).lower()
    number = size(result) if isinstance(result, Table) else 0
    return f"{number:,} row{'s' * (number != 1)}"


RULES: Final[tuple[Rule, ...]] = (judged, slips, empty, always_same, multiplied, cut_ties, stated)
