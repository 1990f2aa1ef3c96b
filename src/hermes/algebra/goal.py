"""Goals: what the answer of a plan must be, said before there is one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from hermes.errors import ActionError
from hermes.terms import IRI, Prefixes, display

Shape = Literal["rows", "number", "truth"]
"""Rows of a SELECT, the one number of an aggregate over everything, or the truth value of an ASK."""

Standing = Literal["proved", "refuted", "unknown"]
"""How a part of a goal stands, by the plan alone."""

SHAPES: Final[dict[Shape, str]] = {"rows": "rows", "number": "one number", "truth": "true or false"}
"""What is said of each shape."""


@dataclass(frozen=True, slots=True)
class Goal:
    """What an answer must be; what is not said is free.

    Args:
        form: rows, one number or a truth value.
        type: the class of the answers (the first column), or their datatype.
        mentions: IRIs that the plan must name.
        min: the least number of rows.
        max: the greatest number of rows.
    """

    form: Shape | None = None
    type: IRI | None = None
    mentions: tuple[IRI, ...] = ()
    min: int | None = None
    max: int | None = None

    @property
    def empty(self) -> bool:
        """Whether everything is free."""
        return self == Goal()

    def refuse_contradictions(self) -> None:
        """Refuse a goal that no answer can reach.

        Raises:
            ActionError: with code `wrong-goal`.
        """
        least, most = self.min or 0, self.max
        if most is not None and least > most:
            raise ActionError(
                f"no answer has at least {least} and at most {most} rows: min must not be above max",
                code="wrong-goal",
            )
        if self.form in ("number", "truth") and (least > 1 or most == 0):
            raise ActionError(
                f"{SHAPES[self.form]} is one row: leave min and max out, or let form be rows",
                code="wrong-goal",
            )
        if self.form == "truth" and self.type is not None:
            raise ActionError("true or false has no type: leave type out", code="wrong-goal")

    def text(self, prefixes: Prefixes) -> str:
        """Return the goal in words, such as `rows of ex:City, mentions ex:USA, 1 to 10 rows`."""
        of = "" if self.type is None else f" of {display(self.type, prefixes)}"
        parts = [f"{SHAPES[self.form] if self.form else 'answers'}{of}"] if self.form or of else []
        if self.mentions:
            parts.append(f"mentions {' and '.join(display(iri, prefixes) for iri in self.mentions)}")
        if self.min is not None or self.max is not None:
            parts.append(self.rows_text)
        return ", ".join(parts)

    @property
    def rows_text(self) -> str:
        """How many rows are asked for, such as `1 to 10 rows`."""
        if self.min is None:
            return f"at most {_rows(self.max or 0)}"
        if self.max is None:
            return f"at least {_rows(self.min)}"
        return _rows(self.min) if self.min == self.max else f"{self.min} to {_rows(self.max)}"

    def missed_by(self, count: int, *, capped: bool) -> bool:
        """Whether so many rows (or at least so many, where `capped`) are too few or too many."""
        few = self.min is not None and count < self.min and not capped
        return few or (self.max is not None and count > self.max)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a goal, as a plan leaves it.

    Args:
        field: which field of the goal.
        standing: how it stands.
        about: what of the plan decides that, such as `the goal asks for rows, the plan gives one number`.
        way_out: of a refuted part, what would be right.
    """

    field: str
    standing: Standing
    about: str
    way_out: str = ""


def _rows(count: int) -> str:
    return f"{count:,} row{'' if count == 1 else 's'}"
