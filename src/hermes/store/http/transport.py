"""One POST over HTTP with a deadline and a byte limit that hold; the only module that imports the client.

The time-outs of an HTTP client are for one read each: a server that sends a byte now and then is never too
slow for them. So the deadline is kept where bytes are read from the socket, below the client, and the body is
unpacked here, never beyond the limit.
"""

from __future__ import annotations

import re
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from ssl import SSLContext
from typing import Any, Final
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

import httpcore2
import httpx2

from hermes.store.http.reply import Reply

CLIENT: Final = f"httpx2/{httpx2.__version__}"
"""The client and its version, for the User-Agent."""

_CONNECT: Final = 10.0
_UNPACK: Final = {"gzip", "x-gzip", "deflate"}
_WINDOW: Final = 47  # zlib finds out whether it is gzip or zlib
_BLOCK: Final = 2**20
_IDLE: Final = 30.0
_ERRNO: Final = re.compile(r"^\[Errno -?\d+\] ")

Left = Callable[[], float]
"""Says how many seconds are left."""


class Unreachable(Exception):  # noqa: N818 - what the caller makes of it may be no error
    """There was no whole answer: no connection, or one that broke. The message says why."""


class TooLate(Exception):  # noqa: N818 - the same
    """The deadline has passed."""


class TooLarge(Exception):  # noqa: N818 - the same
    """The answer is larger than the limit."""


class Unpackable(Exception):  # noqa: N818 - the same
    """The answer is packed in a way that was not asked for, or not whole. The message says which."""


class Transport:
    """Connections that are kept open between requests. May be shared between threads.

    Args:
        connections: how many may be open at the same time.
    """

    def __init__(self, connections: int) -> None:
        self._most = connections
        self._clocked = _Clocked()
        self._idle: dict[tuple[str, str], list[httpcore2.ConnectionInterface]] = {}
        self._lock = threading.Lock()

    def post(self, url: str, headers: Mapping[str, str], body: bytes, left: Left, most: int) -> Reply:
        """Send a POST and read the whole answer.

        Args:
            url: where to.
            headers: what to send besides `Host` and `Content-Length`.
            body: what to send.
            left: how many seconds are left until the deadline.
            most: how many bytes the answer may have, unpacked.

        Raises:
            Unreachable: no connection, or it broke before the end of the answer.
            TooLate: the deadline has passed.
            TooLarge: the answer has more bytes.
            Unpackable: the answer is packed in another way than asked for, or damaged.
        """
        sent = {"Host": urlsplit(url).netloc, **headers, "Content-Length": str(len(body))}
        pairs = [(name.encode(), value.encode("latin-1")) for name, value in sent.items()]
        request = httpcore2.Request("POST", url, headers=pairs, content=body)
        with self._clocked.until(left), _explained(left), self._connection(url) as connection:
            response = connection.handle_request(request)
            try:
                received = {
                    name.decode("latin-1").lower(): value.decode("latin-1")
                    for name, value in response.headers
                }
                stream = _blocks(response)
                text = _unpacked(stream, received.get("content-encoding", ""), most)
            finally:
                response.close()
        return Reply(url, response.status, received, text)

    def close(self) -> None:
        """Close the connections."""
        with self._lock:
            for idle in self._idle.values():
                for connection in idle:
                    connection.close()
            self._idle.clear()

    @contextmanager
    def _connection(self, url: str) -> Iterator[httpcore2.ConnectionInterface]:
        """Lend a connection to the host of a URL: one that is idle, or a new one."""
        parts = urlsplit(url)
        with self._lock:
            idle = self._idle.setdefault((parts.scheme, parts.netloc), [])
            connection = idle.pop() if idle else None
        if connection is not None and connection.has_expired():
            connection.close()
            connection = None
        if connection is None:
            connection = self._new(url)
        try:
            yield connection
        finally:
            with self._lock:
                kept = connection.is_idle() and len(idle) < self._most
                if kept:
                    idle.append(connection)
            if not kept:
                connection.close()

    def _new(self, url: str) -> httpcore2.ConnectionInterface:
        """Return a connection, through the proxy that the environment names for the host, or none."""
        parts = urlsplit(url)
        proxy = _proxy(parts.scheme, parts.netloc)
        # The pool knows how to make a connection. It is not used as a pool: who may send when is decided
        # before (`Exchange`), and its own queue takes as long as half of what hermes adds to a request.
        pool = httpcore2.ConnectionPool(
            ssl_context=_tls() if parts.scheme == "https" or proxy else None,
            proxy=proxy,
            keepalive_expiry=_IDLE,
            network_backend=self._clocked,
        )
        return pool.create_connection(httpcore2.URL(url).origin)


