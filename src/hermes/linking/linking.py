"""From a question to mentions: each span that may mean something in the graph, with what it may mean."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from hermes.errors import StoreError
from hermes.linking.asked import asked
from hermes.linking.candidates import Spoken, occurring
from hermes.linking.english import cues, numbers
from hermes.linking.implied import Implied
from hermes.linking.lexicon import Lexicon
from hermes.linking.mentions import Candidate, Mention, Mentions, Number, Span
from hermes.linking.named import Found, named
from hermes.linking.scoring import Scores
from hermes.linking.surroundings import Surroundings
from hermes.linking.tokens import Word, between, quoted, words_of
from hermes.linking.vocabulary_match import vocabulary_candidates
from hermes.store import is_endpoint
from hermes.terms import IRI, Literal
from hermes.verifier import Schema

if TYPE_CHECKING:
    from hermes.kg import KG

LONGEST: Final = 2000
"""Characters of a question that count."""
_MOST_CANDIDATES: Final = 20
"""A span has at most so many candidates."""


@dataclass(frozen=True, slots=True)
class _Known:
    """What linking knows of a graph."""

    lexicon: Lexicon
    surroundings: Surroundings


_of_kg: Final[WeakKeyDictionary[KG, _Known]] = WeakKeyDictionary()


def link(question: str, kg: KG) -> Mentions:
    """Return what the words of a question may mean in a graph.

    Of an embedded store the first question makes the indexes and the schema, where they are not kept already.
    An endpoint without an index is asked by a few queries; where it has no time, not all mentions are found.

    Args:
        question: in English; its first 2,000 characters and 60 words count.
        kg: the graph.

    Raises:
        StoreError: the store could not answer.
    """
    question = question[:LONGEST]
    words, known, spans = words_of(question), _known(kg), quoted(question)
    counted = tuple(numbers(question))
    said = known.lexicon.said(words)
    spoken = [*vocabulary_candidates(known.lexicon, said, words)]
    complete = True
    try:
        found = _found(kg, question, words, spans, known.lexicon)
        scores = Scores(question, known.lexicon, said, found)
        spoken += occurring(kg, scores, found, _words_of(counted, words))
    except StoreError as error:
        if not is_endpoint(kg.store) or error.category != "timeout":
            raise
        complete = False
    spoken += Implied(spoken, known.lexicon, known.surroundings).candidates()
    return Mentions(question, _mentions(question, spoken), counted, tuple(cues(question)), spans, complete)


def _known(kg: KG) -> _Known:
    found = _of_kg.get(kg)
    if found is None:
        vocabulary = kg.vocabulary
        lexicon = Lexicon(vocabulary.predicates, vocabulary.classes, vocabulary.labels)
        around = Surroundings() if is_endpoint(kg.store) else Surroundings.of(Schema.mine(kg))
        found = _of_kg[kg] = _Known(lexicon, around)
    return found


def _found(
    kg: KG, question: str, words: Sequence[Word], spans: Sequence[Span], lexicon: Lexicon
) -> Sequence[Found]:
    """Return what words name; those that say a predicate, a class or an operation are not searched in."""
    indexes = kg.indexes
    if indexes is None:
        return [*asked(kg, question, words, spans)]
    asking = [cue.span for cue in cues(question)]
    known = {word for word in words if any(span.start <= word.span.start < span.end for span in asking)}
    known |= {each.word for each in lexicon.said(words).values() if each.word is not None}
    return named(indexes, words, spans, known.__contains__)


def _words_of(counted: Iterable[Number], words: Sequence[Word]) -> dict[Number, tuple[Word, ...]]:
    inside = {
        number: tuple(word for word in words if number.span.start <= word.span.start < number.span.end)
        for number in counted
    }
    return {number: said for number, said in inside.items() if said}


def _mentions(question: str, spoken: Iterable[Spoken]) -> tuple[Mention, ...]:
    """Return what is said by the same words together, each term once."""
    best: defaultdict[Span, dict[tuple[str, IRI | Literal], Candidate]] = defaultdict(dict)
    for words, candidate in spoken:
        candidates = best[between(question, words)]
        known = candidates.get((candidate.kind, candidate.term))
        if known is None or known.score < candidate.score:
            candidates[candidate.kind, candidate.term] = candidate
    return tuple(Mention(span, _ranked(best[span].values())) for span in sorted(best))


def _ranked(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    ordered = sorted(candidates, key=lambda each: (-each.score, -each.count, str(each.term)))
    return tuple(ordered[:_MOST_CANDIDATES])
