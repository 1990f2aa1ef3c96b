"""Observations as JSON objects, for traces and for programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from hermes.algebra.goal import SHAPES, Goal
from hermes.algebra.observation import (
    NAMES,
    Asked,
    Built,
    Declared,
    Empty,
    Finished,
    Found,
    Hint,
    Inspected,
    LookedUp,
    Observation,
    Rejected,
    Solutions,
    Suggested,
)
from hermes.finding_json import (
    inspection_from_json,
    inspection_to_json,
    lookup_from_json,
    lookup_to_json,
    suggestions_from_json,
    suggestions_to_json,
)
from hermes.term_json import term_from_json, term_to_json
from hermes.terms import IRI, Row, TripleTerm


def observation_to_json(seen: Observation) -> dict[str, Any]:
    """Return an observation as a JSON object."""
    found: dict[str, Any] = {"is": NAMES[type(seen)]}
    match seen:
        case Solutions():
            found |= {"count": seen.count, "before": seen.before, "variables": list(seen.variables)}
            found |= {"before_capped": seen.before_capped, "capped": seen.capped, "derived": seen.derived}
            found["sample"] = [
                {name: term_to_json(term) for name, term in row.items()} for row in seen.sample
            ]
        case Asked():
            found["value"] = seen.value
        case Built():
            found |= {"count": seen.count, "capped": seen.capped}
            found["sample"] = [term_to_json(triple) for triple in seen.sample]
        case Rejected():
            found |= {"stage": seen.stage, "code": seen.code, "message": seen.message}
        case LookedUp() | Inspected() | Suggested():
            found |= _found_to_json(seen)
        case Declared():
            found |= _goal_to_json(seen.goal)
        case Empty() | Finished():
            pass
    if seen.hints:
        found["hints"] = [_hint_to_json(hint) for hint in seen.hints]
    return found


def observation_from_json(found: Mapping[str, Any]) -> Observation:
    """Return the observation of a JSON object.

    Raises:
        ValueError, KeyError: the object is none.
    """
    hints = tuple(map(_hint_from_json, found.get("hints", ())))
    name = found["is"]
    if name not in _READERS:
        raise ValueError(f"no observation is called {name!r}")
    return replace(_READERS[name](found), hints=hints)


def _found_to_json(seen: Found) -> dict[str, Any]:
    match seen:
        case LookedUp():
            return lookup_to_json(seen.found)
        case Inspected():
            return inspection_to_json(seen.found)
        case Suggested():
            return suggestions_to_json(seen.found)


def _hint_to_json(hint: Hint) -> dict[str, Any]:
    action = {"action": json.loads(hint.action)} if hint.action else {}
    return {"code": hint.code, "text": hint.text, **action}


def _hint_from_json(found: Mapping[str, Any]) -> Hint:
    action = json.dumps(found["action"], ensure_ascii=False) if "action" in found else ""
    return Hint(found["code"], found["text"], action)


def _goal_to_json(goal: Goal) -> dict[str, Any]:
    """Return the fields of a goal that are not free, IRIs in full."""
    given = {
        "form": goal.form,
        "type": goal.type and goal.type.value,
        "mentions": [iri.value for iri in goal.mentions] or None,
        "min": goal.min,
        "max": goal.max,
    }
    return {name: value for name, value in given.items() if value is not None}


def _declared(found: Mapping[str, Any]) -> Declared:
    form, type_ = found.get("form"), found.get("type")
    if form is not None and form not in SHAPES:
        raise ValueError(f"no goal has the form {form!r}")
    mentions = tuple(map(IRI, found.get("mentions", ())))
    of = None if type_ is None else IRI(type_)
    return Declared(goal=Goal(form, of, mentions, found.get("min"), found.get("max")))


def _solutions(found: Mapping[str, Any]) -> Solutions:
    return Solutions(
        count=found["count"],
        variables=tuple(found["variables"]),
        sample=tuple(map(_row, found["sample"])),
        before=found["before"],
        before_capped=found["before_capped"],
        capped=found["capped"],
        derived=found["derived"],
    )


def _built(found: Mapping[str, Any]) -> Built:
    triples = tuple(map(_triple, found["sample"]))
    return Built(count=found["count"], sample=triples, capped=found["capped"])


def _rejected(found: Mapping[str, Any]) -> Rejected:
    return Rejected(stage=found["stage"], code=found["code"], message=found["message"])


def _row(found: Mapping[str, Any]) -> Row:
    return {name: term_from_json(term) for name, term in found.items()}


def _triple(found: Mapping[str, Any]) -> TripleTerm:
    term = term_from_json(found)
    if not isinstance(term, TripleTerm):
        raise ValueError(f"no triple: {found!r:.80}")
    return term


_READERS: Final[dict[str, Callable[[Mapping[str, Any]], Observation]]] = {
    "solutions": _solutions,
    "asked": lambda found: Asked(value=found["value"]),
    "built": _built,
    "empty": lambda _: Empty(),
    "finished": lambda _: Finished(),
    "rejected": _rejected,
    "looked_up": lambda found: LookedUp(found=lookup_from_json(found)),
    "declared": _declared,
    "inspected": lambda found: Inspected(found=inspection_from_json(found)),
    "suggested": lambda found: Suggested(found=suggestions_from_json(found)),
}
