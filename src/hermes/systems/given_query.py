"""A query that was written by something else, as an answer."""

from __future__ import annotations

import re
from typing import Final

from hermes.algebra.parse_query import parse_query
from hermes.algebra.plan import Plan
from hermes.algebra.render import render
from hermes.errors import HermesError, PlanError, SparqlSyntaxError
from hermes.kg import KG
from hermes.printable import clip
from hermes.repair.repairs import refuse_calls
from hermes.store.scan import refuse_service
from hermes.systems.answer import Answer

_BEGINNING: Final = re.compile(
    r"(?:\s|\#[^\n]*\n|base\s*<[^<>\s]*>|prefix\s*[^\s:<>]*:\s*<[^<>\s]*>)*+(?:select|ask|construct|describe)\b",
    re.IGNORECASE,
)
"""How every query begins: with a prologue and its form."""
_SHOWN: Final = 80


def given_query(text: str, author: str, kg: KG) -> Answer:
    """Return the answer that is a query as text, with its plan where hermes reads it; it is not run.

    A query that begins as one but is not read (an engine has its own functions and clauses) is left to the
    store. Prefixes of the graph need not be declared.

    Args:
        text: what was written.
        author: what wrote it, for the message of an error.
        kg: the graph that it is about.

    Raises:
        HermesError: there is no text, or no query (code `command-output`), it is an update (`update`), or
            it calls a host that the graph does not allow (`service-refused`).
    """
    if not text.strip():
        raise HermesError(f"{author} printed nothing; a query was expected", code="command-output")
    try:
        plan, sparql = _read(text, kg)
    except (SparqlSyntaxError, PlanError) as error:
        if error.code == "update":
            raise
        if not _BEGINNING.match(text):
            first = clip(text.strip().split("\n")[0], _SHOWN)
            raise HermesError(
                f'{author} printed no SPARQL query: "{first}"', code="command-output"
            ) from error
        refuse_service(text, kg.allow_services)
        return Answer(sparql=text)
    refuse_calls(plan, kg)
    return Answer(plan=plan, sparql=sparql)


def _read(text: str, kg: KG) -> tuple[Plan, str]:
    try:
        return parse_query(text), text
    except (SparqlSyntaxError, PlanError) as error:
        if error.code != "unknown-prefix":
            raise
    plan = parse_query(text, prefixes=kg.prefixes)
    return plan, render(plan, kg.header)
