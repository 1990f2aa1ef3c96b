"""Goals: what an answer must be, said before there is one, and what follows for it from a plan."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from hermes.algebra.plan import Plan
from hermes.sparql.tree import walk
from hermes.terms import IRI, RDF_LANG_STRING, XSD
from hermes.verifier.rules.graph_space import Values
from hermes.verifier.rules.space import UNBOUND, Space
from hermes.verifier.verdict import Multiplicity, Part, Standing

Shape = Literal["rows", "number", "truth"]
"""Rows of a SELECT, the one number of an aggregate over everything, or the truth value of an ASK."""

_LEAST: Final[dict[Multiplicity, int]] = {"one": 1}
_MOST: Final[dict[Multiplicity, int]] = {"none": 0, "one": 1, "at most one": 1}


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


def standings(
    goal: Goal, plan: Plan, space: Space, answers: Values | None, rows: Multiplicity
) -> Iterator[Part]:
    """Yield what follows for each part of a goal; `answers` is what the first column can be, where known."""
    if goal.form is not None:
        yield _formed(goal.form, plan, space, answers)
    if goal.type is not None:
        yield Part("type", _typed(goal.type, space, answers), f"answers of {goal.type}")
    for iri in goal.mentions:
        named = any(part == iri for part in walk(plan))
        yield Part("mentions", "proved" if named else "refuted", f"the plan names {iri}")
    least, most = _LEAST.get(rows, 0), _MOST.get(rows, plan.limit)
    if goal.min is not None:
        few = most is not None and most < goal.min
        yield Part("min", _bounded(proved=least >= goal.min, refuted=few), f"at least {goal.min} rows")
    if goal.max is not None:
        fits = most is not None and most <= goal.max
        yield Part("max", _bounded(proved=fits, refuted=least > goal.max), f"at most {goal.max} rows")


def _formed(wanted: Shape, plan: Plan, space: Space, answers: Values | None) -> Part:
    found = _shape(plan)
    about = f"the plan gives {found or 'triples'}"
    if wanted != found:
        return Part("form", "refuted", about)
    if wanted != "number":
        return Part("form", "proved", about)
    numbers = space.families["number"]
    values = space.anything if answers is None else answers
    # An aggregate that fails leaves the one row without a value.
    return Part(
        "form", _bounded(proved=not values & ~(numbers | UNBOUND), refuted=not values & numbers), about
    )


def _shape(plan: Plan) -> Shape | None:
    """Return what a plan gives; None for triples. One row of an aggregate is taken for a number first."""
    if plan.form == "ask":
        return "truth"
    if plan.form != "select":
        return None
    return "number" if plan.grouped and not plan.group_by else "rows"


def _bounded(*, proved: bool, refuted: bool) -> Standing:
    return "proved" if proved else "refuted" if refuted else "unknown"


def _typed(wanted: IRI, space: Space, answers: Values | None) -> Standing:
    if answers is None:
        return "unknown"
    if wanted.value.startswith(XSD) or wanted.value == RDF_LANG_STRING:
        some = space.of_datatype(wanted.value)
        every = space.tags.get(wanted.value, 0)  # what is computed may be of a narrower or a wider datatype
    else:
        graphs = space.everywhere
        some, every = graphs.classes.get(wanted.value, 0), graphs.has_class.get(wanted.value, 0)
    return _bounded(proved=not answers & ~every, refuted=not answers & some)
