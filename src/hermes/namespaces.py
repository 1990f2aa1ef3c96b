"""The namespaces of a graph: splitting IRIs, choosing between prefixes, deriving those not declared."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from hermes.terms import WELL_KNOWN, Prefixes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MOST_DERIVED: Final = 20
"""At most so many prefixes are derived: a header is for reading."""

LONGEST_NAME: Final = 24

CUSTOMARY: Final = {
    "http://dbpedia.org/ontology/": "dbo",
    "http://dbpedia.org/property/": "dbp",
    "http://dbpedia.org/resource/": "dbr",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://purl.org/ontology/bibo/": "bibo",
    "http://purl.org/vocab/vann/": "vann",
    "http://rdfs.org/ns/void#": "void",
    "http://rdfs.org/sioc/ns#": "sioc",
    "http://wikiba.se/ontology#": "wikibase",
    "http://www.opengis.net/ont/geosparql#": "geo",
    "http://www.w3.org/2003/01/geo/wgs84_pos#": "wgs84",
    "http://www.w3.org/2006/time#": "time",
    "http://www.w3.org/2006/vcard/ns#": "vcard",
    "http://www.w3.org/ns/dcat#": "dcat",
    "http://www.w3.org/ns/org#": "org",
    "http://www.w3.org/ns/prov#": "prov",
    "http://www.w3.org/ns/shacl#": "sh",
    "http://www.wikidata.org/entity/": "wd",
    "http://www.wikidata.org/prop/": "p",
    "http://www.wikidata.org/prop/direct/": "wdt",
    "http://www.wikidata.org/prop/qualifier/": "pq",
    "http://www.wikidata.org/prop/statement/": "ps",
    "https://schema.org/": "schema",
}
"""The prefixes that people expect for namespaces that are in wide use."""

_DBPEDIA: Final = ("dbo", "dbp", "dbr")
_WIKIDATA: Final = ("p", "pq", "ps", "wd", "wdt", "wikibase")
OF_HOSTS: Final = {
    "dbpedia.org": _DBPEDIA,
    "live.dbpedia.org": _DBPEDIA,
    "qlever.cs.uni-freiburg.de": _WIKIDATA,
    "qlever.dev": _WIKIDATA,
    "query.wikidata.org": _WIKIDATA,
}
"""The endpoints that serve a graph whose prefixes everybody uses, by host."""

_SPLIT: Final = re.compile(r"(.*[/#:])([^/#:]*)", re.DOTALL)
_SHORT_LOCAL: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_NOT_NAME: Final = re.compile(r"[^a-z0-9_-]+")
_SAYS_NOTHING: Final = frozenset(
    ["www", "ns", "id", "data", "rdf", "owl", "core", "terms", "vocab", "vocabulary"]
)


def split(iri: str) -> tuple[str, str]:
    """Return the namespace and the local name of an IRI, cut after its last `/`, `#` or `:`."""
    found = _SPLIT.fullmatch(iri)
    return (found[1], found[2]) if found else ("", iri)


def combine(chosen: Mapping[str, str], declared: Mapping[str, str]) -> Prefixes:
    """Return the well-known prefixes with those that files declare and those that a person chose.

    Of two with the same name the person's wins over the file's, and the file's over the well-known one.
    Where two name the same namespace all are read, and the first in that order is written.
    """
    own = {**chosen, **{prefix: ns for prefix, ns in declared.items() if prefix not in chosen}}
    writers = {ns: prefix for prefix, ns in reversed(own.items())}
    known = {prefix: ns for prefix, ns in WELL_KNOWN.items() if own.get(prefix, ns) == ns}
    first = {prefix: ns for prefix, ns in known.items() if writers.get(ns, prefix) == prefix}
    return Prefixes(first | own | known)


def customary(url: str) -> dict[str, str]:
    """Return the prefixes that people use at an endpoint; none where that is not known.

    One host may serve several graphs: an address that names another one than Wikidata gets none of its
    prefixes.
    """
    parts = urlsplit(url)
    host = (parts.hostname or "").removeprefix("www.")
    wanted = OF_HOSTS.get(host, ())
    if host.startswith("qlever.") and "wikidata" not in parts.path:
        wanted = ()
    return {prefix: namespace for namespace, prefix in CUSTOMARY.items() if prefix in wanted}


def derive(counts: Mapping[str, int], known: Prefixes) -> Prefixes:
    """Return `known` and prefixes for the namespaces of the IRIs in `counts`, the most frequent first.

    `counts` says how often each IRI occurs. Only namespaces count whose local names can be written short.
    """
    found: Counter[str] = Counter()
    for iri, count in counts.items():
        namespace, local = split(iri)
        if _SHORT_LOCAL.fullmatch(local):
            found[namespace] += count
    for namespace in known.values():
        found.pop(namespace, None)
    result = dict(known)
    for namespace, _ in sorted(found.items(), key=lambda item: (-item[1], item[0]))[:MOST_DERIVED]:
        result[_free(_name(namespace), result)] = namespace
    return Prefixes(result)


def _free(name: str, taken: Iterable[str]) -> str:
    used = set(taken)
    candidate, number = name, 2
    while candidate in used:
        candidate, number = f"{name}{number}", number + 1
    return candidate


def _name(namespace: str) -> str:
    """Return a short name: the customary one, else the last word of the IRI that says something."""
    if namespace in CUSTOMARY:
        return CUSTOMARY[namespace]
    parts = urlsplit(namespace)
    host = (parts.hostname or "").removeprefix("www.").split(".")
    # The last label of a host is its top-level domain.
    words = [*reversed(host[:-1] or host), *re.split(r"[/:#]", f"{parts.path}#{parts.fragment}")]
    for word in reversed(words):
        name = _NOT_NAME.sub("", word.lower().removesuffix(".owl").removesuffix(".rdf")).strip("_-")
        if name and name[0].isalpha() and name not in _SAYS_NOTHING:
            return "ex" if name == "example" else name[:LONGEST_NAME].rstrip("_-")
    return "ns"
