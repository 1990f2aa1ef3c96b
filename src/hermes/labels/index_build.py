"""Fills an index with the names of all terms of a graph, reading it a page at a time."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hermes.errors import StoreError
from hermes.findings import Role
from hermes.labels.fold import fold
from hermes.labels.hits import Named
from hermes.labels.index import FOLDED_INDEX, ROLES, SCHEMA
from hermes.labels.labels import texts_of
from hermes.labels.names import Name
from hermes.labels.words import is_row, words
from hermes.results import Table
from hermes.terms import IRI, OWL, RDF, RDFS, Literal, Row, full_iri

PAGE: Final = 250_000
"""So many rows are read at a time: about 150 MB. Fewer would make the store begin anew more often."""

Progress = Callable[[int], None]
"""Told how many names have been read so far."""

DECLARATIONS: Final[Mapping[Role, Sequence[str]]] = {
    "class": (RDFS + "Class", OWL + "Class"),
    "predicate": (
        RDF + "Property",
        *(OWL + kind for kind in ("ObjectProperty", "DatatypeProperty", "AnnotationProperty")),
    ),
}
"""The classes of classes and of predicates."""

_TOO_LARGE: Final = ("timeout", "memory")
_LONGEST: Final = 300
"""Characters of a name that are kept."""

_STAGE: Final = """\
CREATE TEMP TABLE role (iri TEXT PRIMARY KEY, role INTEGER NOT NULL) WITHOUT ROWID;
CREATE TEMP TABLE stated (iri TEXT NOT NULL, text TEXT NOT NULL, folded TEXT NOT NULL, other INTEGER);
CREATE TEMP TABLE local (iri TEXT PRIMARY KEY, text TEXT NOT NULL, folded TEXT NOT NULL, row INTEGER)
    WITHOUT ROWID;
"""
_FILL: Final = """\
CREATE INDEX temp.stated_iri ON stated (iri, folded);
INSERT INTO stated SELECT iri, text, folded, EXISTS (SELECT 1 FROM stated AS s WHERE s.iri = local.iri)
    FROM local WHERE NOT row OR NOT EXISTS (SELECT 1 FROM stated AS s WHERE s.iri = local.iri);
INSERT INTO term (iri, role) SELECT DISTINCT iri, coalesce(role, 0) FROM stated LEFT JOIN role USING (iri)
    ORDER BY iri;
CREATE UNIQUE INDEX term_iri ON term (iri);
INSERT INTO name (term, text, folded, alternative)
    SELECT term.id, min(text), folded, min(other) AS other FROM stated JOIN term USING (iri)
    GROUP BY term.id, folded ORDER BY length(folded), other, folded, iri;
