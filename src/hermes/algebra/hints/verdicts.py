"""What a kernel knows of a step, as advice: why it leaves nothing, what mends it, what is hardly meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hermes.algebra.goal import Goal, Part
from hermes.algebra.hints.change import Change
from hermes.algebra.observation import Hint, Solutions
from hermes.algebra.plan import Plan
from hermes.algebra.ports import Adviser, Kernel, Verdict
from hermes.printable import printable


def verdict_hints(
    change: Change, given: Sequence[Hint], adviser: Adviser, goal: Goal | None = None
) -> tuple[Hint, ...]:
    """Return what a kernel adds to the hints `given` beside a step.

    The reason where a step leaves nothing, with what mends it, at that step and not at those after it; each
    warning at the step that brings it; each part of the goal at the step that refutes it.
    """
    kernel = adviser.kernel(needed=change.empty or goal is not None)
    if kernel is None:
        return ()
    verdict = kernel.check(change.plan, goal)
    before = kernel.check(change.before, goal)
    return (
        *_nothing_left(change, given, verdict, before),
        *_mended(change, verdict, kernel, adviser),
        *_warnings(verdict, before, {hint.code for hint in given}),
        *goal_hints(verdict.goal, before.goal if not change.before.empty else ()),
    )


def _nothing_left(change: Change, given: Sequence[Hint], verdict: Verdict, before: Verdict) -> Iterator[Hint]:
    named = any(hint.code.startswith("unknown-") for hint in given)
    if change.empty and not verdict.accepted and verdict.reason != before.reason and not named:
        yield Hint("no-solution", printable(verdict.reason))


def _mended(change: Change, verdict: Verdict, kernel: Kernel, adviser: Adviser) -> Iterator[Hint]:
    if (
        change.empty
        and not verdict.accepted
        and isinstance(change.seen, Solutions)
        and change.seen.before != 0
    ):
        yield from adviser.repairs(change, verdict, kernel, taken=True)


def _warnings(verdict: Verdict, before: Verdict, said: set[str]) -> Iterator[Hint]:
    """Yield the warnings that a step brings; a hint of the same code has said it with what is seen."""
    known = {(warned.code, warned.at) for warned in before.warnings}
    for warned in verdict.warnings:
        old = (warned.code, warned.at) in known or (warned.code == "empty-where" and not before.accepted)
        if not old and warned.code not in said:
            yield Hint(warned.code, printable(warned.message))


def goal_hints(parts: Sequence[Part], before: Sequence[Part] = ()) -> Iterator[Hint]:
    """Yield the parts of a goal that are refuted and were not before."""
    known = {(part.field, part.about) for part in before if part.standing == "refuted"}
    fields = {name for name, _ in known if name != "mentions"}
    for part in parts:
        new = part.field not in fields and (part.field, part.about) not in known
        if part.standing == "refuted" and new:
            yield Hint("goal-refuted", _said(part))


def refuted(kernel: Kernel, plan: Plan, goal: Goal) -> str:
    """Return what a plan refutes of a goal and what would be right; empty where it refutes nothing."""
    parts = [part for part in kernel.check(plan, goal).goal if part.standing == "refuted"]
    return "; ".join(map(_said, parts))


def _said(part: Part) -> str:
    return printable(f"{part.about}: {part.way_out}")


@dataclass(frozen=True, slots=True)
class KernelAlone:
    """An adviser that has a kernel and knows no repairs."""

    known: Kernel | None

    def kernel(self, *, needed: bool) -> Kernel | None:
        """Return the kernel."""
        return self.known

    def repairs(self, change: Change, verdict: Verdict, kernel: Kernel, *, taken: bool) -> tuple[Hint, ...]:
        """Return nothing."""
        return ()
