"""Store directories: the triples of a large graph on disk, written once and then only read.

DIR/hermes.json    what is known of them, `"format": 1`
DIR/triples/       the files of Oxigraph
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

import pyoxigraph as ox

from hermes.errors import StoreError
from hermes.store.engine import DEFAULT, UNION, About, load_files

FORMAT: Final = 1
MANIFEST: Final = "hermes.json"

_TRIPLES: Final = "triples"
_PARTIAL: Final = "partial"
_SEED_BYTES: Final = 4


@dataclass(frozen=True, slots=True)
class Manifest:
    """What is known of a store directory: its triples, where they came from, and its named graphs."""

    about: About
    source: str
    graphs: tuple[str, ...] = ()

    def choose(self, graph: str | None) -> About:
        """Return what is known when `graph` is the default graph; None is what was chosen at the load.

        Raises:
            StoreError: that cannot be chosen any more, or there is no such graph.
        """
        if graph is None or graph == self.about.dataset:
            return self.about
        if graph == UNION or (graph == DEFAULT and self.about.merged):
            raise StoreError(
                f'this store was loaded with the dataset "{self.about.dataset}"; for "{graph}" load it again '
                f"with hermes load --graph {graph}",
                category="unreadable",
                code="unknown-graph",
            )
        if graph != DEFAULT and graph not in self.graphs:
            raise StoreError(f"no graph {graph} in this store", category="unreadable", code="unknown-graph")
        return replace(self.about, dataset=graph, merged=False, usage=None)


def is_store(path: Path) -> bool:
    """Whether a path is a store directory."""
    return (path / MANIFEST).is_file()


def read_manifest(path: Path) -> Manifest:
    """Return what a store directory says of itself.

    Raises:
        StoreError: it cannot be read, or another version of hermes wrote it.
    """
    try:
        found = json.loads((path / MANIFEST).read_text(encoding="utf-8"))
        if found["format"] != FORMAT:
            raise StoreError(
                f"the store {path} has the format {found['format']}, expected {FORMAT}; load it again",
                category="unreadable",
            )
        return Manifest(About.from_json(found["about"]), found["source"], tuple(found["graphs"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreError(f"cannot open the store {path}: {error}", category="unreadable") from None


def open_triples(path: Path, about: About) -> ox.Store:
    """Open the triples of a store directory, read-only.

    Raises:
        StoreError: they cannot be opened, or are no longer those that `about` describes.
    """
    if read_manifest(path).about.digests != about.digests:
        raise StoreError(f"the store {path} was replaced since it was opened; open it again")
    try:
        return ox.Store.read_only(str(path / _TRIPLES))
    except (OSError, ValueError, RuntimeError) as error:
        raise StoreError(f"cannot open the store {path}: {error}", category="unreadable") from None


def write_store(  # noqa: PLR0913 - what, where, and four settings with defaults
    files: Sequence[Path],
    target: Path,
    graph: str | None = None,
    *,
    source: str | None = None,
    replace_store: bool = False,
    progress: Callable[[int], None] | None = None,
    name: Callable[[Path], Mapping[str, str]] | None = None,
) -> Manifest:
    """Load files into a new store directory. It is there when it is complete, and not before.

    Args:
        files: all of them or nothing.
        target: the directory to make; its parent exists.
        graph: the default graph, as for `load_files`.
        source: where the triples came from, for a reader; by default the paths.
        replace_store: whether a store that is there is replaced, at the end and at once.
        progress: told the bytes that were read of the files.
        name: given the finished store, still under another name, returns the prefixes to keep for it.

    Raises:
        StoreError: a file cannot be loaded, `graph` names no graph, the target is there, or it cannot be
            written.
    """
    _refuse(target, replace_store=replace_store)
    partial = target.with_name(f".{target.name}.{secrets.token_hex(_SEED_BYTES)}.{_PARTIAL}")
    try:
        partial.mkdir()
        store = ox.Store(str(partial / _TRIPLES))
        about = load_files(store, files, graph, progress)
        graphs = tuple(str(found.value) for found in store.named_graphs())
        store.flush()
        del store
        manifest = Manifest(about, source or ", ".join(map(str, files)), graphs)
        _write(manifest, partial)
        if name is not None:
            manifest = replace(manifest, about=replace(about, declared=dict(name(partial))))
            _write(manifest, partial)
        _refuse(target, replace_store=replace_store)
        _put(partial, target)
    except OSError as error:
        raise _unwritable(target, error.strerror or str(error)) from None
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return manifest


def _refuse(target: Path, *, replace_store: bool) -> None:
    """Refuse a target that would be overwritten; what is no store is never replaced."""
    if not os.path.lexists(target):
        if not target.parent.is_dir():
            raise _unwritable(target, f"there is no folder {target.parent}")
        return
    if not is_store(target) or target.is_symlink():
        raise _unwritable(target, "it is there, and is not a store")
    if not replace_store:
        raise _unwritable(target, "it is there; --replace replaces it")


def _write(manifest: Manifest, folder: Path) -> None:
    about = asdict(manifest.about)
    found = {
        "format": FORMAT,
        "source": manifest.source,
        "fingerprint": manifest.about.fingerprint,
        "about": about,
        "graphs": manifest.graphs,
    }
    with (folder / MANIFEST).open("w", encoding="utf-8") as out:
        json.dump(found, out, ensure_ascii=False, indent=1)
        out.flush()
        os.fsync(out.fileno())


def _put(partial: Path, target: Path) -> None:
    """Give the finished directory its name; what had it is removed afterwards."""
    if not os.path.lexists(target):
        partial.rename(target)
        return
    old = partial.with_suffix(".old")
    target.rename(old)
    try:
        partial.rename(target)
    except BaseException:
        with suppress(OSError):
            old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _unwritable(target: Path, reason: str) -> StoreError:
    return StoreError(f"cannot write {target}: {reason}", category="unreadable", code="unwritable")
