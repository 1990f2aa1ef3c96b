"""Conditions on what a text contains (SPARQL 1.1, sections 17.4.3.8 to 17.4.3.14)."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from hermes.sparql.expressions import Call, Expression, Operation
from hermes.terms import XSD_STRING, Literal, Variable

_PLAIN: Final = re.compile(r"(?:\^|\.\*)?([A-Za-z0-9 _,'\"/:;#@&%=<>~-]+)(?:\$|\.\*)?")
"""A pattern of REGEX that is a text, perhaps with an anchor."""


class Contained(NamedTuple):
    """A text that the value of a variable has to contain; `folded` says that its case does not count."""

    variable: Variable
    text: str
    folded: bool


def contained(condition: Expression) -> Contained | None:
    """Return what a value contains where a condition is true; None where nothing of the kind follows."""
    found: Contained | None = None
    match condition:
        case Call("CONTAINS" | "STRSTARTS" | "STRENDS", (value, Literal(text))):
            found = _seen(value, text)
        case Call("REGEX", (value, Literal(pattern), *flags)):
            plain = _PLAIN.fullmatch(pattern)
            folded = flags == [Literal("i")]
            if plain is not None and (folded or flags in ([], [Literal("")])):
                found = _seen(value, plain[1].lower() if folded else plain[1], folded=folded)
        case Operation(("=",), (Call() as value, Literal(text, datatype))) if datatype == XSD_STRING:
            found = _seen(value, text)
        case Operation(("=",), (Literal(text, datatype), Call() as value)) if datatype == XSD_STRING:
            found = _seen(value, text)
    return found


def _seen(value: Expression, text: str, *, folded: bool = False) -> Contained | None:
    """Return whose text a value shows: of STR all of it, of LCASE and UCASE all but its case."""
    outermost = True
    while isinstance(value, Call) and value.function in ("STR", "LCASE", "UCASE"):
        if value.function == "UCASE" and outermost:
            text = text.lower()
        if value.function != "STR":
            folded, outermost = True, False
        value = value.arguments[0]
    if not isinstance(value, Variable) or (folded and not text.isascii()):
        return None
    return Contained(value, text, folded)
