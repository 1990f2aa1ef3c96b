"""A query text with its tokens marked, for a style sheet to colour."""

from __future__ import annotations

from typing import Final

from hermes.errors import SparqlSyntaxError
from hermes.pages.markup import Markup, joined, tag
from hermes.sparql.tokens import tokenize

_CLASSES: Final = {
    "VAR": "variable", "PNAME": "name", "IRI": "name", "WORD": "word", "STRING": "literal",
    "LANGTAG": "literal", "DOUBLE": "literal", "DECIMAL": "literal", "INTEGER": "literal",
}  # fmt: skip


def highlighted(query: str) -> Markup:
    """Return the text of a query as markup: words, variables, names, literals and comments in spans."""
    try:
        tokens = tokenize(query)
    except SparqlSyntaxError:
        return joined(query)
    found, at = [], 0
    for kind, token, start in zip(tokens.kinds, tokens.texts, tokens.starts, strict=True):
        between = tokens.text[at:start]
        found.append(tag("span", between, class_="comment") if "#" in between else between)
        name = _CLASSES.get(kind)
        found.append(token if name is None else tag("span", token, class_=name))
        at = start + len(token)
    return joined(*found)
