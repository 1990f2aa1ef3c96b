"""Hints on sizes: products, what multiplies, and paths without an end."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Final

from hermes.algebra.hints.change import Change
from hermes.algebra.observation import Hint
from hermes.algebra.ports import Graph
from hermes.sparql.paths import RepeatPath
from hermes.sparql.patterns import TriplePattern
from hermes.sparql.tree import walk
from hermes.terms import Variable

_MANY: Final = 1000
"""From here on a number is written as a whole one."""


def product(_: Graph, change: Change) -> Iterator[Hint]:
    """Warn of a clause that shares no variable with the plan: every pair of solutions is one."""
    old = [variable for variable in change.before.where.binds() if not variable.reserved]
    made = {variable for element in change.added.elements for variable in element.introduces()}
    new = [variable for variable in change.added.binds() if not variable.reserved and variable not in made]
    shared = set(change.added.binds()) & set(change.before.where.binds())
    if not change.joins or not new or not old or shared:
        return
    near = [
        f"did you mean {match[0]} for {variable}?"
        for variable in map(str, new)
        if (match := get_close_matches(variable, map(str, old), n=1, cutoff=0.7))
    ]
    way_out = near[0] if near else f"name one of {' '.join(map(str, old))}"
    yield Hint(
        "product",
        f"disconnected: this shares no variable with the plan, so every pair of solutions is one; {way_out}",
    )


def multiplies(_: Graph, change: Change) -> Iterator[Hint]:
    """Say by how much a clause multiplies the rows."""
    if change.joins and change.counts:
        before, count = change.counts
        if 0 < before < count:
            each = count / before
            number = f"{each:.3g}" if each < _MANY else f"{each:,.0f}"
            yield Hint("multiplies", f"multiplies rows: {number} for each row before, on average")


def open_path(_: Graph, change: Change) -> Iterator[Hint]:
    """Warn of a path of any length with two free ends: it visits the whole graph."""
    bound = set(change.before.where.binds())
    for part in walk(change.added):
        if not isinstance(part, TriplePattern):
            continue
        ends = (part.subject, part.object)
        free = all(isinstance(end, Variable) and end not in bound for end in ends)
        any_length = any(isinstance(step, RepeatPath) and step.times != "?" for step in walk(part.predicate))
        if free and any_length:
            yield Hint("open-path", "a path of any length with two free ends: bind one of them first")
