"""Blank nodes of two answers, paired by what stands beside them: their labels mean nothing."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Mapping, Sequence
from typing import Final

from hermes.evaluation.columns import Cells

_ROUNDS: Final = 16
"""So often a pair is chosen among nodes with nothing to tell them apart, and the others looked at again."""
_REACH: Final = 16
"""So many rows away nodes are told apart."""

_Colours = dict[int, int]


def paired(gold: Sequence[Cells], given: Sequence[Cells], blank: frozenset[int]) -> dict[int, int]:
    """Return for blank nodes of the given rows the blank nodes of the gold rows that they stand for.

    Nodes with the same rows around them are paired; where several have and stand in rows with each other,
    one of them is, and the others are looked at again. So answers that are equal up to a renaming are found
    equal, but for large symmetrical ones. What is left is paired by any row that both have.
    """
    gold = [row for row in gold if not blank.isdisjoint(row)]
    given = [row for row in given if not blank.isdisjoint(row)]
    pairs: dict[int, int] = {}
    for _ in range(_ROUNDS):
        names: dict[object, int] = {}
        settled = {**pairs, **{own: own for own in pairs.values()}}
        ours = _colours(gold, blank, settled, names)
        theirs = _colours(given, blank, settled, names)
        new = _same(ours, theirs, apart=not (_tangled(gold, ours) or _tangled(given, theirs)))
        if not new:
            break
        pairs |= new
    return pairs | _sharing(gold, given, blank, pairs)


def _colours(
    rows: Sequence[Cells], blank: frozenset[int], settled: Mapping[int, int], names: dict[object, int]
) -> _Colours:
    """Return a number for each blank node that has no pair: equal where what stands around is equal.

    Args:
        rows: those with blank nodes.
        blank: all blank nodes.
        settled: what those with a pair are called.
        names: the numbers that are given already; the two answers share them.
    """
    colours = {cell: -1 for row in rows for cell in row if cell in blank and cell not in settled}
    different = 1
    for _ in range(_REACH):
        around: defaultdict[int, Counter[object]] = defaultdict(Counter)
        for row in rows:
            shown = tuple((colours[c],) if c in colours else settled.get(c, c) for c in row)
            for cell in set(row) & colours.keys():
                around[cell][tuple(c == cell for c in row), shown] += 1
        colours = {
            cell: names.setdefault(frozenset(seen.items()), len(names)) for cell, seen in around.items()
        }
        before, different = different, len(set(colours.values()))
        if different == before:
            break
    return colours


def _tangled(rows: Sequence[Cells], colours: _Colours) -> bool:
    """Whether two nodes without a pair stand in one row."""
    return any(len(set(row) & colours.keys()) > 1 for row in rows)


def _same(ours: _Colours, theirs: _Colours, *, apart: bool) -> dict[int, int]:
    """Return new pairs: those of a colour of their own, all where nodes stand `apart`, or else the first."""
    sides: defaultdict[int, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for side, colours in enumerate((ours, theirs)):
        for cell, colour in colours.items():
            sides[colour][side].append(cell)
    both = [(mine, other) for mine, other in sides.values() if mine and other]
    if apart:
        return {cell: own for mine, other in both for cell, own in zip(other, mine, strict=False)}
    alone = {other[0]: mine[0] for mine, other in both if len(mine) == len(other) == 1}
    return alone or {other[0]: mine[0] for mine, other in both[:1]}


def _sharing(
    gold: Sequence[Cells], given: Sequence[Cells], blank: frozenset[int], pairs: Mapping[int, int]
) -> dict[int, int]:
    """Return pairs of nodes that have one row in common, whatever the others are."""
    taken = set(pairs.values())
    waiting: defaultdict[object, deque[int]] = defaultdict(deque)
    for row in gold:
        for cell in set(row) & blank - taken:
            waiting[_without_names(row, cell, blank)].append(cell)
    found: dict[int, int] = {}
    for row in given:
        for cell in sorted(set(row) & blank - pairs.keys() - found.keys()):
            free = waiting[_without_names(row, cell, blank)]
            while free and free[0] in taken:
                free.popleft()
            if free:
                found[cell] = free.popleft()
                taken.add(found[cell])
    return found


def _without_names(row: Cells, cell: int, blank: frozenset[int]) -> object:
    return tuple("this" if c == cell else "other" if c in blank else c for c in row)
