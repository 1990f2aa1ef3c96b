"""The embedded store: Oxigraph in this process, in memory, over files."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Final, TypedDict, TypeVar

import pyoxigraph as ox

from hermes.errors import StoreError
from hermes.printable import clip, printable
from hermes.store.convert import read_table, read_triples
from hermes.store.files import load_file

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from hermes.results import Table, Triples

DEFAULT: Final = "default"
UNION: Final = "union"

_NAMES_SHOWN: Final = 5
_REASON_LENGTH: Final = 240
_POSITION: Final = re.compile(r"^error at (\d+):(\d+): ")
# FROM is a keyword of the dataset clause alone, so one outside of strings, names and comments is it.
_FROM: Final = re.compile(
    r"""
    \"\"\"(?:[^"\\]|\\.|"(?!""))*\"\"\" | '''(?:[^'\\]|\\.|'(?!''))*'''
    | "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*'
    | <[^<>"{}|^`\\\s]*> | \#[^\n]* | [?$@]\w+ | [\w.-]*:(?:[\w.:%-]|\\.)*
    | (?P<from>\bFROM\b) | \w+
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)

_Found = TypeVar("_Found", ox.QuerySolutions, ox.QueryBoolean, ox.QueryTriples)
_R = TypeVar("_R")


class _Dataset(TypedDict, total=False):
    """The arguments of `pyoxigraph.Store.query` that choose the default graph."""

    use_default_graph_as_union: bool
    default_graph: ox.NamedNode


class EmbeddedStore:
    """The triples of files, in memory. Read-only; may be shared between threads.

    Args:
        files: the files to load, all or none; blank nodes of different files are different.
        graph: the default graph of queries: `"default"`, `"union"` (of all graphs) or the IRI of a named
            graph. By default the default graph, or the union where it is empty and there are named graphs.
            A query's own FROM takes precedence.
        source: where the triples came from, for a reader; by default the paths.

    Attributes:
        engine: `"oxigraph"`.
        source: see above.
        dataset: what was chosen as default graph: `"default"`, `"union"` or an IRI.
        size: the number of triples, each counted once for each graph that holds it.
        declared: the prefixes that the files declare; of two files with the same prefix, the first wins.

    Raises:
        StoreError: a file cannot be loaded, or `graph` names no graph of the files.
    """

    engine: Final = "oxigraph"

    def __init__(self, files: Sequence[Path], graph: str | None = None, *, source: str | None = None) -> None:
        self.source = source or ", ".join(map(str, files))
        self.declared: dict[str, str] = {}
        store = ox.Store()
        digest = hashlib.sha256()
        for path in files:
            loaded = load_file(store, path)
            digest.update(loaded.digest)
            self.declared = {**loaded.declared, **self.declared}
        self.dataset = _choose(store, graph)
        digest.update(self.dataset.encode())
        self._fingerprint = digest.hexdigest()
        self.size = len(store)
        self._options = _options(store, self.dataset)
        self._store: ox.Store | None = store

    @property
    def fingerprint(self) -> str:
        """SHA-256 in hexadecimal, over the unpacked contents of the files in order and the dataset."""
        return self._fingerprint

    def select(self, query: str) -> Table:
        """Return the solutions of a SELECT query.

        Raises:
            StoreError: the text is not a SELECT query, or it cannot be executed.
        """
        return self._answer(query, "SELECT", ox.QuerySolutions, read_table)

    def ask(self, query: str) -> bool:
        """Return the answer of an ASK query.

        Raises:
            StoreError: the text is not an ASK query, or it cannot be executed.
        """
        return self._answer(query, "ASK", ox.QueryBoolean, bool)

    def construct(self, query: str) -> Triples:
        """Return the triples of a CONSTRUCT or DESCRIBE query.

        Raises:
            StoreError: the text is not such a query, or it cannot be executed.
        """
        return self._answer(query, "CONSTRUCT or DESCRIBE", ox.QueryTriples, read_triples)

    def close(self) -> None:
        """Release the memory of the triples."""
        self._store = None

    def _answer(self, query: str, form: str, kind: type[_Found], read: Callable[[_Found], _R]) -> _R:
        # An error must not hold the frame that holds a result of Oxigraph: the error may be dropped in
        # another thread, and the result may not.
        outcome = self._attempt(query, form, kind, read)
        if isinstance(outcome, StoreError):
            raise outcome
        return outcome

    def _attempt(
        self, query: str, form: str, kind: type[_Found], read: Callable[[_Found], _R]
    ) -> _R | StoreError:
        try:
            found = self._query(query)
            if isinstance(found, kind):
                return read(found)
        except (SyntaxError, OSError, MemoryError, RuntimeError, ValueError, StoreError) as error:
            return _store_error(error)
        return StoreError(
            f"expected a query of the form {form}, found one of another form", category="syntax"
        )

    def _query(self, query: str) -> ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples:
        store = self._store
        if store is None:
            raise StoreError("the store is closed")
        # Oxigraph ignores FROM, without a word, when it is also given a dataset.
        if self._options and not _has_from(query):
            return store.query(query, **self._options)
        return store.query(query)


def _has_from(query: str) -> bool:
    return "from" in query.lower() and any(token.lastgroup for token in _FROM.finditer(query))


def _choose(store: ox.Store, graph: str | None) -> str:
    named = [str(name.value) for name in store.named_graphs()]
    if graph is None:
        empty = not store.query("ASK { ?s ?p ?o }")
        return UNION if empty and named else DEFAULT
    if graph in (DEFAULT, UNION, *named):
        return graph
    known = ", ".join(sorted(named)[:_NAMES_SHOWN]) + (", ..." if len(named) > _NAMES_SHOWN else "")
    raise StoreError(
        f'no graph {graph}; expected "{DEFAULT}", "{UNION}" or a named graph ({known or "there is none"})',
        category="unreadable",
        code="unknown-graph",
    )


def _options(store: ox.Store, dataset: str) -> _Dataset:
    if dataset == DEFAULT:
        return {}
    if dataset != UNION:
        return {"default_graph": ox.NamedNode(dataset)}
    if _shares_triples(store):
        # Oxigraph's union has a triple once for each of its graphs, which makes counts wrong
        # (SPARQL 1.1, section 13.1: the merge of the graphs is a set).
        store.update("INSERT { ?s ?p ?o } WHERE { GRAPH ?g { ?s ?p ?o } }")
        return {}
    return {"use_default_graph_as_union": True}


def _shares_triples(store: ox.Store) -> bool:
    found = store.query(
        "SELECT (COUNT(*) AS ?n) { SELECT DISTINCT ?s ?p ?o { ?s ?p ?o } }", use_default_graph_as_union=True
    )
    return isinstance(found, ox.QuerySolutions) and any(int(row["n"].value) < len(store) for row in found)


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
