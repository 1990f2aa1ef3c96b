"""Schemas that are remembered: as long as a KG, and those of large graphs in a file.

A schema is known by the fingerprint of the store (it is made of the contents of the files), by the choice of
default graph, and by the bounds of mining. A file is known by the versions of what made it too.
"""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Final
from weakref import WeakKeyDictionary, WeakValueDictionary

import pyoxigraph

from hermes.kept_files import KeptFiles, cache_folder
from hermes.kg import KG
from hermes.store import EmbeddedStore, embedded, is_endpoint
from hermes.verifier.mining import bounds, mine
from hermes.verifier.schema import Schema
from hermes.verifier.schema_file import FORMAT, BrokenSchemaError, from_bytes, to_bytes
from hermes.verifier.sources import expected_by
from hermes.version import __version__

CACHE_BYTES: Final = 2**29
"""Bytes of schemas that are kept in the cache directory; beyond, those not used for longest are removed."""

_SMALL: Final = 100_000
"""A graph of at most so many triples is mined each time (about half a second)."""
_FILES: Final = KeptFiles("schema-", ".schema")

_Known = tuple[str, str, tuple[int, ...]]
"""What a schema is known by: fingerprint, dataset, bounds."""

_lock: Final = Lock()
_of_kg: Final[WeakKeyDictionary[KG, tuple[_Known, Schema]]] = WeakKeyDictionary()
_of_graph: Final[WeakValueDictionary[_Known, Schema]] = WeakValueDictionary()

_log: Final = logging.getLogger("hermes")


def remembered(kg: KG) -> Schema:
    """Return the schema of a graph, mined where it is not known yet; see `Schema.mine`.

    Threads that ask at the same time get the same one, mined once. That of an endpoint is made anew each
    time: its answers are remembered, and grow old, where all its answers do.

    Raises:
        StoreError: the embedded store could not answer.
    """
    if is_endpoint(kg.store):
        return _mined(kg)
    known = kg.fingerprint, kg.dataset, bounds()
    with _lock:
        own = _of_kg.get(kg)
        if own is not None and own[0] == known:
            return own[1]
        store = embedded(kg.store)
        if store is None:  # a store of somebody else: what its fingerprint is made of is not known
            found = _mined(kg)
        else:
            found = _of_graph.get(known) or replace(_kept(kg, store, known), expected=expected_by(kg))
            _of_graph[known] = found
        _of_kg[kg] = known, found
        return found


def _mined(kg: KG) -> Schema:
    return replace(mine(kg), expected=expected_by(kg))


def _kept(kg: KG, store: EmbeddedStore, known: _Known) -> Schema:
    """Return the schema from a file where there is one, else mined, and then written to a file."""
    if store.size <= _SMALL:
        return mine(kg)
    key = f"format {FORMAT}, hermes {__version__}, pyoxigraph {pyoxigraph.__version__}, {known}"
    folders = [folder for folder in (store.directory, cache_folder()) if folder is not None]
    places = [folder / _FILES.name(key) for folder in folders]
    for path in places:
        found = _opened(path, key)
        if found is not None:
            return found
    schema = mine(kg)
    if schema.complete:
        _write(to_bytes(schema, key), places)
    return schema


def _opened(path: Path, key: str) -> Schema | None:
    """Return the schema in a file; None where there is none, or it is not what it should be."""
    try:
        found = from_bytes(path.read_bytes(), key)
    except OSError:
        return None
    except BrokenSchemaError as error:
        _log.debug("the schema %s is mined anew: %s", path, error)
        return None
    with suppress(OSError):  # a folder that can be read only
        os.utime(path)
    return found


def _write(data: bytes, places: list[Path]) -> None:
    """Write a file to the first place that can be written."""
    for path in places:
        try:
            _FILES.write(path, lambda partial: partial.write_bytes(data))
            _FILES.prune(path, CACHE_BYTES)
        except OSError as error:
            _log.debug("the schema cannot be kept in %s: %s", path.parent, error)
        else:
            return
