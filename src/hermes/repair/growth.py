"""Where solutions multiply: their number after each clause, and the joins that are missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import inf
from typing import Final

from hermes.algebra.plan import Plan
from hermes.algebra.ports import Graph
from hermes.repair.batch import NUMBER, batch, numbered
from hermes.repair.candidate import Clause
from hermes.repair.trial import counts
from hermes.repair.units import only, units
from hermes.sparql.expressions import variables_of
from hermes.sparql.patterns import End, Group, TriplePattern
from hermes.sparql.tree import walk
from hermes.store import allowed, deadline
from hermes.terms import IRI, RDF_TYPE, RESERVED, Literal, Variable, full_iri

COUNTED: Final = 1_000_000
"""Solutions after a clause are counted up to here."""
_PAIRS: Final = 12
_EDGES: Final = 5
_MOST: Final = 3
_PREDICATE: Final = Variable(f"{RESERVED}p")


@dataclass(frozen=True, slots=True)
class Growth:
    """A clause, and how many solutions there are before and after it (up to a million)."""

    clause: Clause
    before: int
    after: int

    @property
    def factor(self) -> float:
        """How many solutions there are after it for each one before it."""
        return self.after / self.before if self.before else 0.0


@dataclass(frozen=True, slots=True)
class Join:
    """A triple pattern between two parts that share no variable, and the solutions with it (up to 10,000)."""

    pattern: TriplePattern
    count: int


def growth(kg: Graph, plan: Plan) -> Iterator[Growth]:
    """Yield the number of solutions after each element of WHERE and each filter; one query for each.

    Raises:
        StoreError: the store could not answer, or not in time.
    """
    parts = units(plan)
    before = 1
    for end, unit in enumerate(parts):
        with deadline(allowed(inf) / 2):
            after = counts(kg, [only(plan, parts[: end + 1])], COUNTED)[0]
        yield Growth(unit.clause, before, after)
        before = after


def largest(steps: Sequence[Growth]) -> Growth | None:
    """Return the step with the largest factor above 1, the first one left out: it has to begin somewhere."""
    return max((step for step in steps[1:] if step.factor > 1), key=lambda step: step.factor, default=None)


def joins(kg: Graph, plan: Plan) -> tuple[Join, ...]:
    """Return at most three triple patterns that connect unconnected parts; by two queries at most.

    Raises:
        StoreError: the store could not answer.
    """
    subjects = {part.subject for part in walk(plan.where) if isinstance(part, TriplePattern)}
    pairs = _pairs(_components(plan.where), subjects)[:_PAIRS]
    if not pairs:
        return ()
    asked = []
    for number, (one, other) in enumerate(pairs):
        edge = TriplePattern(one, _PREDICATE, other)
        column = Plan(
            where=plan.where.add(edge), projection=(_PREDICATE,), projected=True, distinct=True, limit=_EDGES
        )
        asked.append(numbered(number, column))
    found = []
    for row in kg.select(batch(asked, plan.dataset, (NUMBER, _PREDICATE))).rows:
        number_of, predicate = row[NUMBER.name], row.get(_PREDICATE.name)
        if isinstance(number_of, Literal) and isinstance(predicate, IRI) and predicate.value != RDF_TYPE:
            one, other = pairs[int(number_of.lexical)]
            found.append(TriplePattern(one, predicate, other))
    plans = [only(plan, units(plan)).evolve(where=plan.where.add(pattern)) for pattern in found]
    numbers = counts(kg, plans)
    ranked = sorted(
        map(Join, found, numbers),
        key=lambda join: (join.pattern.object not in subjects, -join.count, join.pattern.text(full_iri)),
    )
    return tuple(ranked[:_MOST])


def _components(where: Group) -> list[set[Variable]]:
    """Return the variables of WHERE by what clauses and filters connect."""
    parts: list[set[Variable]] = []
    links = [{part for part in walk(element) if isinstance(part, Variable)} for element in where.elements]
    links += [set(variables_of(condition)) for condition in where.filters]
    for names in links:
        touching = [part for part in parts if part & names]
        parts = [part for part in parts if not part & names]
        if names:
            parts.append(names.union(*touching))
    scope = set(where.scope())
    return [part & scope for part in parts if part & scope]


def _pairs(components: Sequence[set[Variable]], subjects: set[End]) -> list[tuple[Variable, Variable]]:
    """Return the pairs of variables of different parts, those first that are both things with triples.

    Two values are equal by chance more often than two things are connected.
    """
    found = [
        pair
        for one, other in combinations(components, 2)
        for left, right in product(sorted(one, key=str), sorted(other, key=str))
        for pair in ((left, right), (right, left))
    ]
    return sorted(found, key=lambda pair: sum(end not in subjects for end in pair))
