"""Loads graph files into a store of pyoxigraph."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from pathlib import Path

from pyoxigraph import RdfFormat, Store


def load(paths: Iterable[Path]) -> Store:
    """Load Turtle and N-Triples files, compressed or not, together into the default graph."""
    store = Store()
    for path in paths:
        suffix = path.suffixes[-2] if path.suffix == ".gz" else path.suffix
        kind = RdfFormat.TURTLE if suffix == ".ttl" else RdfFormat.N_TRIPLES
        content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        store.bulk_load(content, format=kind)
    return store
