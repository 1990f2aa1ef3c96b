"""A few workers for the threads of a program: each query has one, and a worker has one query at a time."""

from __future__ import annotations

import signal
from contextlib import suppress
from dataclasses import asdict
from threading import BoundedSemaphore, Lock
from time import monotonic
from typing import Any, Final, Protocol

from hermes.errors import StoreError
from hermes.printable import clip, printable
from hermes.store.deadline import allowed
from hermes.store.engine import Form
from hermes.store.limits import Limits
from hermes.store.processes.launch import Child
from hermes.store.processes.nest import DIED, Death
from hermes.store.processes.roles import CUT, DATA, END, ERROR, FORMS, error_from_json

POOL_SIZE: Final = 2
"""How many queries of one store run at the same time; others wait for their turn."""

_MIB: Final = 2**20
_REASON_LENGTH: Final = 240
_KILLED: Final = frozenset(-number for number in (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)))
_OUT_OF_MEMORY: Final = ("memory allocation of", "bad_alloc", "MemoryError")


class Workers(Protocol):
    """Starts the workers of one store."""

    def start(self, settings: dict[str, Any]) -> Child:
        """Return a new worker."""

    def close(self) -> None:
        """End all that was started for them."""

    def abandon(self) -> None:
        """Forget all that was started: it belongs to the process that this one was forked from."""


class Pool:
    """Runs queries in workers, which are started when they are needed. May be shared between threads.

    Args:
        workers: starts them.
        limits: what one query may take; the time in which it waits for its turn does not count.
        size: the most workers at the same time (default 2).
    """

    def __init__(self, workers: Workers, limits: Limits, size: int = POOL_SIZE) -> None:
        self.limits = limits
        self._workers = workers
        self._size = size
        self._begin()

    def _begin(self) -> None:
        self._turns = BoundedSemaphore(self._size)
        self._lock = Lock()
        self._idle: list[Child] = []
        self._all: set[Child] = set()
        self._closed = False

    def ask(self, query: str, form: Form, seconds: float | None = None) -> tuple[bytes, bool]:
        """Return the text of an answer, and whether it is complete.

        `seconds` is the time that the query may take, where that is less than the limit. It takes no longer
        than the deadline around it allows (see `deadline`).

        Raises:
            StoreError: the query cannot be executed, goes beyond a limit, or its worker died.
        """
        with self._turns:
            child = self._take()
            try:
                limit = allowed(min(self.limits.time, seconds or self.limits.time))
                answer = self._ask(child, query, form, limit)
            except BaseException:  # a KeyboardInterrupt too: the worker may be in the middle of anything
                self._end(child)
                raise
            self._give_back(child)
        if isinstance(answer, StoreError):
            raise answer
        return answer

    def close(self) -> None:
        """End all workers; a query that is running fails."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
            busy = self._all.difference(idle)
        for child in idle:
            self._end(child)
        for child in busy:
            child.kill()  # its own thread lets go of it
        self._workers.close()

    def abandon(self) -> None:
        """Forget all workers without ending them: this process was forked, they belong to its parent."""
        for child in self._all:
            child.channel.close()
        self._workers.abandon()
        closed = self._closed
        self._begin()
        self._closed = closed

    def _ask(self, child: Child, query: str, form: Form, seconds: float) -> tuple[bytes, bool] | StoreError:
        deadline = monotonic() + seconds
        text = bytearray()
        try:
            with suppress(OSError):  # it is gone; what it said before it went can still be read
                child.channel.send(FORMS[form], query.encode(errors="surrogatepass"))
            while True:
                kind, payload = child.channel.receive(deadline)
                if kind == DATA:
                    text += payload
                elif kind == ERROR:
                    return self._refused(error_from_json(payload))
                elif kind in (END, CUT):
                    return bytes(text), kind == END
                else:
                    raise self._died(child, Death.from_bytes(payload) if kind == DIED else None)
        except TimeoutError:
            raise StoreError(
                f"the query ran longer than {seconds:g} s, which is the time limit; "
                "make it narrower, or allow it more time",
                category="timeout",
            ) from None
        except EOFError:
            raise self._died(child, None) from None

    def _died(self, child: Child, death: Death | None) -> StoreError:
        """Return the error that says why a worker died."""
        if self._closed:
            return StoreError("the store is closed")
        death = death or child.death()
        if death is None or death.status in _KILLED:
            return StoreError(
                "the process that ran the query was killed; the same query may succeed now", retryable=True
            )
        if any(words in death.said for words in _OUT_OF_MEMORY):
            return self._too_large()
        said = next(filter(None, death.said.split("\n")), "it may be nested too deeply")
        return StoreError(f"the engine crashed on this query: {clip(printable(said), _REASON_LENGTH)}")

    def _refused(self, error: StoreError) -> StoreError:
        """Return the error of a worker that lives; one that has run out of memory should not."""
        if error.category == "memory":
            raise self._too_large()
        return error

    def _too_large(self) -> StoreError:
        return StoreError(
            f"the query needs more than {self.limits.memory // _MIB:,} MiB beside the graph, which is the "
            "memory limit; make it narrower",
            category="memory",
        )

    def _take(self) -> Child:
        while True:
            with self._lock:
                if self._closed:
                    raise StoreError("the store is closed")
                child = self._idle.pop() if self._idle else None
            if child is None:
                break
            if child.channel.quiet:
                return child
            self._end(child)  # it died while it had nothing to do
        child = self._workers.start({"limits": asdict(self.limits)})
        with self._lock:
            self._all.add(child)
        return child

    def _give_back(self, child: Child) -> None:
        with self._lock:
            if not self._closed:
                self._idle.append(child)
                return
        self._end(child)

    def _end(self, child: Child) -> None:
        with self._lock:
            self._all.discard(child)
        child.end()
