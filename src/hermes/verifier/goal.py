"""What follows from a plan for each part of a goal: proved, refuted, or unknown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from hermes.algebra.goal import SHAPES, Goal, Part, Shape, Standing
from hermes.algebra.plan import Plan
from hermes.sparql.expressions import Aggregate
from hermes.sparql.modifiers import Alias
from hermes.sparql.tree import walk
from hermes.terms import IRI, RDF_LANG_STRING, RDFS, XSD, Names, Variable
from hermes.verifier.bounds import Bounds
from hermes.verifier.judgements import judgement
from hermes.verifier.literals import INTEGER
from hermes.verifier.rules.graph_space import Values
from hermes.verifier.rules.space import UNBOUND, Space

__all__ = ["Goal", "Known", "standings"]

_INSTEAD: Final[dict[Shape, str]] = {
    "rows": "take the aggregate or ASK away",
    "number": "add an aggregate without a group",
    "truth": "add ask",
}
_SHOWN: Final = 3


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a plan: its rows, what its columns can be, and what its variables can be.

    `columns` has no entry for a column of which nothing is known.
    """

    bounds: Bounds
    columns: dict[Variable, Values]


def standings(goal: Goal, plan: Plan, space: Space, known: Known) -> Iterator[Part]:
    """Yield how each part of a goal stands."""
    names = plan.prefixes.names()
    answers = None if plan.answer is None else known.columns.get(plan.answer)
    if goal.form is not None:
        yield _formed(goal.form, plan, space, answers)
    if goal.type is not None:
        yield _typed(goal.type, plan, space, known.columns, names)
    for iri in goal.mentions:
        named = any(part == iri for part in walk(plan))
        about = f"the plan {'names' if named else 'does not name'} {names(iri.value)}"
        yield Part(
            "mentions", "proved" if named else "refuted", about, "" if named else "add a clause with it"
        )
    yield from _sized(goal, known.bounds)


def _sized(goal: Goal, bounds: Bounds) -> Iterator[Part]:
    least, most = bounds
    if most is None:
        about = f"the plan has at least {least:,} rows"
    else:
        about = f"the plan has {f'{least:,} to ' * (least < most)}{most:,} rows"
    about = f"the goal asks for {goal.rows_text}, {about}"
    if goal.min is not None:
        standing = _bounded(proved=least >= goal.min, refuted=most is not None and most < goal.min)
        yield Part("min", standing, about, "take a clause or a slice away")
    if goal.max is not None:
        standing = _bounded(proved=most is not None and most <= goal.max, refuted=least > goal.max)
        yield Part("max", standing, about, "add a clause, or a limit")


def _bounded(*, proved: bool, refuted: bool) -> Standing:
    return "proved" if proved else "refuted" if refuted else "unknown"


def _formed(wanted: Shape, plan: Plan, space: Space, answers: Values | None) -> Part:
    found = _shape(plan)
    about = f"the goal asks for {SHAPES[wanted]}, the plan gives {SHAPES[found] if found else 'triples'}"
    if wanted != found:
        return Part("form", "refuted", about, _INSTEAD[wanted])
    if wanted != "number":
        return Part("form", "proved", about)
    numbers = space.families["number"]
    values = space.anything if answers is None else answers
    # An aggregate that fails leaves the one row without a value.
    standing = _bounded(proved=not values & ~(numbers | UNBOUND), refuted=not values & numbers)
    if standing == "refuted":
        about = f"the goal asks for one number, {plan.answer} is none"
    return Part("form", standing, about, "aggregate numbers, or count")


def _shape(plan: Plan) -> Shape | None:
    """Return what a plan gives; None for triples. One row of an aggregate is taken for a number first."""
    if plan.form == "ask":
        return "truth"
    if plan.form != "select":
        return None
    return "number" if plan.grouped and not plan.group_by else "rows"


def _typed(wanted: IRI, plan: Plan, space: Space, columns: dict[Variable, Values], names: Names) -> Part:
    shown = names(wanted.value)
    if plan.answer is None or plan.answer not in columns:
        return Part("type", "unknown", f"what the answers are is not known; the goal asks for {shown}")
    standing = _is_of(wanted, plan, plan.answer, space, columns[plan.answer])
    about = (
        f"the goal asks for answers of {shown}, {plan.answer} is {_said(space, columns[plan.answer], names)}"
    )
    if standing != "refuted":
        return Part("type", standing, about)
    others = (
        name
        for name, values in columns.items()
        if name != plan.answer and not name.reserved and _is_of(wanted, plan, name, space, values) == "proved"
    )
    other = next(others, None)
    return Part("type", standing, about, f"project {other}" if other else f"ask for what is of {shown}")


def _is_of(wanted: IRI, plan: Plan, column: Variable, space: Space, values: Values) -> Standing:
    if wanted.value.startswith(XSD) or wanted.value == RDF_LANG_STRING:
        if _is_count(plan, column):
            return "proved" if wanted.value == INTEGER else "refuted"
        some = space.of_datatype(wanted.value)
        every = space.tags.get(wanted.value, 0)  # what is computed may be of a narrower or a wider datatype
        if wanted.value == RDF_LANG_STRING:
            every = space.families["tagged"]
        return _bounded(proved=not values & ~every, refuted=not values & some)
    graphs = space.everywhere
    some, every = graphs.classes.get(wanted.value, 0), graphs.has_class.get(wanted.value, 0)
    # An instance of a sub-class is one of the class too, and which those are the schema does not say.
    wider = bool(space.of_term(wanted) & graphs.objects.get(f"{RDFS}subClassOf", 0))
    return _bounded(proved=not values & ~every, refuted=not wider and not values & some)


def _is_count(plan: Plan, column: Variable) -> bool:
    """Whether a column is a COUNT, which is always an integer."""
    meanings = (
        each.expression for each in plan.projection if isinstance(each, Alias) and each.variable == column
    )
    return any(isinstance(meaning, Aggregate) and meaning.function == "COUNT" for meaning in meanings)


def _said(space: Space, values: Values, names: Names) -> str:
    judged = judgement(space, values)
    found = [names(each) for each in (*judged.classes, *judged.datatypes)]
    found += [f"text @{tag}" for tag in judged.languages]
    more = [f"and {len(found) - _SHOWN} more"] if len(found) > _SHOWN else []
    return ", ".join(found[:_SHOWN] + more) or "a computed value"
