"""Edits that make two spellings of a query comparable: both texts get the same ones.

An engine in a test cannot call a SERVICE, and RAND or SAMPLE may differ between two right answers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from oracle.constants import Names
from oracle.selects import Select, aliases, outer, section, selects
from oracle.tokens import Token, closing, join, tokenize

_NOW: Final = '"2024-05-06T07:08:09Z"^^<http://www.w3.org/2001/XMLSchema#dateTime>'
_DAY: Final = re.compile(r"""["'](\d{4})-(\d\d)-(\d\d)["']""")
_SETTLED: Final = {"RAND": "0.5e0", "NOW": _NOW, "UUID": "<urn:uuid:0>", "STRUUID": '"uuid"'}
"""What a call that gives something new each time is replaced with."""


def drop_service(tokens: Sequence[Token]) -> list[Token]:
    """Make each `SERVICE [SILENT] endpoint { ... }` a plain nested group."""
    kept: list[Token] = []
    index = 0
    while index < len(tokens):
        if tokens[index].says("SERVICE"):
            index += 3 if tokens[index + 1].says("SILENT") else 2
        else:
            kept.append(tokens[index])
            index += 1
    return kept


def settle(tokens: Sequence[Token]) -> list[Token]:
    """Replace what may differ between two right answers: RAND and its like, SAMPLE, REDUCED."""
    kept: list[Token] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        word = token.text.upper() if token.kind == "word" else ""
        if word in _SETTLED and tokens[index + 1].says("("):
            kept.append(Token("settled", _SETTLED[word], token.lead))
            index = closing(tokens, index + 1) + 1
            continue
        if word == "SAMPLE":
            kept.append(Token("word", "MIN", token.lead))
        elif word != "REDUCED":
            kept.append(token)
        index += 1
    return kept


def strip_slices(tokens: Sequence[Token]) -> list[Token]:
    """Drop every LIMIT and OFFSET: without a total order they choose freely."""
    kept: list[Token] = []
    index = 0
    while index < len(tokens):
        if tokens[index].says("LIMIT", "OFFSET"):
            index += 2
        else:
            kept.append(tokens[index])
            index += 1
    return kept


def slices(tokens: Sequence[Token]) -> list[tuple[str, int]]:
    """Return every LIMIT and OFFSET of the text, sorted (OFFSET 0 says nothing and is left out)."""
    found = [
        (token.text.upper(), int(tokens[index + 1].text))
        for index, token in enumerate(tokens)
        if token.says("LIMIT", "OFFSET")
    ]
    return sorted(pair for pair in found if pair != ("OFFSET", 0))


def _written_out(
    tokens: Sequence[Token], meanings: dict[str, list[Token]], seen: frozenset[str] = frozenset()
) -> list[Token]:
    """Return `tokens` with each alias replaced by its bracketed expression, recursively."""
    kept: list[Token] = []
    for token in tokens:
        name = token.text[1:]
        if token.kind == "var" and name in meanings and name not in seen:
            inner = _written_out(meanings[name], meanings, seen | {name})
            kept += [Token("op", "("), *inner, Token("op", ")")]
        else:
            kept.append(token)
    return kept


def write_out_having(tokens: Sequence[Token]) -> list[Token]:
    """Write the aliases in HAVING out as their expressions.

    `HAVING (?n > 2)` over `COUNT(?x) AS ?n` means nothing by the letter of SPARQL (the alias is not
    in scope there) and selects no row; hermes deliberately writes what was meant.
    """
    edited = list(tokens)
    # Inner ones stand later in the text: from the back, earlier indexes stay right.
    for select in reversed(list(selects(edited))):
        part = section(edited, select, "HAVING")
        if part is not None:
            edited[part[0] : part[1]] = _written_out(edited[part[0] : part[1]], aliases(edited, select))
    return edited


def order_keys(tokens: Sequence[Token], select: Select) -> list[str]:
    """Return the expressions of the ORDER BY of `select` without their direction."""
    part = section(tokens, select, "ORDER")
    keys: list[str] = []
    index, end = part or (0, 0)
    while index < end:
        start = index
        index += int(tokens[index].says("ASC", "DESC"))
        first = index
        # A call is its name and its brackets; everything else is one token or one bracket.
        index += int(tokens[index].kind in {"word", "name", "iri"})
        index = closing(tokens, index) + 1 if tokens[index].says("(") else max(index, first + 1)
        if index <= start:
            break
        keys.append(join(tokens[first:index]).strip())
    return keys


def expose_order(tokens: Sequence[Token]) -> str | None:
    """Return the query with its sort keys as columns `_k0`, `_k1`, ..., or None where that cannot be.

    DISTINCT goes, for it could not stand over the new columns; the caller compares sequences of keys.
    """
    select = outer(tokens)
    if select is None:
        return None
    keys = order_keys(tokens, select)
    if not keys or any(t.says("*") for t in tokens[select.start + 1 : select.start + 3]):
        return None
    head = tokens[select.start + 1 + int(tokens[select.start + 1].says("DISTINCT")) : select.opening]
    where = next((i for i, t in enumerate(head) if t.says("WHERE", "FROM")), len(head))
    columns = "".join(f" ({key} AS ?_k{number})" for number, key in enumerate(keys))
    return (
        join(tokens[: select.start + 1])
        + join(head[:where])
        + columns
        + join(head[where:])
        + join(tokens[select.opening :])
    )


def spell_out(tokens: Sequence[Token], names: Names) -> list[Token]:
    """Write every prefixed name that is not part of the prologue as a full IRI."""
    prologue = {index + 1 for index, token in enumerate(tokens) if token.says("PREFIX")}
    return [
        Token("iri", str(names.iri(token)), token.lead)
        if token.kind == "name" and index not in prologue
        else token
        for index, token in enumerate(tokens)
    ]


def whole_moments(tokens: Sequence[Token]) -> list[Token]:
    """Complete `"1700-01-01"^^xsd:dateTime`, as Wikidata's engine does: here it could only be an error."""
    edited = list(tokens)
    for index, token in enumerate(tokens[:-2]):
        found = _DAY.fullmatch(token.text) if token.kind == "string" else None
        if found and tokens[index + 1].says("^^") and tokens[index + 2].text.rstrip(">").endswith("dateTime"):
            month, day = (part.replace("00", "01") for part in found.groups()[1:])
            edited[index] = Token("string", f'"{found[1]}-{month}-{day}T00:00:00Z"', token.lead)
    return edited


def comparable(text: str) -> list[Token]:
    """Return the tokens of `text` after all edits that keep what it means."""
    return write_out_having(whole_moments(settle(drop_service(tokenize(text)))))
