"""Sends queries to one endpoint: one at a time, again where that helps, and never beyond the time limit."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import ModuleType
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode, urljoin, urlsplit
from weakref import WeakValueDictionary

from hermes.errors import StoreError
from hermes.store.deadline import allowed
from hermes.store.http.credentials import NOBODY, Credentials
from hermes.store.http.refusal import refused
from hermes.store.http.reply import Reply, host_of
from hermes.store.http.retry import LONGEST_WAIT, RETRIES, Clock, SystemClock, retry_after, wait_before
from hermes.store.limits import Limits
from hermes.version import __version__

if TYPE_CHECKING:
    from hermes.store.http.transport import Transport

FORM: Final = "application/x-www-form-urlencoded; charset=UTF-8"
HOPS: Final = 5
"""So many redirects are followed at most."""
ENDPOINT_LIMITS: Final = Limits(bytes=256 * 2**20)
"""What one query may take of an endpoint. The time covers connecting, waiting, repeated requests and reading;
the bytes are those of the unpacked body; memory is the endpoint's own business."""

_KEEPING: Final = frozenset([307, 308])
_LOSING: Final = frozenset([300, 301, 302, 303])
_PORTS: Final = {"http": 80, "https": 443}

Fields = Sequence[tuple[str, str]]

_log: Final = logging.getLogger("hermes")


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: credentials, and a contact (a mail or web address) for the User-Agent."""

    credentials: Credentials = NOBODY
    contact: str = ""


class _Turns:
    """So many may ask an endpoint at the same time."""

    def __init__(self, parallel: int) -> None:
        self.free = threading.BoundedSemaphore(parallel)


_turns: Final[WeakValueDictionary[tuple[str, int], _Turns]] = WeakValueDictionary()
_turns_lock: Final = threading.Lock()


def _turns_at(url: str, parallel: int) -> _Turns:
    """Return the turns of an endpoint, which all stores of this process share."""
    with _turns_lock:
        key = (_origin(url), parallel)
        turns = _turns.get(key)
        if turns is None:
            turns = _turns[key] = _Turns(parallel)
        return turns


@dataclass(slots=True)
class Exchange:
    """Requests to one endpoint. May be shared between threads.

    Attributes:
        url: the endpoint.
        limits: what one query may cost.
        caller: who asks.
        clock: where time comes from.
        parallel: how many requests may be on their way to the endpoint at the same time.
        requests: how many requests have been sent.
    """

    url: str
    limits: Limits = ENDPOINT_LIMITS
    caller: Caller = field(default_factory=Caller)
    clock: Clock = field(default_factory=SystemClock)
    parallel: int = 1
    requests: int = 0
    _transport: Transport | None = None
    _turns: _Turns = field(init=False)
    _closed: bool = False

    def __post_init__(self) -> None:
        self._turns = _turns_at(self.url, self.parallel)

    def send(self, fields: Fields, accept: str, timeout: float | None = None) -> Reply:
        """Send a form and return the answer, which has a good status.

        Args:
            fields: what to send.
            accept: the media types that are read.
            timeout: seconds, where not those of the limits; a deadline around it counts too (see `deadline`).

        Raises:
            StoreError: there is no answer, it came too late, it is too large, or it has a bad status.
        """
        reply = self.ask(fields, accept, timeout)
        if not reply.ok:
            raise self._refused(reply)
        return reply

    def ask(self, fields: Fields, accept: str, timeout: float | None = None) -> Reply:
        """Send a form and return the answer, whatever its status is; see `send`.

        Raises:
            StoreError: there is no answer, it came too late, or it is too large.
        """
        seconds = allowed(self.limits.time if timeout is None else timeout)
        end = self.clock.now() + seconds
        body = urlencode(fields).encode()
        with self._turn(seconds):
            for attempt in range(1, RETRIES + 2):
                try:
                    reply = self._follow(body, accept, end, seconds)
                except StoreError as error:
                    if not error.retryable or attempt > RETRIES:
                        raise
                    self._wait(wait_before(attempt, None, answered=False), end, error, asked=False)
                    continue
                if not reply.says_later or attempt > RETRIES:
                    return reply
                asked = retry_after(reply.headers.get("retry-after", ""), self.clock)
                seconds_more = wait_before(attempt, asked, answered=True)
                self._wait(seconds_more, end, self._refused(reply), asked=asked is not None)
        raise AssertionError("the last attempt returns or raises")

    def close(self) -> None:
        """Close the connections."""
        self._closed = True
        if self._transport is not None:
            self._transport.close()

    @contextmanager
    def _turn(self, seconds: float) -> Iterator[None]:
        """Wait until it is this thread's turn."""
        if self._closed:
            raise StoreError("the store is closed")
        if not self._turns.free.acquire(timeout=seconds):
            raise StoreError(
                f"{host_of(self.url)} was busy with other queries of this process for {seconds:g} s",
                category="timeout",
                retryable=True,
            )
        try:
            yield
        finally:
            self._turns.free.release()

    def _wait(self, seconds: float, end: float, reason: StoreError, *, asked: bool) -> None:
        """Wait before the next attempt; `asked` says that the server named the time.

        Raises:
            StoreError: `reason`, where that would be too long.
        """
        if seconds > LONGEST_WAIT or self.clock.now() + seconds >= end:
            raise _asked_to_wait(reason, seconds) if asked else reason
        _log.debug("waiting %.1f s: %s", seconds, reason)
        self.clock.sleep(seconds)

    def _follow(self, body: bytes, accept: str, end: float, seconds: float) -> Reply:
        """Send the form, and send it again where the endpoint has moved for now."""
        url, credentials = self.url, self.caller.credentials
        for _ in range(HOPS + 1):
            reply = self._post(url, self._headers(accept, credentials), body, end, seconds)
            if reply.status in _LOSING:
                raise _moved(reply, "give this address instead")
            if reply.status not in _KEEPING:
                return reply
            target = _target(reply)
            if _origin(target) != _origin(self.url):
                credentials = NOBODY
            _log.debug("%s sends the query on to %s", host_of(url), host_of(target))
            url = target
        raise StoreError(
            f"{host_of(self.url)} sends the query on more than {HOPS} times", category="unreachable"
        )

    def _headers(self, accept: str, credentials: Credentials) -> dict[str, str]:
        found = {
            "User-Agent": self._user_agent(),
            "Accept": accept,
            "Accept-Encoding": "gzip",
            "Content-Type": FORM,
        }
        if credentials.header:
            found["Authorization"] = credentials.header
        return found

    def _user_agent(self) -> str:
        contact = f" ({self.caller.contact})" if self.caller.contact else ""
        return f"hermes-kg/{__version__}{contact} {_wire().CLIENT}"

    def _post(self, url: str, headers: dict[str, str], body: bytes, end: float, seconds: float) -> Reply:
        wire = _wire()
        if self._transport is None:
            self._transport = wire.Transport(self.parallel)
        self.requests += 1
        try:
            return self._transport.post(url, headers, body, lambda: end - self.clock.now(), self.limits.bytes)
        except wire.TooLate:
            raise StoreError(
                f"{host_of(url)} did not answer within {seconds:g} s; a smaller query or a longer time limit "
                "may help",
                category="timeout",
            ) from None
        except wire.TooLarge:
            raise StoreError(
                f"the answer of {host_of(url)} has more than {self.limits.bytes:,} bytes; ask for fewer rows",
                category="too_large",
            ) from None
        except wire.Unpackable as error:
            raise StoreError(f"{host_of(url)} sent {error}", category="bad_reply") from None
        except wire.Unreachable as error:
            raise StoreError(
                f"{host_of(url)} cannot be reached: {error}", category="unreachable", retryable=True
            ) from None

    def _refused(self, reply: Reply) -> StoreError:
        error = refused(
            reply, had_credentials=bool(self.caller.credentials.header), has_contact=bool(self.caller.contact)
        )
        return self.hidden(error)

    def hidden(self, error: StoreError) -> StoreError:
        """Return the error without the secrets that a server may have sent back."""
        message = self.caller.credentials.hide(str(error))
        return StoreError(message, category=error.category, retryable=error.retryable, code=error.code)


