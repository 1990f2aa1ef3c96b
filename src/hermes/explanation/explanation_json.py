"""Explanations as JSON objects, for programs; docs/explain.md says what each field means."""

from __future__ import annotations

from typing import Any

from hermes.algebra.observation_json import observation_to_json
from hermes.algebra.render import render
from hermes.explanation.step import Explanation, Part, Step, Tally


def explanation_to_json(found: Explanation, header: str) -> dict[str, Any]:
    """Return the fields `query`, `warnings` and `steps`; queries are shortened by the header's prefixes."""
    return {
        "query": render(found.plan, header),
        "warnings": [{"code": slip.code, "text": slip.message} for slip in found.warnings],
        "steps": [_step(step, header) for step in found.steps],
    }


def _step(step: Step, header: str) -> dict[str, Any]:
    return {
        "text": step.text,
        "action": step.action.to_json(),
        "observation": observation_to_json(step.seen),
        "query": "" if step.plan.empty else render(step.plan, header),
        "elapsed": step.elapsed,
        "mark": step.mark,
        "parts": [_part(part, header) for part in step.parts],
    }


def _part(part: Part | Step, header: str) -> dict[str, Any]:
    if isinstance(part, Step):
        return _step(part, header)
    return {
        "text": part.text,
        "tally": None if part.tally is None else _tally(part.tally),
        "elapsed": part.elapsed,
        "failure": part.failure or None,
        "parts": [_part(inner, header) for inner in part.parts],
    }


def _tally(tally: Tally) -> dict[str, Any]:
    return {
        "count": tally.count,
        "meaning": tally.meaning,
        "of": tally.of,
        "capped": tally.capped,
        "derived": tally.derived,
    }
