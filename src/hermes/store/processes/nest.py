"""A process that forks others: single-threaded, so that forking is safe whatever its own parent does.

The parent sends orders ("fork a child that talks on this socket", "end that child") and gets no reply, so
that an interrupted order leaves nothing half-read. When a child dies, the nest says so on the child's own
socket. When the parent is gone, the nest ends its children and itself.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import select
import signal
import socket
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from hermes.store.processes.channel import Channel, message

FORK: Final = "fork"
END: Final = "end"
DIED: Final = b"!"
"""The kind of the message that says of a child how it ended: `Death.to_bytes`."""

_ORDER_BYTES: Final = 1 << 20
_STDERR: Final = 2
_SAID_BYTES: Final = 4096

Role = Callable[[Channel, dict[str, Any], int | None], None]
"""What a child does: it gets its channel, its settings, and a descriptor that ends when its nest does."""


@dataclass(frozen=True, slots=True)
class Death:
    """How a process ended: its exit code or the negative number of a signal, and what stderr said last."""

    status: int
    said: str

    def to_bytes(self) -> bytes:
        """Return the payload of a message."""
        return f"{self.status}\n{self.said}".encode()

    @classmethod
    def from_bytes(cls, text: bytes) -> Death:
        """Return what `to_bytes` wrote."""
        status, _, said = text.decode().partition("\n")
        return cls(int(status), said)


@dataclass(frozen=True, slots=True)
class _Child:
    number: int
    pid: int
    end: socket.socket
    said: int
    life: int

    def close(self) -> None:
        """Let go of the descriptors."""
        self.end.close()
        os.close(self.said)
        os.close(self.life)


class Nest:
    """Forks children as the other side of `control` orders; `roles` says what they can become."""

    def __init__(self, control: socket.socket, roles: Mapping[str, Role]) -> None:
        self._control = control
        self._roles = roles
        self._children: list[_Child] = []
        self._pending = b""
        self._sockets: list[int] = []
        self._obituaries: list[tuple[socket.socket, bytes]] = []
        self._woken, self._wake = socket.socketpair()

    def serve(self) -> None:
        """Follow orders until the other side is gone; then no child is left."""
        self._woken.settimeout(0.0)
        self._wake.settimeout(0.0)
        signal.set_wakeup_fd(self._wake.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)  # the wake-up is what matters
        there = True
        while there:
            hearing = [end for end, _ in self._obituaries]
            ready, heard, _ = select.select([self._control, self._woken], hearing, [])
            self._tell(heard)
            if self._woken in ready:
                with contextlib.suppress(BlockingIOError):
                    self._woken.recv(4096)
                self._reap()
            if self._control in ready:
                there = self._obey()
        for child in self._children:
            os.kill(child.pid, signal.SIGKILL)
        for child in self._children:
            os.waitpid(child.pid, 0)

    def _obey(self) -> bool:
        """Follow the orders that have come; return whether the other side is still there."""
        try:
            found, sockets, _, _ = socket.recv_fds(self._control, _ORDER_BYTES, 16)
        except OSError:
            return False
        self._sockets += sockets
        *orders, self._pending = (self._pending + found).split(b"\n")
        for text in orders:
            order = json.loads(text)
            if order["order"] == FORK:
                self._fork(order, socket.socket(fileno=self._sockets.pop(0)))
            else:
                self._end(order["number"])
        return bool(found)

    def _fork(self, order: dict[str, Any], end: socket.socket) -> None:
        said, says = os.pipe()
        lifeline, life = os.pipe()
        os.set_blocking(said, False)
        os.set_blocking(says, False)  # what the pipe does not hold is lost; nobody waits for it
        try:
            pid = os.fork()
        except OSError:  # no process or no memory left: the other side reads the end of the stream
            _Child(0, 0, end, said, life).close()
        else:
            child = _Child(order["number"], pid, end, said, life)
            if pid == 0:
                become(lambda: self._hatch(order, child, says, lifeline))
            self._children.append(child)
        os.close(says)
        os.close(lifeline)

    def _hatch(self, order: dict[str, Any], own: _Child, says: int, lifeline: int) -> None:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.dup2(says, _STDERR)
        for socket_ in (self._control, self._woken, self._wake):
            socket_.close()
        for sibling in self._children:
            sibling.close()
        for end, _ in self._obituaries:
            end.close()
        for descriptor in (*self._sockets, own.said, own.life, says):
            os.close(descriptor)
        self._roles[order["role"]](Channel(own.end), order["settings"], lifeline)

    def _end(self, number: int) -> None:
        for child in self._children:
            if child.number == number:
                os.kill(child.pid, signal.SIGKILL)

    def _reap(self) -> None:
        for child in tuple(self._children):
            pid, status = os.waitpid(child.pid, os.WNOHANG)
            if pid:
                self._children.remove(child)
                said = b""
                with contextlib.suppress(BlockingIOError):
                    said = os.read(child.said, _SAID_BYTES)
                death = Death(os.waitstatus_to_exitcode(status), said.decode(errors="replace"))
                end = child.end.dup()
                child.close()
                end.settimeout(0.0)
                self._obituaries.append((end, message(DIED, death.to_bytes())))
                self._tell([end])

    def _tell(self, ends: Collection[socket.socket]) -> None:
        """Say on these sockets as much as they take now of how their children ended."""
        for place, (end, text) in reversed(tuple(enumerate(self._obituaries))):
            if end in ends:
                try:
                    rest = text[end.send(text) :]
                except BlockingIOError:  # what the child said last is not read yet
                    continue
                except OSError:  # nobody listens
                    rest = b""
                self._obituaries[place] = (end, rest)
                if not rest:
                    del self._obituaries[place]
                    end.close()


def become(life: Callable[[], None]) -> NoReturn:
    """Live the life of a forked child: nothing of the parent's is ever run in it, at its end neither."""
    code = 1
    try:
        gc.disable()  # what the parent left behind is not ours to finalize
        life()
        code = 0
    finally:
        os._exit(code)


def settle(kept: Collection[int]) -> None:
    """Let go of what a child inherits from a program: files (but `kept`), streams, signals and hooks."""
    sys.settrace(None)
    sys.setprofile(None)
    signal.set_wakeup_fd(-1)
    for number in signal.valid_signals():
        if callable(signal.getsignal(number)):
            signal.signal(number, signal.SIG_DFL)
    # A terminal sends Ctrl-C to all: it means the program, which decides what becomes of a query.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, _STDERR):
        os.dup2(nowhere, stream)
    for descriptor in _open_descriptors():
        if descriptor > _STDERR and descriptor not in kept:
            with contextlib.suppress(OSError):
                os.close(descriptor)


def _open_descriptors() -> list[int]:
    for folder in ("/proc/self/fd", "/dev/fd"):
        with contextlib.suppress(OSError):
            return [int(name) for name in os.listdir(folder)]  # noqa: PTH208 - numbers, not paths
    return list(range(os.sysconf("SC_OPEN_MAX")))
