"""The names of the predicates and classes of a graph, by the roots of their words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import log
from typing import Final
from typing import Literal as OneOf

from hermes.labels import fold
from hermes.labels.spelling import Spelling
from hermes.labels.stems import SAYING_NOTHING, root
from hermes.labels.words import local_name, split_words
from hermes.linking.english import meant_by
from hermes.linking.mentions import Evidence
from hermes.linking.tokens import Word
from hermes.terms import IRI, OWL, RDF, RDFS

Role = OneOf["class", "predicate"]

_SCHEMA: Final = (RDF, RDFS, OWL)
"""What stands in these namespaces says how a graph is built; a question asks for none of it but labels."""
_REFERS: Final = re.compile(r"ref-", re.IGNORECASE)
"""How the W3C's Direct Mapping begins the name of a column that refers to a row of another table."""
_LONG: Final = 4
"""A word of at least so many letters may be said inside of a longer one: `circuit` in `circuitid`."""
_INSIDE: Final = 0.7
"""How much of that word it says."""
_MEANT: Final = 0.75
"""How much a word says of what it asks for without naming it."""
_MISSPELT: Final = 0.8
_COUNTING: Final = frozenset(("number", "count"))
"""Words that mostly ask, and are in names too."""
_FEWEST_LETTERS: Final = 5
"""Of a word of fewer letters a typo is not looked for; of one of twice as many, two are."""


@dataclass(frozen=True, slots=True)
class Name:
    """A predicate or a class with the words of its name.

    Args:
        term: what it is.
        role: the same.
        text: its name as a reader sees it.
        roots: the roots of the words of its own name, in order.
        other: the same of its local name, where the graph gives it another one.
        of: the roots of the words of its table, where it is a column (`singer` of `singer#name`).
        count: its triples or instances.
    """

    term: IRI
    role: Role
    text: str
    roots: tuple[str, ...]
    of: tuple[str, ...]
    count: int
    other: tuple[str, ...] = ()

    @property
    def ways(self) -> tuple[tuple[str, ...], ...]:
        """The names that it may be said by, as roots."""
        return (self.roots, self.other) if self.other else (self.roots,)


@dataclass(frozen=True, slots=True)
class Said:
    """A root in the names of a graph that a word of a question says.

    Args:
        root: the root.
        much: how much of it, from 0 to 1.
        how: in which way.
        word: the word; None for nothing.
    """

    root: str
    much: float
    how: Evidence
    word: Word | None


NOTHING: Final = Said("", 0.0, "exact", None)


class Lexicon:
    """All such names. Immutable.

    Args:
        predicates: triples by predicate.
        classes: instances by class.
        labels: the labels that the graph states.
    """

    def __init__(
        self, predicates: Mapping[str, int], classes: Mapping[str, int], labels: Mapping[str, str]
    ) -> None:
        self.names: tuple[Name, ...] = (
            *_names("predicate", predicates, labels, classes),
            *_names("class", classes, labels, classes),
        )
        often = Counter(each for name in self.names for each in {*name.roots, *name.other, *name.of})
        total = len(self.names) + 1
        self._weights = {each: 0.3 + log(total / count) for each, count in often.items()}
        self._inside: dict[str, tuple[str, ...]] = {}
        self._spelling = Spelling(word for name in self.names for word in fold(name.text).split())

    def weight(self, word: str) -> float:
        """Return how much a root tells: one that few names have tells most."""
        return self._weights.get(word, 1.0)

    def said(self, words: Iterable[Word]) -> dict[str, Said]:
        """Return for each root in names how much of it some words of a question say, and how.

        A word says its own root; less a longer word that it is a part of, what it asks for without naming it
        ("oldest": an age), and where it says nothing at all, a word that it may be a typo for.
        """
        found: dict[str, Said] = {}
        for word in words:
            if word.says or word.folded in _COUNTING:
                for each in self._says(word):
                    if each.much > found.get(each.root, NOTHING).much:
                        found[each.root] = each
            for meant in meant_by(word.folded):
                if meant in self._weights and found.get(meant, NOTHING).much < _MEANT:
                    found[meant] = Said(meant, _MEANT, "synonym", word)
        return found

    def _says(self, word: Word) -> Iterator[Said]:
        known = word.root in self._weights
        if known:
            yield Said(word.root, 1.0, "exact", word)
        longer = self._longer(word.root) if len(word.root) >= _LONG else ()
        for each in longer:
            yield Said(each, _INSIDE, "part", word)
        if not (known or longer) and len(word.folded) >= _FEWEST_LETTERS and word.folded.isalpha():
            typos = 1 + (len(word.folded) >= 2 * _FEWEST_LETTERS)
            for near, distance in self._spelling.near(word.folded, typos, 3):
                yield Said(root(near), _MISSPELT - 0.1 * distance, "typo", word)

    def _longer(self, word: str) -> tuple[str, ...]:
        known = self._inside.get(word)
        if known is None:
            known = tuple(each for each in self._weights if each != word and _has_part(each, word))
            self._inside[word] = known
        return known


def _has_part(word: str, other: str) -> bool:
    """Whether one of two words begins or ends with the other, which is not too short for that."""
    short, long = sorted((word, other), key=len)
    return len(short) >= _LONG and (long.startswith(short) or long.endswith(short))


def _names(
    role: Role, counts: Mapping[str, int], labels: Mapping[str, str], classes: Collection[str]
) -> Iterable[Name]:
    for iri, count in counts.items():
        if iri.startswith(_SCHEMA) and iri != RDFS + "label":
            continue
        own, table = _parts(iri, classes)
        label = labels.get(iri)
        text = label if label and fold(label) not in (fold(f"{table} {own}"), fold(own)) else own
        said = text if label == text else own
        roots, other = _roots(said), _roots(own)
        yield Name(IRI(iri), role, text, roots, _roots(table), count, other if other != roots else ())


def _parts(iri: str, classes: Collection[str]) -> tuple[str, str]:
    """Return the name of a term in words, and that of its table where it is a column.

    A column is named after its table, whose rows are the instances of a class of that name (RDB Direct
    Mapping, section 2).
    """
    table, mark, column = iri.partition("#")
    if mark and table in classes:
        return split_words(_REFERS.sub("", column)), split_words(local_name(table))
    return split_words(local_name(iri)), ""


def _roots(text: str) -> tuple[str, ...]:
    """Return the roots of the words of a name that say something; of all, where none does."""
    words = fold(text).split()
    said = [word for word in words if word not in SAYING_NOTHING or word in _COUNTING]
    return tuple(map(root, said or words))
