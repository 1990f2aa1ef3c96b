"""Starting processes: forked from the program where that is safe, else from a nest that is spawned for it."""

from __future__ import annotations

import array
import atexit
import contextlib
import json
import os
import signal
import socket
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Any, Final

from hermes.errors import StoreError
from hermes.store.processes.channel import Channel
from hermes.store.processes.nest import END, FORK, Death, Nest, become, settle
from hermes.store.processes.roles import ROLES

FORKABLE: Final = 512 * 2**20
"""A program that has more memory than so many bytes is not forked: the copy would keep it all alive."""

CAN_FORK = sys.platform == "linux"
"""Whether the system forks safely (macOS does not); elsewhere each worker is spawned by itself."""


class Child:
    """A process, and how to talk to it and to end it."""

    def __init__(self, channel: Channel, kill: Callable[[], None]) -> None:
        self.channel = channel
        self._kill = kill

    def kill(self) -> None:
        """Kill the process, whatever it is doing; who waits for it reads the end of the stream."""
        self.channel.hang_up()
        with contextlib.suppress(OSError):
            self._kill()

    def end(self) -> None:
        """Kill the process and let go of it."""
        self.kill()
        self.channel.close()

    def death(self) -> Death | None:
        """Return how the process ended, where that is known without its last message."""
        return None


class Nursery:
    """The program's side of a nest. May be shared between threads.

    Args:
        nest: the process, which takes orders at the other end of its channel.
    """

    def __init__(self, nest: Child) -> None:
        self._nest = nest
        self._control = nest.channel.end
        self._control.settimeout(None)
        self._numbers = count()
        self._lock = Lock()

    @property
    def alive(self) -> bool:
        """Whether the nest is there."""
        try:
            return bool(self._control.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT))
        except BlockingIOError:
            return True
        except OSError:
            return False

    def fork(self, role: str, settings: dict[str, Any]) -> Child:
        """Return a new child of the nest.

        Raises:
            OSError: the nest is gone.
        """
        ours, theirs = socket.socketpair()
        number = next(self._numbers)
        try:
            self._send({"order": FORK, "number": number, "role": role, "settings": settings}, theirs)
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        return Child(Channel(ours), lambda: self._send({"order": END, "number": number}))

    def close(self) -> None:
        """End the nest, and with it its children."""
        self._nest.end()

    def forget(self) -> None:
        """Let go of the nest without ending it: it belongs to the process that this one was forked from."""
        self._control.close()

    def _send(self, order: dict[str, Any], passed: socket.socket | None = None) -> None:
        text = json.dumps(order).encode() + b"\n"
        rights = []
        if passed is not None:
            rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [passed.fileno()]))]
        with self._lock:
            sent = self._control.sendmsg([text], rights)
            self._control.sendall(text[sent:])


# --- the children of this program -------------------------------------------------------------------

_home: Nursery | None = None
_lock = Lock()


def start(role: str, settings: dict[str, Any]) -> Child:
    """Return a new process in a role: forked from this one where that is safe, else from its nest.

    Raises:
        StoreError: no process can be started.
    """
    try:
        if _forkable():
            return _fork(role, settings)
        return _nest().fork(role, settings)
    except OSError as error:
        raise StoreError(f"cannot start a process for queries: {error}", retryable=True) from None


def _forkable() -> bool:
    """Whether this process may be forked: it is of one thread (also natively), and small."""
    try:
        if len(os.listdir("/proc/self/task")) > 1:  # noqa: PTH208 - to be counted
            return False
        resident = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return False
    return resident * os.sysconf("SC_PAGE_SIZE") < FORKABLE


def _fork(role: str, settings: dict[str, Any]) -> Child:
    ours, theirs = socket.socketpair()
    # No Ctrl-C may arrive in the child before it ignores it.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        pid = os.fork()
        if pid == 0:
            become(lambda: _live(role, settings, theirs))
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    theirs.close()
    return Child(Channel(ours), lambda: _kill(pid))


def _kill(pid: int) -> None:
    with contextlib.suppress(ChildProcessError):  # the program waited for all its children by itself
        if os.waitpid(pid, os.WNOHANG) == (0, 0):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def _live(role: str, settings: dict[str, Any], end: socket.socket) -> None:
    settle((end.fileno(),))
    ROLES[role](Channel(end), settings, None)


def _nest() -> Nursery:
    """Return the nest of this program; it is started when it is first needed, and when it was killed."""
    global _home  # noqa: PLW0603 - a program has one
    with _lock:
        if _home is None or not _home.alive:
            if _home is not None:
                _home.close()
            _home = Nursery(_spawn())
        return _home


def _spawn() -> Child:
    ours, theirs = socket.socketpair()
    with theirs:
        started = python(f"from {__name__} import live; live({theirs.fileno()})", pass_fds=(theirs.fileno(),))
    return Child(Channel(ours), lambda: (started.kill(), started.wait())[0])


def live(descriptor: int) -> None:
    """Be the nest of the program that started this interpreter."""
    settle((descriptor,))
    become(Nest(socket.socket(fileno=descriptor), ROLES).serve)


def python(program: str, **options: Any) -> Any:
    """Start an interpreter that finds the modules where this one does; return its `subprocess.Popen`.

    Raises:
        OSError: there is no interpreter to start.
    """
    import subprocess  # noqa: PLC0415 - only for programs that cannot be forked

    if not sys.executable:
        raise OSError("this Python does not know where its interpreter is")
    start = f"import sys; sys.path[:] = {sys.path!r}; {program}"
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    group = {} if sys.platform == "win32" else {"process_group": 0}  # Ctrl-C is for the program
    return subprocess.Popen([sys.executable, "-I", "-S", "-c", start], **quiet | group | options)  # noqa: S603


def _leave() -> None:
    global _home  # noqa: PLW0603 - a program has one
    if _home is not None:
        _home.close()
        _home = None


def _forget() -> None:
    """In a process that the program forked: the nest is the parent's; start another when needed."""
    global _home, _lock  # noqa: PLW0603 - a program has one
    _lock = Lock()
    if _home is not None:
        _home.forget()
        _home = None


atexit.register(_leave)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
