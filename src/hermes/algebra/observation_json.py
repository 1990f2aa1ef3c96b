"""Observations as JSON objects, for traces and for programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hermes.algebra.observation import (
    NAMES,
    Asked,
    Built,
    Empty,
    Finished,
    Hint,
    Observation,
    Rejected,
    Solutions,
)
from hermes.term_json import term_from_json, term_to_json
from hermes.terms import Row, TripleTerm


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
        case Empty() | Finished():
            pass
    if seen.hints:
        found["hints"] = [{"code": hint.code, "text": hint.text} for hint in seen.hints]
    return found


def observation_from_json(found: Mapping[str, Any]) -> Observation:
    """Return the observation of a JSON object.

    Raises:
        ValueError, KeyError: the object is none.
    """
    hints = tuple(Hint(hint["code"], hint["text"]) for hint in found.get("hints", ()))
    match found["is"]:
        case "solutions":
            return Solutions(
                count=found["count"],
                variables=tuple(found["variables"]),
                sample=tuple(map(_row, found["sample"])),
                before=found["before"],
                before_capped=found["before_capped"],
                capped=found["capped"],
                derived=found["derived"],
                hints=hints,
            )
        case "asked":
            return Asked(value=found["value"], hints=hints)
        case "built":
            triples = tuple(map(_triple, found["sample"]))
            return Built(count=found["count"], sample=triples, capped=found["capped"], hints=hints)
        case "rejected":
            return Rejected(stage=found["stage"], code=found["code"], message=found["message"], hints=hints)
        case "empty":
            return Empty(hints=hints)
        case "finished":
            return Finished(hints=hints)
        case other:
            raise ValueError(f"no observation is called {other!r}")


def _row(found: Mapping[str, Any]) -> Row:
    return {name: term_from_json(term) for name, term in found.items()}


def _triple(found: Mapping[str, Any]) -> TripleTerm:
    term = term_from_json(found)
    if not isinstance(term, TripleTerm):
        raise ValueError(f"no triple: {found!r:.80}")
    return term