INSERT INTO search (search) VALUES ('rebuild');
INSERT INTO search (search) VALUES ('optimize');
CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, 'search', 'row');
INSERT INTO word SELECT term FROM vocabulary WHERE term GLOB '*[^0-9]*';
DROP TABLE temp.vocabulary;
DROP TABLE temp.stated;
DROP TABLE temp.local;
DROP TABLE temp.role;
DROP INDEX term_iri;
"""


@dataclass(frozen=True, slots=True)
class Source:
    """What an index is made of.

    Attributes:
        select: executes a SELECT query; raises `StoreError`.
        names: what gives names, in order of preference.
        predicates: those that the graph uses.
        classes: the same.
    """

    select: Callable[[str], Table]
    names: Sequence[Name]
    predicates: Iterable[str]
    classes: Iterable[str]


def build(database: sqlite3.Connection, source: Source, key: str, progress: Progress) -> None:
    """Fill an empty database with the names of all terms of a graph.

    The terms are those that have a name, and those whose local name says something. Where the graph is so
    large that not all of its terms can be listed within the limits of a query, the index says that it is not
    complete.

    Args:
        database: the database, empty.
        source: where the names come from.
        key: what the index says of itself, to be known again.
        progress: told how far it is.

    Raises:
        StoreError: the store could not answer.
        sqlite3.Error: the database cannot be written.
    """
    with database:
        database.executescript(f"{SCHEMA}{_STAGE}")
        filling = _Filling(database, progress)
        filling.roles(source)
        for name in source.names:
            filling.state(name, source)
        complete = filling.terms(source)
        database.executescript(_FILL)
        database.execute(FOLDED_INDEX)
        about = {"key": key, "complete": "1" if complete else "0"}
        database.executemany("INSERT INTO about VALUES (?, ?)", about.items())


def build_from(database: sqlite3.Connection, names: Iterable[Named], key: str = "") -> None:
    """Fill an empty database with names that are known already.

    Args:
        database: the database, empty.
        names: what it is filled with.
        key: what the index says of itself, to be known again.

    Raises:
        sqlite3.Error: the database cannot be written.
    """
    with database:
        database.executescript(f"{SCHEMA}{_STAGE}")
        for name in names:
            role = (name.iri, ROLES.index(name.role))
            database.execute("INSERT OR IGNORE INTO role VALUES (?, ?)", role)
            stated = (name.iri, name.text, name.folded, name.alternative)
            database.execute("INSERT INTO stated VALUES (?, ?, ?, ?)", stated)
        database.executescript(_FILL)
        database.execute(FOLDED_INDEX)
        about = {"key": key, "complete": "1"}
        database.executemany("INSERT INTO about VALUES (?, ?)", about.items())


class _Filling:
    """Writes what is read into the tables of the stage."""

    def __init__(self, database: sqlite3.Connection, progress: Progress) -> None:
        self._database = database
        self._progress = progress
        self._read = 0

    def roles(self, source: Source) -> None:
        """Note the classes and predicates, those that are declared and not used too."""
        self._roles("predicate", source.predicates)
        self._roles("class", source.classes)
        for role, kinds in DECLARATIONS.items():
            listed = " ".join(map(full_iri, kinds))
            for rows in pages(
                source.select, "?s", f"VALUES ?kind {{ {listed} }} ?s a ?kind FILTER(isIRI(?s))"
            ):
                self._roles(role, (iri for row in rows if (iri := _iri(row, "s"))))

    def _roles(self, role: Role, iris: Iterable[str]) -> None:
        place = ROLES.index(role)
        rows = [(iri, place) for iri in iris]
        self._database.executemany("INSERT OR IGNORE INTO role VALUES (?, ?)", rows)
        self._local(iri for iri, _ in rows)

    def state(self, name: Name, source: Source) -> None:
        """Note what a name gives the terms."""
        places = [f"?o{number}" for number in range(len(name.predicates))]
        triples = (f"?s {full_iri(iri)} {o}" for iri, o in zip(name.predicates, places, strict=True))
        where = f"{' . '.join(triples)} FILTER(isIRI(?s))"
        other = name.grade in ("guess", "alternative")
        for rows in pages(source.select, f"?s {' '.join(places)}", where):
            self._database.executemany(
                "INSERT INTO stated VALUES (?, ?, ?, ?)", _stated(name, rows, other=other)
            )
            self._tell(len(rows))

    def terms(self, source: Source) -> bool:
        """Note the local names of all terms; return whether these are all."""
        try:
            for end in ("?s", "?o"):
                where = f"SELECT DISTINCT {end} {{ ?s ?p ?o FILTER(isIRI({end})) }}"
                for rows in pages(source.select, end, where):
                    self._local(iri for row in rows if (iri := _iri(row, end[1:])))
                    self._tell(len(rows))
        except StoreError as error:
            if error.category not in _TOO_LARGE:
                raise
            return False
        return True

    def _local(self, iris: Iterable[str]) -> None:
        said = ((iri, text) for iri in iris if (text := words(iri)) is not None)
        rows = ((iri, text, fold(text), is_row(iri)) for iri, text in said)
        self._database.executemany("INSERT OR IGNORE INTO local VALUES (?, ?, ?, ?)", rows)

    def _tell(self, rows: int) -> None:
        self._read += rows
        self._progress(self._read)


def _stated(name: Name, rows: Sequence[Row], *, other: bool) -> Iterator[tuple[str, str, str, bool]]:
    for row in rows:
        iri = _iri(row, "s")
        values = {
            predicate: [value]
            for number, predicate in enumerate(name.predicates)
            if isinstance(value := row.get(f"o{number}"), Literal)
        }
        for text, _ in texts_of(name, values):
            if iri:
                yield iri, text[:_LONGEST], fold(text), other


def _iri(row: Row, name: str) -> str | None:
    term = row.get(name)
    return term.value if isinstance(term, IRI) else None


def pages(select: Callable[[str], Table], variables: str, where: str) -> Iterator[Sequence[Row]]:
    """Yield the solutions of a pattern, a page at a time: a store that does not change keeps their order.

    Raises:
        StoreError: the store could not answer.
    """
    read = 0
    while True:
        table = select(f"SELECT {variables} {{ {where} }} LIMIT {PAGE} OFFSET {read}")
        if table.rows:
            yield table.rows
        read += len(table.rows)
        if not table.rows or (table.complete and len(table.rows) < PAGE):
            return
