"""What the kernel says of a plan: a certificate with what follows for its variables, or a refusal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from hermes.algebra.goal import Part
from hermes.algebra.plan import Plan
from hermes.terms import Variable

Multiplicity = Literal["none", "one", "at most one", "any"]
"""How many rows a plan can have."""


@dataclass(frozen=True, slots=True)
class Warned:
    """Something that is allowed but hardly meant: a stable code, one line, and the clause it is about."""

    code: str
    message: str
    at: str = ""

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True, slots=True)
class Unknown:
    """A part of a plan that no rule decides, and why; a plan is never refused for one."""

    at: str
    reason: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the values of a variable can be, in every solution.

    Args:
        kinds: some of `"iri"`, `"blank"`, `"literal"`, `"triple"`.
        classes: the classes that some of the values have, in any graph of the dataset.
        datatypes: the datatypes of literals, as absolute IRIs.
        languages: the language tags of literals, as the graph spells them.
        may_be_unbound: whether a solution may leave the variable without a value.
        computed: whether a value may be a term that the graph does not have, such as the result of a BIND.
    """

    kinds: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    datatypes: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    may_be_unbound: bool = False
    computed: bool = False


@dataclass(frozen=True, slots=True)
class Certificate:
    """The kernel found no proof that the plan is empty.

    Args:
        plan: the plan.
        judgements: what the variables of WHERE can be.
        multiplicity: how many rows there can be.
        warnings: what is hardly meant.
        unknowns: the parts that no rule decides.
        goal: how each part of the goal stands, where there is one.
    """

    plan: Plan
    judgements: Mapping[Variable, Judgement] = field(default_factory=dict)
    multiplicity: Multiplicity = "any"
    warnings: tuple[Warned, ...] = ()
    unknowns: tuple[Unknown, ...] = ()
    goal: tuple[Part, ...] = ()

    @property
    def accepted(self) -> bool:
        """True."""
        return True

    @property
    def reason(self) -> str:
        """Nothing: the plan is accepted."""
        return ""

    @property
    def code(self) -> str:
        """Nothing: the plan is accepted."""
        return ""

    @property
    def at(self) -> str:
        """Nothing: the plan is accepted."""
        return ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A proof that WHERE has no solution in the graph.

    Args:
        plan: the plan.
        reason: why, in one line that says what would be right.
        at: the clause or the condition that leaves nothing, as hermes prints it.
        code: a stable word, listed in docs/codes.md.
        warnings: what else is hardly meant.
        unknowns: the parts that no rule decides.
        goal: how each part of the goal stands, where there is one.
    """

    plan: Plan
    reason: str
    at: str
    code: str
    warnings: tuple[Warned, ...] = ()
    unknowns: tuple[Unknown, ...] = ()
    goal: tuple[Part, ...] = ()

    @property
    def accepted(self) -> bool:
        """False."""
        return False


Verdict = Certificate | Refusal
