"""The entities and texts that words of a question name, with what is known of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from hermes.labels.facts import Facts
from hermes.linking.mentions import Candidate, Evidence, Number
from hermes.linking.named import Found
from hermes.linking.occurring import Uses, entity_facts, spellings, uses
from hermes.linking.scoring import Scores
from hermes.linking.tokens import Word
from hermes.terms import IRI, Literal

if TYPE_CHECKING:
    from hermes.kg import KG

_MOST_TERMS: Final = 60
"""So many entities, and so many texts, are looked at more closely."""
_NUMBER: Final = 0.8
"""How well a number names the same number in the graph."""

Spoken = tuple[tuple[Word, ...], Candidate]
"""A candidate with the words that say it."""


def occurring(
    kg: KG, scores: Scores, found: Sequence[Found], numbers: Mapping[Number, tuple[Word, ...]]
) -> Iterator[Spoken]:
    """Yield what was found with its predicates and types, and the numbers of the question that occur.

    Two queries at most.

    Raises:
        StoreError: the store could not answer.
    """
    scored = sorted(
        ((scores.of(each), each) for each in found), key=lambda pair: (-pair[0], str(pair[1].term))
    )
    terms = list(dict.fromkeys(each.term for _, each in scored))
    texts = [term for term in terms if isinstance(term, Literal)][:_MOST_TERMS]
    written = [each for number in numbers for each in spellings(number)]
    use = uses(kg, list(dict.fromkeys([*texts, *written])))
    about = entity_facts(kg, [term for term in terms if isinstance(term, IRI)][:_MOST_TERMS])
    for score, each in scored:
        if isinstance(each.term, Literal) and each.term in use:
            yield each.words, _value(each.term, each.name, each.evidence, score, use, scores)
        elif isinstance(each.term, IRI) and each.term in about:
            yield each.words, _entity(each.term, each, score, about[each.term], scores)
    for number, words in numbers.items():
        for literal in dict.fromkeys(spellings(number)):
            if literal in use:
                yield words, _value(literal, literal.lexical, "exact", _NUMBER, use, scores)


def _value(  # noqa: PLR0913, PLR0917 - what is known of a text
    term: Literal, name: str, evidence: Evidence, score: float, use: Uses, scores: Scores
) -> Candidate:
    predicates = use[term]
    total = round(min(1.0, score + scores.beside(predicates)), 4)
    return Candidate(term, "value", name, evidence, total, sum(predicates.values()), tuple(predicates))


def _entity(term: IRI, found: Found, score: float, about: Facts, scores: Scores) -> Candidate:
    total = round(min(1.0, score + scores.beside(about.types)), 4)
    return Candidate(term, "entity", found.name, found.evidence, total, about.count, types=about.types)
