"""Queries that a person waits for: a store gets less time for them than its limits allow."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hermes.store.cache import CachedStore
from hermes.store.embedded import EmbeddedStore
from hermes.store.endpoint import EndpointStore

if TYPE_CHECKING:
    from hermes.results import Table
    from hermes.store.protocol import Store


def is_endpoint(store: Store) -> bool:
    """Whether queries go to an endpoint, with a cache before it or without."""
    return isinstance(_inner(store), EndpointStore)


def within(store: Store, seconds: float) -> Callable[[str], Table]:
    """Return what executes the SELECT queries of a store, on an endpoint in at most so many seconds.

    The answers of an endpoint are then not kept in the cache of the store; those of others are.
    """
    asked = _inner(store)
    if not isinstance(asked, EndpointStore):
        return store.select
    timeout = min(seconds, asked.exchange.limits.time)
    return lambda query: asked.select(query, timeout=timeout)


def promptly(store: Store, seconds: float) -> Callable[[str], Table]:
    """Return what executes the SELECT queries of a store in at most so many seconds, where it can be ended.

    Answers are not kept in the cache of the store.
    """
    asked = _inner(store)
    if isinstance(asked, EmbeddedStore):
        return lambda query: asked.select(query, timeout=seconds)
    return within(store, seconds)


def _inner(store: Store) -> Store:
    return store.inner if isinstance(store, CachedStore) else store
