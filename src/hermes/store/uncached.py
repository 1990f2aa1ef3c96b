"""The store behind a cache: what it is, and asking it as a look at the graph needs it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from hermes.store.cache import CachedStore
from hermes.store.embedded import EmbeddedStore
from hermes.store.endpoint import EndpointStore
from hermes.store.tally import note_query

if TYPE_CHECKING:
    from hermes.results import Table
    from hermes.store.protocol import Store

_log: Final = logging.getLogger("hermes")


def is_endpoint(store: Store) -> bool:
    """Whether queries go to an endpoint, with a cache before it or without."""
    return isinstance(_inner(store), EndpointStore)


def embedded(store: Store) -> EmbeddedStore | None:
    """Return the embedded store, with a cache before it or without; None for any other."""
    found = _inner(store)
    return found if isinstance(found, EmbeddedStore) else None


def within(store: Store, seconds: float) -> Callable[[str], Table]:
    """Return what executes the SELECT queries of a store, on an endpoint in at most so many seconds.

    The answers of an endpoint are then not kept in the cache of the store; those of others are.
    """
    asked = _inner(store)

    def select(query: str) -> Table:
        _log.debug("%s", query)
        if not isinstance(asked, EndpointStore):
            return store.select(query)
        note_query()
        return asked.select(query, timeout=min(seconds, asked.exchange.limits.time))

    return select


def promptly(store: Store, seconds: float) -> Callable[[str], Table]:
    """Return what executes the SELECT queries of a store in at most so many seconds, where it can be ended.

    Answers are not kept in the cache of the store.
    """
    asked = _inner(store)
    if isinstance(asked, EmbeddedStore):
        return _noted(lambda query: asked.select(query, timeout=seconds))
    return within(store, seconds)


def direct(store: Store) -> Callable[[str], Table]:
    """Return what executes the SELECT queries of a store without keeping their answers."""
    return _noted(_inner(store).select)


def _noted(select: Callable[[str], Table]) -> Callable[[str], Table]:
    def noted(query: str) -> Table:
        note_query()
        return select(query)

    return noted


def _inner(store: Store) -> Store:
    return store.inner if isinstance(store, CachedStore) else store
