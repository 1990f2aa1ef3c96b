"""Mentions as JSON objects, for programs."""

from __future__ import annotations

from typing import Any

from hermes.linking.mentions import Candidate, Mentions, Span
from hermes.term_json import term_to_json


def mentions_to_json(found: Mentions) -> dict[str, Any]:
    """Return mentions as a JSON object; spans are characters from `start` to before `end`."""
    return {
        "question": found.question,
        "complete": found.complete,
        "mentions": [
            {**_span(mention.span), "candidates": [_candidate(each) for each in mention.candidates]}
            for mention in found.mentions
        ],
        "numbers": [
            {**_span(each.span), "kind": each.kind, "value": term_to_json(each.value)}
            for each in found.numbers
        ],
        "cues": [{**_span(each.span), "asks": each.asks} for each in found.cues],
        "quoted": [_span(each) for each in found.quoted],
    }


def _span(span: Span) -> dict[str, Any]:
    return {"start": span.start, "end": span.end, "text": span.text}


def _candidate(candidate: Candidate) -> dict[str, Any]:
    return {
        "term": term_to_json(candidate.term),
        "kind": candidate.kind,
        "name": candidate.name,
        "evidence": candidate.evidence,
        "score": candidate.score,
        "count": candidate.count,
        "predicates": [each.value for each in candidate.predicates],
        "types": [each.value for each in candidate.types],
    }
