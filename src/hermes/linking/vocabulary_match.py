"""Words linked to predicates and classes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from hermes.linking.lexicon import NOTHING, Lexicon, Name, Said
from hermes.linking.mentions import Candidate, Evidence
from hermes.linking.tokens import Word

_OWN: Final = 0.8
"""How much it counts that the own name of a column is said, beside that of its table."""
_TABLE_ONLY: Final = 0.25
"""What a column has of which only the table is said."""
_LEAST: Final = 0.05
_WHOLE: Final = 0.999

Spoken = tuple[tuple[Word, ...], Candidate]
"""A candidate with the words that say it."""


def vocabulary_candidates(
    lexicon: Lexicon, said: Mapping[str, Said], words: Sequence[Word]
) -> Iterator[Spoken]:
    """Yield predicates and classes that words of a question say, with those words.

    A name has more, the more of its words are said, rare words most; a column (`singer#name`) has more where
    its table is said too.
    """
    exactly = frozenset(word.folded for word in words)
    for name in lexicon.names:
        score = _score(lexicon, name, said)
        if score >= _LEAST:
            spoken = {
                each.word
                for part in (*name.roots, *name.other, *name.of)
                if (each := said.get(part)) and each.word
            }
            ordered = tuple(sorted(spoken, key=lambda word: word.span))
            evidence = _evidence(name, said, exactly)
            yield ordered, Candidate(name.term, name.role, name.text, evidence, round(score, 4), name.count)


def _score(lexicon: Lexicon, name: Name, said: Mapping[str, Said]) -> float:
    own = max(_part(lexicon, way, said) for way in name.ways)
    table = _part(lexicon, name.of, said)
    if own <= 0:
        return _TABLE_ONLY * table
    return own * (_OWN + (1 - _OWN) * table) if name.of else own


def _part(lexicon: Lexicon, roots: Sequence[str], said: Mapping[str, Said]) -> float:
    """Return which part of a name is said, from 0 to 1, its words weighed by what they tell."""
    total = sum(lexicon.weight(each) for each in roots)
    return (
        sum(lexicon.weight(each) * said.get(each, NOTHING).much for each in roots) / total if total else 0.0
    )


def _evidence(name: Name, said: Mapping[str, Said], exactly: frozenset[str]) -> Evidence:
    """Return how a name is said: in the weakest of the ways in which its words are."""
    if set(name.text.lower().split()) <= exactly:
        return "exact"
    if all(each not in said for way in name.ways for each in way):
        return "implied"
    best = max(name.ways, key=lambda way: sum(each in said for each in way) / max(1, len(way)))
    ways = {said[each].how if each in said else "part" for each in best}
    order: tuple[Evidence, ...] = ("synonym", "typo", "part")
    return next((way for way in order if way in ways), "inflected")
