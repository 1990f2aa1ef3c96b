"""Workers that are forked from a keeper, and share what it has loaded."""

from __future__ import annotations

import json
from contextlib import suppress
from threading import Lock
from typing import Any

from hermes.errors import StoreError
from hermes.store.engine import About
from hermes.store.processes.launch import Child, Nursery, start
from hermes.store.processes.roles import ERROR, KEEPER, READY, WORKER, error_from_json


class Kept:
    """Forks the workers of one store from a keeper; starts another keeper when that was killed.

    Args:
        settings: what the keeper keeps: `files` and `graph`, or a `directory` and what is known `about` it;
            and the `services` that may be called.

    Attributes:
        about: what is known of the triples.

    Raises:
        StoreError: a file cannot be loaded, or `graph` names no graph.
    """

    def __init__(self, settings: dict[str, Any]) -> None:
        self._settings = settings
        self._lock = Lock()
        self._keeper: Nursery | None
        self._keeper, self.about = self._load()

    def start(self, settings: dict[str, Any]) -> Child:
        """Return a new worker.

        Raises:
            StoreError: the keeper was killed and the files are no longer what they were.
        """
        with self._lock:
            if self._keeper is not None and self._keeper.alive:
                with suppress(OSError):  # it was killed just now
                    return self._keeper.fork(WORKER, settings)
            self._keeper = self._load_again()
            try:
                return self._keeper.fork(WORKER, settings)
            except OSError:
                raise StoreError("the process that holds the triples was killed", retryable=True) from None

    def close(self) -> None:
        """End the keeper, and with it its workers."""
        if self._keeper is not None:
            self._keeper.close()

    def abandon(self) -> None:
        """Forget the keeper: it belongs to the process that this one was forked from."""
        self._lock = Lock()
        if self._keeper is not None:
            self._keeper.forget()
            self._keeper = None

    def _load_again(self) -> Nursery:
        if self._keeper is not None:
            self._keeper.close()
            self._keeper = None
        keeper, about = self._load()
        if about != self.about:
            keeper.close()
            raise StoreError(
                "the files have changed since they were loaded; load them again", category="unreadable"
            )
        return keeper

    def _load(self) -> tuple[Nursery, About]:
        child = start(KEEPER, self._settings)
        try:
            about = _loaded(child)
        except EOFError:
            child.end()
            raise StoreError("the process that loads the files was killed", retryable=True) from None
        except BaseException:
            child.end()
            raise
        return Nursery(child), about


def _loaded(keeper: Child) -> About:
    """Wait until the keeper has loaded the files."""
    while True:
        kind, payload = keeper.channel.receive()
        if kind == READY:
            return About.from_json(json.loads(payload))
        if kind == ERROR:
            raise error_from_json(payload)
