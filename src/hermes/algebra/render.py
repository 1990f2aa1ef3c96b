"""A plan as SPARQL text. Rendering is deterministic, and no two plans have one text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from hermes.sparql.expressions import expression_text
from hermes.sparql.layout import layout
from hermes.sparql.modifiers import column_text, group_key_text
from hermes.terms import IriWriter, Names, parse_header, term_text

if TYPE_CHECKING:
    from hermes.algebra.plan import Plan

COUNT_NAME: Final = "_hermes_n"
NO_COLUMNS: Final = re.compile(r"\(1 AS \?_hermes_one[0-9]*\)|\?_hermes_none(?![A-Za-z0-9_])")
"""What stands for the columns of a plan that has none: see `_no_columns`."""


def render(plan: Plan, header: str = "") -> str:
    """Return the query of a plan, IRIs in full.

    With a `header` (PREFIX lines) its prefixes shorten the names, and those that are used are printed.

    Raises:
        SparqlSyntaxError: the header is no prologue.
    """
    names = parse_header(header).names()
    body = "\n".join(query_lines(plan, names, indent="  "))
    return prologue(names) + body


def render_count(plan: Plan, header: str = "", cap: int | None = None) -> str:
    """Return the query that counts the solutions of a plan as `?_hermes_n`, up to `cap` if there is one.

    ORDER BY is left out unless a slice, or the one implicit group, depends on it.
    """
    unordered = plan.variant(order_by=())
    if not plan.sliced and unordered.grouped == plan.grouped:
        plan = unordered
    if cap is not None:
        plan = plan.variant(limit=cap if plan.limit is None else min(cap, plan.limit))
    names = parse_header(header).names()
    inner = sub_query_text(plan.variant(dataset=()), names)
    dataset = "".join(line + " " for line in _dataset_lines(plan, names))
    query = f"SELECT (COUNT(*) AS ?{COUNT_NAME}) {dataset}WHERE {{ {inner} }}"
    return prologue(names) + query


def prologue(names: Names) -> str:
    """Return the PREFIX lines of the names that were used."""
    return "".join(f"PREFIX {prefix}: <{namespace}>\n" for prefix, namespace in names.used.items())


def sub_query_text(plan: Plan, names: IriWriter) -> str:
    """Return a plan as a sub-query in braces on one line."""
    return f"{{ {' '.join(query_lines(plan, names, top=False))} }}"


def query_lines(plan: Plan, names: IriWriter, indent: str = "", *, top: bool = True) -> list[str]:
    """Return the lines of a query without its prologue; joined by spaces they are the query too."""
    lines = [_form_line(plan, names, top=top), *_dataset_lines(plan, names)]
    if plan.form != "describe" or plan.where.elements or plan.where.filters:
        where = plan.where.lines(names)
        if indent:
            where = [indent + line for long in where for line in layout(long)]
        lines += ["WHERE {", *where, "}"]
    return [*lines, *_modifier_lines(plan, names)]


def _modifier_lines(plan: Plan, names: IriWriter) -> list[str]:
    lines = []
    if plan.group_by:
        lines.append("GROUP BY " + " ".join(group_key_text(key, names) for key in plan.group_by))
    if plan.having:
        conditions = (expression_text(condition, names) for condition in plan.having)
        lines.append("HAVING " + " ".join(f"({condition})" for condition in conditions))
    if plan.order_by:
        lines.append("ORDER BY " + " ".join(key.text(names) for key in plan.order_by))
    if plan.limit is not None:
        lines.append(f"LIMIT {plan.limit}")
    if plan.offset:
        lines.append(f"OFFSET {plan.offset}")
    if plan.values is not None:
        lines.append(plan.values.text(names))
    return lines


def modifier_lines(plan: Plan, names: IriWriter) -> list[str]:
    """Return a text for each thing outside WHERE that was said, as `remove` takes it."""
    lines = _dataset_lines(plan, names)
    if plan.form != "select":
        lines.append(plan.form.upper())
    elif plan.projected:
        lines.append("SELECT " + " ".join(column_text(column, names) for column in plan.projection))
    else:
        lines += [alias.text(names) for alias in plan.aggregates]
    lines += ["DISTINCT"] * plan.distinct + ["REDUCED"] * plan.reduced
    return [*lines, *_modifier_lines(plan, names)]


def _form_line(plan: Plan, names: IriWriter, *, top: bool) -> str:
    if plan.form == "ask":
        return "ASK"
    if plan.form == "construct":
        triples = "".join(f"{triple.text(names)} . " for triple in plan.template)
        return f"CONSTRUCT {{ {triples}}}"
    if plan.form == "describe":
        return "DESCRIBE " + " ".join(term_text(term, names) for term in plan.described)
    word = "SELECT DISTINCT" if plan.distinct else "SELECT REDUCED" if plan.reduced else "SELECT"
    columns = " ".join(column_text(column, names) for column in plan.projection)
    return f"{word} {columns or _no_columns(plan, top=top)}"


def _no_columns(plan: Plan, *, top: bool) -> str:
    """Return what stands for the columns of a plan without variables.

    At the top it is a constant. A sub-query selects a name that nothing binds, which joins with everything;
    groups may not, so they select a constant under a name that no group inside has.
    """
    if top:
        return "(1 AS ?_hermes_one)"
    return f"(1 AS ?_hermes_one{plan.where.depth()})" if plan.grouped else "?_hermes_none"


def _dataset_lines(plan: Plan, names: IriWriter) -> list[str]:
    return [f"FROM {'NAMED ' if clause.named else ''}{names(clause.graph.value)}" for clause in plan.dataset]
