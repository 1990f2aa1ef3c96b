"""What executes SPARQL: the protocol, the embedded store, endpoints, their limits, the cache."""

from hermes.store.cache import CachedStore
from hermes.store.deadline import allowed, deadline, seconds_left
from hermes.store.directory import Manifest, is_store, write_store
from hermes.store.embedded import EmbeddedStore
from hermes.store.endpoint import EndpointStore, is_url
from hermes.store.files import SUFFIXES, format_of
from hermes.store.http.exchange import ENDPOINT_LIMITS, Caller
from hermes.store.limits import TIME_LIMIT, Limits
from hermes.store.protocol import Store
from hermes.store.tally import Tally, tallied
from hermes.store.uncached import direct, embedded, is_endpoint, promptly, within

__all__ = [
    "ENDPOINT_LIMITS",
    "SUFFIXES",
    "TIME_LIMIT",
    "CachedStore",
    "Caller",
    "EmbeddedStore",
    "EndpointStore",
    "Limits",
    "Manifest",
    "Store",
    "Tally",
    "allowed",
    "deadline",
    "direct",
    "embedded",
    "format_of",
    "is_endpoint",
    "is_store",
    "is_url",
    "promptly",
    "seconds_left",
    "tallied",
    "within",
    "write_store",
]
