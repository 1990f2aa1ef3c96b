"""A file of remembered results, shared by processes: one SQLite table, bounded by bytes.

Nothing that is wrong with the file reaches the caller. What cannot be used (another program's file, another
version, a broken one) is left as it is, with one warning on the logger `hermes`; what is busy is passed over.
"""

from __future__ import annotations

import logging
import os
import sqlite3
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

VERSION: Final = 1
"""The version of the table; a file of another one is not used."""
BUSY_SECONDS: Final = 0.2
"""How long a call waits for another process before it goes on without the file."""

_APPLICATION: Final = 0x6865726D  # "herm", as SQLite's application_id: no other program's file is written to
_TABLE: Final = (
    """
    CREATE TABLE entries (
        key BLOB PRIMARY KEY, written REAL NOT NULL, used REAL NOT NULL,
        sum BLOB NOT NULL, value BLOB NOT NULL
    )
    """,
    "CREATE INDEX entries_used ON entries (used)",
)
_LARGEST: Final = 4  # one result may fill a quarter of the file
_BATCH: Final = 64
_TOUCHED: Final = 256
_WAL_BYTES: Final = 4 * 2**20
# Over a broken file the module raises more than its own errors: for text that is no UTF-8, for a missing row.
_BROKEN: Final = (sqlite3.Error, OSError, ValueError, TypeError)

_log: Final = logging.getLogger("hermes")
_R = TypeVar("_R")


class Stored(NamedTuple):
    """A value, and when it was written, in seconds since 1970."""

    value: bytes
    written: float


class _UnusableError(Exception):
    """The file is not one that this version may write to; the text says why."""


class CacheFile:
    """Keeps values by key in the SQLite file `path`. Threads may share it, and processes the file.

    The least recently used values are dropped when the file's pages in use exceed `max_bytes`; the
    write-ahead log beside it may take 4 MiB more. A process that is killed loses at most what it was writing.
    Whoever can read the file can read the results: it is made readable by its owner alone.

    Args:
        path: the file; it is made when it is first needed, its folder is not.
        max_bytes: see above.
        clock: gives the time in seconds since 1970, for the order in which values were used.
        busy_seconds: how long a call waits for another process (default 0.2).
    """

    def __init__(
        self, path: Path, max_bytes: int, clock: Callable[[], float], busy_seconds: float = BUSY_SECONDS
    ) -> None:
        self.path = path
        self._max_bytes = max_bytes
        self._clock = clock
        self._busy_seconds = busy_seconds
        self._lock = Lock()
        self._connection: sqlite3.Connection | None = None
        self._process = os.getpid()
        self._foreign: list[sqlite3.Connection] = []
        self._touched: dict[bytes, float] = {}
        self._noting = Lock()
        self._usable = True
        self._closed = False

    # --- what callers do --------------------------------------------------------------------------

    def get(self, key: bytes) -> Stored | None:
        """Return what is kept for `key`; None where there is nothing, or the file cannot be read now."""
        return self._use(lambda connection: _read(connection, key))

    def put(self, key: bytes, stored: Stored) -> None:
        """Keep a value, and drop the least recently used ones where the file becomes too large."""
        if len(stored.value) > self._max_bytes // _LARGEST:
            return
        row = (key, stored.written, self._clock(), _sum(key, stored), stored.value)

        def write(connection: sqlite3.Connection) -> None:
            with _Transaction(connection):
                self._write_touched(connection)
                connection.execute("INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?, ?)", row)
                _shrink(connection, self._max_bytes)

        self._use(write)

    def touch(self, key: bytes) -> None:
        """Note that a value was used. The notes are written from time to time, not one by one."""
        with self._noting:
            self._touched[key] = self._clock()
            many = len(self._touched) >= _TOUCHED
        if many:
            self._use(self._flush)

    def size(self) -> int | None:
        """Return the bytes of the file's pages in use; None where the file is not used, or busy."""
        return self._use(_used_bytes)

    def close(self) -> None:
        """Write what is noted and close the file; it is not used afterwards. May be called twice."""
        if self._touched:
            self._use(self._flush)
        with self._lock:
            self._closed = True
            self._disconnect()

    # --- inside -----------------------------------------------------------------------------------

    def _use(self, do: Callable[[sqlite3.Connection], _R]) -> _R | None:
        """Return what `do` gives; None when the file is busy or cannot be used (which is said once)."""
        with self._lock:
            if not self._usable or self._closed:
                return None
            try:
                return do(self._connected())
            except (*_BROKEN, _UnusableError) as error:
                if _is_busy(error):
                    _log.debug("cache: %s is busy; this call goes without it", self.path)
                    return None
                self._usable = False
                self._disconnect()
                reason = (isinstance(error, OSError) and error.strerror) or error
                _log.warning("cache: %s is not used: %s", self.path, reason)
                return None

    def _connected(self) -> sqlite3.Connection:
        if self._process != os.getpid():
            # A connection must not be used, nor closed, in a forked process; so it is kept, and left alone.
            if self._connection is not None:
                self._foreign.append(self._connection)
            self._connection, self._process, self._touched = None, os.getpid(), {}
        if self._connection is None:
            self._connection = _open(self.path, self._busy_seconds)
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None and self._process == os.getpid():
            self._connection.close()
            self._connection = None

    def _flush(self, connection: sqlite3.Connection) -> None:
        with _Transaction(connection):
            self._write_touched(connection)

    def _write_touched(self, connection: sqlite3.Connection) -> None:
        with self._noting:
            touched, self._touched = self._touched, {}
        connection.executemany(
            "UPDATE entries SET used = ? WHERE key = ?", [(used, key) for key, used in touched.items()]
        )


