"""The actions that steer the explorer."""

from __future__ import annotations

from hermes.algebra.fields import NATURAL, TEXT, TEXTS, field, one_of
from hermes.algebra.kind import Control, kind


@kind
class Goal(Control):
    """Declare what the answer must be; every field may be left out."""

    op = "goal"
    example = '{"op": "goal", "form": "rows", "type": "ex:City", "mentions": ["ex:USA"], "min": 1, "max": 10}'
    form: str = field(one_of("rows", "number", "truth"), default="rows")
    type: str = field(TEXT, default="")
    mentions: tuple[str, ...] = field(TEXTS, default=())
    min: int = field(NATURAL, default=0)
    max: int | None = field(NATURAL, default=None)


@kind
class Undo(Control):
    """Go back to the plan before the last committed step."""

    op = "undo"
    example = '{"op": "undo"}'


@kind
class Redo(Control):
    """Take the last undone step again."""

    op = "redo"
    example = '{"op": "redo"}'


@kind
class Finish(Control):
    """Say that the plan answers the question."""

    op = "finish"
    example = '{"op": "finish"}'
