"""Which software an endpoint runs, by what it says of itself."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Software:
    """A SPARQL server: its name for a reader, and as `engine`, under which its differences are listed."""

    name: str
    engine: str
    pattern: re.Pattern[str]


_KNOWN: Final = (
    Software("Virtuoso", "virtuoso", re.compile(r"virtuoso", re.IGNORECASE)),
    Software("Oxigraph", "oxigraph", re.compile(r"oxigraph", re.IGNORECASE)),
    Software("Apache Jena", "jena", re.compile(r"fuseki|jena", re.IGNORECASE)),
    Software("Blazegraph", "blazegraph", re.compile(r"blazegraph|bigdata|com\.bigdata", re.IGNORECASE)),
    Software("GraphDB", "graphdb", re.compile(r"graphdb|rdf4j", re.IGNORECASE)),
    Software("QLever", "qlever", re.compile(r"qlever|\"exception\"", re.IGNORECASE)),
)


def software(said: str) -> Software | None:
    """Return the software that a text tells, such as the header `Server` or an error message."""
    return next((known for known in _KNOWN if known.pattern.search(said)), None)
