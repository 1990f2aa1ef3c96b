"""What a step is called: the text of its operator in SPARQL, without the groups that are shown inside."""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch

from hermes.algebra.kind import Kind
from hermes.algebra.operators.dataset import From
from hermes.algebra.operators.filter import Filter
from hermes.algebra.operators.forms import Construct, Describe
from hermes.algebra.operators.graph import Graph
from hermes.algebra.operators.grouping import Aggregate, Group, Having
from hermes.algebra.operators.join import Join
from hermes.algebra.operators.minus import Minus
from hermes.algebra.operators.optional import Optional
from hermes.algebra.operators.order import Limit, Offset, Order
from hermes.algebra.operators.project import Project
from hermes.algebra.operators.subquery import Subquery
from hermes.algebra.operators.triple import Triple
from hermes.algebra.operators.union import Union
from hermes.algebra.plan import Plan
from hermes.explanation.order import items, operators
from hermes.sparql.expressions import Exists, Expression, expression_text
from hermes.sparql.modifiers import column_text, group_key_text
from hermes.sparql.patterns import Element, filter_text
from hermes.sparql.tree import rewrite, walk
from hermes.terms import BLANK_PREFIX, BlankNode, IriWriter, Variable, term_text


def all_texts(ordered: Plan, names: IriWriter) -> Iterator[tuple[int, str]]:
    """Yield the texts of the steps and of what stands inside them, each with how deep it stands."""
    for operator in operators(ordered):
        yield 0, step_text(operator, names)
        yield from _inside(operator.expr if isinstance(operator, Filter) else operator, names)


def _inside(item: object, names: IriWriter) -> Iterator[tuple[int, str]]:
    """Yield the texts inside an element or a condition, a branch as if it had one item."""
    if isinstance(item, Subquery):
        yield from ((depth + 1, text) for depth, text in all_texts(item.actions, names))
        return
    if isinstance(item, Element):
        groups = item.groups()
    else:
        groups = tuple(part.group for part in walk(item, (Exists,)) if isinstance(part, Exists))
    before = "branch 1: " if isinstance(item, Union) else ""
    for group in groups:
        for inner in items(group):
            yield 1, before + item_text(inner, names)
            yield from ((depth + 1, text) for depth, text in _inside(inner, names))


@singledispatch
def step_text(operator: Kind, names: IriWriter) -> str:
    """Return an operator as SPARQL text on one line; of a group that has counts of its own only the head."""
    return item_text(operator, names) if isinstance(operator, Element) else operator.op.upper()


@step_text.register
def _(operator: Triple, names: IriWriter) -> str:
    return item_text(operator.pattern, names)


@step_text.register
def _(operator: Filter, names: IriWriter) -> str:
    return item_text(operator.expr, names)


@step_text.register
def _(operator: From, names: IriWriter) -> str:
    return f"FROM {'NAMED ' * operator.named}{names(operator.graph.value)}"


@step_text.register
def _(operator: Group, names: IriWriter) -> str:
    return "GROUP BY " + " ".join(group_key_text(key, names) for key in operator.vars)


@step_text.register
def _(operator: Aggregate, names: IriWriter) -> str:
    return f"{expression_text(operator.expr, names)} AS {operator.alias}"


@step_text.register
def _(operator: Having, names: IriWriter) -> str:
    return f"HAVING ({expression_text(operator.expr, names)})"


@step_text.register
def _(operator: Project, names: IriWriter) -> str:
    return "SELECT " + " ".join(column_text(column, names) for column in operator.vars)


@step_text.register
def _(operator: Order, names: IriWriter) -> str:
    return f"ORDER BY {operator.expr.text(names)}"


@step_text.register(Limit)
@step_text.register(Offset)
def _(operator: Limit | Offset, names: IriWriter) -> str:
    del names
    return f"{operator.op.upper()} {operator.n}"


@step_text.register
def _(operator: Construct, names: IriWriter) -> str:
    return f"CONSTRUCT {{ {''.join(f'{triple.text(names)} . ' for triple in operator.template)}}}"


@step_text.register
def _(operator: Describe, names: IriWriter) -> str:
    return "DESCRIBE " + " ".join(term_text(term, names) for term in operator.terms)


def item_text(item: Element | Expression, names: IriWriter) -> str:
    """Return an element or a filter of a group as SPARQL text on one line, groups inside left out."""
    match item:
        case Optional() | Minus() | Union():
            return item.op.upper()
        case Join():
            return "{ ... }"
        case Graph():
            return f"GRAPH {term_text(item.name, names)}"
        case Subquery():
            columns = " ".join(column_text(column, names) for column in item.actions.projection)
            return f"{{ SELECT {columns} ... }}"
        case Exists():
            return f"FILTER {'NOT ' * item.negated}EXISTS"
        case _:
            shown = rewrite(item, _blank_node)
            return shown.text(names) if isinstance(shown, Element) else filter_text(shown, names)


def _blank_node(part: object) -> object | None:
    """Return a blank node in place of the variable that stands for it: `_:b0` is how it is written."""
    if isinstance(part, Variable) and part.blank:
        return BlankNode(f"b{part.name.removeprefix(BLANK_PREFIX)}")
    return None
