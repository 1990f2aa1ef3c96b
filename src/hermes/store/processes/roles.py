"""What the processes do: a keeper loads files and keeps them, a worker answers queries."""

from __future__ import annotations

import contextlib
import gc
import json
import os
import select
import signal
from dataclasses import asdict
from functools import partial
from importlib import import_module
from io import BytesIO
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

import pyoxigraph as ox

from hermes.errors import StoreError
from hermes.store.directory import open_triples
from hermes.store.engine import About, Engine, Form, Stop, load_files
from hermes.store.limits import Limits
from hermes.store.processes.channel import Channel, message
from hermes.store.processes.nest import Nest, Role

if TYPE_CHECKING:
    from typing_extensions import Buffer

KEEPER: Final = "keeper"
WORKER: Final = "worker"

FORMS: Final[dict[Form, bytes]] = {"SELECT": b"S", "ASK": b"A", "CONSTRUCT or DESCRIBE": b"C"}
"""The kinds of the messages to a worker; the payload is the query."""
DATA: Final = b"D"
END: Final = b"."
CUT: Final = b"~"
ERROR: Final = b"X"
READY: Final = b"R"
LOADING: Final = b"L"

_FORM_OF: Final = {kind: form for form, kind in FORMS.items()}
_BLOCK: Final = 256 * 1024
_OFTEN: Final = 0.2
"""Seconds between two signs of life of a keeper that loads."""


# --- a keeper ------------------------------------------------------------------------------------


def keep(channel: Channel, settings: dict[str, Any], lifeline: int | None) -> None:
    """Load the files of `settings`, say what they are, and fork workers that share them.

    With a store directory nothing is loaded: the engine on disk has threads, so each worker opens it itself.
    """
    if lifeline is not None:
        os.close(lifeline)
    if "directory" in settings:
        channel.send(READY, json.dumps(settings["about"]).encode())
        _serve(channel, partial(_open_and_work, settings))
        return
    store = ox.Store()
    try:
        about = load_files(store, list(map(Path, settings["files"])), settings["graph"], _Sign(channel))
    except StoreError as error:
        channel.send(ERROR, error_to_json(error))
        return
    channel.send(READY, json.dumps(asdict(about)).encode())
    _serve(channel, partial(_work, Engine(store, about, settings["services"])))


def _serve(channel: Channel, worker: Role) -> None:
    with contextlib.suppress(ImportError):
        import_module("resource")  # once, for all workers
    gc.freeze()  # the workers share these pages for as long as nobody writes on them
    channel.end.settimeout(None)
    Nest(channel.end, {WORKER: worker}).serve()


