"""How alike two names are: which of the names that fit was meant."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Final

from hermes.namespaces import split
from hermes.terms import IRI, Literal, Term, Variable

_NOT_WORD: Final = re.compile(r"[\W_]+")
_WORDS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+|[^\W_A-Za-z0-9]+")
_PART: Final = 0.75
"""How alike a name is to one that holds it whole: `ex:LakePlacid` to `ex:LakePlacidVillage`."""
_TELLING: Final = 3
"""Letters from which on a part of a name, or a plural, says something."""
_SAYS_NOTHING: Final = frozenset({"has", "is", "of", "the", "id", "ref"})


@lru_cache(maxsize=20_000)
def alike(one: str, other: str) -> float:
    """Return how alike two texts are, from 0 to 1, without regard to case and punctuation."""
    first, second = bare(one), bare(other)
    if first == second:
        return 1.0
    ratio = SequenceMatcher(None, first, second, autojunk=False).ratio()
    shorter, longer = sorted((first, second), key=len)
    return max(ratio, _PART) if len(shorter) >= _TELLING and shorter in longer else ratio


def bare(text: str) -> str:
    """Return the letters and digits of a text, in lower case; the text itself where it has none."""
    return _NOT_WORD.sub("", text).casefold() or text


def local(iri: str) -> str:
    """Return the local name of an IRI; where it ends with its separator, what stands before that."""
    return split(iri)[1] or split(iri.rstrip("/#:"))[1]


def term_name(term: Term) -> str:
    """Return what a term is called: the local name of an IRI, the lexical form of a literal."""
    if isinstance(term, IRI):
        return local(term.value)
    return term.lexical if isinstance(term, Literal) else ""


@lru_cache(maxsize=20_000)
def named_after(name: str, variable: str) -> float:
    """Return how much of a name is in the name of a variable: people call `?T1_year` what has a year.

    From 0 to 1: the part of the words of `name` that stand in `variable`.
    """
    wanted = {word.lower() for word in _WORDS.findall(name)} - _SAYS_NOTHING
    there = {word.lower() for word in _WORDS.findall(variable)}
    if not wanted or not there:
        return 0.0
    found = sum(any(_same_word(word, other) for other in there) for word in wanted)
    surplus = sum(not any(_same_word(word, other) for word in wanted) for other in there)
    return found / len(wanted) * (1 - 0.02 * surplus)


def _same_word(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return one == other or (len(shorter) >= _TELLING and longer in {shorter + "s", shorter + "es"})


def meant_by(name: str, variable: object) -> float:
    """Return how well the name of a predicate or class suits what stands at its end."""
    return named_after(name, variable.name) if isinstance(variable, Variable) and not variable.blank else 0.0
