"""Workers where processes cannot be forked: each is an interpreter that opens a store directory.

They talk over a connection of the loopback device, because it is the one that has time-outs on every system;
a token on the worker's stdin keeps other programs of the machine out.
"""

from __future__ import annotations

import hmac
import json
import secrets
import socket
import sys
from collections.abc import Callable
from time import monotonic
from typing import IO, Any, Final, Protocol

from hermes.errors import StoreError
from hermes.store.processes.channel import Channel
from hermes.store.processes.launch import Child, python
from hermes.store.processes.nest import Death
from hermes.store.processes.roles import open_and_work

_LOOPBACK: Final = "127.0.0.1"
_START_LIMIT: Final = 60.0
"""Seconds that an interpreter may take to start and to call back."""

_SAID_BYTES: Final = 4096


class Cleanable(Protocol):
    """What can be removed, such as a `tempfile.TemporaryDirectory`."""

    def cleanup(self) -> None:
        """Remove it."""


class Spawned:
    """Spawns the workers of one store directory.

    Args:
        settings: the `directory`, what is known `about` it, and the `services` that may be called.
        temporary: what holds the directory, where it is to be removed with the store.
    """

    def __init__(self, settings: dict[str, Any], temporary: Cleanable | None = None) -> None:
        self._settings = settings
        self._temporary = temporary

    def start(self, settings: dict[str, Any]) -> Child:
        """Return a new worker.

        Raises:
            StoreError: it does not start.
        """
        return spawn_worker(self._settings | settings)

    def close(self) -> None:
        """Remove the directory, where it is temporary."""
        if self._temporary is not None:
            self._temporary.cleanup()

    def abandon(self) -> None:
        """Do nothing: the directory belongs to the process that this one was forked from."""


def spawn_worker(settings: dict[str, Any]) -> Child:
    """Return a worker in an interpreter of its own, on the store directory that `settings` names.

    Raises:
        StoreError: it does not start.
    """
    import subprocess  # noqa: PLC0415 - only where processes cannot be forked
    import tempfile  # noqa: PLC0415

    token = secrets.token_hex()
    errors = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the worker
    with socket.create_server((_LOOPBACK, 0)) as server:
        try:
            started = python(f"from {__name__} import work; work()", stdin=subprocess.PIPE, stderr=errors)
            started.stdin.write(json.dumps([server.getsockname()[1], token, settings]).encode())
            started.stdin.close()
            end = _called_back(server, token, lambda: started.poll() is None)
        except OSError as error:
            raise StoreError(f"cannot start a process for queries: {error}", retryable=True) from None
    return _Spawned(Channel(end), started, errors)


class _Spawned(Child):
    """A child that is known as a process of the system, not through a nest."""

    def __init__(self, channel: Channel, started: Any, errors: IO[bytes]) -> None:
        super().__init__(channel, started.kill)
        self._started = started
        self._errors = errors

    def end(self) -> None:
        """Kill the process, wait until it is gone, and let go of it."""
        super().end()
        self._started.wait()
        self._errors.close()

    def death(self) -> Death | None:
        """Return how the process ended."""
        status = self._started.wait()
        self._errors.seek(0)
        return Death(status, self._errors.read(_SAID_BYTES).decode(errors="replace"))


def _called_back(server: socket.socket, token: str, alive: Callable[[], bool]) -> socket.socket:
    deadline = monotonic() + _START_LIMIT
    server.settimeout(0.2)
    while monotonic() < deadline and alive():
        try:
            end, _ = server.accept()
        except TimeoutError:
            continue
        end.settimeout(1.0)
        try:
            if hmac.compare_digest(end.recv(len(token), socket.MSG_WAITALL), token.encode()):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return end
        except OSError:
            pass
        end.close()
    raise TimeoutError("it did not call back")


def work() -> None:
    """Be a worker: the port, the token and the settings come on stdin."""
    import signal  # noqa: PLC0415 - beside its only use

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    port, token, settings = json.loads(sys.stdin.buffer.read())
    end = socket.create_connection((_LOOPBACK, port))
    end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    end.sendall(token.encode())
    open_and_work(Channel(end), settings)
