"""Recheck: is a verdict right, by another way than the kernel's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from hermes.algebra.plan import Plan
from hermes.terms import Variable
from hermes.verifier.again.enumeration import Enumeration, TooMany
from hermes.verifier.again.tokens import ANYTHING, Solution, Token, Tokens
from hermes.verifier.schema import Schema
from hermes.verifier.verdict import Certificate, Judgement, Verdict

Finding = Literal["confirmed", "contradicted", "undecided"]


def recheck(verdict: Verdict, plan: Plan, schema: Schema) -> Finding:
    """Return what a second derivation says of a verdict.

    A refusal is confirmed where no solution can be enumerated with signatures for terms, and contradicted
    where one can. A certificate is contradicted where a solution has a value that its judgements exclude.
    What would take too many solutions, has an operator without a rule, or was enumerated only because a
    computed value may be anything, is undecided.
    """
    if verdict.plan != plan:
        return "contradicted"
    if not schema.complete or plan.dataset:
        return "confirmed" if verdict.accepted else "contradicted"
    tokens = Tokens(schema)
    enumeration = Enumeration(tokens)
    try:
        found = enumeration.of(plan.where)
    except TooMany:
        return "undecided"
    if isinstance(verdict, Certificate):
        judgements = dict(verdict.judgements)
        agrees = all(_covered(judgements, solution, tokens) for solution in found)
    else:
        agrees = not found
    if agrees:
        return "confirmed"
    return "undecided" if enumeration.outcomes.guessed else "contradicted"


def _covered(judgements: Mapping[Variable, Judgement], solution: Solution, tokens: Tokens) -> bool:
    """Whether the judgements allow each value of a solution."""
    return all(
        solution.get(variable) == ANYTHING or _within(solution.get(variable), judged, tokens)
        for variable, judged in judgements.items()
    )


def _within(token: Token | None, judged: Judgement, tokens: Tokens) -> bool:
    """Whether a judgement allows a token."""
    if token is None:
        return judged.may_be_unbound
    if isinstance(token, str):
        return judged.computed
    signature = tokens.schema.signatures[token]
    tag = signature.tag
    if signature.kind not in judged.kinds or not set(signature.classes) <= set(judged.classes):
        return False
    if signature.kind != "literal":
        return True
    return tag[1:] in judged.languages if tag.startswith("@") else tag in judged.datatypes
