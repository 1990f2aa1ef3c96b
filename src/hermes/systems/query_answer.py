"""The answer that the text of a query gives, within what hermes allows."""

from __future__ import annotations

from hermes.algebra.parse_query import parse_query
from hermes.algebra.plan import Plan
from hermes.algebra.render import render
from hermes.errors import HermesError
from hermes.kg import KG
from hermes.repair.repairs import refuse_calls
from hermes.results import Truth
from hermes.systems.answer import Answer


def query_answer(sparql: str, kg: KG) -> Answer:
    """Return what a SELECT or ASK query gives. It is run as it is written.

    Raises:
        ActionError: the text is no query that hermes reads; updates are none.
        PlanError: the query breaks a rule of SPARQL, calls a host that the graph does not allow (code
            `service-refused`), or gives triples (code `no-answer`).
        StoreError: the store could not answer.
    """
    plan = parse_query(sparql, prefixes=kg.prefixes)
    refuse_calls(plan, kg)
    if plan.form not in ("ask", "select"):
        raise HermesError(
            f"{plan.form.upper()} gives triples, which answer no question: use SELECT or ASK",
            code="no-answer",
        )
    text = runnable(sparql, plan, kg)
    return Answer(plan, text, Truth(kg.ask(text)) if plan.form == "ask" else kg.select(text))


def runnable(sparql: str, plan: Plan, kg: KG) -> str:
    """Return the text of a query as it is, or with the declarations of prefixes that it leaves out."""
    try:
        parse_query(sparql)
    except HermesError:
        return render(plan, kg.header)
    return sparql
