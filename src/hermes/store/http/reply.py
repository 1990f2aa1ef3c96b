"""What an endpoint sent, and what is wrong with it in one line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from hermes.printable import clip, printable
from hermes.store.http.retry import RETRIED

EXCERPT: Final = 200
_GOOD: Final = (HTTPStatus.OK, HTTPStatus.NON_AUTHORITATIVE_INFORMATION, HTTPStatus.PARTIAL_CONTENT)
_HEAD: Final = 2000
_TAIL: Final = 500
_TAGS: Final = re.compile(r"<(?:style|script)\b.*?</(?:style|script)>|<[^>]*>", re.DOTALL | re.IGNORECASE)
_TITLE: Final = re.compile(r"<title[^>]*>(.*?)</title>", re.DOTALL | re.IGNORECASE)
# What engines say when a query ran too long. A gateway that waited in vain says other words.
_OWN_TIMEOUT: Final = re.compile(
    r"""Timeout\ ?Exception | Query\ ?Timeout | QueryCancel | S1T00 | S1TAT | estimated\ execution\ time
    | ran\ (?:for\ )?too\ long | takes?\ too\ long | (?:time|execution)\ limit
    | execution\ time[^.\n]{0,40}exceed | exceed[^.\n]{0,30}(?:time\b|timeout)
    | \b(?:query|operation|execution|evaluation|transaction)\b[^.<>{}\n]{0,60}
      (?:timed?[ -]?out | cancell?ed)""",
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer over HTTP, read to its end: where it came from, its status, its headers, its body.

    The names of headers are in lower case.
    """

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def media_type(self) -> str:
        """The media type in lower case without parameters; empty where the server named none."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def host(self) -> str:
        """The host that answered, with its port where the URL has one."""
        return host_of(self.url)

    @property
    def partial(self) -> bool:
        """Whether the server says that this is not all of the answer."""
        return self.status == HTTPStatus.PARTIAL_CONTENT or "x-sql-state" in self.headers

    @property
    def ok(self) -> bool:
        """Whether there is an answer in it at all."""
        return self.status in _GOOD

    @property
    def says_timeout(self) -> bool:
        """Whether the server says that the query itself ran too long, so that it would do so again."""
        # A complaint about syntax repeats the query, which may hold any words.
        return self.status != HTTPStatus.BAD_REQUEST and says_timeout(self._ends)

    @property
    def says_later(self) -> bool:
        """Whether the same request may be answered when it is sent again."""
        return self.status in RETRIED and not self.says_timeout

    @property
    def excerpt(self) -> str:
        """The beginning of what the body says, on one line."""
        text = self.body[: 4 * _HEAD].decode("utf-8", errors="replace")
        if "<" in text[:EXCERPT]:
            title = _TITLE.search(text)
            text = _TAGS.sub(" ", title[1] if title else text)
        return clip(printable(" ".join(text.split())), EXCERPT)

    @property
    def first_line(self) -> str:
        """The first line of what the body says: some servers repeat the whole query below it."""
        text = self.body[:_HEAD].decode("utf-8", errors="replace").strip()
        if text.startswith(("<", "{")):
            return self.excerpt
        return clip(printable(text.partition("\n")[0].strip()), EXCERPT)

    @property
    def _ends(self) -> str:
        body = self.body
        ends = body if len(body) <= _HEAD + _TAIL else body[:_HEAD] + b"\n" + body[-_TAIL:]
        return ends.decode("utf-8", errors="replace")

    @property
    def last_words(self) -> str:
        """The end of the body."""
        return self.body[-_TAIL:].decode("utf-8", errors="replace")


def host_of(url: str) -> str:
    """Return the host of a URL, with its port where it has one, without user and password."""
    return urlsplit(url).netloc.rpartition("@")[2]


def says_timeout(text: str) -> bool:
    """Whether a text says that a query ran too long."""
    return bool(_OWN_TIMEOUT.search(text))
