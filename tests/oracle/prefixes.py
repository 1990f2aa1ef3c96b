"""The prefixes that published Wikidata and DBpedia queries leave out: their endpoints declare them."""

from __future__ import annotations

from typing import Final

_COMMON: Final = {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "schema": "http://schema.org/",
    "dc": "http://purl.org/dc/elements/1.1/",
    "dct": "http://purl.org/dc/terms/",
    "dcterms": "http://purl.org/dc/terms/",
    "geo": "http://www.opengis.net/ont/geosparql#",
    "prov": "http://www.w3.org/ns/prov#",
}
_WD: Final = "http://www.wikidata.org/"
WIKIDATA: Final = _COMMON | {
    "wd": _WD + "entity/",
    "wds": _WD + "entity/statement/",
    "wdv": _WD + "value/",
    "wdref": _WD + "reference/",
    "wdt": _WD + "prop/direct/",
    "wdtn": _WD + "prop/direct-normalized/",
    "wdno": _WD + "prop/novalue/",
    "wdata": "http://www.wikidata.org/wiki/Special:EntityData/",
    "p": _WD + "prop/",
    "ps": _WD + "prop/statement/",
    "psv": _WD + "prop/statement/value/",
    "psn": _WD + "prop/statement/value-normalized/",
    "pq": _WD + "prop/qualifier/",
    "pqv": _WD + "prop/qualifier/value/",
    "pqn": _WD + "prop/qualifier/value-normalized/",
    "pr": _WD + "prop/reference/",
    "prv": _WD + "prop/reference/value/",
    "prn": _WD + "prop/reference/value-normalized/",
    "wikibase": "http://wikiba.se/ontology#",
    "ontolex": "http://www.w3.org/ns/lemon/ontolex#",
    "lexinfo": "http://www.lexinfo.net/ontology/2.0/lexinfo#",
    "bd": "http://www.bigdata.com/rdf#",
    "hint": "http://www.bigdata.com/queryHints#",
    "gas": "http://www.bigdata.com/rdf/gas#",
    "mwapi": "https://www.mediawiki.org/ontology#API/",
    "geof": "http://www.opengis.net/def/geosparql/function/",
    "cc": "http://creativecommons.org/ns#",
}
DBPEDIA: Final = _COMMON | {
    "": "http://dbpedia.org/resource/",
    "dbo": "http://dbpedia.org/ontology/",
    "dbp": "http://dbpedia.org/property/",
    "dbpedia": "http://dbpedia.org/resource/",
    "dbpedia2": "http://dbpedia.org/property/",
    "dbr": "http://dbpedia.org/resource/",
    "res": "http://dbpedia.org/resource/",
    "dbc": "http://dbpedia.org/resource/Category:",
    "onto": "http://dbpedia.org/ontology/",
    "yago": "http://dbpedia.org/class/yago/",
    "umbel": "http://umbel.org/umbel/rc/",
    "geo": "http://www.w3.org/2003/01/geo/wgs84_pos#",
    "georss": "http://www.georss.org/georss/",
    "bif": "http://www.openlinksw.com/schemas/bif#",
}


def missing_prefixes(kg: str, parses: str, features: list[str]) -> dict[str, str]:
    """Return the prefixes that a query of the collection for `kg` may leave out."""
    if kg == "wikidata" and (parses == "with-prefixes" or "SERVICE" in features):
        return WIKIDATA
    return DBPEDIA if parses == "with-prefixes" else {}
