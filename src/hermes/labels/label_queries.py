"""Search for labels by SPARQL alone, and by the full-text index of Virtuoso where it has one."""

from __future__ import annotations

import logging
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final
from typing import Literal as OneOf

from rapidfuzz.distance import OSA

from hermes.errors import StoreError
from hermes.labels.fold import fold, writable
from hermes.labels.hits import Asked, Hit, Hits, Named
from hermes.labels.names import Name
from hermes.labels.words import words
from hermes.results import Table
from hermes.terms import IRI, Literal, Row, full_iri, quote

_MOST_ROWS: Final = 300
_MOST_NAMES: Final = 20
"""So many predicates are searched."""
_TAGS: Final = ("", "en", "de", "fr", "es", "it", "pt", "nl", "ru", "ja", "zh")
"""Language tags in wide use: an exact look-up has to name one."""
_VIRTUOSO_STEM: Final = 4
"""Virtuoso wants so many letters before a wildcard."""
_WORD: Final = re.compile(r"[^\W_]+")
_SHORT: Final = 3
"""A word of at most so many letters has no typo: it would mean any other."""
_LONGEST: Final = 24
"""Nor has one of more letters: the expression for it would be long."""
_TOO_SLOW: Final = frozenset(["timeout", "memory"])
_UNREACHABLE: Final = frozenset(["unreachable", "forbidden", "rate_limited"])
_OTHERS: Final = frozenset(["guess", "alternative"])
_TEXT_INDEX: Final = "<bif:contains>"
"""The predicate of Virtuoso's full-text index; on other engines it is one that no triple has."""

_LATIN: Final = (0xC0, 0x250)
"""Latin letters with accents: Latin-1 Supplement, Latin Extended-A and -B."""

_log: Final = logging.getLogger("hermes")


