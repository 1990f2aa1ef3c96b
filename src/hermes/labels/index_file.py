"""Where an index of names is kept, and how it is opened: what is broken or foreign is made anew."""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from hermes.kept_files import KeptFiles
from hermes.labels.fold import FOLDING
from hermes.labels.index import FOLDED_INDEX, SCHEMA, Index
from hermes.version import __version__

CACHE_BYTES: Final = 2 * 2**30
"""Bytes of indexes that are kept in the cache directory; beyond, those not used for longest are removed."""

_FORMAT: Final = 1
_FILES: Final = KeptFiles("lookup-", ".sqlite")
_FAST: Final = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;"

_log: Final = logging.getLogger("hermes")

Fill = Callable[[sqlite3.Connection, str], None]
"""Fills an empty database with the names of a graph, and notes the key in it."""


def key_of(fingerprint: str, of: str) -> str:
    """Return what an index is known by: what is in it, the graph, and what made it."""
    return f"{of}, format {_FORMAT}, hermes {__version__}, folding {FOLDING}, graph {fingerprint}"


def open_index(key: str, fill: Fill, folders: Sequence[Path]) -> Index:
    """Return the index that is known by a key, from the first folder that has it, else filled.

    A filled one is written to the first folder that can be written, under another name until it is complete;
    where there is none, it is in memory.

    Args:
        key: what the index is known by.
        fill: makes it.
        folders: where it may be kept, the best place first.

    Raises:
        StoreError: the store could not answer.
    """
    places = [folder / _FILES.name(key) for folder in folders]
    if (found := kept(key, folders)) is not None:
        return found
    for path in places:
        if (found := _written(path, key, fill)) is not None:
            return found
    return in_memory(key, fill)


def kept(key: str, folders: Iterable[Path]) -> Index | None:
    """Return the index that is known by a key, from the first folder that has it; None where none has."""
    opened = (_opened(folder / _FILES.name(key), key) for folder in folders)
    return next((index for index in opened if index is not None), None)


def in_memory(key: str, fill: Fill) -> Index:
    """Return a new index that is kept in memory.

    Raises:
        StoreError: the store could not answer.
    """
    database = sqlite3.connect(":memory:", check_same_thread=False)
    fill(database, key)
    return Index(database)


def _opened(path: Path, key: str) -> Index | None:
    """Return the index in a file; None where there is none, or it is not what it should be."""
    try:
        if not path.is_file() or not _whole(path):
            return None
        os.utime(path)
    except OSError:
        pass  # a folder that can be read only
    try:
        database = sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False)
    except sqlite3.Error:
        return None
    try:
        database.execute("PRAGMA trusted_schema = OFF")
        if _schema(database) == _own_schema():
            found = Index(database)
            if found.about("key") == key:
                return found
    except sqlite3.Error as error:
        _log.debug("the index %s is broken and made anew: %s", path, error)
    database.close()
    return None


def _whole(path: Path) -> bool:
    """Whether a file is as long as its header says (SQLite database file format, section 1.3)."""
    with path.open("rb") as stream:
        header = stream.read(100)
    page = int.from_bytes(header[16:18], "big")
    return path.stat().st_size == (2**16 if page == 1 else page) * int.from_bytes(header[28:32], "big") > 0


def _written(path: Path, key: str, fill: Fill) -> Index | None:
    """Fill an index, put it under its name and open it; None where it cannot be written."""

    def filled(partial: Path) -> None:
        with closing(sqlite3.connect(partial)) as database:
            database.executescript(_FAST)
            fill(database, key)

    try:
        _FILES.write(path, filled)
        _FILES.prune(path, CACHE_BYTES)
    except (OSError, sqlite3.Error) as error:
        _log.debug("the index cannot be kept in %s: %s", path.parent, error)
        return None
    return _opened(path, key)


def _schema(database: sqlite3.Connection) -> set[tuple[str, str | None]]:
    return set(database.execute("SELECT name, sql FROM sqlite_schema"))


def _own_schema() -> set[tuple[str, str | None]]:
    with closing(sqlite3.connect(":memory:")) as empty:
        empty.executescript(f"{SCHEMA}{FOLDED_INDEX}")
        return _schema(empty)
