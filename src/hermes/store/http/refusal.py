"""What is wrong with a reply, as an error of one line: who said what, and what may help."""

from __future__ import annotations

import re
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from hermes.errors import StoreError
from hermes.printable import clip, printable
from hermes.store.http.credentials import WAYS
from hermes.store.http.reply import EXCERPT, Reply, host_of, says_timeout

CONTACT: Final = "HERMES_CONTACT"
"""The variable of the environment with a mail or web address for the User-Agent."""

_OUT_OF_MEMORY: Final = re.compile(r"OutOfMemory|out of memory|memory limit", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Meaning:
    """What a status means: a sentence with `{host}`, and whether the same request may succeed later."""

    category: str
    sentence: str
    retryable: bool = False


_LATER: Final = _Meaning("unreachable", "{host} is not available", retryable=True)
_NO_ENDPOINT: Final = _Meaning("unreachable", "there is no SPARQL endpoint at {url}")
_TOO_LONG: Final = _Meaning("too_large", "the query is too long for {host}")
_REFUSED: Final = _Meaning("forbidden", "{host} refuses")
_MEANINGS: Final = {
    HTTPStatus.BAD_REQUEST: _Meaning("syntax", "{host} does not read the query"),
    HTTPStatus.UNAUTHORIZED: _REFUSED,
    HTTPStatus.FORBIDDEN: _REFUSED,
    HTTPStatus.NOT_FOUND: _NO_ENDPOINT,
    HTTPStatus.METHOD_NOT_ALLOWED: _NO_ENDPOINT,
    HTTPStatus.GONE: _NO_ENDPOINT,
    HTTPStatus.PROXY_AUTHENTICATION_REQUIRED: _REFUSED,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: _TOO_LONG,
    HTTPStatus.REQUEST_URI_TOO_LONG: _TOO_LONG,
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: _TOO_LONG,
    HTTPStatus.TOO_MANY_REQUESTS: _Meaning("rate_limited", "{host} wants fewer requests", retryable=True),
    HTTPStatus.BAD_GATEWAY: _LATER,
    HTTPStatus.SERVICE_UNAVAILABLE: _LATER,
    HTTPStatus.GATEWAY_TIMEOUT: _Meaning("timeout", "no answer behind {host} in time", retryable=True),
}
_OUT_OF_TIME: Final = _Meaning("timeout", "{host} ran out of time")
_FULL: Final = _Meaning("memory", "{host} ran out of memory")
_FAILED: Final = _Meaning("internal", "{host} failed")
_ODD: Final = _Meaning("bad_reply", "{host} sent no result")


def unreadable(reply: Reply, reason: str) -> StoreError:
    """Return the error of a reply with a good status whose body is no result: `reason` says what it is."""
    meaning = _ODD
    if reply.says_timeout:
        meaning = _OUT_OF_TIME
    elif _OUT_OF_MEMORY.search(reply.excerpt):
        meaning = _FULL
    sentence = f"{{host}} sent {reason}" if meaning is _ODD else meaning.sentence
    return _error(reply, meaning.category, sentence, retryable=False)


def refused(reply: Reply, *, had_credentials: bool = False, has_contact: bool = False) -> StoreError:
    """Return the error that a reply with a bad status stands for.

    Args:
        reply: what came.
        had_credentials: whether it was sent credentials, so that a refusal is about these.
        has_contact: whether the User-Agent had a contact.
    """
    meaning = _meaning(reply)
    advice = ""
    if meaning is _REFUSED:
        advice = _way_in(reply.status, had_credentials=had_credentials, has_contact=has_contact)
    return _error(reply, meaning.category, meaning.sentence, advice, retryable=meaning.retryable)


def _meaning(reply: Reply) -> _Meaning:
    if reply.says_timeout:
        return _OUT_OF_TIME
    if reply.status in _MEANINGS:
        return _MEANINGS[HTTPStatus(reply.status)]
    if _OUT_OF_MEMORY.search(reply.excerpt):
        return _FULL
    return _FAILED if reply.status >= HTTPStatus.INTERNAL_SERVER_ERROR else _ODD


def _error(reply: Reply, category: str, sentence: str, advice: str = "", *, retryable: bool) -> StoreError:
    parts = urlsplit(reply.url)
    what = sentence.format(host=reply.host, url=f"{parts.scheme}://{host_of(reply.url)}{parts.path}")
    said = _telling(reply) if category == "timeout" else reply.first_line
    status = f"status {reply.status}, {reply.media_type or 'no media type'}"
    message = f"{what} ({status}): {said or 'the body is empty'}"
    return StoreError(f"{message}; {advice}" if advice else message, category=category, retryable=retryable)


def _way_in(status: int, *, had_credentials: bool, has_contact: bool) -> str:
    if had_credentials:
        return "the credentials are not the right ones"
    if status != HTTPStatus.FORBIDDEN:
        return WAYS
    if has_contact:
        return f"if it wants credentials, {WAYS}"
    return (
        f"many endpoints want a contact in the User-Agent: set {CONTACT} to a mail or web address; "
        f"if it wants credentials, {WAYS}"
    )


def _telling(reply: Reply) -> str:
    """Return the excerpt, with the line of the end that says that time was up where the excerpt does not."""
    excerpt = reply.excerpt
    if says_timeout(excerpt):
        return excerpt
    lines = [" ".join(line.split()) for line in reply.last_words.split("\n")]
    found = [line for line in lines if says_timeout(line)]
    if not found:
        return excerpt
    # The end of a line says it: before it stands what was cut.
    return f"{clip(excerpt, EXCERPT // 3)} ... {printable(found[-1][-EXCERPT // 2 :])}"
