"""The mutants of the gold queries, told apart by the store: those that empty their query, and the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from hermes import KG
from hermes.algebra import Plan, render
from hermes.errors import StoreError
from hermes.sparql.patterns import Group, TriplePattern
from hermes.sparql.tree import rewrite, walk
from hermes.store import deadline
from hermes.terms import IRI, RDF_TYPE, Variable
from oracle.gold_plans import Gold
from oracle.plan_mutants import ENTITIES, Mutant, Names, mutants

PATIENCE: Final = 10.0
"""Seconds that a query of a mutant may run: an edge the wrong way round can make a product."""


@dataclass(slots=True)
class Corpus:
    """The mutants of one graph: `dead` ones have no solutions, `live` ones have, `open` were not decided.

    `grounded` are originals made from gold queries: one variable of each is an entity of a solution.
    """

    name: str
    originals: list[Plan] = field(default_factory=list)
    grounded: list[Plan] = field(default_factory=list)
    dead: list[Mutant] = field(default_factory=list)
    live: list[Mutant] = field(default_factory=list)
    open: list[Mutant] = field(default_factory=list)


def has_solutions(kg: KG, plan: Plan, seconds: float = PATIENCE) -> bool | None:
    """Whether the WHERE of a plan has solutions in the graph; None where that takes too long."""
    try:
        with deadline(seconds):
            return kg.ask(render(Plan(where=plan.where, dataset=plan.dataset, form="ask")))
    except StoreError:
        return None


def corpus(kg: KG, gold: Gold) -> Corpus:
    """Return the mutants of the gold queries that have solutions themselves."""
    names = Names(tuple(sorted(kg.vocabulary.predicates)), tuple(sorted(kg.vocabulary.classes)))
    found = Corpus(gold.name)
    for plan in gold.plans:
        if has_solutions(kg, plan):
            found.originals.append(plan)
            for mutant in mutants(plan, names, gold.name):
                _sort(kg, mutant, found)
    for plan in _grounded(kg, found.originals):
        found.grounded.append(plan)
        for mutant in mutants(plan, names, gold.name):
            if mutant.kind in ENTITIES:
                _sort(kg, mutant, found)
    return found


def _sort(kg: KG, mutant: Mutant, into: Corpus) -> None:
    alive = has_solutions(kg, mutant.plan)
    place = into.open if alive is None else into.live if alive else into.dead
    place.append(mutant)


def _grounded(kg: KG, plans: list[Plan]) -> Iterator[Plan]:
    """Yield plans with an entity in them, where a plan of triple patterns has none of its own."""
    for plan in plans:
        where = plan.where
        if all(isinstance(element, TriplePattern) for element in where.elements) and not _entities(where):
            entity = _entity(kg, where)
            if entity is not None:
                yield entity


def _entities(where: Group) -> bool:
    return any(
        isinstance(end, IRI)
        for part in walk(where)
        if isinstance(part, TriplePattern)
        for end in (part.subject, None if part.predicate == IRI(RDF_TYPE) else part.object)
    )


def _entity(kg: KG, where: Group) -> Plan | None:
    """Return the patterns with the variable of their first subject replaced by what it is in a solution."""
    subjects = (part.subject for part in where.elements if isinstance(part, TriplePattern))
    chosen = next((subject for subject in subjects if isinstance(subject, Variable)), None)
    if chosen is None or len(where.scope()) == 1:
        return None
    rows = kg.select(render(Plan(where=where, projection=(chosen,), projected=True, limit=1))).rows
    value = rows[0].get(chosen.name) if rows else None
    if not isinstance(value, IRI):
        return None
    filled = rewrite(where, lambda part: value if part == chosen else None)
    return Plan(where=filled).evolve(projection=filled.scope(), projected=True)
