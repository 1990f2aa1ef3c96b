"""A step on an endpoint beside the same requests by the HTTP client alone."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from socket import socket
from statistics import median
from time import monotonic, perf_counter_ns, sleep
from typing import Final
from urllib.request import Request, urlopen

import httpx2

from benchmarks.report import Report, conditions
from benchmarks.sessions import Sessions, load
from benchmarks.timing import quiet
from hermes import KG
from hermes.algebra import Explorer
from hermes.algebra.observation import Rejected
from hermes.datasets import shipped
from hermes.results import Table
from hermes.store import Caller, EndpointStore
from hermes.store.http.sparql_results import ACCEPT_RESULTS

TARGET: Final = 1.2
"""A step may take so many times what its requests take by the client alone."""

ROUNDS: Final = 30
_PATIENCE: Final = 10.0
_MICROSECOND: Final = 1000


@dataclass(frozen=True, slots=True)
class Pair:
    """Microseconds of a step, and of the requests that it sent when the client sends them alone."""

    ours: float
    alone: float


class Recording(EndpointStore):
    """An endpoint that remembers the queries it was asked."""

    def __init__(self, url: str) -> None:
        super().__init__(url, caller=Caller())
        self.queries: list[str] = []

    def select(self, query: str, *, timeout: float | None = None) -> Table:
        """Return the solutions of a SELECT query."""
        self.queries.append(query)
        return super().select(query, timeout=timeout)


@contextmanager
def serving() -> Iterator[str]:
    """Start an Oxigraph server with the shipped graph on a free port; give its address, and stop it."""
    program = Path(sys.executable).parent / "oxigraph"
    command = str(program) if program.is_file() else which("oxigraph")
    if command is None:
        raise ModuleNotFoundError("oxigraph", name="oxigraph")
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(  # noqa: S603 - the server of the benchmark
        [command, "serve", "--bind", f"127.0.0.1:{port}"], stderr=subprocess.DEVNULL
    )
    try:
        _load(f"http://127.0.0.1:{port}/store?default")
        yield f"http://127.0.0.1:{port}/query"
    finally:
        server.kill()
        server.wait()


def _load(url: str) -> None:
    path = shipped("olympics")
    data = path.read_bytes() if path else b""
    end = monotonic() + _PATIENCE
    while True:
        try:
            request = Request(  # noqa: S310 - the loopback
                url, data=data, headers={"Content-Type": "text/turtle"}, method="POST"
            )
            urlopen(request).close()  # noqa: S310 - the loopback
        except OSError:
            if monotonic() > end:
                raise
            sleep(0.05)
        else:
            return


def measure(sessions: Sessions, url: str) -> list[Pair]:
    """Measure the steps that ask two queries, each turn followed at once by the client's turn."""
    store = Recording(url)
    kg = KG(store, sessions.kg.prefixes)
    client = httpx2.Client(headers={"Accept": ACCEPT_RESULTS})
    turns: dict[tuple[int, int], list[Pair]] = {}
    for _ in range(ROUNDS):
        for number, actions in enumerate(sessions.actions):
            explorer = Explorer(kg)
            for place, action in enumerate(actions):
                store.queries.clear()
                start = perf_counter_ns()
                seen = explorer.run(action)
                ours = perf_counter_ns() - start
                if isinstance(seen, Rejected):
                    break
                if len(store.queries) == 2:  # noqa: PLR2004 - the sample and the count
                    alone = _alone(client, url, store.queries)
                    turns.setdefault((number, place), []).append(
                        Pair(ours / _MICROSECOND, alone / _MICROSECOND)
                    )
    client.close()
    store.close()
    return [
        Pair(median(turn.ours for turn in found), median(turn.alone for turn in found))
        for found in turns.values()
    ]


def _alone(client: httpx2.Client, url: str, queries: Sequence[str]) -> int:
    """Send the queries as anyone would, read their JSON, and return the nanoseconds."""
    start = perf_counter_ns()
    for query in queries:
        reply = client.post(url, data={"query": query})
        reply.raise_for_status()
        json.loads(reply.content)
    return perf_counter_ns() - start


def main(_: Sequence[str] | None = None) -> int:
    """Print the table and return 1 where the target is missed."""
    print("\n".join(conditions("httpx2", "oxigraph")), "\n", sep="")
    report = Report("a step with two queries on the loopback", "µs")
    with serving() as url, quiet():
        pairs = measure(next(iter(load())), url)
    report.add("step of hermes", [pair.ours for pair in pairs])
    report.add("its requests by httpx2 alone", [pair.alone for pair in pairs])
    ratio = Report("step / requests alone", "")
    ratio.add("pairwise", [pair.ours / pair.alone for pair in pairs], TARGET)
    report.print()
    ratio.print()
    return 1 if ratio.missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
