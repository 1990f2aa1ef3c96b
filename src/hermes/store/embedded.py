"""The embedded store: Oxigraph in worker processes, over files or over a store directory."""

from __future__ import annotations

import os
import weakref
from collections.abc import Collection, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hermes.results import Table, Triples
from hermes.store.answer_text import read_table, read_triples
from hermes.store.directory import is_store, read_manifest, write_store
from hermes.store.engine import TRUE, About
from hermes.store.limits import Limits
from hermes.store.processes import launch
from hermes.store.processes.kept import Kept
from hermes.store.processes.pool import POOL_SIZE, Pool, Workers

if TYPE_CHECKING:
    from tempfile import TemporaryDirectory


class EmbeddedStore:
    """The triples of files, or of a store directory. Read-only; may be shared between threads.

    The triples are held, and queries run, in processes of their own: a query that goes beyond a limit is
    ended there, and a Ctrl-C during a query ends the query and raises `KeyboardInterrupt` here.

    Args:
        files: the files to load, all or none; blank nodes of different files are different. Or one store
            directory, which is opened.
        graph: the default graph of queries: `"default"`, `"union"` (of all graphs) or the IRI of a named
            graph. By default the default graph, or the union where it is empty and there are named graphs.
            A query's own FROM takes precedence.
        source: where the triples came from, for a reader; by default the paths.
        limits: what one query may take; by default 60 s, 1,000,000 rows and 4 GiB beside the graph.
        allow_services: the host names that SERVICE may call; by default none.
        workers: how many queries run at the same time (default 2); others wait for their turn.

    Attributes:
        engine: `"oxigraph"`.
        source: see above.
        dataset: what was chosen as default graph: `"default"`, `"union"` or an IRI.
        size: the number of triples, each counted once for each graph that holds it.
        usage: the predicates and classes of the default graph, counted when the triples were loaded; None
            where another default graph was chosen since.
        declared: the prefixes that the files declare; of two files with the same prefix, the first wins.
        directory: the store directory that was opened, None where files were loaded.
        fingerprint: SHA-256 in hexadecimal, over the unpacked contents of the files in order, the names of
            those that may have relative IRIs, and the dataset.

    Raises:
        StoreError: a file cannot be loaded, or `graph` names no graph of the files.
    """

    engine: Final = "oxigraph"

    def __init__(  # noqa: PLR0913 - two are what is loaded, the others are settings with defaults
        self,
        files: Sequence[Path],
        graph: str | None = None,
        *,
        source: str | None = None,
        limits: Limits | None = None,
        allow_services: Collection[str] = (),
        workers: int = POOL_SIZE,
    ) -> None:
        started, about = _workers(files, graph, sorted({host.lower() for host in allow_services}))
        self.source = source or ", ".join(map(str, files))
        self.directory = files[0].absolute() if len(files) == 1 and is_store(files[0]) else None
        self.dataset = about.dataset
        self.size = about.size
        self.usage = about.usage
        self.declared = about.declared
        self.fingerprint = about.fingerprint
        self._pool = Pool(started, limits or Limits(), workers)
        _pools.add(self._pool)
        self._end = weakref.finalize(self, self._pool.close)

    @property
    def limits(self) -> Limits:
        """What one query may take."""
        return self._pool.limits

    def select(self, query: str, *, timeout: float | None = None) -> Table:
        """Return the solutions of a SELECT query; `complete` is False where they were cut at a limit.

        Args:
            query: its text.
            timeout: seconds, where they are fewer than those of the limits.

        Raises:
            StoreError: the text is not a SELECT query, or it cannot be executed within the limits.
        """
        text, complete = self._pool.ask(query, "SELECT", timeout)
        return read_table(text, complete=complete)

    def ask(self, query: str) -> bool:
        """Return the answer of an ASK query.

        Raises:
            StoreError: the text is not an ASK query, or it cannot be executed within the limits.
        """
        return self._pool.ask(query, "ASK")[0] == TRUE

    def construct(self, query: str) -> Triples:
        """Return the triples of a CONSTRUCT or DESCRIBE query; `complete` is False where they were cut.

        Raises:
            StoreError: the text is not such a query, or it cannot be executed within the limits.
        """
        text, complete = self._pool.ask(query, "CONSTRUCT or DESCRIBE")
        return read_triples(text, complete=complete)

    def close(self) -> None:
        """End the processes and release the memory of the triples."""
        self._end()


def _workers(files: Sequence[Path], graph: str | None, services: list[str]) -> tuple[Workers, About]:
    """Return what starts the workers of a store, and what is known of its triples."""
    common: dict[str, Any] = {"services": services}
    if len(files) == 1 and is_store(files[0]):
        about = read_manifest(files[0]).choose(graph)
        found = common | {"directory": str(files[0].absolute()), "about": asdict(replace(about, usage=None))}
        return (Kept(found) if launch.CAN_FORK else _spawned(found)), about
    if launch.CAN_FORK:
        kept = Kept(common | {"files": [str(path.absolute()) for path in files], "graph": graph})
        return kept, kept.about
    from tempfile import TemporaryDirectory  # noqa: PLC0415 - only where there is no fork

    folder = TemporaryDirectory(prefix="hermes-")
    directory = Path(folder.name) / "store"
    about = write_store(files, directory, graph).about
    return _spawned(
        common | {"directory": str(directory), "about": asdict(replace(about, usage=None))}, folder
    ), about


def _spawned(settings: dict[str, Any], folder: TemporaryDirectory[str] | None = None) -> Workers:
    from hermes.store.processes.spawned import Spawned  # noqa: PLC0415 - only where there is no fork

    return Spawned(settings, folder)


_pools: weakref.WeakSet[Pool] = weakref.WeakSet()


def _abandon() -> None:
    for pool in _pools:
        pool.abandon()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_abandon)