def _proxy(scheme: str, host: str) -> httpcore2.Proxy | None:
    """Return the proxy that the environment names for a host.

    Raises:
        Unreachable: it speaks something else than HTTP.
    """
    found = None if proxy_bypass(host) else getproxies().get(scheme)
    if not found:
        return None
    parts = urlsplit(found if "://" in found else f"http://{found}")
    if parts.scheme not in ("http", "https"):
        raise Unreachable(f"the proxy of the environment speaks {parts.scheme}, not HTTP")
    auth = (unquote(parts.username), unquote(parts.password or "")) if parts.username else None
    return httpcore2.Proxy(f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}", auth=auth)


@cache
def _tls() -> SSLContext:
    return httpx2.create_ssl_context()


@contextmanager
def _explained(left: Left) -> Iterator[None]:
    try:
        yield
    except httpcore2.ConnectTimeout:
        if left() <= 0:
            raise TooLate from None
        raise Unreachable(f"no connection in {_CONNECT:g} s") from None
    except httpcore2.TimeoutException:
        raise TooLate from None
    except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.ProxyError, OSError) as error:
        raise Unreachable(_ERRNO.sub("", str(error)) or type(error).__name__) from None
    except zlib.error as error:
        raise Unpackable(f"a packed body that is damaged: {error}") from None


# --- the deadline --------------------------------------------------------------------------------


class _Clocked(httpcore2.NetworkBackend):
    """Opens connections that wait no longer than the request of the calling thread may."""

    def __init__(self) -> None:
        self._inner = httpcore2.SyncBackend()
        self._of_thread = threading.local()

    @contextmanager
    def until(self, left: Left) -> Iterator[None]:
        """Let what the calling thread reads and writes wait no longer than `left` says."""
        self._of_thread.left = left
        try:
            yield
        finally:
            del self._of_thread.left

    def left(self, late: type[httpcore2.TimeoutException]) -> float | None:
        """Return the seconds that are left; raise `late` where there are none."""
        left: Left | None = getattr(self._of_thread, "left", None)
        if left is None:  # a connection is being closed
            return None
        seconds = left()
        if seconds <= 0:
            raise late
        return seconds

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        seconds = min(self.left(httpcore2.ConnectTimeout) or _CONNECT, _CONNECT)
        inner = self._inner.connect_tcp(host, port, seconds, local_address, socket_options)
        return _Stream(inner, self)


class _Stream(httpcore2.NetworkStream):
    """A connection whose reads and writes keep the deadline of the request.

    What is written is held until something is read, so that head and body of a request leave together.
    """

    def __init__(self, inner: httpcore2.NetworkStream, clocked: _Clocked) -> None:
        self._inner = inner
        self._clocked = clocked
        self._held = b""

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        self._flush()
        return self._inner.read(max_bytes, self._clocked.left(httpcore2.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._held += buffer

    def _flush(self) -> None:
        held, self._held = self._held, b""
        if held:
            self._inner.write(held, self._clocked.left(httpcore2.WriteTimeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        self._flush()
        seconds = self._clocked.left(httpcore2.ConnectTimeout)
        return _Stream(self._inner.start_tls(ssl_context, server_hostname, seconds), self._clocked)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


# --- the body ------------------------------------------------------------------------------------


def _blocks(response: httpcore2.Response) -> Iterator[bytes]:
    yield from response.iter_stream()


def _unpacked(blocks: Iterable[bytes], coding: str, most: int) -> bytes:
    """Return the body, unpacked where it came packed, as soon as it is whole.

    Raises:
        TooLarge: it has more than `most` bytes.
        Unpackable: it is packed in a way that was not asked for, or not whole.
    """
    coding = coding.strip().lower()
    if coding in ("", "identity"):
        return _joined(blocks, most)
    if coding not in _UNPACK:
        raise Unpackable(f"a body that is packed as {coding}; it was asked for gzip")
    unpacker = zlib.decompressobj(_WINDOW)
    body = _joined(_unpack(unpacker, blocks), most)
    if not unpacker.eof:
        raise Unpackable("a packed body that is not whole")
    return body


def _joined(blocks: Iterable[bytes], most: int) -> bytes:
    found, size = [], 0
    for block in blocks:
        size += len(block)
        if size > most:
            raise TooLarge
        found.append(block)
    return b"".join(found)


def _unpack(unpacker: Any, blocks: Iterable[bytes]) -> Iterator[bytes]:
    for block in blocks:
        rest, found = block, b""
        # At the limit there may be more to come, though all that came in has been taken.
        while rest or len(found) == _BLOCK:
            found = unpacker.decompress(rest, _BLOCK)
            rest = unpacker.unconsumed_tail
            yield found
