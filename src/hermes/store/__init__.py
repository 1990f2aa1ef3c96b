"""What executes SPARQL: the protocol, the embedded store and its limits, the cache."""

from hermes.store.cache import CachedStore
from hermes.store.embedded import EmbeddedStore
from hermes.store.files import SUFFIXES, format_of
from hermes.store.limits import TIME_LIMIT, Limits
from hermes.store.protocol import Store

__all__ = ["SUFFIXES", "TIME_LIMIT", "CachedStore", "EmbeddedStore", "Limits", "Store", "format_of"]
