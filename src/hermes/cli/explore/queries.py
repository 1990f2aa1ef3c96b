"""Whole SPARQL queries, typed, pasted or loaded: taken as the steps that build them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from hermes.algebra import Action, parse_query
from hermes.errors import HermesError
from hermes.explanation.order import natural_order, operators
from hermes.sparql.tokens import tokenize

if TYPE_CHECKING:
    from hermes.kg import KG

_BEGINS: Final = re.compile(r"(?:prefix\s+\S*:|(?:base|select|insert|delete)\b(?!:))", re.IGNORECASE)
_PROLOGUE: Final = re.compile(r"(?:\s*@?prefix\s+[^\s:]*:\s*<[^<>]*>\s*\.?\s*)+", re.IGNORECASE)
_FORM: Final = re.compile(
    r"(?:ask\s*(?:where\s*)?\{|construct\s*(?:\{[^}]*\}\s*)?where\b|describe\b.*?\bwhere\b)",
    re.IGNORECASE | re.DOTALL,
)


def is_query(text: str) -> bool:
    """Whether a text begins as a whole query does; an action may be called `ask` or `describe` too."""
    return bool(_BEGINS.match(text) or _FORM.match(text)) and not is_prologue(text)


def is_prologue(text: str) -> bool:
    """Whether a text declares prefixes and says nothing else."""
    return bool(_PROLOGUE.fullmatch(text))


def query_actions(text: str, kg: KG) -> list[Action]:
    """Return the actions that build a query, in an order that reads naturally and gives the same solutions.

    The query may use the prefixes of the graph without declaring them; names are shortened by these.

    Raises:
        HermesError: the text is no query that hermes reads.
    """
    plan = parse_query(text, prefixes=kg.prefixes)
    ordered = natural_order(plan, kg.vocabulary if kg.vocabulary_known else None)
    return [Action.of(operator, kg.prefixes) for operator in operators(ordered)]


def lines_of(text: str) -> Iterator[str]:
    """Yield what a text says, a line each, or several lines that belong together; comments are left out."""
    kept: list[str] = []
    for line in text.split("\n"):
        if not kept and (not line.strip() or line.lstrip().startswith("#")):
            continue
        kept.append(line)
        if not unfinished("\n".join(kept)):
            yield "\n".join(kept).strip()
            kept = []
    if kept:
        yield "\n".join(kept).strip()


def unfinished(text: str) -> bool:
    """Whether more lines belong to a text: a brace is open, or a query has not come to its braces."""
    try:
        tokens = tokenize(text)
    except HermesError:
        return False
    braces = [word for word, kind in zip(tokens.texts, tokens.kinds, strict=True) if kind == "PUNCT"]
    left = braces.count("{") - braces.count("}")
    return left > 0 or (is_query(text) and "{" not in braces)
