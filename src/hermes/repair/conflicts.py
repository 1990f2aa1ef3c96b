"""Minimal failing sets: parts of WHERE that have no solution together, though any fewer of them have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from hermes.algebra.plan import Plan
from hermes.repair.units import Unit, only

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
    """Return one minimal failing set, by a query for each of its parts and one more; at most five.

    It is looked for in the first beginning of WHERE that fails: what fails with its last part, and so on.
    None where there is none, or it has more parts than can be looked for.
    """
    beginnings = [tuple(parts[: end + 1]) for end in range(len(parts))]
    end = _first(failing([only(plan, each) for each in beginnings]))
    if end is None:
        return []
    needed: tuple[Unit, ...] = (parts[end],)
    before = tuple(parts[:end])
    for _ in range(MOST):
        end = _first(failing([only(plan, (*needed, *before[:size])) for size in range(len(before) + 1)]))
        if end is None:
            return []
        if end == 0:
            return [tuple(sorted(needed, key=lambda unit: unit.place))]
        needed, before = (*needed, before[end - 1]), before[: end - 1]
    return []


def _first(flags: Sequence[bool]) -> int | None:
    return next((place for place, flag in enumerate(flags) if flag), None)