class _Transaction:
    """A write transaction: all of it or nothing."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __enter__(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self._connection.execute("COMMIT")
        elif self._connection.in_transaction:  # some errors of SQLite have rolled back already
            self._connection.execute("ROLLBACK")


def _open(path: Path, busy_seconds: float) -> sqlite3.Connection:
    path.touch(mode=0o600)
    # The lock of CacheFile keeps threads apart, so SQLite need not.
    connection = sqlite3.connect(path, timeout=busy_seconds, isolation_level=None, check_same_thread=False)
    try:
        _prepare(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection) -> None:
    """Make the table in an empty file, and refuse one that is not ours.

    Raises:
        _UnusableError: it belongs to another program or version.
        sqlite3.Error: it is no database, broken, or busy.
    """
    if _pragma(connection, "user_version") != VERSION:
        with _Transaction(connection):
            _make(connection)
    if _pragma(connection, "application_id") != _APPLICATION:
        raise _UnusableError("it is a database of another program; name another file")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute(f"PRAGMA journal_size_limit = {_WAL_BYTES}")


def _make(connection: sqlite3.Connection) -> None:
    version = _pragma(connection, "user_version")
    if version == VERSION:
        return  # another process was faster
    empty = not _number(connection, "SELECT COUNT(*) FROM sqlite_schema")
    if _pragma(connection, "application_id") == _APPLICATION:
        # Left as it is: another version of hermes may be using it.
        raise _UnusableError(
            f"it has version {version} of the format, this hermes writes {VERSION}; delete it or name another"
        )
    if not empty or version:
        raise _UnusableError("it is a database of another program; name another file")
    for statement in _TABLE:
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {_APPLICATION}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def _read(connection: sqlite3.Connection, key: bytes) -> Stored | None:
    found = connection.execute("SELECT written, sum, value FROM entries WHERE key = ?", (key,)).fetchone()
    if found is None:
        return None
    written, checksum, value = found
    if not (isinstance(written, float) and isinstance(checksum, bytes) and isinstance(value, bytes)):
        return None
    stored = Stored(value, written)
    return stored if checksum == _sum(key, stored) else None


def _sum(key: bytes, stored: Stored) -> bytes:
    """Return a checksum: SQLite has none, and a flipped bit must not become a wrong answer."""
    return blake2b(repr(float(stored.written)).encode() + stored.value, digest_size=16, key=key[:64]).digest()


def _shrink(connection: sqlite3.Connection, max_bytes: int) -> None:
    """Drop values, least recently used first, until the pages in use are within the bound."""
    while (excess := _used_bytes(connection) - max_bytes) > 0:
        oldest = connection.execute(
            "SELECT key, LENGTH(value) FROM entries ORDER BY used LIMIT ?", (_BATCH,)
        ).fetchall()
        if not oldest:
            return
        for key, size in oldest:
            connection.execute("DELETE FROM entries WHERE key = ?", (key,))
            excess -= size
            if excess <= 0:
                break


def _used_bytes(connection: sqlite3.Connection) -> int:
    pages = _pragma(connection, "page_count") - _pragma(connection, "freelist_count")
    return pages * _pragma(connection, "page_size")


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return _number(connection, f"PRAGMA {name}")


def _number(connection: sqlite3.Connection, query: str) -> int:
    return int(connection.execute(query).fetchone()[0])


def _is_busy(error: Exception) -> bool:
    # The low byte is the class of an error, the others say more (SQLite, "Result and Error Codes").
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
