"""Rows as tables of HTML: names with their labels, and what is left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from hermes.algebra.observation import Asked, Built, Observation, Rejected, Solutions
from hermes.pages.markup import Markup, joined, tag
from hermes.printable import clip
from hermes.terms import IRI, Prefixes, Row, Term, term_text

_TRIPLE: Final = ("subject", "predicate", "object")
_LONGEST: Final = 300
"""Characters of a value; a page is no export."""


def answer_of(seen: Observation | None, labels: Mapping[IRI, str], prefixes: Prefixes) -> Markup:
    """Return what a query gives: its first rows or triples, or a truth value."""
    match seen:
        case Asked(value=value):
            return tag("p", "true" if value else "false", class_="truth")
        case Solutions(count=0):
            return tag("p", "No solutions.")
        case Solutions(sample=rows, variables=names, count=count, capped=capped):
            more = left_out(count - len(rows), capped=capped)
            return joined(term_table(rows, names, labels, prefixes, caption="First rows"), more)
        case Built(sample=triples, count=count, capped=capped):
            built = [dict(zip(_TRIPLE, (t.subject, t.predicate, t.object), strict=True)) for t in triples]
            more = left_out(count - len(built), capped=capped)
            return joined(term_table(built, _TRIPLE, labels, prefixes, caption="First triples"), more)
        case Rejected(message=message):
            return tag("p", f"Not known: {message}")
        case _:
            return tag("p", "The query says nothing yet.")


def left_out(more: int, *, capped: bool) -> Markup:
    """Return how many rows are not shown; nothing where all are."""
    return tag("p", f"and {more:,}{'+' * capped} more", class_="note") if more > 0 else Markup("")


def term_table(
    rows: Sequence[Row],
    variables: Sequence[str],
    labels: Mapping[IRI, str],
    prefixes: Prefixes,
    *,
    caption: str,
) -> Markup:
    """Return rows as a table; a name with a label has both, an unbound variable a dash."""
    head = tag("tr", *(tag("th", f"?{name}", scope="col") for name in variables))
    body = (
        tag("tr", *(tag("td", _cell(row.get(name), labels, prefixes)) for name in variables)) for row in rows
    )
    table = tag("table", tag("caption", caption), tag("thead", head), tag("tbody", *body))
    return tag("div", table, class_="wide")


def _cell(term: Term | None, labels: Mapping[IRI, str], prefixes: Prefixes) -> Markup:
    if term is None:
        return tag("span", "\N{EN DASH}", class_="unbound", title="unbound")
    short = clip(term_text(term, prefixes.names()), _LONGEST)
    label = labels.get(term) if isinstance(term, IRI) else None
    if label is None:
        return tag("code", short)
    return joined(clip(label, _LONGEST), " ", tag("code", short))
