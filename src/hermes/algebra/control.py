"""The actions that steer the explorer."""

from __future__ import annotations

from hermes.algebra import goal
from hermes.algebra.fields import NAME, NAMES, NATURAL, field, one_of
from hermes.algebra.kind import Control, kind
from hermes.terms import IRI


@kind
class Goal(Control):
    """Declare what the answer must be, in the place of what was declared before; without a field nothing is.

    `type` is a class or a datatype of the answers, `mentions` are IRIs that the plan must name, `min` and
    `max` bound the number of rows.
    """

    op = "goal"
    example = '{"op": "goal", "form": "rows", "type": "ex:City", "mentions": ["ex:USA"], "min": 1, "max": 10}'
    form: str | None = field(one_of(*goal.SHAPES), default=None)
    type: IRI | None = field(NAME, default=None)
    mentions: tuple[IRI, ...] = field(NAMES, default=())
    min: int | None = field(NATURAL, default=None)
    max: int | None = field(NATURAL, default=None)

    def declared(self) -> goal.Goal:
        """Return the goal.

        Raises:
            ActionError: with code `wrong-goal`: no answer can reach it.
        """
        form = next((shape for shape in goal.SHAPES if shape == self.form), None)
        found = goal.Goal(form, self.type, tuple(dict.fromkeys(self.mentions)), self.min, self.max)
        found.refuse_contradictions()
        return found


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
