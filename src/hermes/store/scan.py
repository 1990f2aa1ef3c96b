"""Three things in the text of a query that decide before it runs: FROM, SERVICE, and what is volatile.

This is not the grammar (`hermes.sparql` is, in a layer that stores do not know): texts also come from
callers that have no plan. It leans to the safe side: what might be SERVICE for some reader is refused.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache
from typing import Final
from urllib.parse import urlsplit

from hermes.errors import StoreError

_TOKEN: Final = r"""
    (?P<text>\"\"\"(?:[^"\\]|\\.|"(?!""))*\"\"\" | '''(?:[^'\\]|\\.|'(?!''))*'''
           | "(?:[^"\\\n\r]|\\.)*" | '(?:[^'\\\n\r]|\\.)*'
           | \#[^\n\r]* | [?$]\w+ | @[\w-]+)
    | <(?P<iri>[^<>"{}|^`\\\s]*)>
    | (?P<prefix>[\w.-]*):(?P<local>(?:[\w.:%-]|\\.)*)
    | (?P<word>\w+)
    | (?P<mark>\S)
    """
_SERVICE: Final = "service"
_VOLATILE: Final = frozenset({"rand", "now", "uuid", "struuid", "bnode", _SERVICE})
# A quick look first: most queries hold none of the words, not even in a name or a string.
_MAYBE_VOLATILE: Final = re.compile("|".join(sorted(_VOLATILE)) + r"|\\u", re.IGNORECASE)


@cache
def _token() -> re.Pattern[str]:
    """Return the pattern of a token, compiled when a query first needs it: most never do."""
    return re.compile(_TOKEN, re.VERBOSE | re.DOTALL)


def has_from(query: str) -> bool:
    """Whether the query has a dataset clause: FROM is a keyword of that clause alone."""
    return "from" in query.lower() and any(
        (token["word"] or "").lower() == "from" for token in _token().finditer(query)
    )


def is_volatile(query: str) -> bool:
    """Whether a query may be answered otherwise the next time, though the graph stays the same.

    That is one that calls RAND, NOW, UUID, STRUUID or BNODE, or another host by SERVICE. When in doubt (a
    codepoint escape outside of strings may spell anything) a query is volatile.
    """
    if not _MAYBE_VOLATILE.search(query):
        return False
    return any(
        token["mark"] == "\\" or (token["word"] or "").lower() in _VOLATILE
        for token in _token().finditer(query)
    )


def refuse_service(query: str, allowed: Collection[str]) -> None:
    """Refuse a query that calls another host, unless it names one of `allowed` (in lower case).

    Raises:
        StoreError: with code `service-refused`.
    """
    if _SERVICE not in query.lower():
        return
    tokens = [token for token in _token().finditer(query) if not token["text"]]
    prefixes = dict(_prefixes(tokens))
    for at, token in enumerate(tokens):
        if _calls(token, tokens[at + 1 : at + 2]):
            host = _host(tokens[at : at + 3], prefixes)
            if host is None or host not in allowed:
                raise StoreError(
                    f"the query would call {host or 'another host'} by SERVICE; hosts that this graph "
                    f"allows: {', '.join(sorted(allowed)) or 'none'}",
                    category="forbidden",
                    code="service-refused",
                )


def _prefixes(tokens: list[re.Match[str]]) -> Iterator[tuple[str, str]]:
    for word, name, iri in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if (word["word"] or "").lower() == "prefix" and name["prefix"] is not None and iri["iri"] is not None:
            yield name["prefix"], iri["iri"]


def _calls(token: re.Match[str], following: list[re.Match[str]]) -> bool:
    """Whether a token is, or hides, the keyword: Oxigraph reads `1SERVICE` and `SERVICEex:a {` too."""
    if token["word"] is not None:
        return _SERVICE in token["word"].lower()
    if token["prefix"] is None:
        return False
    # One name for the standard, but Oxigraph ends it at the second dot.
    if f".{_SERVICE}" in token["local"].lower():
        return True
    return _SERVICE in token["prefix"].lower() and any(mark[0] == "{" for mark in following)


def _host(clause: list[re.Match[str]], prefixes: dict[str, str]) -> str | None:
    """Return the host that a clause plainly names; None where it hides it."""
    words = [(token["word"] or "").lower() for token in clause]
    if words[0] != _SERVICE:
        return None
    named = clause[2:3] if words[1:2] == ["silent"] else clause[1:2]
    for token in named:
        iri = token["iri"]
        if token["prefix"] in prefixes:
            iri = prefixes[token["prefix"]] + token["local"]
        try:
            return urlsplit(iri or "").hostname
        except ValueError:
            return None
    return None
