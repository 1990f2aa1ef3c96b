"""Groups and their elements (SPARQL 1.1, sections 5 to 8, 10, 13 and 18.2.2 to 18.5).

Each element has a rule by its class. An element without a rule leaves its whole group unknown, and a group
that is unknown is never refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from hermes.algebra.operators.bind import Bind
from hermes.algebra.operators.graph import Graph
from hermes.algebra.operators.join import Join
from hermes.algebra.operators.minus import Minus
from hermes.algebra.operators.optional import Optional
from hermes.algebra.operators.service import Service
from hermes.algebra.operators.subquery import Subquery
from hermes.algebra.operators.union import Union
from hermes.algebra.operators.values import Values as Table
from hermes.algebra.plan import Plan
from hermes.sparql.expressions import Aggregate, Exists, Expression
from hermes.sparql.modifiers import Alias
from hermes.sparql.patterns import Element, Group, TriplePattern
from hermes.terms import IRI, RDF_TYPE, Variable
from hermes.verifier.rules.conditions import Conditions
from hermes.verifier.rules.dataset import Dataset
from hermes.verifier.rules.expressions import Expressions, Functions
from hermes.verifier.rules.graph_space import GraphSpace, Values
from hermes.verifier.rules.graphs import Found, Graphs, Rules
from hermes.verifier.rules.solutions import Cause, NoSolution, Solutions, either, join
from hermes.verifier.rules.space import UNBOUND
from hermes.verifier.rules.triples import Triples

_NO_RULE: Final = "no rule decides what it matches"


class Groups:
    """Derives what all solutions of a group have in common. For one check: it collects what it passes.

    Args:
        dataset: the graphs that patterns are matched in.
        functions: what functions take and give in its space.

    Attributes:
        graph: the graph that patterns are matched in at this point.
        dead: parts that can never match though the group can: a code with why.
        unknown: elements that no rule decides, with why.
    """

    def __init__(self, dataset: Dataset, functions: Functions) -> None:
        self.dataset = dataset
        self.space = space = dataset.space
        self.graph = dataset.default
        self._around: Mapping[Variable, Values] = {}
        self.triples = Triples(space)
        self.expressions = Expressions(space, functions)
        self.conditions = Conditions(space, self.expressions, self._exists, self._note)
        self.dead: dict[tuple[str, object], Cause] = {}
        self.unknown: dict[Element, str] = {}
        self._graphs = Graphs(dataset, Rules(self._inside_graph, self.triples.follow, self._note))
        self._rules: dict[type, Callable[[Any, Solutions], Solutions]] = {
            TriplePattern: self._triple,
            Join: self._join,
            Optional: self._optional,
            Union: self._union,
            Minus: self._minus,
            Bind: self._bind,
            Table: self._table,
            Subquery: self._subquery,
            Graph: self._graph,
            Service: self._service,
        }

    def of(self, group: Group) -> Solutions:
        """Return what is known of every solution of a group.

        Raises:
            NoSolution: there is none.
        """
        solutions = self._elements(group)
        if not self._ruled(group):
            return solutions
        self._filter(group, solutions)
        return solutions

    def _ruled(self, group: Group) -> bool:
        return all(type(element) in self._rules for element in group.elements)

    def _elements(self, group: Group) -> Solutions:
        solutions = Solutions(dict(self._around))
        if not self._ruled(group):
            for element in group.elements:
                if type(element) not in self._rules:
                    self.unknown[element] = _NO_RULE
            return self._anything(group.binds())
        for element in group.elements:
            solutions = self._rules[type(element)](element, solutions)
        self.triples.follow(solutions)
        self._again(group.elements[:-1], solutions)
        return solutions

    def _filter(self, group: Group, solutions: Solutions) -> None:
        if not group.filters:
            return
        before = dict(solutions.values)
        self.conditions.keep(group.filters, solutions)
        if solutions.values != before:
            try:
                self.triples.follow(solutions)
            except NoSolution as nothing:
                raise NoSolution(
                    nothing.cause._replace(others=(*nothing.cause.others, *group.filters))
                ) from None
            self._again(group.elements, solutions)

    def _anything(self, variables: tuple[Variable, ...]) -> Solutions:
        return Solutions(dict.fromkeys(variables, self.space.anything | UNBOUND))

    def _note(self, code: str, part: object, cause: Cause) -> None:
        self.dead[code, part] = self._located(cause)

    def _located(self, cause: Cause) -> Cause:
        """Return a cause with the graph that it was found in, unless that is the default graph."""
        named = cause.graph is None and self.graph is not self.dataset.default
        return cause._replace(graph=self.graph) if named else cause

    def joined_with(self, element: Element, solutions: Solutions) -> Solutions:
        """Return what is known of the join of solutions with one more element that has a rule.

        Raises:
            NoSolution: nothing is left.
        """
        return self._rules[type(element)](element, solutions.copy())

    # --- elements -------------------------------------------------------------------------------

    def _triple(self, element: TriplePattern, solutions: Solutions) -> Solutions:
        self.triples.add(solutions, element, self.graph)
        return solutions

    def _join(self, element: Join, solutions: Solutions) -> Solutions:
        return join(solutions, self.of(element.patterns), element)

    def _optional(self, element: Optional, solutions: Solutions) -> Solutions:
        group = element.patterns
        try:
            both = join(solutions, self._elements(group), element)
            self.triples.follow(both)
            if self._ruled(group):
                self._filter(group, both)
        except NoSolution as nothing:
            self._note("optional-never-matches", element, nothing.cause)
            return solutions
        return Solutions(either((solutions.values, both.values)), solutions.links)

    def _union(self, element: Union, solutions: Solutions) -> Solutions:
        alive = []
        dead = []
        for branch in element.branches:
            try:
                both = join(solutions, self.of(branch), element)
                self.triples.follow(both)
                alive.append(both.values)
            except NoSolution as nothing:
                dead.append((branch, nothing.cause))
        if not alive:
            raise NoSolution(Cause("all-branches-empty", element, dead[0][1]))
        for branch, cause in dead:
            self._note("branch-never-matches", branch, cause)
        return Solutions(either(alive), solutions.links)

    def _again(self, elements: Sequence[Element], solutions: Solutions) -> None:
        """Look once more at unions, OPTIONAL and MINUS, for what stands after them in the group."""
        for element in elements:
            if isinstance(element, Union):
                found = self._union(element, solutions)
                for variable in element.binds():
                    solutions.values[variable] = solutions.of(variable) & found.of(variable)
            elif isinstance(element, Optional | Minus):
                self._never(element, element.patterns, solutions)

    def _never(self, element: Optional | Minus, group: Group, solutions: Solutions) -> None:
        """Note that a part has no match beside the solutions that the whole group has."""
        code = "optional-never-matches" if isinstance(element, Optional) else "minus-never-matches"
        try:
            join(solutions, self._elements(group), element)
        except NoSolution as nothing:
            if (code, element) not in self.dead:
                self._note(code, element, nothing.cause)

    def _minus(self, element: Minus, solutions: Solutions) -> Solutions:
        before = {name for name, values in solutions.values.items() if values != UNBOUND}
        if not before.intersection(element.patterns.binds()):
            return solutions
        if self._always(element.patterns, solutions):
            raise NoSolution(Cause("minus-removes-all", element))
        try:
            join(solutions, self.of(element.patterns), element)
        except NoSolution as nothing:
            self._note("minus-never-matches", element, nothing.cause)
        return solutions

    def _bind(self, element: Bind, solutions: Solutions) -> Solutions:
        solutions.values[element.var] = self.expressions.of(element.expr, solutions)
        return solutions

    def _table(self, element: Table, solutions: Solutions) -> Solutions:
        rows = []
        for row in element.rows:
            cells = {
                name: UNBOUND if cell is None else self.space.of_term(cell)
                for name, cell in zip(element.vars, row, strict=True)
            }
            try:
                rows.append(join(solutions, Solutions(cells), element).values)
            except NoSolution as nothing:
                cause = nothing.cause
        if not rows:
            raise NoSolution(Cause("no-row-matches", element) if not element.rows else cause)
        return Solutions(either(rows), solutions.links)

    def _subquery(self, element: Subquery, solutions: Solutions) -> Solutions:
        return join(solutions, self.columns(element.actions), element)

    def _graph(self, element: Graph, solutions: Solutions) -> Solutions:
        if self.dataset.unknown:
            return self._anywhere(element, solutions, self.dataset.unknown)
        return self._graphs.join(element, solutions, outside=self.expressions.outside)

    def _inside_graph(self, group: Group, graph: GraphSpace, around: Mapping[Variable, Values]) -> Found:
        """Return what a group gives in a graph, where variables may have values around it."""
        before = self.graph, self._around, self.dead
        self.graph, self._around, self.dead = graph, around, {}
        try:
            return Found(graph, self.of(group), self.dead)
        except NoSolution as nothing:
            return Found(graph, self._located(nothing.cause), {})
        finally:
            self.graph, self._around, self.dead = before

    def _service(self, element: Service, solutions: Solutions) -> Solutions:
        return self._anywhere(element, solutions, _NO_RULE)

    def _anywhere(self, element: Graph | Service, solutions: Solutions, why: str) -> Solutions:
        self.unknown[element] = why
        return join(solutions, self._anything(tuple(element.binds())), element)

    # --- sub-queries ----------------------------------------------------------------------------

    def columns(self, plan: Plan) -> Solutions:
        """Return what the columns of a sub-query can be.

        Raises:
            NoSolution: it has no row.
        """
        if plan.limit == 0:
            raise NoSolution(Cause("limit-zero", plan))
        one_group = plan.grouped and not plan.group_by
        nothing = False
        try:
            inner = self.of(plan.where)
            if plan.values is not None and not plan.grouped:
                inner = self.joined_with(plan.values, inner)
        except NoSolution as found:
            if not one_group:
                raise
            self._note("subquery-over-nothing", plan, found.cause)
            inner, nothing = self._anything(plan.where.binds()), True
        keys = {key.variable: key.expression for key in plan.group_by if isinstance(key, Alias)}
        columns = {}
        for column in plan.projection:
            name = column.variable if isinstance(column, Alias) else column
            meaning = column.expression if isinstance(column, Alias) else column
            if isinstance(meaning, Aggregate):
                columns[name] = self._aggregate(meaning, inner, nothing=nothing)
            else:
                columns[name] = self._column(keys.get(name, meaning), inner, grouped=plan.grouped)
            inner.values.setdefault(name, columns[name])
        return Solutions(columns)

    def _aggregate(self, meaning: Aggregate, inner: Solutions, *, nothing: bool) -> Values:
        """Return what a set function can be: MIN, MAX and SAMPLE give one of the values, or fail."""
        families = self.space.families
        if meaning.function == "COUNT":
            return families["number"] | UNBOUND
        if meaning.function in ("SUM", "AVG"):  # sums of durations are durations
            numbers = families["number"] | UNBOUND
            summed = meaning.argument
            known = isinstance(summed, Variable) and not self.expressions.of(summed, inner) & ~numbers
            return numbers if known else numbers | families["other"]
        if meaning.function == "GROUP_CONCAT":
            return families["string"] | families["tagged"] | UNBOUND
        if meaning.function in ("MIN", "MAX", "SAMPLE"):
            if nothing:
                return UNBOUND
            if isinstance(meaning.argument, Variable):
                return self.expressions.of(meaning.argument, inner) | UNBOUND
        return self.space.anything | UNBOUND

    def _column(self, meaning: Expression, inner: Solutions, *, grouped: bool) -> Values:
        if grouped and not isinstance(meaning, Variable):
            return self.space.anything | UNBOUND
        return self.expressions.of(meaning, inner)

    # --- EXISTS ---------------------------------------------------------------------------------

    def _exists(self, condition: Exists, solutions: Solutions, outcome: bool) -> None:  # noqa: FBT001
        """Keep the solutions with a match of the group, or without one (section 8.1)."""
        group = condition.group
        matches = outcome != condition.negated
        if not matches:
            if self._always(group, solutions):
                raise NoSolution(Cause("always-matches", condition))
            self._note_dead(condition, solutions)
            return
        inner = self._inside(condition, solutions)
        for variable, values in solutions.values.items():
            if not values & UNBOUND:
                solutions.values[variable] = values & inner.of(variable)

    def _note_dead(self, condition: Exists, solutions: Solutions) -> None:
        try:
            self._inside(condition, solutions)
        except NoSolution as nothing:
            self._note("exists-never-matches", condition, nothing.cause)

    def _inside(self, condition: Exists, solutions: Solutions) -> Solutions:
        """Return what is known of the matches of a group for some of the solutions around it."""
        group = condition.group
        outside = self.expressions.outside
        self.expressions.outside = True
        try:
            inner = self._elements(group)
            both = join(Solutions(solutions.values), inner, condition)
            self.triples.follow(both)
            if self._ruled(group):
                self._filter(group, both)
            return both
        finally:
            self.expressions.outside = outside

    def _always(self, group: Group, solutions: Solutions) -> bool:
        """Whether a group matches whatever the solution is.

        That is so where each of its elements says of a variable what all terms it can be have: a class, or a
        triple with a predicate whose other end is free; or where the group around says the same.
        """
        if group.filters or not group.elements or self.expressions.outside:
            return False
        free = [
            name for element in group.elements for name in element.binds() if name not in solutions.values
        ]
        if len(set(free)) != len(free):
            return False
        return all(
            self._is_said(element, solutions, free) or self._has(element, solutions, free)
            for element in group.elements
        )

    def _is_said(self, element: Element, solutions: Solutions, free: list[Variable]) -> bool:
        """Whether every solution satisfies a triple pattern here, but for the names of free variables."""
        if not isinstance(element, TriplePattern) or self.graph.name == "":
            return False
        return any(
            all(one == other or one in free for one, other in zip(_ends(element), _ends(link), strict=True))
            # A variable stands for one predicate, not for a path.
            and (link.predicate == element.predicate or not link.is_path)
            for link, graph in solutions.links
            if graph is self.graph
        )

    def _has(self, element: Element, solutions: Solutions, free: list[Variable]) -> bool:
        if not isinstance(element, TriplePattern) or not isinstance(element.predicate, IRI):
            return False
        graph, name = self.graph, element.predicate.value
        near, far = element.subject, element.object
        if isinstance(near, Variable) and far in free:
            having = graph.has_out.get(name, 0)
        elif isinstance(far, Variable) and near in free:
            near, having = far, graph.has_in.get(name, 0)
        elif name == RDF_TYPE and isinstance(far, IRI):
            having = graph.has_class.get(far.value, 0)
        else:
            return False
        values = solutions.of(near) if isinstance(near, Variable) else UNBOUND
        return not values & ~having


def _ends(pattern: TriplePattern) -> tuple[object, object, object]:
    return pattern.subject, pattern.predicate, pattern.object
