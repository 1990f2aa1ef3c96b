"""Which predicates of a graph give names, found by looking at those that it uses."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from typing import Literal as OneOf

from hermes.labels.words import words
from hermes.namespaces import split
from hermes.results import Table
from hermes.terms import RDF_LANG_STRING, RDFS, XSD_STRING, Literal, Term, full_iri

Grade = OneOf["label", "title", "guess", "alternative"]
"""How good a name is, best first; `guess` is a predicate whose local name only ends like one of a name."""

GRADES: Final[tuple[Grade, ...]] = ("label", "title", "guess", "alternative")

_SKOS: Final = "http://www.w3.org/2004/02/skos/core#"
_FOAF: Final = "http://xmlns.com/foaf/0.1/"
_SCHEMAS: Final = ("http://schema.org/", "https://schema.org/")
_DCTERMS: Final = "http://purl.org/dc/terms/"
_DC: Final = "http://purl.org/dc/elements/1.1/"

_TEXT: Final = frozenset([XSD_STRING, RDF_LANG_STRING])

LABELS: Final = (
    RDFS + "label",
    _SKOS + "prefLabel",
    *(schema + "name" for schema in _SCHEMAS),
    _FOAF + "name",
    _DCTERMS + "title",
    _DC + "title",
)
"""The predicates of labels in wide use, in order of preference."""

ALTERNATIVES: Final = (
    _SKOS + "altLabel",
    *(schema + "alternateName" for schema in _SCHEMAS),
    _DCTERMS + "alternative",
    _FOAF + "nick",
    _SKOS + "hiddenLabel",
)
"""The predicates of other names in wide use."""

_LABEL_WORDS: Final = frozenset(
    f"{kind}{space}{what}"
    for kind in ("", "preferred", "pref", "full", "display")
    for space in ("", " ")
    for what in ("name", "label")
)
_TITLE_WORDS: Final = frozenset(["title", "caption", "headline"])
_ALTERNATIVE_KINDS: Final = (
    *("alternative", "alternate", "alt", "other", "local", "short", "long", "nick", "official"),
    *("common", "native", "former", "original", "hidden"),
)
_ALTERNATIVE_WORDS: Final = frozenset(
    f"{kind}{space}{what}"
    for kind in _ALTERNATIVE_KINDS
    for space in ("", " ")
    for what in ("name", "label", "title")
) | {"nick", "alias", "aliases", "synonym", "acronym", "also known as"}
_GIVEN: Final = frozenset(["given name", "first name", "forename", "firstname", "givenname", "fname"])
_FAMILY: Final = frozenset(["family name", "last name", "surname", "lastname", "familyname", "lname"])
_ENDS_LIKE_A_NAME: Final = re.compile(r".+ (?:name|title|label)")

_SAMPLE: Final = 100
"""So many values of a predicate are looked at."""
_LONGEST: Final = 200
"""A text of more characters is no name."""
_MOSTLY: Final = 0.8
"""The part of the values that are names, where a predicate gives names."""
_DISTINCT: Final = 0.5
"""The part of the values that differ, where a predicate that is only called like one gives names."""
_MOST_LOOKED_AT: Final = 200
_MOST: Final = 40
"""At most so many are asked: each costs a look-up for each term."""


@dataclass(frozen=True, slots=True)
class Name:
    """What gives a term a name: a predicate, or two whose values are joined (given name, family name)."""

    predicates: tuple[str, ...]
    grade: Grade


WELL_KNOWN_NAMES: Final = (
    *(Name((iri,), "label") for iri in LABELS),
    *(Name((iri,), "alternative") for iri in ALTERNATIVES),
)
"""What is asked where it is not known which predicates a graph uses."""


def find_names(
    select: Callable[[str], Table], predicates: Mapping[str, int], *, guess: bool
) -> tuple[Name, ...]:
    """Return what gives names in a graph that uses `predicates`, in order of preference.

    First labels, the well-known ones before those whose local name says it (`name`, `fullName`); then pairs
    of given and family names, and titles; then, with `guess`, those whose local name ends so (`user_name`)
    and whose values mostly differ; then other names. Those that are not well-known count where the values of
    a sample mostly are short texts.

    Raises:
        StoreError: the store could not answer.
    """
    known = [name for name in WELL_KNOWN_NAMES if name.predicates[0] in predicates]
    others = [iri for iri in predicates if all(iri not in name.predicates for name in known)]
    parts = [iri for iri in others if _is_part(iri)]
    grades = {iri: grade for iri in others if (grade := _grade(iri)) is not None}
    texts = _of_texts(select, [*parts, *grades][:_MOST_LOOKED_AT])
    told = [Name((iri,), grade) for iri, grade in grades.items() if iri in texts and grade != "guess"]
    guessed = [iri for iri, grade in grades.items() if iri in texts and grade == "guess"] if guess else []
    found = [*known, *_pairs(sorted(texts.intersection(parts))), *told, *_distinct(select, guessed)]
    return tuple(sorted(found, key=lambda name: GRADES.index(name.grade)))[:_MOST]


def _said(iri: str) -> str:
    return (words(iri) or "").lower()


def _is_part(iri: str) -> bool:
    return _said(iri) in _GIVEN | _FAMILY


def _grade(iri: str) -> Grade | None:
    """Return the grade that a local name promises, None where it is none of a name."""
    said = _said(iri)
    if said in _LABEL_WORDS:
        return "label"
    if said in _TITLE_WORDS or _names_its_table(said, iri):
        return "title"
    if said in _ALTERNATIVE_WORDS:
        return "alternative"
    return "guess" if _ENDS_LIKE_A_NAME.fullmatch(said) and not _is_part(iri) else None


def _names_its_table(said: str, iri: str) -> bool:
    """Whether a column of a table is called like it: `airports#airportname`, `city#city_name`."""
    table = _said(split(iri)[0]).replace(" ", "")
    singular = {table, table.removesuffix("s"), table.removesuffix("es"), table.removesuffix("ies") + "y"}
    return bool(table) and any(said.replace(" ", "") == each + "name" for each in singular)


def _of_texts(select: Callable[[str], Table], candidates: Iterable[str]) -> frozenset[str]:
    """Return the candidates whose values, in a sample, mostly are short texts."""
    parts = [
        f"{{ SELECT ({full_iri(iri)} AS ?p) ?o {{ ?s {full_iri(iri)} ?o }} LIMIT {_SAMPLE} }}"
        for iri in candidates
    ]
    if not parts:
        return frozenset()
    seen: defaultdict[str, list[bool]] = defaultdict(list)
    for row in select(f"SELECT ?p ?o {{ {' UNION '.join(parts)} }}").rows:
        seen[str(row["p"])[1:-1]].append(is_name(row.get("o")))
    return frozenset(iri for iri, good in seen.items() if sum(good) >= _MOSTLY * len(good))


def is_name(value: Term | None) -> bool:
    """Whether a value can be a name: a plain text, not empty and not long."""
    if not isinstance(value, Literal) or value.datatype not in _TEXT:
        return False
    return len(value.lexical) <= _LONGEST and not value.lexical.isspace() and value.lexical != ""


def _pairs(parts: Sequence[str]) -> list[Name]:
    """Return given and family names that belong together: those of one namespace."""
    given = {split(iri)[0]: iri for iri in reversed(parts) if _said(iri) in _GIVEN}
    family = {split(iri)[0]: iri for iri in reversed(parts) if _said(iri) in _FAMILY}
    return [Name((given[each], family[each]), "title") for each in sorted(given.keys() & family.keys())]


def _distinct(select: Callable[[str], Table], guessed: Iterable[str]) -> list[Name]:
    """Return the predicates whose values mostly differ between subjects."""
    parts = [
        f"{{ SELECT ({full_iri(iri)} AS ?p) (COUNT(DISTINCT ?o) AS ?values) (COUNT(*) AS ?n) "
        f"{{ ?s {full_iri(iri)} ?o }} }}"
        for iri in guessed
    ]
    if not parts:
        return []
    table = select(f"SELECT ?p ?values ?n {{ {' UNION '.join(parts)} }}")
    return [
        Name((str(row["p"])[1:-1],), "guess")
        for row in table.rows
        if _number(row.get("values")) >= _DISTINCT * _number(row.get("n"))
    ]


def _number(term: Term | None) -> int:
    return int(term.lexical) if isinstance(term, Literal) else 0
