"""Which variables an element of a group binds in every solution, and which it mentions at all."""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatch

from hermes.algebra.operators.graph import Graph
from hermes.algebra.operators.join import Join
from hermes.algebra.operators.subquery import Subquery
from hermes.algebra.operators.union import Union
from hermes.algebra.operators.values import Values
from hermes.sparql.patterns import Element, TriplePattern
from hermes.sparql.tree import walk
from hermes.terms import Variable

Variables = frozenset[Variable]

NONE: Variables = frozenset()


def mentioned(part: object) -> Variables:
    """Return all variables of a part of a query, those inside EXISTS and sub-queries too."""
    return frozenset(item for item in walk(part) if isinstance(item, Variable))


@singledispatch
def certain(element: Element) -> Variables:
    """Return variables that every solution of `element` binds.

    There may be more. OPTIONAL and BIND may leave theirs unbound, and MINUS has none.
    """
    del element
    return NONE


@certain.register
def _(element: TriplePattern) -> Variables:
    return frozenset(element.binds())


@certain.register
def _(element: Join) -> Variables:
    return certain_of(element.patterns.elements)


@certain.register
def _(element: Graph) -> Variables:
    return certain_of(element.patterns.elements) | mentioned(element.name)


@certain.register
def _(element: Union) -> Variables:
    return frozenset.intersection(*(certain_of(branch.elements) for branch in element.branches))


@certain.register
def _(element: Values) -> Variables:
    columns = zip(element.vars, zip(*element.rows, strict=True), strict=False)
    return frozenset(variable for variable, cells in columns if None not in cells)


@certain.register
def _(element: Subquery) -> Variables:
    return certain_of(element.actions.where.elements).intersection(element.actions.columns)


def certain_of(elements: Iterable[Element]) -> Variables:
    """Return variables that every solution of these elements binds."""
    return NONE.union(*map(certain, elements))
