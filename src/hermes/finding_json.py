"""Findings as JSON objects, for traces and for programs; IRIs as texts, other terms as in term_json."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from hermes.findings import Edge, End, Entry, Inspection, Lookup, Suggestion, Suggestions
from hermes.term_json import term_from_json, term_to_json
from hermes.terms import IRI, Term


def lookup_to_json(found: Lookup) -> dict[str, Any]:
    """Return a look-up as a JSON object."""
    return {
        "text": found.text,
        "complete": found.complete,
        "entries": [
            {
                "term": entry.term.value,
                "role": entry.role,
                "label": entry.label,
                "matched": entry.matched,
                "match": entry.match,
                "types": [each.value for each in entry.types],
                "count": entry.count,
            }
            for entry in found.entries
        ],
    }


def lookup_from_json(found: Mapping[str, Any]) -> Lookup:
    """Return the look-up of a JSON object.

    Raises:
        ValueError, KeyError: the object is none.
    """
    entries = tuple(
        Entry(
            term=IRI(entry["term"]),
            role=entry["role"],
            label=entry["label"],
            matched=entry["matched"],
            match=entry["match"],
            types=tuple(map(IRI, entry["types"])),
            count=entry["count"],
        )
        for entry in found["entries"]
    )
    return Lookup(found["text"], entries, found["complete"])


def inspection_to_json(found: Inspection) -> dict[str, Any]:
    """Return an inspection as a JSON object."""
    return {
        "term": found.term.value,
        "role": found.role,
        "label": found.label,
        "count": found.count,
        "types": [each.value for each in found.types],
        "also": list(found.also),
        "labels": {iri.value: label for iri, label in found.labels.items()},
        "edges": [_edge_to_json(edge) for edge in found.edges],
        "ends": [_end_to_json(end) for end in found.ends],
        "capped": found.capped,
        "sampled": found.sampled,
        "more": found.more,
        "complete": found.complete,
    }


def inspection_from_json(found: Mapping[str, Any]) -> Inspection:
    """Return the inspection of a JSON object.

    Raises:
        ValueError, KeyError: the object is none.
    """
    return Inspection(
        term=IRI(found["term"]),
        role=found["role"],
        label=found["label"],
        count=found["count"],
        types=tuple(map(IRI, found["types"])),
        edges=tuple(map(_edge_from_json, found["edges"])),
        ends=tuple(map(_end_from_json, found["ends"])),
        also=tuple(found["also"]),
        labels={IRI(iri): label for iri, label in found["labels"].items()},
        capped=found["capped"],
        sampled=found["sampled"],
        more=found["more"],
        complete=found["complete"],
    )


def suggestions_to_json(found: Suggestions) -> dict[str, Any]:
    """Return suggestions as a JSON object."""
    return {
        "focus": found.focus,
        "text": found.text,
        "more": found.more,
        "complete": found.complete,
        "items": [
            {
                "action": json.loads(item.action),
                "step": item.step,
                "term": _term_to_json(item.term),
                "label": item.label,
                "solutions": item.solutions,
                "values": item.values,
                "estimated": item.estimated,
                "score": item.score,
            }
            for item in found.items
        ],
    }


def suggestions_from_json(found: Mapping[str, Any]) -> Suggestions:
    """Return the suggestions of a JSON object.

    Raises:
        ValueError, KeyError: the object is none.
    """
    items = tuple(
        Suggestion(
            action=json.dumps(item["action"], ensure_ascii=False),
            step=item["step"],
            term=_term_from_json(item["term"]),
            label=item["label"],
            solutions=item["solutions"],
            values=item["values"],
            estimated=item["estimated"],
            score=item["score"],
        )
        for item in found["items"]
    )
    return Suggestions(found["focus"], items, found["more"], found["complete"], found["text"])


def _edge_to_json(edge: Edge) -> Mapping[str, Any]:
    return {
        "predicate": edge.predicate.value,
        "direction": edge.direction,
        "count": edge.count,
        "terms": edge.terms,
        "example": _term_to_json(edge.example),
    }


def _edge_from_json(found: Mapping[str, Any]) -> Edge:
    return Edge(
        predicate=IRI(found["predicate"]),
        direction=found["direction"],
        count=found["count"],
        terms=found["terms"],
        example=_term_from_json(found["example"]),
    )


def _end_to_json(end: End) -> Mapping[str, Any]:
    return {
        "side": end.side,
        "kind": None if end.kind is None else end.kind.value,
        "count": end.count,
        "example": _term_to_json(end.example),
    }


def _end_from_json(found: Mapping[str, Any]) -> End:
    return End(
        side=found["side"],
        kind=None if found["kind"] is None else IRI(found["kind"]),
        count=found["count"],
        example=_term_from_json(found["example"]),
    )


def _term_to_json(term: Term | None) -> Mapping[str, Any] | None:
    return None if term is None else term_to_json(term)


def _term_from_json(found: Mapping[str, Any] | None) -> Term | None:
    return None if found is None else term_from_json(found)
