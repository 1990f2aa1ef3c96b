"""Running the text of a query, whatever its form and whether or not hermes reads it."""

from __future__ import annotations

import re
from typing import Final

from hermes.algebra.parse_query import parse_query
from hermes.algebra.render import render
from hermes.errors import HermesError
from hermes.evaluation.features import gold_plan
from hermes.kg import KG
from hermes.results import Result, Truth

_ASIDE: Final = re.compile(r"<[^<>\s]*>|#[^\n\r]*|[\w.-]*:")
"""What may stand before the form of a query and look like it: IRIs, comments, prefixes."""
_FORM: Final = re.compile(r"\b(select|ask|construct|describe)\b", re.IGNORECASE)


def execute(kg: KG, sparql: str) -> Result:
    """Return the result of a query: rows, a truth value, or triples.

    A query is run as it is written. Only where it leaves out the declaration of a prefix in wide use, as many
    question sets do, the store gets it with its declarations.

    Raises:
        StoreError: the text is no query that the store executes, or it could not answer.
    """
    plan = gold_plan(sparql)
    form = plan.form if plan is not None else _form(sparql)
    if plan is not None and not _complete(sparql):
        sparql = render(plan, kg.header)
    if form == "ask":
        return Truth(kg.ask(sparql))
    return kg.construct(sparql) if form in ("construct", "describe") else kg.select(sparql)


def _form(sparql: str) -> str:
    found = _FORM.search(_ASIDE.sub(" ", sparql))
    return found[1].lower() if found else "select"


def _complete(sparql: str) -> bool:
    try:
        parse_query(sparql)
    except HermesError:
        return False
    return True
