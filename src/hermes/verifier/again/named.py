"""GRAPH (SPARQL 1.1, section 18.6), as the specification has it and as the embedded engine does.

The engine gives the variable its value from the start, not after the group. Where a group has no pattern to
look up, it does not look for the graph at all; and a sub-query looks in all graphs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from hermes.algebra.operators.bind import Bind
from hermes.algebra.operators.graph import Graph
from hermes.algebra.operators.join import Join
from hermes.algebra.operators.union import Union
from hermes.algebra.plan import Plan
from hermes.sparql.patterns import Group, TriplePattern
from hermes.sparql.tree import walk
from hermes.terms import IRI, Variable
from hermes.verifier.again.tokens import ANYTHING, Solution, Token, Tokens
from hermes.verifier.again.views import Asked, View

Inside = Callable[[Group, View, list[Solution]], list[Solution]]
"""Enumerates a group in a view, where what is around it may be any of these."""

_STILL = ("bind", "optional", "minus")
"""The operators that keep the solutions before them: with nothing before, that is the graph itself."""


class Named:
    """The solutions of GRAPH clauses; of each only once."""

    def __init__(self, tokens: Tokens, asked: Asked, inside: Inside) -> None:
        self.tokens = tokens
        self.asked = asked
        self._inside = inside
        self._known: dict[tuple[int, bool], list[Solution]] = {}

    def of(self, element: Graph, *, inside: bool) -> list[Solution]:
        """Return the solutions of a GRAPH clause; `inside` says whether it stands in EXISTS."""
        key = id(element), inside
        if key not in self._known:
            self._known[key] = list(self._solutions(element))
        return self._known[key]

    def _solutions(self, element: Graph) -> Iterator[Solution]:
        name, group = element.name, element.patterns
        looked_up = _looks_up(group)
        if isinstance(name, IRI):
            if name.value in self.asked.named or not looked_up:
                view = self.asked.named.get(name.value, View(self.tokens.schema, ()))
                yield from self._inside(group, view, [{}])
            return
        looked_up = looked_up and not _gives(group, name)
        if looked_up and _in_one_graph(group):
            for graph, view in self.asked.named.items():
                yield from self._with(name, self._tokens(graph), group, view, looked_up=looked_up)
        else:
            tokens = {token for graph in self.asked.named for token in self._tokens(graph)}
            if tokens or not looked_up:
                yield from self._with(name, tokens, group, self.asked.somewhere, looked_up=looked_up)

    def _with(
        self, name: Variable, tokens: set[Token], group: Group, view: View, *, looked_up: bool
    ) -> Iterator[Solution]:
        bound: list[Solution] = [{name: token} for token in tokens]
        for solution in self._inside(group, view, [{}, *bound]):
            if not looked_up:
                yield solution
            if solution.get(name, ANYTHING) == ANYTHING:
                yield from ({**solution, **each} for each in bound)
            elif solution[name] in tokens:
                yield solution

    def _tokens(self, graph: str) -> set[Token]:
        for place, signature in enumerate(self.tokens.schema.signatures):
            if signature.graph == graph:
                return {place}
        return set(self.tokens.constant(IRI(graph)))


def _gives(group: Group, name: Variable) -> bool:
    """Whether a BIND in a group gives the variable a value of its own, which the engine allows."""
    return any(isinstance(part, Bind) and part.var == name for part in walk(group))


def _looks_up(group: Group) -> bool:
    """Whether no solution of a group comes about without the graph."""
    still = all(getattr(element, "op", "") in _STILL for element in group.elements)
    return still or any(_needs_graph(element) for element in group.elements)


def _needs_graph(element: Any) -> bool:
    match element:
        case TriplePattern():
            return True
        case Join(patterns):
            return _looks_up(patterns)
        case Union(branches):
            return all(map(_looks_up, branches))
    return False


def _in_one_graph(group: Group) -> bool:
    """Whether all in a group is looked up in one graph."""
    parts = list(walk(group))
    return not any(isinstance(part, Plan) for part in parts) and all(
        _looks_up(part) for part in parts if isinstance(part, Group)
    )
