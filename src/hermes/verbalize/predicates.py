"""How a predicate label stands in a sentence: as a verb, with `is`, or as a noun.

Nothing is known of the grammar of a graph, so the rules are few and closed, and what they do not know is a
noun: "whose season is ..." is true of any label.
"""

from __future__ import annotations

from typing import Final, Literal

Shape = Literal["verb", "state", "has", "noun"]
"""`verb`: "S hosted O"; `state`: "S is part of O"; `noun`: "the season of S is O"; `has`: a noun after that
word, as in `has manager`."""

_VERBS: Final = frozenset({
    "adjoins", "affects", "becomes", "began", "belongs", "borders", "broadcasts", "built", "causes",
    "cites", "consists", "contains", "covers", "crosses", "defines", "depicts", "describes", "encodes",
    "excludes", "follows", "founded", "gave", "governs", "had", "has", "held", "holds", "implies",
    "includes", "influences", "interacts", "intersects", "is", "joined", "leads", "lies", "links",
    "lives", "made", "manages", "married", "matches", "mentions", "met", "neighbors", "neighbours",
    "offers", "operates", "overlaps", "owns", "participates", "plays", "precedes", "produces",
    "provides", "references", "refers", "regulates", "represents", "requires", "runs", "serves",
    "shares", "shows", "speaks", "starts", "studies", "supports", "surrounds", "taught", "teaches",
    "touches", "treats", "uses", "was", "were", "won", "works", "writes", "wrote",
})  # fmt: skip
_NOT_VERBS: Final = frozenset({
    "bed", "breed", "deed", "feed", "hundred", "need", "red", "seed", "shed", "speed", "used", "wed",
    "weed",
})  # fmt: skip
_PARTICIPLES: Final = frozenset(["born", "built", "held", "known", "made", "shot", "sold", "sung", "won"])
_PREPOSITIONS: Final = frozenset(
    ["after", "as", "at", "by", "for", "from", "in", "into", "of", "on", "onto", "to", "with"]
)
_DATES: Final = frozenset({
    "accessed", "closed", "completed", "copyrighted", "created", "dated", "dissolved", "ended",
    "established", "founded", "injured", "installed", "issued", "launched", "modified", "opened",
    "published", "registered", "released", "reviewed", "started", "submitted", "updated", "verified",
})  # fmt: skip
"""Participles that are mostly about the subject: the value is when it was opened, not what it opened."""
_NOUNS_TOO: Final = frozenset({
    "borders", "covers", "links", "matches", "plays", "references", "represents", "runs", "shares",
    "shows", "starts", "studies", "supports", "treats", "uses", "works",
})  # fmt: skip
"""As a label of one word these may be plural nouns: "whose works is ..." is clumsy and right."""


def shape_of(label: str) -> Shape:
    """Return how a predicate with this label is said."""
    words = label.partition(" [")[0].casefold().split()
    if not words or not words[0].isalpha():
        return "noun"
    first, last = words[0], words[-1]
    if len(words) == 1:
        past = first.endswith("ed") and first not in _NOT_VERBS | _DATES and not first.endswith("eed")
        return "verb" if past or first in _VERBS - _NOUNS_TOO else "noun"
    participle = first.endswith(("ed", "en")) or first in _PARTICIPLES
    if first in _PREPOSITIONS or (participle and words[1] in _PREPOSITIONS):
        return "state"
    if last in _PREPOSITIONS:
        present = first.endswith("s") and not first.endswith(("ss", "us")) and last != "of"
        return "verb" if (first in _VERBS or present) and not participle else "state"
    if first == "has":
        return "has"
    return "verb" if first in _VERBS else "noun"


def is_participle(label: str) -> bool:
    """Whether a label is said as a noun and is none, so that it needs quotation marks."""
    return label.casefold() in _DATES


def noun_in(label: str) -> str:
    """Return the noun of a label: that of `has manager` is `manager`."""
    return label[len("has ") :] if shape_of(label) == "has" else label