class LabelQueries:
    """Finds the terms of an endpoint by their labels.

    Args:
        select: executes a SELECT query in the time that a look-up may take; raises `StoreError`.
        names: what gives names, in order of preference.
        language: the preferred language.

    Attributes:
        names: see above.
    """

    def __init__(self, select: Callable[[str], Table], names: Sequence[Name], language: str) -> None:
        self.names = names
        self._select = select
        asked = names[:_MOST_NAMES]
        self._pairs = [name.predicates for name in asked if len(name.predicates) > 1]
        self._grades = {name.predicates[0]: name.grade for name in asked if len(name.predicates) == 1}
        self._text_index: OneOf["unknown", "answers", "fails"] = "unknown"
        self._tags = tuple(dict.fromkeys((language, *_TAGS)))

    def search(self, text: str, enough: int, *, typos: bool = True) -> Hits:
        """Return the names that contain a text, as of entities; what takes too long makes them incomplete.

        Args:
            text: what is looked for.
            enough: how many terms are wanted; there may be more.
            typos: whether, where nothing is found, each word may have a typo.

        Raises:
            StoreError: the endpoint could not answer, for another reason than that it takes too long.
        """
        asked, hits = Asked.of(text), Hits()
        for query in self._queries(writable(text), asked, hits):
            for name in self._named(self._rows(query, hits)):
                if (hit := asked.hit(name)) is not None:
                    hits.add(hit)
            if len(hits) > enough:
                hits.complete = False
                break
        if typos and asked.words and not hits and hits.complete and (self._grades or self._pairs):
            query = self._filtered(f'REGEX(?o, {quote(misspelt(word))}, "i")' for word in asked.words)
            for name in self._named(self._rows(query, hits)):
                if (hit := _typo(asked, name)) is not None:
                    hits.add(hit)
        return hits

    def _queries(self, text: str, asked: Asked, hits: Hits) -> Iterator[str]:
        """Yield the ways to ask, the cheapest first; the last ones only where nothing was found."""
        if self._grades:
            yield self._exact(text)
        if not asked.words:
            return
        said = [word.lower() for word in _WORD.findall(text)] or list(asked.words)
        if self._grades and self._text_index != "fails":
            yield self._by_text_index(said)
            if hits.best and self._text_index == "answers":
                hits.complete = False  # it has whole words only; what else there is would take long
                return
        if self._grades or self._pairs:
            yield self._filtered(f"CONTAINS(LCASE(STR(?o)), {quote(word)})" for word in said)
            # Not STR(?o): Virtuoso's expressions would see its bytes.
            yield self._filtered(f'REGEX(?o, {quote(accented(word))}, "i")' for word in asked.words)
        if not hits:
            local = " && ".join(f"CONTAINS(LCASE(STR(?s)), {quote(word)})" for word in said)
            yield f"SELECT DISTINCT ?s {{ ?s a ?c FILTER({local}) }} LIMIT {_MOST_ROWS}"

    def _exact(self, text: str) -> str:
        """Return the query for the text itself, in the usual spellings and languages: index look-ups."""
        said = " ".join(text.split())
        spellings = dict.fromkeys([said, said.capitalize(), said.title(), said.lower(), said.upper()])
        tagged = (f"{quote(each)}{'@' * bool(tag)}{tag}" for each in spellings for tag in self._tags)
        return self._union(f"VALUES ?o {{ {' '.join(tagged)} }}")

    def _filtered(self, conditions: Iterable[str]) -> str:
        joined = (
            f"{{ ?s {full_iri(given)} ?given ; {full_iri(family)} ?family BIND({full_iri(given)} AS ?p) "
            f'BIND(CONCAT(STR(?given), " ", STR(?family)) AS ?o) }}'
            for given, family in self._pairs
        )
        return self._union(f"FILTER(isLiteral(?o) && {' && '.join(conditions)})", joined)

    def _union(self, narrowed: str, more: Iterable[str] = ()) -> str:
        one = (f"{{ ?s {full_iri(iri)} ?o BIND({full_iri(iri)} AS ?p) }}" for iri in self._grades)
        return f"SELECT ?s ?p ?o {{ {{ {' UNION '.join([*one, *more])} }} {narrowed} }} LIMIT {_MOST_ROWS}"

    def _by_text_index(self, said: Sequence[str]) -> str:
        *whole, last = said
        begun = f"{last}*" if len(last) >= _VIRTUOSO_STEM else last
        wanted = quote(" AND ".join(f"'{word}'" for word in [*whole, begun]))
        predicates = ", ".join(map(full_iri, self._grades))
        return (
            f"SELECT ?s ?p ?o {{ ?s ?p ?o . ?o {_TEXT_INDEX} {wanted} FILTER(?p IN ({predicates})) }} "
            f"LIMIT {_MOST_ROWS}"
        )

    def _rows(self, query: str, hits: Hits) -> Sequence[Row]:
        """Return what a query finds; where that is not all, the hits are not all either."""
        by_index = _TEXT_INDEX in query
        try:
            table = self._select(query)
        except StoreError as error:
            if by_index and error.category not in _UNREACHABLE:
                self._text_index = "fails"  # an index for all texts is not made by default
                return ()
            if error.category not in _TOO_SLOW:
                raise
            _log.debug("a look-up is not complete: %s", error)
            hits.complete = False
            return ()
        if by_index:
            self._text_index = "answers" if table.rows else "unknown"
        else:
            hits.complete &= table.complete and len(table.rows) < _MOST_ROWS
        return table.rows

    def _named(self, rows: Iterable[Row]) -> Iterator[Named]:
        for row in rows:
            subject, predicate, value = row.get("s"), row.get("p"), row.get("o")
            if not isinstance(subject, IRI):
                continue
            text = " ".join(value.lexical.split()) if isinstance(value, Literal) else words(subject.value)
            if text:
                other = isinstance(predicate, IRI) and self._grades.get(predicate.value) in _OTHERS
                yield Named(subject.value, "entity", text, fold(text), other)


def accented(word: str) -> str:
    """Return a regular expression for a folded word with any accents: its characters, or classes of them."""
    return "".join(_accents().get(letter, letter) for letter in word)


def misspelt(word: str) -> str:
    """Return a regular expression for a folded word with any accents and at most one typo.

    A short or a very long word, and a number, has none.
    """
    if not _SHORT < len(word) <= _LONGEST or word.isdigit():
        return accented(word)
    letters = [accented(letter) for letter in word]
    ways = [[*letters[:at], ".?", *letters[after:]] for at in range(len(word)) for after in (at, at + 1)]
    ways += [[*letters[:at], letters[at + 1], letters[at], *letters[at + 2 :]] for at in range(len(word) - 1)]
    return "|".join(map("".join, [*ways, [*letters, ".?"]]))


def _typo(asked: Asked, name: Named) -> Hit | None:
    """Return the hit of a name that has each word of a text with at most one typo."""
    there = name.folded.split()
    slips = [min(OSA.distance(word, each, score_cutoff=1) for each in there) for word in asked.words]
    if max(slips) > 1:
        return None
    return Hit.typo(name, sum(slips), OSA.distance(asked.folded, name.folded))


@cache
def _accents() -> Mapping[str, str]:
    """Return for each letter a class of what it may be written as, with an accent or without."""
    found: defaultdict[str, str] = defaultdict(str)
    for letter in map(chr, range(*_LATIN)):
        base = fold(letter)
        if len(base) == 1 and base != letter:
            found[base] += letter
    return {base: f"[{base}{others}]" for base, others in found.items()}
