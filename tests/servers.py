"""Real SPARQL servers on the loopback, started for a test and stopped after it."""

from __future__ import annotations

import gzip
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final, Protocol, Self, TypeVar

from hermes.datasets import shipped
from shared import DATA

OLYMPICS: Final = "olympics"
CK25: Final = "ck25"
_PATIENCE: Final = 20.0


def turtle(name: str) -> bytes | None:
    """Return the Turtle of a graph; None where the shared data is absent."""
    if name == OLYMPICS:
        path = shipped(OLYMPICS)
        assert path is not None
        return path.read_bytes()
    path = DATA / CK25 / "ck25.ttl.gz"
    return gzip.decompress(path.read_bytes()) if path.is_file() else None


def free_port() -> int:
    """Return a port of the loopback on which nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def wait_until_it_answers(url: str, process: subprocess.Popen[bytes], patience: float = _PATIENCE) -> None:
    """Wait until a server answers HTTP at all."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with {process.returncode}")
        try:
            urllib.request.urlopen(url, timeout=1).close()  # noqa: S310 - the loopback
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.02)
        else:
            return
    raise RuntimeError(f"no answer from {url} in {patience:g} s")


def find_oxigraph() -> str | None:
    """Return the program of the Oxigraph server, which is in the environment of the tests."""
    beside = Path(sys.executable).parent / "oxigraph"
    return str(beside) if beside.is_file() else shutil.which("oxigraph")


class Server(Protocol):
    """A server that can be started and stopped."""

    url: str

    def start(self) -> None:
        """Start it; it answers afterwards."""

    def stop(self) -> None:
        """Stop it, also where it has not quite started."""


S = TypeVar("S", bound=Server)


@contextmanager
def running(servers: Mapping[str, S]) -> Iterator[Mapping[str, S]]:
    """Run some servers while the context lasts."""
    try:
        for server in servers.values():
            server.start()
        yield servers
    finally:
        for server in servers.values():
            server.stop()


class Oxigraph:
    """An Oxigraph server with one graph, in memory; it may be stopped and started again at the same port."""

    def __init__(self, graph: str, *options: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}/query"
        self._data = turtle(graph)
        self._options = options
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server and load the graph."""
        program = find_oxigraph()
        assert program is not None
        self._process = subprocess.Popen(
            [program, "serve", "--bind", f"127.0.0.1:{self.port}", *self._options],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_until_it_answers(self.url, self._process)
        load = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/store?default",
            data=self._data,
            headers={"Content-Type": "text/turtle"},
            method="POST",
        )
        urllib.request.urlopen(load, timeout=_PATIENCE).close()  # noqa: S310 - the loopback

    def stop(self) -> None:
        """Stop the server."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
