"""The index of names: an SQLite database with a full-text table, and the questions that a look-up asks it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from functools import cached_property
from threading import RLock
from typing import Final

from hermes.findings import Role
from hermes.labels.hits import Named
from hermes.labels.spelling import Spelling

ROLES: Final[tuple[Role, ...]] = ("entity", "class", "predicate")
"""A role is stored as its place in this tuple."""

SCHEMA: Final = """\
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE term (id INTEGER PRIMARY KEY, iri TEXT NOT NULL, role INTEGER NOT NULL);
CREATE TABLE name (
    id INTEGER PRIMARY KEY, term INTEGER NOT NULL, text TEXT NOT NULL, folded TEXT NOT NULL,
    alternative INTEGER NOT NULL
);
CREATE TABLE word (text TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE VIRTUAL TABLE search USING fts5 (
    folded, content='name', content_rowid='id', tokenize='ascii', columnsize=0
);
"""
"""What `hermes.labels.index_build` fills. `name` is in order of length: the shortest that match come first.

In a folded text, words have spaces between them and no punctuation: that is how `ascii` takes it apart.
"""

FOLDED_INDEX: Final = "CREATE INDEX name_folded ON name (folded);"
"""Made when the names are there."""

_FOUND: Final = (
    "SELECT iri, role, name.text, name.folded, alternative FROM {} JOIN term ON term.id = name.term"
)
_BY_FOLDED: Final = _FOUND.format("name") + " WHERE folded = ?{role} ORDER BY alternative, name.id LIMIT ?"
_BY_SEARCH: Final = (
    _FOUND.format("search JOIN name ON name.id = search.rowid")
    + " WHERE search MATCH ?{role} ORDER BY search.rowid LIMIT ?"
)


class Index:
    """The names of the terms of a graph. May be shared between threads.

    All methods raise `sqlite3.Error` where the database is broken.

    Attributes:
        complete: whether it has all names.
    """

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._lock = RLock()
        self.complete = self.about("complete") == "1"

    def about(self, name: str) -> str | None:
        """Return what the index says of itself, None where it says nothing."""
        with self._lock:
            row = self._database.execute("SELECT value FROM about WHERE name = ?", (name,)).fetchone()
        return row[0] if row else None

    @cached_property
    def spelling(self) -> Spelling:
        """The words of all names."""
        with self._lock:
            return Spelling(text for (text,) in self._database.execute("SELECT text FROM word"))

    def size(self) -> int:
        """Return how many names it has."""
        with self._lock:
            return int(self._database.execute("SELECT count(*) FROM name").fetchone()[0])

    def equal(self, folded: str, role: Role | None, most: int) -> list[Named]:
        """Return the names that are a text."""
        return self._ask(_BY_FOLDED, folded, role, most)

    def any_equal(self, texts: Sequence[str], most: int) -> list[Named]:
        """Return the names that are one of some texts, the shortest first."""
        places = ", ".join("?" * len(texts))
        query = _FOUND.format("name") + f" WHERE folded IN ({places}) ORDER BY name.id LIMIT ?"
        with self._lock:
            rows = self._database.execute(query, [*texts, most]).fetchall()
        return [_named(row) for row in rows]

    def phrase(
        self, words: Sequence[str], role: Role | None, most: int, *, begins: bool = False
    ) -> list[Named]:
        """Return the names with these words one after the other, the last one perhaps only begun."""
        return self._ask(_BY_SEARCH, f"{'^ ' * begins}{_phrase(words)} *", role, most)

    def all_words(self, words: Iterable[str], role: Role | None, most: int) -> list[Named]:
        """Return the names with all these words, each perhaps only begun, in any order."""
        return self._ask(_BY_SEARCH, " ".join(f"{_phrase([word])} *" for word in words), role, most)

    def any_of_each(
        self, choices: Iterable[Iterable[Sequence[str]]], role: Role | None, most: int
    ) -> list[Named]:
        """Return the names that have, of each group, one of its phrases."""
        groups = (" OR ".join(map(_phrase, phrases)) for phrases in choices)
        return self._ask(_BY_SEARCH, " AND ".join(f"({group})" for group in groups), role, most)

    def _ask(self, query: str, text: str, role: Role | None, most: int) -> list[Named]:
        limited = query.replace("{role}", "" if role is None else " AND role = ?")
        values = [text, *([] if role is None else [ROLES.index(role)]), most]
        with self._lock:
            rows = self._database.execute(limited, values).fetchall()
        return [_named(row) for row in rows]

    def close(self) -> None:
        """Close the database."""
        with self._lock:
            self._database.close()


def _named(row: tuple[str, int, str, str, int]) -> Named:
    iri, place, text, folded, alternative = row
    return Named(iri, ROLES[place], text, folded, bool(alternative))


def _phrase(words: Sequence[str]) -> str:
    """Return words as a phrase of FTS5; folded words have neither quotes nor spaces."""
    return f'"{" ".join(words)}"'
