"""Labels of terms: what the graph states, in the preferred language where there is one."""

from __future__ import annotations

import logging
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from threading import RLock
from time import monotonic
from typing import Final

from hermes.errors import StoreError
from hermes.labels.names import GRADES, Name
from hermes.labels.words import words
from hermes.results import Table
from hermes.terms import IRI, XSD_STRING, Literal, Prefixes, Term, full_iri

DEFAULT_LANGUAGE: Final = "en"

MOST_AT_ONCE: Final = 500
"""So many terms are asked for in one query."""
_MOST_REMEMBERED: Final = 100_000
"""Terms whose labels are remembered, for each language; then it begins anew."""
_REST: Final = 30.0
"""For how many seconds a store that failed is not asked for labels again."""

_TAG: Final = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")
_WRITABLE: Final = re.compile(r"[^\x00-\x20<>\"{}|^`\\\ud800-\udfff]+")

_log: Final = logging.getLogger("hermes")


class Labels:
    """The labels of the terms of a graph. May be shared between threads.

    Args:
        select: executes a SELECT query; raises `StoreError`.
        names: returns what gives names in this graph, in order of preference; raises `StoreError`.
        language: the preferred language, a tag such as `en`.

    Raises:
        ValueError: `language` is no language tag.
    """

    def __init__(
        self,
        select: Callable[[str], Table],
        names: Callable[[], Sequence[Name]],
        language: str = DEFAULT_LANGUAGE,
    ) -> None:
        self.language = checked_language(language)
        self._select = select
        self._names = names
        self._stated: defaultdict[str, dict[IRI, str | None]] = defaultdict(dict)
        self._asked_with: tuple[Name, ...] = ()
        self._rests_until = 0.0
        self._lock = RLock()

    def stated(self, terms: Iterable[Term], language: str | None = None) -> dict[IRI, str]:
        """Return the labels that the graph states of the IRIs among `terms`; the others have no key.

        One query for those that are not known yet, 500 at a time. Where the store fails, it is as if it
        stated no label, a warning is logged, and nothing of it is remembered.

        Raises:
            ValueError: `language` is no language tag.
        """
        tag = self.language if language is None else checked_language(language)
        asked = list(dict.fromkeys(term for term in terms if isinstance(term, IRI)))
        with self._lock:
            kept = self._known(tag)
            found = {iri: kept[iri] for iri in asked if iri in kept}
            missing = [iri for iri in asked if iri not in kept and _WRITABLE.fullmatch(iri.value)]
            found |= self._look_up(missing, tag)
            if len(kept) + len(missing) > _MOST_REMEMBERED:
                kept.clear()
            kept.update((iri, found[iri]) for iri in missing if iri in found)
        return {iri: label for iri in asked if (label := found.get(iri)) is not None}

    def _known(self, tag: str) -> dict[IRI, str | None]:
        """Return what is remembered; nothing where other predicates give names than when it was read."""
        if self._resting:
            return self._stated[tag]
        try:
            names = tuple(self._names())
        except StoreError as error:
            self._fail(error)
            return self._stated[tag]
        if names != self._asked_with:
            self._stated.clear()
            self._asked_with = names
        return self._stated[tag]

    def _look_up(self, missing: Sequence[IRI], tag: str) -> dict[IRI, str | None]:
        found: dict[IRI, str | None] = {}
        if not self._asked_with or self._resting:
            return found
        try:
            for start in range(0, len(missing), MOST_AT_ONCE):
                found |= self._ask(missing[start : start + MOST_AT_ONCE], tag)
        except StoreError as error:
            self._fail(error)
        return found

    def _ask(self, terms: Sequence[IRI], tag: str) -> dict[IRI, str | None]:
        """Ask for the labels of some terms; where that is cut, of half of them, and the other half."""
        # Not a second VALUES: engines join it with all triples first.
        predicates = dict.fromkeys(full_iri(iri) for name in self._asked_with for iri in name.predicates)
        each = " UNION ".join(f"{{ ?s {iri} ?o BIND({iri} AS ?p) }}" for iri in predicates)
        listed = " ".join(map(str, terms))
        table = self._select(f"SELECT ?s ?p ?o {{ VALUES ?s {{ {listed} }} {each} }}")
        if not table.complete and len(terms) > 1:
            half = len(terms) // 2
            return self._ask(terms[:half], tag) | self._ask(terms[half:], tag)
        values: defaultdict[IRI, defaultdict[str, list[Literal]]] = defaultdict(lambda: defaultdict(list))
        for row in table.rows:
            subject, predicate, value = row.get("s"), row.get("p"), row.get("o")
            if isinstance(subject, IRI) and isinstance(predicate, IRI) and isinstance(value, Literal):
                values[subject][predicate.value].append(value)
        return {iri: best_label(self._asked_with, values[iri], tag) for iri in terms}

    @property
    def _resting(self) -> bool:
        return monotonic() < self._rests_until

    def _fail(self, error: StoreError) -> None:
        self._rests_until = monotonic() + _REST
        _log.warning("labels are not known now, names are shown instead: %s", error)


def checked_language(tag: str) -> str:
    """Return a language tag.

    Raises:
        ValueError: it is none (RFC 5646), such as `en` or `pt-BR`.
    """
    if not _TAG.fullmatch(tag):
        raise ValueError(f'expected a language tag such as en or pt-BR, not "{tag}"')
    return tag


def label_of(iri: IRI, prefixes: Prefixes) -> str:
    """Return what a term without a label is called: its local name in words, else its short form."""
    return words(iri.value) or prefixes.shorten(iri.value)[1]


# --- the best of several --------------------------------------------------------------------------


def best_label(names: Sequence[Name], values: Mapping[str, Sequence[Literal]], language: str) -> str | None:
    """Return the best label of one term, or None where it has none.

    The better grade of name first; then the language: the one asked for, exactly or by range (langMatches,
    SPARQL 1.1, section 17.4.3.13), then no tag, then any by its tag; then the order of `names`; then the
    text.

    Args:
        names: what gives names, in order of preference.
        values: the values of the term by predicate.
        language: the tag that is asked for.
    """
    found = [
        (GRADES.index(name.grade), *_distance(tag, language), number, text)
        for number, name in enumerate(names)
        for text, tag in texts_of(name, values)
    ]
    return min(found)[-1] if found else None


def texts_of(name: Name, values: Mapping[str, Sequence[Literal]]) -> list[tuple[str, str]]:
    """Return the texts, with their language tags, that a name gives a term that has these values.

    Spaces are made one; two parts of a name are joined where both are there.
    """
    parts = [
        sorted(
            (" ".join(value.lexical.split()), value.language or "")
            for value in values.get(iri, ())
            if _plain(value)
        )
        for iri in name.predicates
    ]
    if len(parts) > 1:
        if not all(parts):
            return []
        return [(" ".join(texts[0][0] for texts in parts), "")]
    return [(text, tag) for text, tag in parts[0] if text]


def _plain(value: Literal) -> bool:
    return value.language is not None or value.datatype == XSD_STRING


def _distance(tag: str, language: str) -> tuple[int, str]:
    """Return how far a tag is from the language asked for; of equally far ones, by the tag."""
    tag, language = tag.lower(), language.lower()
    if tag == language:
        return 0, ""
    if tag.startswith(language + "-"):
        return 0, tag
    return (1, "") if not tag else (2, tag)
