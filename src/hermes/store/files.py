"""Files of triples: their suffixes, and reading one into a store of pyoxigraph in one pass."""

from __future__ import annotations

import gzip
import hashlib
import io
import re
import zlib
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Final
from urllib.parse import quote

from pyoxigraph import RdfFormat, parse

from hermes.errors import StoreError
from hermes.printable import clip, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from pyoxigraph import Store
    from typing_extensions import Buffer

FORMATS: Final = {
    ".ttl": RdfFormat.TURTLE,
    ".nt": RdfFormat.N_TRIPLES,
    ".nq": RdfFormat.N_QUADS,
    ".trig": RdfFormat.TRIG,
    ".rdf": RdfFormat.RDF_XML,
    ".owl": RdfFormat.RDF_XML,
    ".jsonld": RdfFormat.JSON_LD,
}
_ABSOLUTE: Final = (RdfFormat.N_TRIPLES, RdfFormat.N_QUADS)
"""The formats without relative IRIs and without prefixes."""
SUFFIXES: Final = f"{', '.join(FORMATS)} (each also .gz)"
"""The suffixes that are read, for a message."""

HEAD_BYTES: Final = 65_536
"""Prefixes are looked for in so much of a file."""
BOMB_BYTES: Final = 256 * 2**20
BOMB_RATIO: Final = 250
"""A compressed file is refused when it grows beyond both: real triples compress up to fifty times."""

_NESTED_ENTITY: Final = re.compile(rb"""<!ENTITY\s[^>]*?(?:"[^"]*&[^"]*"|'[^']*&[^']*')""")
_REASON_LENGTH: Final = 240
_PREFIX: Final = re.compile(r"(?:[^\W\d_](?:[\w.-]*[\w-])?)?")
_NAMESPACE: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|^`\\]*")
_POSITION: Final = re.compile(r"^Parser error at [^:]*: ")


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was learned while a file was loaded: the prefixes it declares, and what identifies its triples.

    The digest is the SHA-256 of its bytes, and of its name where relative IRIs are resolved against that.
    """

    declared: Mapping[str, str]
    digest: bytes


def format_of(path: Path) -> RdfFormat | None:
    """Return the format that the suffix of `path` names, a last `.gz` aside; None for another suffix."""
    return FORMATS.get(_plain(path).suffix.lower())


def load_file(store: Store, path: Path, progress: Callable[[int], None] | None = None) -> Loaded:
    """Load the file `path` into `store`, all of it or nothing.

    `progress` is told, now and then, how many bytes of the file as it lies there have been read.

    Raises:
        StoreError: the file is missing, of an unknown suffix, broken, or a compression bomb.
    """
    rdf = format_of(path)
    if rdf is None:
        raise _unreadable(path, f"unknown suffix; expected one of {SUFFIXES}")
    try:
        with path.open("rb") as raw:
            reader = _Reader(raw, path, progress)
            _refuse_nested_entities(reader.head, rdf, path)
            store.bulk_load(io.BufferedReader(reader, HEAD_BYTES), rdf, base_iri=_base(path))
    except SyntaxError as error:
        raise _unreadable(path, _what_is_wrong(error)) from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise _unreadable(path, f"not a whole gzip file: {error}") from None
    except OSError as error:
        raise _unreadable(path, error.strerror or str(error)) from None
    name = b"" if rdf in _ABSOLUTE else _base(path).encode()
    return Loaded(_declared(reader.head, rdf, _base(path)), reader.digest(name))


class _Reader(io.RawIOBase):
    """A stream that remembers its head and its digest while pyoxigraph reads it."""

    def __init__(self, raw: IO[bytes], path: Path, progress: Callable[[int], None] | None) -> None:
        super().__init__()
        packed = path.suffix.lower() == ".gz"
        if packed and path.stat().st_size == 0:
            raise EOFError("the file is empty")
        stream = gzip.GzipFile(fileobj=raw) if packed else raw
        self._progress = progress
        self.head = stream.read(HEAD_BYTES)
        self._pending = self.head
        self._stream = stream
        self._raw = raw
        self._path = path
        self._hash = hashlib.sha256(self.head)
        self._size = len(self.head)
        self._most = max(BOMB_BYTES, BOMB_RATIO * path.stat().st_size) if packed else None

    def readable(self) -> bool:
        """Return True: this stream is for reading."""
        return True

    def readinto(self, buffer: Buffer, /) -> int:
        """Fill the start of `buffer` and return how many bytes that took; 0 at the end."""
        view = memoryview(buffer)
        found = self._pending[: len(view)] or self._more(len(view))
        self._pending = self._pending[len(found) :]
        view[: len(found)] = found
        return len(found)

    def _more(self, size: int) -> bytes:
        found = self._stream.read(size)
        if self._progress is not None:
            self._progress(self._raw.tell())
        self._hash.update(found)
        self._size += len(found)
        if self._most is not None and self._size > self._most:
            raise StoreError(
                f"{self._path}: grows more than {BOMB_RATIO} times when unpacked; unpack it yourself",
                category="memory",
            )
        return found

    def digest(self, name: bytes) -> bytes:
        """Return the SHA-256 of what was read, followed by a name."""
        self._hash.update(name)
        return self._hash.digest()


def _plain(path: Path) -> Path:
    return path.with_suffix("") if path.suffix.lower() == ".gz" else path


def _base(path: Path) -> str:
    # The folder is left out: the same file is the same graph on every machine.
    return "file:///" + quote(_plain(path).name)


def _unreadable(path: Path, reason: str) -> StoreError:
    return StoreError(f"cannot load {path}: {reason}", category="unreadable")


def _what_is_wrong(error: SyntaxError) -> str:
    text = _POSITION.sub("", error.msg)
    if "LoadDocumentCallback" in text:
        return "its JSON-LD context is on another host, which is not asked; write the context into the file"
    where = "" if error.lineno is None else f"line {error.lineno}, column {error.offset or 1}: "
    return where + clip(printable(text), _REASON_LENGTH)


def _refuse_nested_entities(head: bytes, rdf: RdfFormat, path: Path) -> None:
    # Entities made of entities grow exponentially: a kilobyte becomes a gigabyte.
    if rdf == RdfFormat.RDF_XML and _NESTED_ENTITY.search(head):
        raise _unreadable(path, "an XML entity refers to another entity; write its value out")


def _declared(head: bytes, rdf: RdfFormat, base: str) -> dict[str, str]:
    """Return the prefixes that the head of a file declares and that SPARQL can spell."""
    if rdf in _ABSOLUTE:
        return {}
    # The other reader of JSON-LD learns the context only at the end of the document.
    quads = parse(head, RdfFormat.STREAMING_JSON_LD if rdf == RdfFormat.JSON_LD else rdf, base_iri=base)
    # The head of a longer file ends in the middle of a triple.
    with suppress(SyntaxError):
        deque(quads, maxlen=0)
    return {
        prefix: namespace
        for prefix, namespace in quads.prefixes.items()
        if _PREFIX.fullmatch(prefix) and _NAMESPACE.fullmatch(namespace)
    }
