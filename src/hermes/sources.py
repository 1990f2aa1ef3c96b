"""What `KG.load` may be given: files, shipped names, a store directory, or the address of an endpoint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from hermes.datasets import SHIPPED, shipped
from hermes.errors import StoreError, did_you_mean
from hermes.store import (
    ENDPOINT_LIMITS,
    SUFFIXES,
    EmbeddedStore,
    EndpointStore,
    Limits,
    format_of,
    is_store,
    is_url,
)


def open_store(
    sources: Sequence[str | Path], graph: str | None, limits: Limits, services: Sequence[str]
) -> EmbeddedStore | EndpointStore:
    """Return the store that sources name; an endpoint is asked nothing yet.

    Raises:
        StoreError: a source is not known or cannot be loaded, or `graph` names no graph.
    """
    if any(map(is_url, sources)):
        return _endpoint(sources, graph, limits)
    files = known_files(sources)
    if not files:
        raise StoreError(f"no source; name a file or one of: {', '.join(SHIPPED)}", code="unknown-source")
    said = ", ".join(map(str, sources))
    return EmbeddedStore(files, graph, source=said, limits=limits, allow_services=services)


def _endpoint(sources: Sequence[str | Path], graph: str | None, limits: Limits) -> EndpointStore:
    if len(sources) != 1:
        raise StoreError(
            "an endpoint is a graph of its own: name it alone, not beside other sources",
            category="unreadable",
            code="unknown-source",
        )
    return EndpointStore(str(sources[0]), graph, limits=replace(ENDPOINT_LIMITS, time=limits.time))


def known_files(sources: Sequence[str | Path]) -> list[Path]:
    """Return the files that sources name, or the one store directory.

    Raises:
        StoreError: a source is not known, or a store directory is not alone.
    """
    files = [_file(source) for source in sources]
    if len(files) > 1 and any(map(is_store, files)):
        raise StoreError(
            "a store directory is loaded by itself, without other sources", code="unknown-source"
        )
    return files


def _file(source: str | Path) -> Path:
    path = (shipped(source) if isinstance(source, str) else None) or Path(source)
    if (format_of(path) is not None and path.is_file()) or is_store(path):
        return path
    wrong = f"no file {source}" if format_of(path) is not None else f"unknown source {source}"
    raise StoreError(
        f"{wrong}; expected one of the shipped names ({', '.join(SHIPPED)}), a directory that hermes load "
        f"wrote, the http(s) address of an endpoint, or a file that ends in {SUFFIXES}"
        f"{did_you_mean(str(source), SHIPPED)}",
        category="unreadable",
        code="unknown-source",
    )
