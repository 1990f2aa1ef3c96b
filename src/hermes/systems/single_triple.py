"""`single-triple`: the lower bound, the one pattern whose names the question says best."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from hermes.algebra import Action, Explorer, parse_action
from hermes.algebra.observation import Solutions
from hermes.algebra.operators.triple import Triple
from hermes.findings import Entry
from hermes.kg import KG
from hermes.sparql.patterns import TriplePattern
from hermes.systems.answer import Answer
from hermes.terms import IRI, RDF_TYPE, Variable

_WORD: Final = re.compile(r"\w+(?:[.'-]\w+)*")
_COUNTS: Final = re.compile(r"\b(how many|number of|count)\b", re.IGNORECASE)
_TRUTH: Final = re.compile(
    r"\s*(is|are|was|were|do|does|did|has|have|had|can|could|will|would)\b", re.IGNORECASE
)
_EMPTY: Final = frozenset(
    {
        "a", "an", "and", "are", "as", "at", "by", "did", "do", "does", "each", "every", "for", "from",
        "give", "has", "have", "how", "in", "is", "it", "its", "list", "many", "me", "of", "on", "or", "show",
        "tell", "that", "the", "their", "there", "they", "this", "to", "was", "were", "what", "when", "where",
        "which", "who", "whom", "whose", "with",
    }
)  # fmt: skip
"""Words that are no name, neither first nor last in one."""

_ANSWER: Final = Variable("answer")
_OTHER: Final = Variable("other")
_LONGEST: Final = 5
"""Words of a name."""
_WORDS: Final = 40
"""Words of a question that are read."""
_LOOKED_UP: Final = 60
"""Runs of words that are looked up."""
_TRIED: Final = 4
"""Patterns that are tried, each with two queries."""
_PARTLY: Final = 0.5
"""What a word is worth that is a part of a name."""


class Mention(NamedTuple):
    """A term that the question may name: which words (places in the question), and what they are worth."""

    entry: Entry
    words: frozenset[int]
    worth: float


class Candidate(NamedTuple):
    """A pattern, and what the words are worth that it explains."""

    worth: float
    pattern: TriplePattern


class SingleTriple:
    """Answers with one triple pattern.

    It looks up runs of words of the question among the labels, and takes the pattern with solutions whose
    names explain most of them: an entity with a predicate, in either direction; the instances of a class; a
    predicate. "How many" counts, and a question that begins with a verb asks whether there are any. At most
    four patterns are tried, and the words are English ones: who does more must score more.
    """

    def answer(self, question: str, kg: KG) -> Answer:
        """Return the answer of the best pattern; one without a query where no name is found.

        Raises:
            StoreError: the graph could not be used.
        """
        found = sorted(_candidates(list(_mentions(question, kg))), key=lambda each: -each.worth)
        for candidate in found[:_TRIED]:
            explorer = Explorer(kg)
            seen = explorer.run(Action.of(Triple(candidate.pattern), kg.prefixes))
            if not isinstance(seen, Solutions) or not seen.count:
                continue
            explorer.run(parse_action(_form(question)))
            confidence = candidate.worth / max(1, sum(_telling(word) for word in _words(question)))
            return Answer(
                explorer.plan,
                explorer.sparql,
                explorer.answer(),
                explorer.trace,
                confidence=min(1.0, confidence),
            )
        return Answer()


def _form(question: str) -> dict[str, str]:
    if _COUNTS.search(question):
        return {"op": "aggregate", "expr": f"COUNT(DISTINCT {_ANSWER})", "alias": "?number"}
    return {"op": "ask"} if _TRUTH.match(question) else {"op": "distinct"}


# --- what the question names ---------------------------------------------------------------------


def _words(question: str) -> list[str]:
    return _WORD.findall(question)[:_WORDS]


def _telling(word: str) -> bool:
    return word.lower() not in _EMPTY


def _mentions(question: str, kg: KG) -> Iterator[Mention]:
    """Yield what runs of words may name, the longest first; words inside of a name are no names again."""
    words = _words(question)
    taken: set[int] = set()
    for first, last in _runs(words):
        places = frozenset(range(first, last))
        if places <= taken:
            continue
        text = " ".join(words[first:last])
        for entry in (entry for each in _forms(text) for entry in kg.lookup(each).entries):
            worth = float(sum(_telling(word) for word in words[first:last]))
            if entry.match == "exact":
                taken |= places
                yield Mention(entry, places, worth)
            elif entry.match in ("prefix", "word") and entry.role != "entity":
                yield Mention(entry, places, _PARTLY * worth)


def _runs(words: list[str]) -> Iterator[tuple[int, int]]:
    """Yield the runs of words that may be a name, by their places."""
    left = _LOOKED_UP
    for length in range(min(_LONGEST, len(words)), 0, -1):
        for first in range(len(words) - length + 1):
            if left and _telling(words[first]) and _telling(words[first + length - 1]):
                left -= 1
                yield first, first + length


def _forms(text: str) -> list[str]:
    """Return a name as it is said, and in the singular."""
    if text.endswith("ies"):
        return [text, text[:-3] + "y"]
    return [text, text[:-1]] if text.endswith("s") and not text.endswith("ss") else [text]


# --- patterns --------------------------------------------------------------------------------------


def _candidates(mentions: list[Mention]) -> Iterator[Candidate]:
    """Yield the patterns of what is named; of two that are worth the same, the first was named more fully."""
    for one in mentions:
        if one.entry.role == "class":
            yield Candidate(one.worth, TriplePattern(_ANSWER, IRI(RDF_TYPE), one.entry.term))
        if one.entry.role == "predicate":
            yield Candidate(_PARTLY * one.worth, TriplePattern(_OTHER, one.entry.term, _ANSWER))
        if one.entry.role != "entity":
            continue
        for other in mentions:
            if other.entry.role == "predicate" and not one.words & other.words:
                worth = one.worth + other.worth
                yield Candidate(worth, TriplePattern(one.entry.term, other.entry.term, _ANSWER))
                yield Candidate(worth, TriplePattern(_ANSWER, other.entry.term, one.entry.term))
