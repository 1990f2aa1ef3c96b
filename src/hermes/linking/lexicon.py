"""The names of the predicates and classes of a graph, by the roots of their words."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import log
from typing import Final
from typing import Literal as OneOf

from hermes.labels import fold
from hermes.labels.stems import root
from hermes.labels.words import local_name, split_words
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


@dataclass(frozen=True, slots=True)
class Name:
    """A predicate or a class with the words of its name.

    Args:
        term: what it is.
        role: the same.
        text: its name as a reader sees it.
        roots: the roots of the words of its own name, in order.
        of: the roots of the words of its table, where it is a column (`singer` of `singer#name`).
        count: its triples or instances.
    """

    term: IRI
    role: Role
    text: str
    roots: tuple[str, ...]
    of: tuple[str, ...]
    count: int


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
            *_names("predicate", predicates, labels),
            *_names("class", classes, labels),
        )
        often = Counter(each for name in self.names for each in {*name.roots, *name.of})
        total = len(self.names) + 1
        self._weights = {each: 0.3 + log(total / count) for each, count in often.items()}
        self._inside: dict[str, tuple[str, ...]] = {}

    def weight(self, word: str) -> float:
        """Return how much a root tells: one that few names have tells most."""
        return self._weights.get(word, 1.0)

    def said(self, question: Iterable[str]) -> dict[str, float]:
        """Return for each root in names how much of it some roots of a question say, from 0 to 1."""
        words = [word for word in dict.fromkeys(question) if word]
        found: defaultdict[str, float] = defaultdict(float)
        for word in words:
            if word in self._weights:
                found[word] = 1.0
            if len(word) >= _LONG:
                for longer in self._longer(word):
                    found[longer] = max(found[longer], _INSIDE)
        return dict(found)

    def _longer(self, word: str) -> tuple[str, ...]:
        known = self._inside.get(word)
        if known is None:
            known = tuple(
                each
                for each in self._weights
                if each != word and (each.startswith(word) or (len(each) >= _LONG and each.endswith(word)))
            )
            self._inside[word] = known
        return known


def _names(role: Role, counts: Mapping[str, int], labels: Mapping[str, str]) -> Iterable[Name]:
    for iri, count in counts.items():
        if iri.startswith(_SCHEMA) and iri != RDFS + "label":
            continue
        own, table = _parts(iri)
        label = labels.get(iri)
        text = label if label and fold(label) not in (fold(f"{table} {own}"), fold(own)) else own
        said = text if label == text else own
        yield Name(IRI(iri), role, text, _roots(said), _roots(table), count)


def _parts(iri: str) -> tuple[str, str]:
    """Return the name of a term in words, and that of its table where it is a column."""
    table, mark, column = local_name_with_mark(iri)
    if mark:
        return split_words(_REFERS.sub("", column)), split_words(table)
    return split_words(local_name(iri)), ""


def local_name_with_mark(iri: str) -> tuple[str, str, str]:
    """Return what stands before and after `#` in the last step of an IRI (RDB Direct Mapping, section 2)."""
    last = iri.rstrip("/").rpartition("/")[2]
    table, mark, column = last.rpartition("#")
    return (table, mark, column) if table and not table.endswith(".owl") else ("", "", last)


def _roots(text: str) -> tuple[str, ...]:
    return tuple(root(word) for word in fold(text).split())