def _wire() -> ModuleType:
    """Return the module that needs the client, which is imported when the first query is sent.

    Raises:
        StoreError: the client is not installed.
    """
    try:
        from hermes.store.http import transport  # noqa: PLC0415 - only with the extra
    except ModuleNotFoundError as missing:
        raise StoreError(
            f"endpoints need {missing.name}, which is not installed: pip install 'hermes-kg[endpoint]'",
            code="missing-extra",
        ) from None
    return transport


def _asked_to_wait(reason: StoreError, seconds: float) -> StoreError:
    return StoreError(
        f"{reason}; it asks to wait {seconds:.0f} s",
        category=reason.category,
        retryable=True,
        code=reason.code,
    )


def _target(reply: Reply) -> str:
    """Return where a redirect leads.

    Raises:
        StoreError: nowhere, to what is not HTTP, or from HTTPS to HTTP.
    """
    target = urljoin(reply.url, reply.headers.get("location", ""))
    parts = urlsplit(target)
    if "location" not in reply.headers or parts.scheme not in _PORTS or not parts.hostname:
        raise _moved(reply, "which is no address to follow")
    if urlsplit(reply.url).scheme == "https" and parts.scheme != "https":
        raise _moved(reply, "which is not encrypted, so it is not followed")
    return target


def _moved(reply: Reply, advice: str) -> StoreError:
    where = "nowhere"
    if "location" in reply.headers:
        where = urljoin(reply.url, reply.headers["location"])
        if urlsplit(reply.url).query:  # in which some services want a key
            where = urlsplit(where)._replace(query="").geturl()
    return StoreError(
        f"{reply.host} has moved to {where} (status {reply.status}); {advice}",
        category="unreachable",
        code="moved",
    )


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.hostname}:{parts.port or _PORTS.get(parts.scheme)}"
