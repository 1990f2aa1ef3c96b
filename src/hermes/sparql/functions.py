"""The built-in functions and aggregates of SPARQL 1.1 (rules 121 and 127) with their arities."""

from __future__ import annotations

from typing import Final

ANY: Final = 10_000

BUILT_INS: Final[dict[str, tuple[int, int]]] = {
    "STR": (1, 1), "LANG": (1, 1), "LANGMATCHES": (2, 2), "DATATYPE": (1, 1), "IRI": (1, 1), "URI": (1, 1),
    "BNODE": (0, 1), "RAND": (0, 0), "ABS": (1, 1), "CEIL": (1, 1), "FLOOR": (1, 1), "ROUND": (1, 1),
    "CONCAT": (0, ANY), "STRLEN": (1, 1), "UCASE": (1, 1), "LCASE": (1, 1), "ENCODE_FOR_URI": (1, 1),
    "CONTAINS": (2, 2), "STRSTARTS": (2, 2), "STRENDS": (2, 2), "STRBEFORE": (2, 2), "STRAFTER": (2, 2),
    "YEAR": (1, 1), "MONTH": (1, 1), "DAY": (1, 1), "HOURS": (1, 1), "MINUTES": (1, 1), "SECONDS": (1, 1),
    "TIMEZONE": (1, 1), "TZ": (1, 1), "NOW": (0, 0), "UUID": (0, 0), "STRUUID": (0, 0), "MD5": (1, 1),
    "SHA1": (1, 1), "SHA256": (1, 1), "SHA384": (1, 1), "SHA512": (1, 1), "COALESCE": (0, ANY), "IF": (3, 3),
    "STRLANG": (2, 2), "STRDT": (2, 2), "SAMETERM": (2, 2), "ISIRI": (1, 1), "ISURI": (1, 1),
    "ISBLANK": (1, 1), "ISLITERAL": (1, 1), "ISNUMERIC": (1, 1), "REGEX": (2, 3), "SUBSTR": (2, 3),
    "REPLACE": (3, 4), "BOUND": (1, 1),
}  # fmt: skip
"""Name in capitals: least and greatest number of arguments."""

AGGREGATES: Final = frozenset({"COUNT", "SUM", "MIN", "MAX", "AVG", "SAMPLE", "GROUP_CONCAT"})

VOLATILE: Final = frozenset({"RAND", "UUID", "STRUUID", "BNODE", "SAMPLE"})
"""Written twice, these may give two values: an alias over one of them cannot be written out."""
