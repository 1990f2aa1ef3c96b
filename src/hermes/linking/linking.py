"""From a question to mentions: each span that may mean something in the graph, with what it may mean."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from hermes.labels import Indexes
from hermes.linking.english import cues, numbers
from hermes.linking.implied import Implied
from hermes.linking.lexicon import Lexicon, Said
from hermes.linking.mentions import Candidate, Mention, Mentions, Number, Span
from hermes.linking.named import Found, named
from hermes.linking.occurring import entity_facts, spellings, uses
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
_MOST_TERMS: Final = 60
"""So many entities, and so many texts, are looked at more closely."""
_MOST_CANDIDATES: Final = 20
"""A span has at most so many candidates."""
_BY_LENGTH: Final = (0.0, 0.7, 0.85, 0.92)
"""How well words name something that is just them: one, two, three or more."""
_CAPITAL: Final = 0.1
_QUOTED: Final = 0.2
_INSIDE: Final = 0.3
"""What is taken off where the words stand inside of others that are a name."""
_INFLECTED: Final = 0.05
_KNOWN: Final = 0.25
"""What is taken off where a single word says a predicate or a class too."""
_PARTLY: Final = 0.6
_SAID_TOO: Final = 0.08
"""What is added where the question says a predicate of the text, or a class of the entity, too."""

Spoken = tuple[tuple[Word, ...], Candidate]
"""A candidate with the words that say it."""


@dataclass(frozen=True, slots=True)
class _Known:
    """What linking knows of a graph."""

    lexicon: Lexicon
    surroundings: Surroundings


_of_kg: Final[WeakKeyDictionary[KG, _Known]] = WeakKeyDictionary()


def link(question: str, kg: KG) -> Mentions:
    """Return what the words of a question may mean in a graph.

    Of an embedded store, the first question makes the indexes and the schema, where they are not kept already.

    Args:
        question: in English; its first 2,000 characters and 60 words count.
        kg: the graph.

    Raises:
        StoreError: the store could not answer.
    """
    question = question[:LONGEST]
    words, known = words_of(question), _known(kg)
    counted = tuple(numbers(question))
    said = known.lexicon.said(words)
    spoken = [*vocabulary_candidates(known.lexicon, said, words)]
    spoken += _occurring(kg, question, words, known, counted, said)
    spoken += Implied(spoken, known.lexicon, known.surroundings).candidates()
    return Mentions(question, _mentions(question, spoken), counted, tuple(cues(question)), quoted(question))


def _known(kg: KG) -> _Known:
    found = _of_kg.get(kg)
    if found is None:
        vocabulary = kg.vocabulary
        lexicon = Lexicon(vocabulary.predicates, vocabulary.classes, vocabulary.labels)
        around = Surroundings() if is_endpoint(kg.store) else Surroundings.of(Schema.mine(kg))
        found = _of_kg[kg] = _Known(lexicon, around)
    return found


def _occurring(
    kg: KG,
    question: str,
    words: Sequence[Word],
    known: _Known,
    counted: Sequence[Number],
    said: Mapping[str, Said],
) -> list[Spoken]:
    """Return the entities and texts that words name, and the numbers that occur."""
    found = _found(kg, question, words, said)
    scored = sorted(
        ((_score(each, found, said, question), each) for each in found),
        key=lambda pair: (-pair[0], str(pair[1].term)),
    )
    texts = list(dict.fromkeys(each.term for _, each in scored if isinstance(each.term, Literal)))[
        :_MOST_TERMS
    ]
    entities = list(dict.fromkeys(each.term for _, each in scored if isinstance(each.term, IRI)))[
        :_MOST_TERMS
    ]
    written = [each for number in counted for each in spellings(number)]
    use = uses(kg, list(dict.fromkeys([*texts, *written])))
    about = entity_facts(kg, entities)
    spoken: list[Spoken] = []
    for score, each in scored:
        if isinstance(each.term, Literal) and each.term in use:
            predicates = use[each.term]
            more = _SAID_TOO * _says_any(known.lexicon, predicates, said)
            candidate = _value(each.term, each.name, min(1.0, score + more), predicates)
            spoken.append((each.words, replace(candidate, evidence=each.evidence)))
        elif isinstance(each.term, IRI) and each.term in about:
            facts = about[each.term]
            more = _SAID_TOO * _says_any(known.lexicon, facts.types, said)
            spoken.append(
                (
                    each.words,
                    Candidate(
                        each.term,
                        "entity",
                        each.name,
                        each.evidence,
                        round(min(1.0, score + more), 4),
                        facts.count,
                        types=facts.types,
                    ),
                )
            )
    for number in counted:
        inside = tuple(word for word in words if number.span.start <= word.span.start < number.span.end)
        for literal in dict.fromkeys(spellings(number)):
            if literal in use and inside:
                more = _SAID_TOO * _says_any(known.lexicon, use[literal], said)
                spoken.append((inside, _value(literal, literal.lexical, 0.8 + more, use[literal])))
    return spoken


def _found(kg: KG, question: str, words: Sequence[Word], said: Mapping[str, Said]) -> Sequence[Found]:
    indexes: Indexes | None = kg.indexes
    if indexes is None:
        return ()
    return named(indexes, words, quoted(question), lambda word: word.root in said)


def _value(term: Literal, name: str, score: float, predicates: Mapping[IRI, int]) -> Candidate:
    count = sum(predicates.values())
    return Candidate(term, "value", name, "exact", round(score, 4), count, tuple(predicates))


def _score(found: Found, others: Iterable[Found], said: Mapping[str, Said], question: str) -> float:
    """Return how well some words name a term, by themselves and beside the other names in the question."""
    words = found.words
    score = _BY_LENGTH[min(len(words), len(_BY_LENGTH) - 1)]
    if any(word.capital for word in words if word.span.start > 0):
        score += _CAPITAL
    if words[0].span.start and question[words[0].span.start - 1] in "\"'“‘":
        score += _QUOTED
    if found.evidence == "inflected":
        score -= _INFLECTED
    if found.evidence in ("part", "typo"):
        score *= _PARTLY * (0.5 + 0.5 * found.part)
    if len(words) == 1 and not words[0].capital and words[0].root in said:
        score -= _KNOWN
    mine = set(words)
    if any(mine < set(other.words) and other.evidence in ("exact", "inflected") for other in others):
        score -= _INSIDE
    return min(1.0, max(0.05, score))


def _says_any(lexicon: Lexicon, terms: Iterable[IRI], said: Mapping[str, Said]) -> bool:
    wanted = set(terms)
    return any(
        name.term in wanted and any(each in said for each in (*name.roots, *name.of))
        for name in lexicon.names
    )


def _mentions(question: str, spoken: Iterable[Spoken]) -> tuple[Mention, ...]:
    best: defaultdict[Span, dict[tuple[str, IRI | Literal], Candidate]] = defaultdict(dict)
    for words, candidate in spoken:
        if not words:
            continue
        span = between(question, words)
        known = best[span].get((candidate.kind, candidate.term))
        if known is None or known.score < candidate.score:
            best[span][candidate.kind, candidate.term] = candidate
    return tuple(
        Mention(
            span,
            tuple(
                sorted(best[span].values(), key=lambda each: (-each.score, -each.count, str(each.term)))[
                    :_MOST_CANDIDATES
                ]
            ),
        )
        for span in sorted(best)
    )
