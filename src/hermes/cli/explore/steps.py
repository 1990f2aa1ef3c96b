"""The steps that made the plan: those of a trace without what was refused or undone."""

from __future__ import annotations

from collections.abc import Sequence

from hermes.algebra import Trace
from hermes.algebra.control import Redo, Undo
from hermes.algebra.kind import Operator
from hermes.algebra.observation import Rejected
from hermes.algebra.trace import Step


def standing(trace: Trace) -> tuple[Sequence[Step], Sequence[Step]]:
    """Return the steps that stand, and those that were undone and can be taken again, the next one last."""
    done: list[Step] = []
    undone: list[Step] = []
    for step in trace.steps:
        if isinstance(step.observation, Rejected):
            continue
        if step.action.kind is Undo:
            undone.append(done.pop())
        elif step.action.kind is Redo:
            done.append(undone.pop())
        elif issubclass(step.action.kind, Operator):
            done.append(step)
            undone.clear()
    return done, undone
