"""What a query is made of, in the words of SPARQL: one vocabulary for all question sets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hermes.algebra.kind import Clause
from hermes.algebra.operators.join import Join
from hermes.algebra.operators.subquery import Subquery
from hermes.algebra.parse_query import parse_query
from hermes.algebra.plan import Plan
from hermes.errors import HermesError
from hermes.namespaces import CUSTOMARY
from hermes.sparql.expressions import Aggregate, Exists
from hermes.sparql.patterns import Group, TriplePattern
from hermes.sparql.tree import walk
from hermes.terms import WELL_KNOWN

_BASE: Final = "http://www.example.org/"
_PREFIXES: Final = {**{prefix: namespace for namespace, prefix in CUSTOMARY.items()}, **WELL_KNOWN}
_MANY: Final = 3


def gold_plan(sparql: str) -> Plan | None:
    """Return the plan of a gold query; None of what hermes does not read.

    Prefixes in wide use need no declaration here: many question sets leave out those of their endpoint.
    """
    try:
        return parse_query(sparql, base=_BASE, prefixes=_PREFIXES)
    except HermesError:
        return None


def features(query: str | Plan) -> tuple[str, ...]:
    """Return what a query is made of, each word once; nothing of what hermes does not read.

    That is its form (`SELECT`, `ASK`, `CONSTRUCT`, `DESCRIBE`); how many triple patterns it has (`1 triple`,
    `2 triples`, `3+ triples`, those of sub-queries and EXISTS included); `PATH`; the clauses by the name of
    their operator (`OPTIONAL`, `UNION`, `MINUS`, `BIND`, `VALUES`, `GRAPH`, `SERVICE`), `SUBSELECT`;
    `FILTER`, `EXISTS`, `NOT EXISTS`; the aggregates by name; `GROUP`, `HAVING`, `DISTINCT`, `ORDER`, `LIMIT`,
    `OFFSET`, `FROM`.
    """
    plan = gold_plan(query) if isinstance(query, str) else query
    if plan is None:
        return ()
    triples = sum(isinstance(part, TriplePattern) for part in walk(plan.where))
    size = f"{_MANY}+ triples" if triples >= _MANY else f"{triples} triple{'s' * (triples != 1)}"
    return tuple(dict.fromkeys([plan.form.upper(), size, *_words(plan)]))


def _words(plan: Plan) -> Iterator[str]:
    for part in walk(plan):
        match part:
            case Plan():
                yield from _slots(part)
            case TriplePattern():
                if part.is_path:
                    yield "PATH"
            case Subquery():
                yield "SUBSELECT"
            case Clause() if not isinstance(part, Join):
                yield part.op.upper()
            case Group(filters=(_, *_)):
                yield "FILTER"
            case Aggregate():
                yield part.function
            case Exists():
                yield "NOT EXISTS" if part.negated else "EXISTS"
            case _:
                pass


def _slots(plan: Plan) -> Iterator[str]:
    there = {
        "GROUP": plan.group_by,
        "HAVING": plan.having,
        "DISTINCT": plan.distinct,
        "ORDER": plan.order_by,
        "LIMIT": plan.limit is not None,
        "OFFSET": plan.offset,
        "FROM": plan.dataset,
    }
    yield from (word for word, found in there.items() if found)
