"""Where a next step is taken: a variable of a plan, and how a triple pattern is added there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal as OneOf

from hermes.algebra.kind import Operator, refuse_after_slice
from hermes.algebra.operators.filter import Filter
from hermes.algebra.operators.graph import Graph
from hermes.algebra.operators.optional import Optional
from hermes.algebra.operators.triple import Triple
from hermes.algebra.plan import Plan
from hermes.algebra.scope import listed
from hermes.errors import PlanError
from hermes.explanation.binding import certain_of, mentioned
from hermes.findings import Step
from hermes.sparql.expressions import Call, Exists, Operation
from hermes.sparql.patterns import Element, Group, TriplePattern
from hermes.sparql.tree import walk
from hermes.terms import IRI, Variable

Way = OneOf["triple", "graph", "exists"]
"""How a triple pattern is added at a focus: as a clause of WHERE, in the GRAPH that binds the focus, or as a
condition, where the focus may have no value. (There a clause would match every triple of its predicate.)
"""


@dataclass(frozen=True)
class Site:
    """A variable of a plan at which a step is taken.

    Args:
        given: the plan.
        plan: the same as a SELECT without an order: what is counted.
        focus: the variable.
    """

    given: Plan
    plan: Plan
    focus: Variable

    @classmethod
    def of(cls, plan: Plan, focus: Variable | None) -> Site:
        """Return the site at a variable of a plan; by default at the one that answers.

        Raises:
            PlanError: nothing binds the variable, or the plan has a limit or an offset.
        """
        refuse_after_slice(plan)
        scope = plan.scope
        if focus is None:
            answer = plan.answer
            focus = answer if answer in scope or not scope else scope[0]
        if focus is None or focus not in scope:
            raise PlanError(f"nothing binds {focus}; in scope: {listed(scope)}", code="unbound-variable")
        return cls(plan, plan.variant(form="select", order_by=(), template=(), described=()), focus)

    @cached_property
    def where(self) -> Group:
        """What binds the focus: WHERE, and the table after the query where nothing is grouped before it."""
        where = self.plan.where
        return where if self.plan.values is None or not self.plain else where.add(self.plan.values)

    @property
    def plain(self) -> bool:
        """Whether each solution of WHERE is a solution of the plan."""
        plan = self.plan
        return not (plan.grouped or plan.distinct or plan.reduced)

    @cached_property
    def certain(self) -> frozenset[Variable]:
        """The variables that have a value in every solution."""
        return certain_of(self.where.elements)

    @cached_property
    def taken(self) -> frozenset[Variable]:
        """The variables of the plan, those inside EXISTS and sub-queries too: no new one is called so."""
        return mentioned(self.given)

    @cached_property
    def way(self) -> Way:
        """How a triple pattern is added here."""
        if self.focus not in self.certain:
            return "exists"
        return "triple" if self.graph is None else "graph"

    @cached_property
    def graph(self) -> IRI | Variable | None:
        """The name of the graph that alone binds the focus; None where the default graph does."""
        holders = [each for each in self.where.elements if self.focus in each.binds()]
        inside = [each for each in holders if isinstance(each, Graph) and self.focus in each.patterns.binds()]
        return inside[0].name if inside and len(inside) == len(holders) else None

    @cached_property
    def needed(self) -> TriplePattern | None:
        """The one pattern of the OPTIONAL that binds the focus: said outside too, the focus has a value.

        None where saying it would do more than that.
        """
        for each in self.where.elements:
            if isinstance(each, Optional) and self.focus in each.binds():
                match each.patterns:
                    case Group((TriplePattern() as only,), ()) if not only.is_path:
                        others = {variable for variable in only.binds() if variable != self.focus}
                        return only if others and others <= self.certain else None
                return None
        return None

    @cached_property
    def said(self) -> frozenset[tuple[Step, IRI]]:
        """The predicates that the focus has in the plan, with their direction."""
        found: set[tuple[Step, IRI]] = set()
        for each in walk(self.given.where):
            if isinstance(each, TriplePattern) and isinstance(each.predicate, IRI):
                if each.subject == self.focus:
                    found.add(("out", each.predicate))
                if each.object == self.focus:
                    found.add(("in", each.predicate))
        return frozenset(found)

    def edge(self, triple: TriplePattern) -> Operator:
        """Return the step that adds a triple pattern of the focus."""
        if self.way == "exists":
            bound = Call("BOUND", (self.focus,))
            return Filter(Operation(("&&",), (bound, Exists(Group((triple,)), negated=False))))
        if self.way == "graph" and self.graph is not None:
            return Graph(self.graph, Group((triple,)))
        return Triple(triple)

    def clause(self, triple: TriplePattern) -> Element:
        """Return a triple pattern as the clause that adds it, where it is one."""
        if self.way == "graph" and self.graph is not None:
            return Graph(self.graph, Group((triple,)))
        return triple

    @cached_property
    def parts(self) -> tuple[Group, Group]:
        """WHERE in two: what hangs together with the focus, and what shares no variable with that.

        The second is empty where an element may depend on what stands before it.
        """
        where = self.where
        if not all(each.commutes for each in where.elements):
            return where, Group()
        reached = {self.focus, *([self.graph] if isinstance(self.graph, Variable) else [])}
        pieces = [*where.elements, *where.filters]
        near: set[int] = set()
        while found := [
            at
            for at, piece in enumerate(pieces)
            if at not in near and not reached.isdisjoint(mentioned(piece))
        ]:
            near.update(found)
            reached.update(*(mentioned(pieces[at]) for at in found))
        first = len(where.elements)
        groups = [
            Group(
                tuple(each for at, each in enumerate(where.elements) if (at in near) == inside),
                tuple(each for at, each in enumerate(where.filters, first) if (at in near) == inside),
            )
            for inside in (True, False)
        ]
        return groups[0], groups[1]
