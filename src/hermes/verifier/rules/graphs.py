"""GRAPH (SPARQL 1.1, sections 13.3 and 18.6): a group in one named graph, or in each of them.

Terms are the same in all graphs, so what a group gives in a graph is joined as any other group is. The
embedded engine departs from the specification where nothing in a group makes it look at the graph: it then
asks neither whether there is such a graph nor which one it is, and a sub-query ranges over all of them. The
rules allow for both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from hermes.algebra.operators.bind import Bind
from hermes.algebra.operators.graph import Graph
from hermes.algebra.operators.join import Join
from hermes.algebra.operators.minus import Minus
from hermes.algebra.operators.optional import Optional
from hermes.algebra.operators.service import Service
from hermes.algebra.operators.subquery import Subquery
from hermes.algebra.operators.union import Union
from hermes.sparql.patterns import Group, TriplePattern
from hermes.sparql.tree import walk
from hermes.terms import IRI, Variable
from hermes.verifier.rules.dataset import Dataset
from hermes.verifier.rules.graph_space import GraphSpace, Values
from hermes.verifier.rules.solutions import Cause, NoSolution, Solutions, either, join, joined
from hermes.verifier.rules.space import UNBOUND

Dead = Mapping[tuple[str, object], Cause]
"""Parts that never match: a code and the part, with why."""


class Found(NamedTuple):
    """What a group gives in a graph: solutions, or why there is none; and which of its parts never match."""

    graph: GraphSpace
    given: Solutions | Cause
    dead: Dead


class Rules(NamedTuple):
    """What the rule of GRAPH needs of the others.

    Args:
        inside: what a group gives in a graph, where these variables may have these values around it.
        follow: narrows solutions along their links, in place; raises `NoSolution`.
        note: takes down a part that never matches.
    """

    inside: Callable[[Group, GraphSpace, Mapping[Variable, Values]], Found]
    follow: Callable[[Solutions], None]
    note: Callable[[str, object, Cause], None]


class Graphs:
    """The rule of GRAPH in a dataset. For one check: it remembers what groups give."""

    def __init__(self, dataset: Dataset, rules: Rules) -> None:
        self.dataset = dataset
        self._rules = rules
        self._known: dict[tuple[int, bool], list[tuple[Values, Found]]] = {}

    def join(self, element: Graph, solutions: Solutions, *, outside: bool) -> Solutions:
        """Return what is known of the join of solutions with a GRAPH clause; `outside` as of expressions.

        Raises:
            NoSolution: there is no such graph, or nothing of it joins.
        """
        # What a clause gives depends on nothing around it; one inside another is asked but once.
        key = id(element), outside
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._found(element)
        alive: list[tuple[Solutions, Found]] = []
        causes: list[Cause] = []
        for value, each in found:
            try:
                alive.append((self._joined(element, solutions, value, each), each))
            except NoSolution as nothing:
                causes.append(nothing.cause)
        if not alive:
            if isinstance(element.name, IRI):
                raise NoSolution(causes[0])
            raise NoSolution(Cause("no-graph-matches", element, _nearest(element.name, causes)))
        first, *others = alive
        for code, part in first[1].dead:
            if all((code, part) in each.dead for _, each in others):
                self._rules.note(code, part, first[1].dead[code, part])
        if not others:
            return first[0]
        return Solutions(either(both.values for both, _ in alive), solutions.links)

    def _joined(self, element: Graph, solutions: Solutions, value: Values, found: Found) -> Solutions:
        name = element.name
        if isinstance(name, Variable):
            _named(element, name, solutions.of(name), value)
        if isinstance(found.given, Cause):
            raise NoSolution(found.given)
        here = found.given.copy()
        if isinstance(name, Variable):
            here.values[name] = _named(element, name, here.of(name), value)
        both = join(solutions, here, element)
        self._rules.follow(both)
        return both

    def _found(self, element: Graph) -> list[tuple[Values, Found]]:
        """Return what the group gives in each graph, with what the name of the graph is as a value."""
        name, group, dataset = element.name, element.patterns, self.dataset
        sure = _asks_graph(group)
        if isinstance(name, IRI):
            graph = dataset.named.get(name.value)
            if (graph is None and sure) or (graph is not None and not graph.known and _needs_triple(group)):
                raise NoSolution(Cause("unknown-graph", element, name))
            return [(0, self._rules.inside(group, graph or GraphSpace(name.value), {}))]
        # The engine lets a BIND inside give the variable another value, whatever graph that is in.
        sure = sure and not any(isinstance(part, Bind) and part.var == name for part in walk(group))
        if sure and not dataset.named:
            raise NoSolution(Cause("unknown-graph", element, name))
        if not sure or not _each_by_itself(group):
            names = dataset.names if sure else dataset.names | UNBOUND
            around = {name: dataset.names | UNBOUND}
            return [(names, self._rules.inside(group, dataset.somewhere, around))]
        found = []
        for each, graph in dataset.named.items():
            value = dataset.name(each)
            # In the specification the name is joined afterwards, in the engine it is there from the start.
            found.append((value, self._rules.inside(group, graph, {name: value | UNBOUND})))
        return found


def _named(element: Graph, name: Variable, before: Values, value: Values) -> Values:
    """Return what a variable can be that is the name of a graph too."""
    found = joined(before, value)
    if not found:
        raise NoSolution(Cause("no-common-terms", element, name, (value,), before))
    return found


def _asks_graph(group: Group) -> bool:
    """Whether every solution of a group comes from looking at the graph: then it exists, and has a name."""
    return any(_looks(element) for element in group.elements) or all(
        isinstance(element, Bind | Optional | Minus) for element in group.elements
    )


def _looks(element: object) -> bool:
    match element:
        case TriplePattern():
            return True
        case Join(patterns):
            return _asks_graph(patterns)
        case Union(branches):
            return all(_asks_graph(branch) for branch in branches)
    return False


def _needs_triple(group: Group) -> bool:
    return any(
        isinstance(element, TriplePattern) and isinstance(element.predicate, IRI | Variable)
        for element in group.elements
    )


def _each_by_itself(group: Group) -> bool:
    """Whether all that is inside of a group is of the same graph, so that graphs can be gone through."""
    return all(
        not isinstance(part, Subquery | Service) and (not isinstance(part, Group) or _asks_graph(part))
        for part in walk(group)
    )


_FAR: Final = {"unknown-predicate": 0, "unknown-class": 1, "unknown-term": 1}
"""How near to a solution a graph comes that does not have a name; other causes are nearer."""


def _nearest(name: Variable, causes: list[Cause]) -> Cause:
    """Return the cause of the graph that comes nearest to a solution.

    The variable can be its name, and it has the names that are asked for; of several, it is the largest.
    """

    def rank(cause: Cause) -> tuple[bool, int, int]:
        size = cause.graph.triples if cause.graph is not None else 0
        return cause.subject != name, _FAR.get(cause.code, len(_FAR)), size

    return max(causes, key=rank)
