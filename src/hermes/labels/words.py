"""The name of an IRI in words: what a reader sees of a term that the graph gives no label."""

from __future__ import annotations

import re
import unicodedata
from typing import Final
from urllib.parse import unquote

_AUTHORITY: Final = re.compile(r"\A[^:/?#]*://[^/?#]*")
_LAST: Final = re.compile(r"[^/#:]*\Z")
_ROW: Final = re.compile(r"([^/#:?]*)/((?:[^/#:=;?]+=[^/#:=;?]*)(?:;[^/#:=;?]+=[^/#:=;?]*)*)\Z")
"""A row of a table as the W3C's Direct Mapping names it: `People/ID=7`, `Member/team=3;person=7`."""

_LONGEST: Final = 2000
"""The name of a longer IRI is no words, and the expressions take their time with it."""
_SEPARATORS: Final = re.compile(r"[\s_+,;=~\-]+")
_HUMP: Final = re.compile(
    r"(?<=[a-zß-öø-ÿ])(?=[A-ZÀ-ÖØ-Þ])"  # hasCategory
    r"|(?<=[A-ZÀ-ÖØ-Þ])(?=[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ])"  # URLList
    r"|(?<=[^\W\d_]{2})(?=\d)"  # Winter1932, not h2o
    r"|(?<=\d)(?=[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ])"  # 1932Games, not 2nd
)
_OPAQUE: Final = re.compile(
    r"[\W\d_]*"  # no letter: 12, 2024-01-01
    r"|[^\W\d_]{0,2}[_-]?\d+"  # q3, Q42, P31, id7
    r"|.*[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}.*"  # a UUID, with a prefix or without
    r"|(?=[a-fA-F]*\d)[0-9a-fA-F]{12,}"  # a digest
    r"|(?=(?:[^\W\d_]*\d+[^\W\d_]+){3})[^\W_]{10,}",  # 7Xk2Bq9aLm3
    re.DOTALL,
)


def local_name(iri: str) -> str:
    """Return the last part of an IRI that is not empty, percent-decoded: `AL` of `http://ex.org/countries/AL/`.

    Empty where there is none: `http://ex.org/` names a host, not something by a local name.
    """
    found = _LAST.search(_AUTHORITY.sub("", iri).rstrip("/#:"))
    return _decoded(found[0]) if found else ""


def is_row(iri: str) -> bool:
    """Whether an IRI names a row of a table (see `words`)."""
    return _ROW.search(iri) is not None


def words(iri: str) -> str | None:
    """Return the local name of an IRI in words, or None where it says nothing: `q3`, a UUID, a number.

    `hasCategory` is "has category", `LakePlacid` "Lake Placid", `state_name` "state name", and the row
    `city/id=7` of a table "city 7".
    """
    if len(iri) > _LONGEST:
        return None
    row = _ROW.search(iri)
    if row is not None:
        values = [pair.partition("=")[2] for pair in row[2].split(";")]
        return " ".join(filter(None, (split_words(_decoded(each)) for each in (row[1], *values)))) or None
    name = local_name(iri)
    return None if _OPAQUE.fullmatch(name) else split_words(name) or None


def split_words(name: str) -> str:
    """Return a name split into words: at underscores, hyphens, and where capitals or digits begin a word."""
    found = [word for part in _SEPARATORS.split(name) for word in _HUMP.split(part) if word]
    if name[:1].islower():  # hasCategory: capitals only mark where a word begins, but URL is one
        found = [word if word.isupper() and len(word) > 1 else word[0].lower() + word[1:] for word in found]
    return " ".join(found)


def _decoded(name: str) -> str:
    """Decode percent signs; what is not UTF-8 then stays as it was."""
    try:
        return unicodedata.normalize("NFC", unquote(name, errors="strict"))
    except UnicodeDecodeError:
        return name
