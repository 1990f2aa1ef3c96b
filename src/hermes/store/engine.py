"""The engine: Oxigraph in this process, and answers as bytes.

It runs inside a worker, because a query of Oxigraph cannot be interrupted from Python. Results of pyoxigraph
belong to the thread that ran the query (iterating one in another thread aborts the process), so an answer
leaves the engine as text and in no other way.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import IO, Any, Final, Literal, TypedDict, cast

import pyoxigraph as ox

from hermes.errors import StoreError
from hermes.printable import clip, printable
from hermes.store.answer_text import TABLE_FORMAT, TRIPLES_FORMAT
from hermes.store.files import load_file
from hermes.store.scan import has_from, refuse_service
from hermes.store.usage import USAGE_QUERY, Usage

DEFAULT: Final = "default"
UNION: Final = "union"

Form = Literal["SELECT", "ASK", "CONSTRUCT or DESCRIBE"]
TRUE: Final = b"true"
FALSE: Final = b"false"

_NAMES_SHOWN: Final = 5
_REASON_LENGTH: Final = 240
_POSITION: Final = re.compile(r"^error at (\d+):(\d+): ")


class Stop(Exception):  # noqa: N818 - no error: enough has been written
    """Raised by the stream of an answer to end it."""


@dataclass(frozen=True, slots=True)
class About:
    """What is known of the triples when they are loaded.

    `digests` identify the triples of the files, in hexadecimal (see `Loaded`), `declared` are the prefixes,
    `size` the number of triples, `dataset` the chosen default graph; `merged` says whether the default graph
    holds the union of the named graphs, because they have triples in common; `usage` are the names that the
    chosen default graph uses, where they were counted.
    """

    digests: tuple[str, ...]
    declared: dict[str, str]
    size: int
    dataset: str
    merged: bool = False
    usage: Usage | None = None

    @property
    def fingerprint(self) -> str:
        """SHA-256 in hexadecimal, over the digests of the files in order and the dataset."""
        digest = hashlib.sha256()
        for each in self.digests:
            digest.update(bytes.fromhex(each))
        digest.update(self.dataset.encode())
        return digest.hexdigest()

    @classmethod
    def from_json(cls, found: dict[str, Any]) -> About:
        """Return what `dataclasses.asdict` made a JSON object of."""
        usage = found.get("usage")  # a store directory of an earlier version has none
        return cls(
            **{**found, "digests": tuple(found["digests"]), "usage": usage and Usage(**usage)},
        )


class _Dataset(TypedDict, total=False):
    """The arguments of `pyoxigraph.Store.query` that choose the default graph."""

    use_default_graph_as_union: bool
    default_graph: ox.NamedNode


class Engine:
    """Answers queries over a store of pyoxigraph, in the calling thread.

    Args:
        store: the triples.
        about: what is known of them.
        allow_services: the host names, in lower case, that SERVICE may call.
    """

    def __init__(self, store: ox.Store, about: About, allow_services: Collection[str] = ()) -> None:
        self.about = about
        self._store = store
        self._allowed = frozenset(allow_services)
        self._options = _options(about)

    @property
    def calls_out(self) -> bool:
        """Whether any host may be called."""
        return bool(self._allowed)

    def write(self, query: str, form: Form, out: IO[bytes]) -> StoreError | None:
        """Write the answer of a query to `out`: TSV, N-Triples, or `true` or `false`.

        An error is returned, not raised: one that is raised holds the frame that holds a result of Oxigraph.

        Raises:
            Stop: `out` raised it, because it takes no more.
        """
        try:
            refuse_service(query, self._allowed)
            return _write(self._query(query), form, out)
        except (SyntaxError, OSError, MemoryError, RuntimeError, ValueError, StoreError) as error:
            return _store_error(error)

    def _query(self, query: str) -> ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples:
        # Oxigraph ignores FROM, without a word, when it is also given a dataset.
        if self._options and not has_from(query):
            return self._store.query(query, **self._options)
        return self._store.query(query)


def _write(
    found: ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples, form: Form, out: IO[bytes]
) -> StoreError | None:
    if isinstance(found, ox.QuerySolutions) and form == "SELECT":
        found.serialize(out, TABLE_FORMAT)
    elif isinstance(found, ox.QueryTriples) and form == "CONSTRUCT or DESCRIBE":
        found.serialize(out, TRIPLES_FORMAT)
    elif isinstance(found, ox.QueryBoolean) and form == "ASK":
        out.write(TRUE if found else FALSE)
    else:
        return StoreError(
            f"expected a query of the form {form}, found one of another form", category="syntax"
        )
    return None


def load_files(
    store: ox.Store, files: Sequence[Path], graph: str | None, progress: Callable[[int], None] | None = None
) -> About:
    """Load files into an empty store, and choose its default graph.

    Args:
        store: where to.
        files: all of them or nothing; blank nodes of different files are different.
        graph: the default graph of queries: `"default"`, `"union"` (of all graphs) or the IRI of a named
            graph. By default the default graph, or the union where it is empty and there are named graphs.
        progress: told the bytes that were read of the files as they lie there, all files together.

    Raises:
        StoreError: a file cannot be loaded, or `graph` names no graph of the files.
    """
    declared: dict[str, str] = {}
    digests = []
    read = 0
    for path in files:
        loaded = load_file(store, path, progress and partial(_told, progress, read))
        read += path.stat().st_size
        digests.append(loaded.digest.hex())
        declared = {**loaded.declared, **declared}
    dataset = _choose(store, graph)
    size = len(store)
    shared = dataset == UNION and _shares_triples(store, size)
    if shared:
        # Oxigraph's union has a triple once for each of its graphs, which makes counts wrong
        # (SPARQL 1.1, section 13.1: the merge of the graphs is a set).
        store.update("INSERT { ?s ?p ?o } WHERE { GRAPH ?g { ?s ?p ?o } }")
    about = About(tuple(digests), declared, size, dataset, merged=shared)
    # Here and not in a worker: the first scan of a worker copies the pages that it shares with this process.
    return replace(about, usage=_usage(store, about))


def _told(progress: Callable[[int], None], before: int, read: int) -> None:
    progress(before + read)


def _choose(store: ox.Store, graph: str | None) -> str:
    if graph is None:
        empty = not store.query("ASK { ?s ?p ?o }")
        return UNION if empty and any(True for _ in store.named_graphs()) else DEFAULT
    if graph in (DEFAULT, UNION):
        return graph
    named = [str(name.value) for name in store.named_graphs()]
    if graph in named:
        return graph
    known = ", ".join(sorted(named)[:_NAMES_SHOWN]) + (", ..." if len(named) > _NAMES_SHOWN else "")
    raise StoreError(
        f'no graph {graph}; expected "{DEFAULT}", "{UNION}" or a named graph ({known or "there is none"})',
        category="unreadable",
        code="unknown-graph",
    )


def _options(about: About) -> _Dataset:
    if about.dataset == DEFAULT or about.merged:
        return {}
    if about.dataset != UNION:
        return {"default_graph": ox.NamedNode(about.dataset)}
    return {"use_default_graph_as_union": True}


def _usage(store: ox.Store, about: About) -> Usage:
    found = cast("ox.QuerySolutions", store.query(USAGE_QUERY, **_options(about)))
    return Usage.of(
        (row["role"].value, row["term"].value, int(row["n"].value))
        for row in found
        if isinstance(row["term"], ox.NamedNode)
    )


def _shares_triples(store: ox.Store, size: int) -> bool:
    found = store.query(
        "SELECT (COUNT(*) AS ?n) { SELECT DISTINCT ?s ?p ?o { ?s ?p ?o } }", use_default_graph_as_union=True
    )
    return any(int(row["n"].value) < size for row in cast("ox.QuerySolutions", found))


def _store_error(error: Exception) -> StoreError:
    """Return what pyoxigraph raised as a `StoreError`."""
    match error:
        case StoreError():
            return error.with_traceback(None)
        case SyntaxError():
            text = _POSITION.sub(r"line \1, column \2: ", error.msg)
            return StoreError(f"not a query that Oxigraph reads: {_reason(text)}", category="syntax")
        case OSError():
            return StoreError(f"another host gave no answer: {_reason(str(error))}", category="unreachable")
        case MemoryError():
            return StoreError("the query needs more memory than there is", category="memory")
        case _:
            return StoreError(f"the query failed: {_reason(str(error))}")


def _reason(text: str) -> str:
    return clip(printable(" ".join(text.split())), _REASON_LENGTH)
