"""What executes SPARQL: the protocol, the embedded store, endpoints, the cache."""

from hermes.store.cache import CachedStore
from hermes.store.embedded import EmbeddedStore
from hermes.store.endpoint import EndpointStore, is_url
from hermes.store.exchange import Caller, Limits
from hermes.store.files import SUFFIXES, format_of
from hermes.store.protocol import Store

__all__ = [
    "SUFFIXES",
    "CachedStore",
    "Caller",
    "EmbeddedStore",
    "EndpointStore",
    "Limits",
    "Store",
    "format_of",
    "is_url",
]
