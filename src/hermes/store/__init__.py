"""What executes SPARQL: the protocol, the embedded store with its limits and directories, the cache."""

from hermes.store.cache import CachedStore
from hermes.store.directory import Manifest, is_store, write_store
from hermes.store.embedded import EmbeddedStore
from hermes.store.files import SUFFIXES, format_of
from hermes.store.limits import TIME_LIMIT, Limits
from hermes.store.protocol import Store

__all__ = [
    "SUFFIXES",
    "TIME_LIMIT",
    "CachedStore",
    "EmbeddedStore",
    "Limits",
    "Manifest",
    "Store",
    "format_of",
    "is_store",
    "write_store",
]
