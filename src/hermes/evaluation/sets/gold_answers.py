"""Gold answers as sets state them: SPARQL 1.1 Query Results JSON, with the liberties that are met."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from hermes.evaluation.sets.faults import FileFault
from hermes.results import Result, Table, Truth
from hermes.sparql.iris import is_absolute
from hermes.term_json import term_from_json
from hermes.terms import FALSE, IRI, TRUE, XSD, Literal, Term

_TRUTHS: Final = {"true": True, "false": False}
_COLUMN: Final = "value"


def stated_answers(found: Any) -> Result | None:
    """Return the answers of the field `answers`; None where it states nothing: absent, null, `[]`, `[{}]`.

    Of several result sets the first one counts, as in Gerbil. A list of plain values is one column.

    Raises:
        FileFault: the field holds something else.
    """
    if isinstance(found, list) and found and not _is_result(found[0]) and found != [{}]:
        return Table((_COLUMN,), tuple({_COLUMN: _plain(value)} for value in found))
    if isinstance(found, list):
        found = found[0] if found else None
    if found is None or found == {}:
        return None
    if isinstance(found, bool):
        return Truth(found)
    if not isinstance(found, dict):
        raise FileFault(f"its answers are a {type(found).__name__}, not SPARQL JSON results")
    if "boolean" in found:
        return Truth(_truth(found["boolean"]))
    if "results" not in found:
        raise FileFault("its answers have neither `results` nor `boolean`")
    return _table(found)


def _is_result(found: Any) -> bool:
    return isinstance(found, dict) and not isinstance(found.get("type"), str)


def _truth(found: Any) -> bool:
    if isinstance(found, bool):
        return found
    if isinstance(found, str) and found.lower() in _TRUTHS:
        return _TRUTHS[found.lower()]
    raise FileFault(f"its answer `boolean` is {found!r:.40}, not true or false")


def _table(found: Mapping[str, Any]) -> Table:
    head, results = found.get("head") or {}, found["results"] or {}
    if not isinstance(head, dict) or not isinstance(results, dict):
        raise FileFault("its answers are no SPARQL JSON results: `head` and `results` are objects")
    names, bindings = head.get("vars") or [], results.get("bindings") or []
    if not isinstance(names, list) or not isinstance(bindings, list):
        raise FileFault("its answers are no SPARQL JSON results: `vars` and `bindings` are lists")
    columns = dict.fromkeys(str(name).removeprefix("?") for name in names)
    rows = []
    for number, binding in enumerate(bindings, 1):
        if binding is not None and not isinstance(binding, dict):
            raise FileFault(f"row {number} of its answers is a {type(binding).__name__}, not an object")
        row = {
            name.removeprefix("?"): _term(value, number) for name, value in (binding or {}).items() if value
        }
        columns |= dict.fromkeys(row)
        rows.append(row)
    return Table(tuple(columns), tuple(rows))


def _term(found: Any, row: int) -> Term:
    if isinstance(found, dict):
        value = found.get("value")
        if isinstance(value, bool | int | float):
            value = str(value).lower() if isinstance(value, bool) else str(value)
        language = found.get("xml:lang") or found.get("lang")
        read = found | {
            "type": str(found.get("type", "literal")).lower(),
            "value": value,
            "xml:lang": language,
        }
        if not read.get("datatype"):
            read.pop("datatype", None)
        if isinstance(read.get("datatype", ""), str) and isinstance(language or "", str):
            with suppress(ValueError):
                return term_from_json(read | {"xml:lang": language or None})
    raise FileFault(f"row {row} of its answers holds what is no RDF term: {found!r:.60}")


def _plain(value: Any) -> Term:
    """Return the term of a plain value in a list of answers."""
    match value:
        case bool():
            return TRUE if value else FALSE
        case int():
            return Literal(str(value), XSD + "integer")
        case float():
            return Literal(repr(value), XSD + "double")
        case str():
            return (
                IRI(value)
                if value.startswith(("http://", "https://")) and is_absolute(value)
                else Literal(value)
            )
        case dict():
            return _term(value, 1)
        case _:
            raise FileFault(f"its answers hold {value!r:.40}, which is no value")
