"""What executes SPARQL: the protocol, the embedded store, the cache."""

from hermes.store.cache import CachedStore
from hermes.store.embedded import EmbeddedStore
from hermes.store.files import SUFFIXES, format_of
from hermes.store.protocol import Store

__all__ = ["SUFFIXES", "CachedStore", "EmbeddedStore", "Store", "format_of"]
