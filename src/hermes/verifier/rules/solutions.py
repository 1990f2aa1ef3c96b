"""What all solutions of a group have in common: the values of each variable, and the links between them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from hermes.sparql.patterns import TriplePattern
from hermes.terms import Variable
from hermes.verifier.rules.graph_space import GraphSpace, Values
from hermes.verifier.rules.space import UNBOUND


class Cause(NamedTuple):
    """Why there is no solution: a code, the clause or condition, and what the reason needs to be worded.

    `subject` is the term, variable or expression that cannot be; `others` are the links, expressions or
    values that it cannot be together with; `values` is what it can be without them; `graph` is the graph in
    which that is so, None where it is the default graph.
    """

    code: str
    at: object
    subject: object = None
    others: tuple[object, ...] = ()
    values: Values = 0
    graph: GraphSpace | None = None


class NoSolution(Exception):  # noqa: N818 - no error: what a rule has proved
    """Raised by a rule that proves that there is no solution."""

    def __init__(self, cause: Cause) -> None:
        super().__init__(cause.code)
        self.cause = cause


class Link(NamedTuple):
    """A triple pattern that every solution satisfies, and the graph in which it does."""

    pattern: TriplePattern
    graph: GraphSpace


@dataclass(slots=True)
class Solutions:
    """What is known of every solution: a variable that is not named has no value.

    `links` are the triple patterns that every solution satisfies.
    """

    values: dict[Variable, Values] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)

    def copy(self) -> Solutions:
        """Return a copy to work on."""
        return Solutions(dict(self.values), list(self.links))

    def of(self, variable: Variable) -> Values:
        """Return what a variable can be."""
        return self.values.get(variable, UNBOUND)


def joined(left: Values, right: Values) -> Values:
    """Return what a variable can be in a join: equal on both sides, or bound on one (section 18.3)."""
    found = left & right
    if left & UNBOUND:
        found |= right
    if right & UNBOUND:
        found |= left
    return found


def join(left: Solutions, right: Solutions, at: object) -> Solutions:
    """Return what is known of the join of two.

    Raises:
        NoSolution: a variable has no value in common.
    """
    found = dict(left.values)
    for variable, values in right.values.items():
        both = joined(found.get(variable, UNBOUND), values)
        if not both:
            raise NoSolution(Cause("no-common-terms", at, variable, (values,), found.get(variable, UNBOUND)))
        found[variable] = both
    return Solutions(found, [*left.links, *right.links])


def either(parts: Iterable[Mapping[Variable, Values]]) -> dict[Variable, Values]:
    """Return what variables can be in any of the parts."""
    found: dict[Variable, Values] | None = None
    for part in parts:
        if found is None:
            found = dict(part)
            continue
        for variable in found.keys() | part.keys():
            found[variable] = found.get(variable, UNBOUND) | part.get(variable, UNBOUND)
    return found or {}
