"""Words linked to predicates and classes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from hermes.linking.lexicon import Lexicon, Name
from hermes.linking.mentions import Candidate, Evidence
from hermes.linking.tokens import Word

_OWN: Final = 0.8
"""How much it counts that the own name of a column is said, beside that of its table."""
_TABLE_ONLY: Final = 0.25
"""What a column has of which only the table is said."""
_LEAST: Final = 0.05
_WHOLE: Final = 0.999


def vocabulary_candidates(
    lexicon: Lexicon, words: Sequence[Word]
) -> Iterator[tuple[tuple[Word, ...], Candidate]]:
    """Yield predicates and classes that words of a question say, with those words.

    A name has more, the more of its words are said, rare words most; of a column (`singer#name`), its table too.
    """
    said = lexicon.said(word.root for word in words if word.says)
    for name in lexicon.names:
        score, evidence = _score(lexicon, name, said, words)
        if score >= _LEAST:
            spoken = tuple(word for word in words if word.says and _names_it(word, name))
            yield (
                spoken or tuple(words[:1]),
                Candidate(name.term, name.role, name.text, evidence, round(score, 4), name.count),
            )


def _score(
    lexicon: Lexicon, name: Name, said: Mapping[str, float], words: Sequence[Word]
) -> tuple[float, Evidence]:
    own, table = _part(lexicon, name.roots, said), _part(lexicon, name.of, said)
    exactly = {word.folded for word in words}
    if own <= 0:
        return _TABLE_ONLY * table, "implied"
    score = own * (_OWN + (1 - _OWN) * table) if name.of else own
    if own < _WHOLE:
        return score, "part"
    return score, "exact" if set(name.text.lower().split()) <= exactly else "inflected"


def _part(lexicon: Lexicon, roots: Sequence[str], said: Mapping[str, float]) -> float:
    """Return which part of a name is said, from 0 to 1, its words weighed by what they tell."""
    total = sum(lexicon.weight(each) for each in roots)
    return sum(lexicon.weight(each) * said.get(each, 0.0) for each in roots) / total if total else 0.0


def _names_it(word: Word, name: Name) -> bool:
    return any(
        word.root == each or (len(word.root) > 3 and word.root in each) for each in (*name.roots, *name.of)
    )  # noqa: PLR2004
