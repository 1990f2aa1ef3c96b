"""Texts that a value would have to have in it, for a condition to be true (SPARQL 1.1, section 17.4.3)."""

from __future__ import annotations

import re
from typing import Final

from hermes.sparql.expressions import Call, Expression
from hermes.terms import XSD_STRING, Literal, Variable
from hermes.verifier.again.tokens import Solution, Tokens

_SPECIAL: Final = re.compile(r"[\\.\[\]{}()*+?^$|]|[^ -~]")


def lacks(condition: Expression, solution: Solution, tokens: Tokens) -> bool:
    """Whether the value of a variable lacks a text that a function of texts demands."""
    match condition:
        case Call("CONTAINS" | "STRSTARTS" | "STRENDS", (value, Literal(text))):
            return _without(value, text, solution, tokens)
        case Call("REGEX", (value, Literal(pattern))):
            return _without(value, _unanchored(pattern), solution, tokens)
        case Call("REGEX", (value, Literal(pattern), Literal(""))):
            return _without(value, _unanchored(pattern), solution, tokens)
        case Call("REGEX", (value, Literal(pattern), Literal("i"))):
            return _without(Call("LCASE", (value,)), _unanchored(pattern).lower(), solution, tokens)
    return False


def differs(left: Expression, right: Expression, solution: Solution, tokens: Tokens) -> bool:
    """Whether what a function makes of the text of a variable is never equal to a constant text."""
    for value, constant in ((left, right), (right, left)):
        if isinstance(value, Call) and isinstance(constant, Literal) and constant.datatype == XSD_STRING:
            return _without(value, constant.lexical, solution, tokens)
    return False


def _unanchored(pattern: str) -> str:
    """Return the text that a pattern stands for; nothing, which is everywhere, where it is no plain text."""
    text = pattern.removeprefix("^").removeprefix(".*").removesuffix("$").removesuffix(".*")
    return "" if _SPECIAL.search(text) else text


def _without(
    value: Expression, text: str, solution: Solution, tokens: Tokens, *, folded: bool = False
) -> bool:
    """Whether a text is not in what `value` shows of the term of a variable."""
    match value:
        case Call("STR", (inner,)):
            return _without(inner, text, solution, tokens, folded=folded)
        case Call("LCASE", (inner,)):
            return _without(inner, text, solution, tokens, folded=True)
        case Call("UCASE", (inner,)):
            return _without(inner, text if folded else text.lower(), solution, tokens, folded=True)
    token = solution.get(value) if isinstance(value, Variable) else None
    if not isinstance(token, int) or (folded and not text.isascii()):
        return False
    known = tokens.schema.fragments
    return bool((known.read & ~known.containing(text, folded=folded)) >> token & 1)
