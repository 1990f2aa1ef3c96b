"""Minimal failing sets: parts of WHERE that have no solution together, though any fewer of them have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from hermes.algebra.plan import Plan
from hermes.repair.units import Unit, can_empty, only

MOST: Final = 4
"""Failing sets that are looked for."""

Failing = Callable[[Sequence[Plan]], Sequence[bool]]
"""Says of several plans whether each has no solution, by one query for all of them."""

Proved = Callable[[Plan], bool]
"""Says whether a plan is known to have no solution, without a query."""


def proved(plan: Plan, parts: Sequence[Unit], is_empty: Proved) -> list[tuple[Unit, ...]]:
    """Return minimal failing sets by what is proved alone: no query is sent.

    Each is minimal in that no fewer of its parts are *proved* to fail.
    """
    found: list[tuple[Unit, ...]] = []
    waiting = [tuple(parts)]
    while waiting and len(found) < MOST:
        left = waiting.pop(0)
        if not is_empty(only(plan, left)):
            continue
        smallest = _shrunk(plan, left, is_empty)
        if smallest not in found:
            found.append(smallest)
            waiting += [tuple(unit for unit in left if unit != each) for each in smallest]
    return found


def _shrunk(plan: Plan, parts: tuple[Unit, ...], is_empty: Proved) -> tuple[Unit, ...]:
    kept = parts
    for unit in parts[::-1]:
        fewer = tuple(each for each in kept if each != unit)
        if fewer and is_empty(only(plan, fewer)):
            kept = fewer
    return kept


def tried(plan: Plan, parts: Sequence[Unit], failing: Failing) -> list[tuple[Unit, ...]]:
    """Return one failing set by two queries: the first beginning of WHERE that fails, and what it needs.

    It is minimal where no other set fails in that beginning.
    """
    beginnings = [tuple(parts[: end + 1]) for end in range(len(parts))]
    fails = failing([only(plan, each) for each in beginnings])
    first = next((each for each, failed in zip(beginnings, fails, strict=True) if failed), None)
    if first is None:
        return []
    *before, last = first
    without = [tuple(unit for unit in first if unit != each) for each in before]
    still = failing([only(plan, each) for each in without])
    needed = [unit for unit, failed in zip(before, still, strict=True) if not failed and can_empty(unit)]
    return [(*needed, last)]
