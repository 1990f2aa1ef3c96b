"""What the words of a question may mean in a graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf

from hermes.terms import IRI, Literal

Kind = OneOf["entity", "class", "predicate", "value"]
"""What a candidate is in the graph; `value` is a literal that occurs."""

Evidence = OneOf["exact", "inflected", "part", "typo", "synonym", "implied"]
"""How a span says a name, best first: as it is; but for its endings; in part; misspelt; in other words; or it
says another term that comes with this one."""

Asks = OneOf[
    "count",
    "yes-no",
    "most",
    "least",
    "greater",
    "less",
    "at-least",
    "at-most",
    "between",
    "equal",
    "average",
    "sum",
    "maximum",
    "minimum",
    "negation",
    "distinct",
    "each",
    "ascending",
    "descending",
    "or",
    "both",
]
"""What a word asks for that is no term: a count, a superlative (`most`, `least`), a comparison, ..."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A piece of a question: characters from `start` to before `end`, and the text that stands there."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """A term that a span may mean.

    Args:
        term: the IRI, or the literal that occurs in the graph.
        kind: what it is there.
        name: its name that the span says: a label, a local name in words, the text of a literal.
        evidence: how the span says it.
        score: from 0 to 1; candidates of one question are comparable.
        count: triples around an entity, with a predicate, or with a value as object; instances of a class.
        predicates: of a value, those that it is the object of, the most frequent first; of an entity, none.
        types: of an entity, some of its classes.
    """

    term: IRI | Literal
    kind: Kind
    name: str
    evidence: Evidence
    score: float
    count: int = 0
    predicates: tuple[IRI, ...] = ()
    types: tuple[IRI, ...] = ()


@dataclass(frozen=True, slots=True)
class Mention:
    """A span, and the terms that it may mean, the best first."""

    span: Span
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class Number:
    """A number, a year or a date in a question as a literal: `1900`, "two", "May 1st, 1990"."""

    span: Span
    value: Literal
    kind: OneOf["number", "year", "date"]


@dataclass(frozen=True, slots=True)
class Cue:
    """Words that ask for an operation."""

    span: Span
    asks: Asks


@dataclass(frozen=True, slots=True)
class Mentions:
    """All that was found in a question.

    Args:
        question: the text.
        mentions: what may mean terms, in order; spans may overlap.
        numbers: the numbers, years and dates.
        cues: what asks for an operation.
        quoted: what stands in quotation marks.
        complete: False where there was no time for all.
    """

    question: str
    mentions: tuple[Mention, ...] = ()
    numbers: tuple[Number, ...] = ()
    cues: tuple[Cue, ...] = ()
    quoted: tuple[Span, ...] = ()
    complete: bool = True

    def ranked(self, kind: Kind, most: int = 10) -> tuple[Candidate, ...]:
        """Return the best candidates of a kind in the whole question, each term once, the best first."""
        best: dict[IRI | Literal, Candidate] = {}
        for mention in self.mentions:
            for candidate in mention.candidates:
                known = best.get(candidate.term)
                if candidate.kind == kind and (known is None or known.score < candidate.score):
                    best[candidate.term] = candidate
        ordered = sorted(best.values(), key=lambda each: (-each.score, -each.count, str(each.term)))
        return tuple(ordered[:most])
