"""SPARQL text to a plan (SPARQL 1.1, rules 1 to 28). A query is built by the operators that it shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NoReturn

from hermes.algebra.operators.dataset import From
from hermes.algebra.operators.distinct import Distinct, Reduced
from hermes.algebra.operators.forms import Construct, Describe, as_ask
from hermes.algebra.operators.grouping import Group, Having
from hermes.algebra.operators.order import Limit, Offset, Order
from hermes.algebra.operators.project import Project
from hermes.algebra.operators.subquery import Subquery
from hermes.algebra.operators.values import Values, values
from hermes.algebra.plan import Plan
from hermes.algebra.render import NO_COLUMNS
from hermes.errors import PlanError
from hermes.sparql.modifiers import Column
from hermes.sparql.parser import Context, Parser
from hermes.sparql.patterns import TriplePattern, begins_with
from hermes.terms import IRI, NO_PREFIXES, Prefixes, Variable

FALLBACK_BASE: Final = "file:///"
"""What relative IRIs are resolved against where neither the query nor the caller gives a base."""

_UPDATES: Final = frozenset(
    {"INSERT", "DELETE", "LOAD", "CLEAR", "CREATE", "DROP", "COPY", "MOVE", "ADD", "WITH"}
)


def parse_query(text: str, *, base: str | None = None, prefixes: Mapping[str, str] = NO_PREFIXES) -> Plan:
    """Read a SPARQL 1.1 query into a plan.

    `base` resolves relative IRIs (default: `file:///`); `prefixes` are known besides those that the query
    declares. The plan keeps them all, so that later actions may use them.

    Raises:
        SparqlSyntaxError: the text is no SPARQL 1.1 query; updates are not read at all.
        PlanError: the query breaks a rule of scope, or uses a prefix that is not declared.
    """
    declared = dict(prefixes)
    parser = Parser(text, Context(declared, base=base or FALLBACK_BASE))
    _prologue(parser, declared)
    word = parser.keyword()
    if word == "SELECT":
        plan = select(parser, top=True)
    elif word == "ASK":
        plan = _ask(parser)
    elif word == "CONSTRUCT":
        plan = _construct(parser)
    elif word == "DESCRIBE":
        plan = _describe(parser)
    else:
        _no_query(parser, word)
    parser.expect_end("query")
    return plan.evolve(prefixes=Prefixes(declared))


def declared_prefixes(text: str, *, base: str | None = None) -> Prefixes:
    """Return the prefixes that a query declares; the rest of it is not looked at.

    Raises:
        SparqlSyntaxError: the prologue is none, or the text holds what begins no token.
    """
    declared: dict[str, str] = {}
    _prologue(Parser(text, Context(declared, base=base or FALLBACK_BASE)), declared)
    return Prefixes(declared)


def _no_query(parser: Parser, word: str) -> NoReturn:
    if word in _UPDATES:
        parser.fault(
            f"{word} changes a graph; hermes only reads: SELECT, ASK, CONSTRUCT, DESCRIBE", code="update"
        )
    parser.fail("PREFIX, SELECT, ASK, CONSTRUCT or DESCRIBE")


def _prologue(parser: Parser, declared: dict[str, str]) -> None:
    while True:
        if parser.take_word("BASE"):
            parser.context.base = parser.iri("the base IRI").value
        elif parser.take_word("PREFIX"):
            name = parser.texts[parser.at]
            if parser.kinds[parser.at] != "PNAME" or not name.endswith(":") or name.count(":") > 1:
                parser.fail("a prefix and a colon (ex:)")
            parser.at += 1
            if parser.kinds[parser.at] != "IRI":
                parser.fail("the namespace in <...>")
            declared[name[:-1]] = parser.iri().value
        else:
            return


# --- SELECT -----------------------------------------------------------------------------------


def select(parser: Parser, *, top: bool) -> Plan:
    """Read a SELECT query; `top` says whether it may name a dataset (rules 7 and 8)."""
    parser.expect_word("SELECT")
    distinct, reduced = parser.take_word("DISTINCT"), parser.take_word("REDUCED")
    if distinct and reduced:
        parser.fault("DISTINCT and REDUCED exclude each other")
    columns = _columns(parser)
    plan = _where(parser, _dataset(parser, Plan()) if top else Plan())
    plan, conditions = _grouping(parser, plan)
    rest = _order_and_slice(parser)
    plan = _project(_trailing_values(parser, plan), columns)
    for condition in conditions:
        plan = condition.added_to(plan)
    if distinct or reduced:
        plan = (Distinct() if distinct else Reduced()).apply(plan)
    for operator in rest:
        plan = operator.apply(plan)
    return plan


def _columns(parser: Parser) -> tuple[Column, ...] | None:
    """Read the columns; None for `*`."""
    if parser.take("*"):
        return None
    if _takes_nothing(parser):
        return ()
    columns = [parser.column()]
    while parser.kinds[parser.at] == "VAR" or parser.next_is("("):
        columns.append(parser.column())
    return tuple(columns)


def _takes_nothing(parser: Parser) -> bool:
    """Step over the column that `render` writes for a plan or a sub-query without variables."""
    written = NO_COLUMNS.match(parser.source, parser.starts[parser.at])
    if written is None:
        return False
    while parser.starts[parser.at] < written.end():
        parser.at += 1
    return True


def _project(plan: Plan, columns: tuple[Column, ...] | None) -> Plan:
    if columns == () and plan.scope and not plan.group_by:
        raise PlanError("a query whose patterns have variables selects some of them", code="reserved-name")
    if columns == ():
        return plan
    if columns is None and plan.grouped:
        raise PlanError("SELECT * cannot stand with GROUP BY: name the columns", code="ungrouped-variable")
    return Project(columns or ()).apply(plan)


@begins_with("SELECT")
def sub_select(parser: Parser) -> Subquery:
    """Read the SELECT inside the braces of a group (rule 8)."""
    return Subquery(select(parser, top=False))


# --- the other forms --------------------------------------------------------------------------


def _ask(parser: Parser) -> Plan:
    parser.expect_word("ASK")
    return as_ask(_modified(parser, _where(parser, _dataset(parser, Plan()))))


def _construct(parser: Parser) -> Plan:
    parser.expect_word("CONSTRUCT")
    if parser.next_is("{"):
        template = _template(parser)
        plan = _where(parser, _dataset(parser, Plan()))
    else:
        plan = _dataset(parser, Plan())
        parser.expect_word("WHERE")
        start = parser.at
        template = _template(parser)
        parser.at = start
        plan = plan.evolve(where=parser.group())
    return Construct(template).apply(_modified(parser, plan))


def _template(parser: Parser) -> tuple[TriplePattern, ...]:
    parser.expect("{")
    parser.context.keep_blank = True
    triples: list[TriplePattern] = []
    while not parser.next_is("}"):
        start = parser.at
        found = parser.triples()
        if any(triple.is_path for triple in found):
            parser.fault("a template has no property paths", start)
        triples += found
        if not parser.take("."):
            break
    parser.expect("}")
    parser.context.keep_blank = False
    return tuple(triples)


def _describe(parser: Parser) -> Plan:
    parser.expect_word("DESCRIBE")
    terms: list[Variable | IRI] = []
    everything = parser.take("*")
    if not everything:
        terms.append(parser.variable_or_iri())
        while parser.kinds[parser.at] == "VAR" or parser.starts_iri():
            terms.append(parser.variable_or_iri())
    plan = _dataset(parser, Plan())
    if parser.keyword() == "WHERE" or parser.next_is("{"):
        plan = _where(parser, plan)
    return Describe(tuple(plan.scope if everything else terms)).apply(_modified(parser, plan))


# --- the parts of a query ---------------------------------------------------------------------


def _dataset(parser: Parser, plan: Plan) -> Plan:
    while parser.take_word("FROM"):
        named = parser.take_word("NAMED")
        plan = From(parser.iri("the IRI of a graph"), named).apply(plan)
    return plan


def _where(parser: Parser, plan: Plan) -> Plan:
    parser.take_word("WHERE")
    return plan.evolve(where=parser.group())


def _modified(parser: Parser, plan: Plan) -> Plan:
    """Read the solution modifiers of a query without columns."""
    plan, conditions = _grouping(parser, plan)
    rest = _order_and_slice(parser)
    plan = _trailing_values(parser, plan)
    for condition in conditions:
        plan = condition.added_to(plan)
    for operator in rest:
        plan = operator.apply(plan)
    return plan


def _grouping(parser: Parser, plan: Plan) -> tuple[Plan, list[Having]]:
    """Read GROUP BY and HAVING; HAVING waits for the columns, whose aliases it may name."""
    keys = []
    if parser.take_word("GROUP"):
        parser.expect_word("BY")
        keys.append(parser.group_key())
        while _another(parser):
            keys.append(parser.group_key())
    conditions: list[Having] = []
    if parser.take_word("HAVING"):
        conditions.append(Having(parser.having()))
        while _another(parser):
            conditions.append(Having(parser.having()))
    return (Group(tuple(keys)).apply(plan) if keys else plan), conditions


_FOLLOWERS: Final = frozenset({"", "HAVING", "ORDER", "LIMIT", "OFFSET", "VALUES"})


def _another(parser: Parser) -> bool:
    """Whether another key or condition comes next, and not the next modifier."""
    if parser.next_is("(") or parser.kinds[parser.at] in ("VAR", "IRI", "PNAME"):
        return True
    return parser.keyword() not in _FOLLOWERS


def _order_and_slice(parser: Parser) -> list[Order | Limit | Offset]:
    found: list[Order | Limit | Offset] = []
    if parser.take_word("ORDER"):
        parser.expect_word("BY")
        found.append(Order(parser.order_condition()))
        while _another(parser):
            found.append(Order(parser.order_condition()))
    seen: set[str] = set()
    while (word := parser.keyword()) in ("LIMIT", "OFFSET"):
        if word in seen:
            parser.fault(f"{word} stands twice")
        seen.add(word)
        parser.at += 1
        number = parser.natural(word)
        found.append(Limit(number) if word == "LIMIT" else Offset(number))
    return found


def _trailing_values(parser: Parser, plan: Plan) -> Plan:
    if parser.keyword() != "VALUES":
        return plan
    block = values(parser)
    return Values(block.vars, block.rows, at="end").apply(plan)
