"""A scripted HTTP server in the test process, on the loopback: it answers in order what data says."""

from __future__ import annotations

import json
import socketserver
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs

JSON = "application/sparql-results+json"
XML = "application/sparql-results+xml"
TSV = "text/tab-separated-values"


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked; the names of headers are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def form(self) -> Mapping[str, Sequence[str]]:
        """The fields of the form."""
        return parse_qs(self.body.decode("ascii"), keep_blank_values=True)

    @property
    def query(self) -> str:
        """The query that was sent."""
        return self.form["query"][0]


@dataclass(frozen=True, slots=True)
class Answer:
    """What is answered, and how it goes wrong.

    `delay` are seconds before the first byte; `drip` seconds after each byte of the body, `drip_head` of the
    head; of the whole answer no more than `cut` bytes are sent before the connection is closed.
    """

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    delay: float = 0.0
    drip: float = 0.0
    drip_head: float = 0.0
    cut: int | None = None

    def head(self) -> bytes:
        """Return the head of the answer."""
        named = {"Content-Length": str(len(self.body)), **self.headers}
        lines = [f"HTTP/1.1 {self.status} Scripted", *(f"{name}: {value}" for name, value in named.items())]
        return "\r\n".join([*lines, "", ""]).encode("latin-1")


def answer(body: str | bytes, media_type: str = JSON, status: int = 200, **headers: str) -> Answer:
    """Return an answer with a body; of header names _ stands for -."""
    data = body.encode() if isinstance(body, str) else body
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, {"Content-Type": media_type, **named}, data)


def table(
    rows: Sequence[Mapping[str, Any]], variables: Sequence[str] | None = None, **headers: str
) -> Answer:
    """Return a SPARQL JSON answer; a cell that is a text is a plain literal."""
    names = (
        list(dict.fromkeys(name for row in rows for name in row)) if variables is None else list(variables)
    )
    bindings = [
        {
            name: {"type": "literal", "value": cell} if isinstance(cell, str) else cell
            for name, cell in row.items()
        }
        for row in rows
    ]
    text = json.dumps({"head": {"vars": names}, "results": {"bindings": bindings}})
    return answer(text, JSON, 200, **headers)


def count(number: int, **headers: str) -> Answer:
    """Return the answer of a query for a number of solutions."""
    integer = {
        "type": "literal",
        "datatype": "http://www.w3.org/2001/XMLSchema#integer",
        "value": str(number),
    }
    return table([{"_hermes_n": integer}], **headers)


Script = Callable[[Request], Answer]


class ScriptedServer:
    """Answers requests on a free port of the loopback, in order, or as a function says.

    Attributes:
        requests: what has been asked.
        answers: what is still to be answered.
        url: where.
    """

    def __init__(self, *answers: Answer, script: Script | None = None) -> None:
        self.requests: list[Request] = []
        self.answers = list(answers)
        self._script = script
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.scripted = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    @property
    def port(self) -> int:
        """The port."""
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        """The address of the endpoint."""
        return f"http://127.0.0.1:{self.port}/sparql"

    def respond(self, request: Request) -> Answer:
        """Return the next answer."""
        with self._lock:
            self.requests.append(request)
            if self._script is None:
                return (
                    self.answers.pop(0) if self.answers else answer("nothing left to say", "text/plain", 500)
                )
        return self._script(request)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    block_on_close = False
    scripted: ScriptedServer


class _Handler(socketserver.StreamRequestHandler):
    """One connection, which may carry several requests."""

    disable_nagle_algorithm = True

    def handle(self) -> None:
        assert isinstance(self.server, _Server)
        scripted = self.server.scripted
        with suppress(OSError):
            while (request := self._read()) is not None:
                if not self._write(scripted.respond(request)):
                    return

    def _read(self) -> Request | None:
        first = self.rfile.readline().decode("latin-1").split()
        if len(first) < 2:
            return None
        headers = {}
        while line := self.rfile.readline().decode("latin-1").strip():
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        return Request(first[0], first[1], headers, self.rfile.read(int(headers.get("content-length", 0))))

    def _write(self, given: Answer) -> bool:
        """Send an answer; return whether the connection stays open."""
        time.sleep(given.delay)
        if given.cut is not None:
            self.wfile.write((given.head() + given.body)[: given.cut])
            return False
        self._send(given.head(), given.drip_head)
        self._send(given.body, given.drip)
        return True

    def _send(self, data: bytes, pause: float) -> None:
        if not pause:
            self.wfile.write(data)
            return
        for byte in data:
            self.wfile.write(bytes([byte]))
            time.sleep(pause)