class _Sign:
    """Tells the program that it is loading; ends the process when there is no program any more."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._next = 0.0

    def __call__(self, read: int) -> None:
        now = monotonic()
        if now >= self._next:
            self._next = now + _OFTEN
            try:
                self._channel.send(LOADING, str(read).encode())
            except OSError:
                os._exit(1)


# --- a worker ------------------------------------------------------------------------------------


def _open_and_work(
    kept: dict[str, Any], channel: Channel, settings: dict[str, Any], lifeline: int | None
) -> None:
    open_and_work(channel, kept | settings, lifeline)


def open_and_work(channel: Channel, settings: dict[str, Any], lifeline: int | None = None) -> None:
    """Open the store directory of `settings`, read-only, and answer queries."""
    try:
        about = About.from_json(settings["about"])
        store = open_triples(Path(settings["directory"]), about)
    except StoreError as error:
        channel.send(ERROR, error_to_json(error))
        return
    engine = Engine(store, about, settings["services"])
    _work(engine, channel, settings, lifeline, opens_files=True)


def _work(
    engine: Engine,
    channel: Channel,
    settings: dict[str, Any],
    lifeline: int | None,
    *,
    opens_files: bool = False,
) -> None:
    """Answer queries until the other side is gone."""
    limits = Limits(**settings["limits"])
    if lifeline is not None:
        _end_with(lifeline)
    # A backtrace needs memory, which may be just what there is none of: the engine would then wait for ever
    # for the lock that it holds while it prints one.
    os.environ["RUST_BACKTRACE"] = "0"
    _bound(limits.memory, files=opens_files or engine.calls_out)
    while True:
        try:
            kind, text = channel.receive()
            _answer(engine, _FORM_OF[kind], text.decode(errors="surrogatepass"), channel, limits)
        except (EOFError, OSError):
            return


def _answer(engine: Engine, form: Form, query: str, channel: Channel, limits: Limits) -> None:
    out = Sink(channel, limits.rows + (form == "SELECT"), limits.bytes)
    try:
        error = engine.write(query, form, out)
    except Stop:
        error = None
    if error is None:
        out.finish()
    else:
        channel.send(ERROR, error_to_json(error))


class Sink(BytesIO):
    """Sends the lines of an answer in large messages, and stops at a limit, between two lines."""

    def __init__(self, channel: Channel, lines: int, size: int) -> None:
        super().__init__()
        self._channel = channel
        self._lines_left = lines
        self._bytes_left = size
        self._block = bytearray()
        self._tail = b""
        self._cut = False

    def write(self, data: Buffer, /) -> int:
        """Take a piece of the text.

        Raises:
            Stop: a limit is reached.
        """
        if self._cut:  # Oxigraph offers what was refused once more
            raise Stop
        new = bytes(data)
        text = self._tail + new
        end = text.rfind(b"\n") + 1
        lines = text.count(b"\n", 0, end)
        if lines > self._lines_left or len(text) > self._bytes_left:
            for line in text[:end].split(b"\n")[:-1]:  # not splitlines: it breaks at other characters too
                if not self._lines_left or len(line) >= self._bytes_left:
                    break
                self._take(line + b"\n", 1)
            self._tail, self._cut = b"", True
            raise Stop
        self._take(text[:end], lines)
        self._tail = text[end:]
        return len(new)

    def finish(self) -> None:
        """Send what is left, and that it was all, or cut."""
        self._block += self._tail
        # In one piece: a small answer wakes the program once.
        self._channel.send_bytes(message(DATA, self._block) + message(CUT if self._cut else END))

    def _take(self, text: bytes, lines: int) -> None:
        self._lines_left -= lines
        self._bytes_left -= len(text)
        self._block += text
        if len(self._block) >= _BLOCK:
            self._channel.send(DATA, self._block)
            self._block.clear()


def _end_with(lifeline: int) -> None:
    """Have the system end this process when the one that forked it ends, also in the middle of a query.

    By a signal and not by a thread that waits: a process with a second thread takes locks in each allocation,
    which makes all queries some six per cent slower.
    """
    import fcntl  # noqa: PLC0415 - only where processes are forked

    signal.signal(signal.SIGIO, signal.SIG_DFL)  # it ends the process
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)
    if select.select([lifeline], [], [], 0)[0]:  # it has ended already
        os._exit(1)


def _bound(memory: int, *, files: bool) -> None:
    """Limit what this process may take, where the system offers it: memory, and files unless `files`."""
    try:
        import resource  # noqa: PLC0415 - there is none on Windows
    except ImportError:
        return
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (_size() + memory,) * 2)
    if not files:
        # Without a new descriptor no other host can be called, whatever a query says.
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))


def _size() -> int:
    """Return the bytes of address space that this process has now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    return pages * os.sysconf("SC_PAGE_SIZE")


# --- errors --------------------------------------------------------------------------------------


def error_to_json(error: StoreError) -> bytes:
    """Return an error as the payload of a message."""
    found = {"category": error.category, "retryable": error.retryable, "code": error.code}
    return json.dumps({"message": str(error), **found}).encode()


def error_from_json(text: bytes) -> StoreError:
    """Return the error that `error_to_json` wrote."""
    return StoreError(**json.loads(text))


ROLES: Final[dict[str, Role]] = {KEEPER: keep}
"""What a child of a program can become."""
