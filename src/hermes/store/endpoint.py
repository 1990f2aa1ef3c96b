"""A SPARQL endpoint: SPARQL 1.1 Protocol over HTTP."""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from hermes.errors import StoreError
from hermes.results import Table, Triples, Truth
from hermes.store.http.credentials import find_credentials
from hermes.store.http.exchange import ENDPOINT_LIMITS, Caller, Exchange
from hermes.store.http.query_text import form_of, last_limit
from hermes.store.http.refusal import CONTACT, unreadable
from hermes.store.http.reply import Reply, host_of
from hermes.store.http.software import software
from hermes.store.http.sparql_results import (
    ACCEPT_RESULTS,
    ACCEPT_TRIPLES,
    NoResult,
    as_truth,
    is_result,
    read_graph,
    read_result,
)
from hermes.store.limits import Limits
from hermes.store.scan import has_from

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hermes.store.http.retry import Clock

UNNAMED: Final = "endpoint"
DEFAULT: Final = "default"
UNION: Final = "union"

KNOWN_CAPS: Final = frozenset([10_000, 100_000, 1_048_576])
"""Numbers of rows at which servers cut without a word; a result of just so many rows may be a part."""

_IRI: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|^`\\]+")


class EndpointStore:
    """Executes queries on a SPARQL endpoint. Read-only; may be shared between threads.

    One request at a time is on its way to a host, unless `parallel` says otherwise. Nothing is sent before
    the first query.

    Args:
        url: the address of the endpoint, http or https. Credentials do not belong into it.
        graph: the default graph of queries: `"default"` is what the endpoint uses (also where this is None),
            an IRI is sent as `default-graph-uri`. A query's own FROM takes precedence.
        named_graphs: sent as `named-graph-uri`: what GRAPH sees. By default, with a `graph`, GRAPH sees that
            graph; without one, what the endpoint shows.
        limits: what one query may take; by default `ENDPOINT_LIMITS`: 60 s, 256 MiB, 1,000,000 rows.
        parallel: how many requests may be on their way to the endpoint at the same time (default 1).
        caller: credentials and contact; by default those of the environment (`HERMES_USER` with
            `HERMES_PASSWORD`, `HERMES_TOKEN`, `HERMES_CREDENTIALS`; `HERMES_CONTACT`).
        clock: where time comes from, for tests.

    Attributes:
        engine: what the first answer says of itself, such as `"virtuoso"`; `"endpoint"` before it, and where
            it says nothing.
        url: see above.
        dataset: `"default"`, or the IRI of the default graph.

    Raises:
        StoreError: `url` is none, or has credentials; `graph` is `"union"`; the credentials cannot be read.
    """

    def __init__(  # noqa: PLR0913 - each has a default, and nobody gives all
        self,
        url: str,
        graph: str | None = None,
        *,
        named_graphs: Sequence[str] = (),
        limits: Limits | None = None,
        parallel: int = 1,
        caller: Caller | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.engine = UNNAMED
        self.url = _checked(url)
        self.dataset = _dataset(graph)
        self._named = tuple(named_graphs)
        if caller is None:
            contact = " ".join(os.environ.get(CONTACT, "").split())
            caller = Caller(find_credentials(host_of(self.url)), contact.encode("ascii", "replace").decode())
        self.exchange = Exchange(self.url, limits or ENDPOINT_LIMITS, caller, parallel=parallel)
        if clock is not None:
            self.exchange.clock = clock

    @property
    def source(self) -> str:
        """The address, without its query part, in which some services want a key."""
        parts = urlsplit(self.url)
        return parts._replace(query="", fragment="").geturl()

    @property
    def fingerprint(self) -> str:
        """SHA-256 over address and dataset. It is weak: it stays the same when the data changes."""
        named = "\n".join((self.url, self.dataset, *self._named))
        return hashlib.sha256(named.encode()).hexdigest()

    def select(self, query: str, *, timeout: float | None = None) -> Table:
        """Return the solutions of a SELECT query.

        `complete` is False where the server says that it cut, where there are as many rows as servers are
        known to cut at, and where rows were cut here.

        Args:
            query: its text.
            timeout: seconds, where not those of the limits.

        Raises:
            StoreError: the text is not a SELECT query, or the endpoint could not answer.
        """
        reply = self._send(query, ("SELECT",), ACCEPT_RESULTS, timeout)
        table = self._result(reply)
        if not isinstance(table, Table):
            raise self._unreadable(reply, "a truth value instead of a table")
        if table.complete and (reply.partial or _cut_silently(reply, len(table.rows), query)):
            return replace(table, complete=False)
        return table

    def ask(self, query: str) -> bool:
        """Return the answer of an ASK query.

        Raises:
            StoreError: the text is not an ASK query, or the endpoint could not answer.
        """
        reply = self._send(query, ("ASK",), ACCEPT_RESULTS)
        truth = as_truth(self._result(reply))
        if truth is None:
            raise self._unreadable(reply, "a table instead of a truth value")
        if reply.partial and not truth:
            raise StoreError(f"{reply.host} stopped before it found an answer", category="timeout")
        return truth

    def construct(self, query: str) -> Triples:
        """Return the triples of a CONSTRUCT or DESCRIBE query.

        Raises:
            StoreError: the text is not such a query, or the endpoint could not answer.
        """
        reply = self._send(query, ("CONSTRUCT", "DESCRIBE"), ACCEPT_TRIPLES)
        if is_result(reply):
            raise self._unreadable(reply, "a table instead of triples")
        try:
            found = read_graph(reply, self.exchange.limits.rows)
        except NoResult as wrong:
            reason = str(wrong)
        else:
            cut = reply.partial or _cut_silently(reply, len(found.triples), query)
            return replace(found, complete=found.complete and not cut)
        raise self._unreadable(reply, reason)

    def close(self) -> None:
        """Close the connections."""
        self.exchange.close()

    def _send(self, query: str, forms: tuple[str, ...], accept: str, timeout: float | None = None) -> Reply:
        # Some servers execute updates that they are sent as queries.
        if (form := form_of(query)) not in forms:
            wanted = " or ".join(forms)
            found = f"it begins with {form}" if form else "there is no such word in it"
            raise StoreError(f"expected a query of the form {wanted}; {found}", category="syntax")
        fields = [("query", query)]
        if not has_from(query):  # the protocol's dataset would win over the query's own (section 2.1.4)
            fields += self.dataset_fields()
        reply = self.exchange.send(fields, accept, timeout)
        if self.engine == UNNAMED and (named := software(reply.headers.get("server", ""))) is not None:
            self.engine = named.engine
        return reply

    def dataset_fields(self) -> list[tuple[str, str]]:
        """Return the parameters of the protocol that choose the dataset."""
        if self.dataset == DEFAULT:
            return [("named-graph-uri", name) for name in self._named]
        named = self._named or (self.dataset,)
        return [("default-graph-uri", self.dataset), *(("named-graph-uri", name) for name in named)]

    def _result(self, reply: Reply) -> Table | Truth:
        try:
            return read_result(reply, self.exchange.limits.rows)
        except NoResult as wrong:
            reason = str(wrong)
        raise self._unreadable(reply, reason)

    def _unreadable(self, reply: Reply, reason: str) -> StoreError:
        return self.exchange.hidden(unreadable(reply, reason))


def is_url(source: object) -> bool:
    """Whether a source is the address of an endpoint."""
    return isinstance(source, str) and source.lower().startswith(("http://", "https://"))


def _cut_silently(reply: Reply, count: int, query: str) -> bool:
    """Whether a result has just as many rows as a server cuts at, and the query did not ask for so many."""
    if last_limit(query) == count:
        return False
    said = reply.headers.get("x-sparql-maxrows", "").strip()
    if said.isascii() and said.isdigit():
        return count >= int(said)
    return count in KNOWN_CAPS


def _checked(url: str) -> str:
    """Return the URL.

    Raises:
        StoreError: it is none, or has credentials; the message does not repeat them.
    """
    try:
        parts = urlsplit(url)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        known = False
    if not known or not url.isascii() or not url.isprintable() or " " in url:
        raise StoreError(
            "not the address of an endpoint: expected http:// or https://, a host, and ASCII without spaces",
            category="unreachable",
            code="unknown-source",
        )
    if parts.username is not None or parts.password is not None:
        raise StoreError(
            f"take the credentials for {host_of(url)} out of its address: they would be written into traces; "
            "set HERMES_USER and HERMES_PASSWORD, or HERMES_TOKEN",
            category="forbidden",
            code="credentials",
        )
    return parts._replace(fragment="").geturl()


def _dataset(graph: str | None) -> str:
    if graph == UNION:
        raise StoreError(
            "the protocol cannot ask an endpoint for the union of its graphs; name a graph (Apache Jena "
            "calls the union urn:x-arq:UnionGraph) or leave it to the endpoint",
            category="unreadable",
            code="unknown-graph",
        )
    if graph in (None, DEFAULT):
        return DEFAULT
    if not _IRI.fullmatch(graph or ""):
        raise StoreError(
            f'no graph {graph}; expected "{DEFAULT}" or the IRI of a named graph',
            category="unreadable",
            code="unknown-graph",
        )
    return str(graph)
