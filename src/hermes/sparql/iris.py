"""IRIs: which texts are absolute ones (RFC 3987, section 2.2), and the resolution of relative ones."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

_UCS: Final = "\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef" + "".join(
    f"{chr(plane << 16)}-{chr((plane << 16) + 0xFFFD)}" for plane in range(1, 15)
)
_PRIVATE: Final = "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"
_PCT: Final = "%[0-9A-Fa-f]{2}"


def _absolute(letters: str, private: str) -> re.Pattern[str]:
    """Return the expression for absolute IRIs with these characters beside those of ASCII."""
    name = rf"[A-Za-z0-9\-._~!$&'()*+,;={letters}]|{_PCT}"
    pchar = rf"[A-Za-z0-9\-._~!$&'()*+,;=:@{letters}]|{_PCT}"
    return re.compile(
        rf"""[A-Za-z][A-Za-z0-9+.\-]*:
        (?://(?:(?:{name}|:)*@)?(?:\[[0-9A-Fa-fvV:.]+\]|(?:{name})*)(?::[0-9]*)?(?:/(?:{pchar})*)*
          |(?!//)(?:{pchar}|/)*)
        (?:\?(?:{pchar}|[/?{private}])*)?
        (?:\#(?:{pchar}|[/?])*)?""",
        re.VERBOSE,
    )


_ASCII: Final = _absolute("", "")


@cache
def _unicode() -> re.Pattern[str]:
    # Large classes take long to compile, and most IRIs are ASCII.
    return _absolute(_UCS, _PRIVATE)


_PARTS: Final = re.compile(
    r"(?:([A-Za-z][A-Za-z0-9+.\-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL
)


def is_absolute(iri: str) -> bool:
    """Whether `iri` is an absolute IRI that every engine reads."""
    return (_ASCII if iri.isascii() else _unicode()).fullmatch(iri) is not None


def resolve(reference: str, base: str) -> str:
    """Return the IRI that `reference` means beside the absolute `base` (RFC 3986, section 5.2)."""
    scheme, authority, path, query, fragment = _split(reference)
    if scheme is None:
        scheme, base_authority, base_path, base_query, _ = _split(base)
        if authority is None:
            authority = base_authority
            if not path:
                path, query = base_path, base_query if query is None else query
            elif not path.startswith("/"):
                path = _merged(path, base_path, has_authority=authority is not None)
    return "".join(
        (
            f"{scheme}:",
            "" if authority is None else f"//{authority}",
            _without_dots(path),
            "" if query is None else f"?{query}",
            "" if fragment is None else f"#{fragment}",
        )
    )


def _split(iri: str) -> tuple[str | None, str | None, str, str | None, str | None]:
    match = _PARTS.match(iri)
    if match is None:
        return None, None, iri, None, None
    return match[1], match[2], match[3], match[4], match[5]


def _merged(path: str, base_path: str, *, has_authority: bool) -> str:
    if has_authority and not base_path:
        return "/" + path
    return base_path[: base_path.rfind("/") + 1] + path


def _without_dots(path: str) -> str:
    """Remove `.` and `..` segments (section 5.2.4)."""
    if "." not in path:
        return path
    kept: list[str] = []
    segments = path.split("/")
    for place, segment in enumerate(segments):
        last = place == len(segments) - 1
        if segment == "..":
            if len(kept) > 1 or (kept and kept[0]):
                kept.pop()
            if last:
                kept.append("")
        elif segment == ".":
            if last:
                kept.append("")
        else:
            kept.append(segment)
    return "/".join(kept)
