"""The counts inside a step: what the groups of OPTIONAL, UNION, MINUS, GRAPH and EXISTS have, item by item.

Every number is that of a query of its own, so it is exact whatever stands around the group:

- OPTIONAL and EXISTS: how many solutions before the step have a match of the group up to this item;
- MINUS: how many solutions before the step the group up to this item would remove;
- UNION, GRAPH and a nested group: the solutions before the step joined with the group up to this item; the
  branches of a UNION add up to its count;
- a sub-query: its own steps, from nothing, as it sees nothing of outside.

What stands inside something inside is counted in the same way, over what the outer group has so far.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from hermes.algebra.operators.graph import Graph
from hermes.algebra.operators.join import Join
from hermes.algebra.operators.minus import Minus
from hermes.algebra.operators.optional import Optional
from hermes.algebra.operators.subquery import Subquery
from hermes.algebra.operators.union import Union
from hermes.algebra.plan import Plan
from hermes.explanation.counting import NOT_COUNTED, Count
from hermes.explanation.order import items
from hermes.explanation.step import Meaning, Part, Step, Tally
from hermes.explanation.texts import item_text
from hermes.sparql.expressions import Exists, Expression
from hermes.sparql.patterns import Element, Group
from hermes.sparql.tree import walk
from hermes.terms import IRI, IriWriter, Variable

GraphName = Variable | IRI
Item = Element | Expression
Parts = tuple[Part | Step, ...]
StepsOf = Callable[[Plan, tuple[GraphName, ...], int | None], Sequence[Step]]
"""Gives the steps of a sub-query inside such GRAPH clauses; its number of rows too, where that is known."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a group stands: what its count says, and how it is asked for.

    `of` is the number of solutions that `matched` and `removed` are some of; `graphs` are the names of the
    GRAPH clauses around. `alone` says that nothing stands before the group: its count is its own.
    """

    count: Callable[[Group], Count]
    meaning: Meaning = "solutions"
    of: int | None = None
    graphs: tuple[GraphName, ...] = ()
    alone: bool = True

    def matched(self, before: Group, total: int | None) -> Place:
        """Return the place of a group that a solution of `before` may or must match."""

        def ask(group: Group) -> Count:
            return self.count(before.add_filter(Exists(group, negated=False)))

        return replace(self, count=ask, meaning="matched", of=total, alone=False)

    def removed(self, before: Group, total: int | None) -> Place:
        """Return the place of a group that takes solutions away from `before`."""

        def ask(group: Group) -> Count:
            return self.count(before.add(Minus(group))).taken_from(total)

        return replace(self, count=ask, meaning="removed", of=total, alone=False)

    def joined(self, before: Group, graph: GraphName | None = None) -> Place:
        """Return the place of a group that is joined with `before`, in a named graph if there is one."""

        def ask(group: Group) -> Count:
            return self.count(before.add(Join(group) if graph is None else Graph(graph, group)))

        graphs = self.graphs if graph is None else (*self.graphs, graph)
        alone = self.alone and before == Group() and graph is None
        return replace(self, count=ask, graphs=graphs, alone=alone)

    def silent(self) -> Place:
        """Return the place of a group that has nothing to begin with: nothing is asked."""
        return replace(self, count=lambda _: NOT_COUNTED)


class Inside:
    """Counts what stands inside the steps of one plan.

    Args:
        names: writes the IRIs of the texts.
        steps_of: gives the steps of a sub-query.
    """

    def __init__(self, names: IriWriter, steps_of: StepsOf) -> None:
        self._names = names
        self._steps_of = steps_of

    def parts(self, place: Place, before: Group, item: Item, total: int | None, after: int | None) -> Parts:
        """Return what stands inside `item`, which follows `before` in the group at `place`.

        `total` and `after` are the counts without and with the item, where they are known.
        """
        if total == 0:
            place, after = place.silent(), None
        match item:
            case Optional():
                return self._group(item.patterns, place.matched(before, total), None)
            case Minus() | Exists():
                return self._kept_or_lost(item, place, before, total, after)
            case Join() | Graph() | Union():
                return self._joined(item, place, before, after)
            case Subquery():
                known = after if place.alone and before == Group() else None
                return () if total == 0 else tuple(self._steps_of(item.actions, place.graphs, known))
            case _:
                return (
                    () if isinstance(item, Element) else self._conditions(item, place.matched(before, total))
                )

    def _kept_or_lost(
        self, item: Minus | Exists, place: Place, before: Group, total: int | None, after: int | None
    ) -> Parts:
        lost = None if total is None or after is None else total - after
        if isinstance(item, Minus):
            return self._group(item.patterns, place.removed(before, total), lost)
        return self._group(item.group, place.matched(before, total), lost if item.negated else after)

    def _joined(self, item: Join | Graph | Union, place: Place, before: Group, after: int | None) -> Parts:
        if isinstance(item, Union):
            return tuple(self._branches(item, place.joined(before), after))
        name = item.name if isinstance(item, Graph) else None
        return self._group(item.patterns, place.joined(before, name), after)

    def _conditions(self, condition: Expression, place: Place) -> Parts:
        """Return the EXISTS inside a longer condition, each with its matches."""
        found = [part for part in walk(condition, (Exists,)) if isinstance(part, Exists)]
        return tuple(
            Part(f"{'NOT ' * each.negated}EXISTS", parts=self._group(each.group, place, None))
            for each in found
        )

    def _branches(self, union: Union, place: Place, after: int | None) -> Iterator[Part]:
        """Yield the branches; what the others leave over is the last one's."""
        rest = after if place.meaning == "solutions" else None
        for number, branch in enumerate(union.branches, start=1):
            last = rest if number == len(union.branches) else None
            inner = self._group(branch, place, last)
            name = f"branch {number}"
            only = inner[0] if len(inner) == 1 and isinstance(inner[0], Part) else None
            yield Part(name, parts=inner) if only is None else replace(only, text=f"{name}: {only.text}")
            given = _last_count(inner)
            rest = None if rest is None or given is None else rest - given

    def _group(self, group: Group, place: Place, last: int | None) -> Parts:
        """Return the items of a group, each with the count of the group up to it; `last` is that of all."""
        found: list[Part | Step] = []
        prefix, total = Group(), place.of
        sequence = list(items(group))
        for number, item in enumerate(sequence, start=1):
            grown = prefix.add(item) if isinstance(item, Element) else prefix.add_filter(item)
            known = last if number == len(sequence) else None
            counted = place.count(grown) if known is None else Count(known, derived=True)
            inner = self.parts(place, prefix, item, total, counted.exact)
            found.append(self._part(item, counted, place, inner))
            prefix, total = grown, counted.exact
        return tuple(found)

    def _part(self, item: Item, counted: Count, place: Place, inner: Parts) -> Part:
        tally = None
        if counted.number is not None:
            tally = Tally(counted.number, place.meaning, place.of, counted.capped, counted.derived)
        return Part(item_text(item, self._names), tally, counted.elapsed, counted.failure, inner)


def _last_count(parts: Parts) -> int | None:
    """Return the count of a whole group, where it is exact."""
    last = parts[-1] if parts else None
    tally = last.tally if isinstance(last, Part) else None
    return None if tally is None or tally.capped else tally.count
