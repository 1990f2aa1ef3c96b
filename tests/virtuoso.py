"""A Virtuoso 7 server on the loopback, of the Debian packages virtuoso-opensource-7 and -7-bin."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import pytest

from hermes import KG
from servers import OLYMPICS, free_port, turtle, wait_until_it_answers

WHY_NOT: Final = "Virtuoso is not installed (Debian: virtuoso-opensource-7, virtuoso-opensource-7-bin)"
_INI: Final = """\
[Database]
DatabaseFile = {folder}/virtuoso.db
ErrorLogFile = {folder}/virtuoso.log
LockFile = {folder}/virtuoso.lck
TransactionFile = {folder}/virtuoso.trx
xa_persistent_file = {folder}/virtuoso.pxa
ErrorLogLevel = 7
FileExtend = 200
[TempDatabase]
DatabaseFile = {folder}/virtuoso-temp.db
TransactionFile = {folder}/virtuoso-temp.trx
[Parameters]
ServerPort = 127.0.0.1:{sql}
DisableUnixSocket = 1
DirsAllowed = {folder}
NumberOfBuffers = 10000
MaxDirtyBuffers = 6000
ThreadsPerQuery = 2
CheckpointInterval = 0
[HTTPServer]
ServerPort = 127.0.0.1:{http}
ServerRoot = {folder}
ServerThreads = 5
[SPARQL]
ResultSetMaxRows = 10000
MaxQueryCostEstimationTime = 400
MaxQueryExecutionTime = 60
"""


def installed() -> bool:
    """Whether the server and its SQL client are there."""
    return all(map(shutil.which, ("virtuoso-t", "isql-vt")))


def graph_name(name: str) -> str:
    """Return the IRI of the named graph that holds a graph of the tests."""
    return f"http://hermes.example/{name}"


class Virtuoso:
    """A server with a database of its own in a folder, which holds each graph as a named graph."""

    def __init__(self, folder: Path, *graphs: str) -> None:
        self._folder = folder
        self._graphs = graphs
        self._sql, http = free_port(), free_port()
        self.url = f"http://127.0.0.1:{http}/sparql"
        self._ini = folder / "virtuoso.ini"
        self._ini.write_text(_INI.format(folder=folder, sql=self._sql, http=http), encoding="utf-8")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server and load the graphs."""
        self._process = subprocess.Popen(
            ["virtuoso-t", "+configfile", str(self._ini), "+foreground"],  # noqa: S607 - of the system's package
            cwd=self._folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_until_it_answers(self.url, self._process, patience=60)
        for name in self._graphs:
            self.load(name, turtle(name) or b"")

    def load(self, name: str, text: bytes) -> None:
        """Load Turtle as a named graph."""
        path = self._folder / f"{name}.ttl"
        path.write_bytes(text)
        self._execute(
            f"DB.DBA.TTLP_MT(file_to_string_output('{path}'), '', '{graph_name(name)}', 0); checkpoint;"
        )

    def stop(self) -> None:
        """Stop the server."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _execute(self, command: str) -> None:
        subprocess.run(
            ["isql-vt", f"127.0.0.1:{self._sql}", "dba", "dba", f"exec={command}"],  # noqa: S607 - the same
            check=True,
            capture_output=True,
            timeout=60,
        )


@contextmanager
def served_olympics(
    folder: Path, timeout: float = 10, prefixes: Mapping[str, str] | None = None
) -> Iterator[KG]:
    """The shipped graph as a named graph of a server; skips where Virtuoso is not installed."""
    if not installed():
        pytest.skip(WHY_NOT)
    server = Virtuoso(folder, OLYMPICS)
    try:
        server.start()
        graph = graph_name(OLYMPICS)
        with closing(KG.load(server.url, graph=graph, prefixes=prefixes, timeout=timeout)) as kg:
            yield kg
    finally:
        server.stop()
