"""Reasons why a triple pattern has no match in a graph."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from hermes.sparql.patterns import TriplePattern
from hermes.sparql.tree import walk
from hermes.terms import IRI, RDF_TYPE, Literal, Variable
from hermes.verifier.rules.graph_space import GraphSpace, Values
from hermes.verifier.rules.solutions import Cause, Link, NoSolution
from hermes.verifier.rules.space import ALL_FRESH
from hermes.verifier.rules.triples import Triples
from hermes.verifier.rules.wording import NAMED, Wording

OF_TRIPLES: Final = frozenset(
    {
        "unknown-predicate",
        "no-such-path",
        "unknown-class",
        "unknown-term",
        "no-such-triple",
        "no-common-terms",
    }
)
"""The codes of causes that are about one pattern."""

_TYPE: Final = IRI(RDF_TYPE)


class TripleReasons:
    """Words causes that are about a pattern of one graph.

    Args:
        wording: words for terms.
        graph: the graph that the pattern is matched in.
    """

    def __init__(self, wording: Wording, graph: GraphSpace) -> None:
        self.space = wording.space
        self.wording = wording
        self.graph = graph

    def of(self, pattern: TriplePattern, cause: Cause) -> str:
        """Return the reason that a cause is."""
        if cause.code in ("unknown-predicate", "no-such-path"):
            return self._unknown_predicate(pattern)
        if isinstance(cause.subject, Variable):
            return self._no_common_terms(pattern, cause.subject, cause)
        return self._no_such_triple(pattern, cause.subject)

    def _text(self, part: object) -> str:
        return self.wording.text(part)

    def _unknown_predicate(self, pattern: TriplePattern) -> str:
        known = self.graph.known
        for part in walk(pattern.predicate):
            if isinstance(part, IRI) and part.value not in known:
                counts = {name: each.triples for name, each in known.items()}
                where = self._elsewhere({name for name, each in self._others() if part.value in each.known})
                near = where or self.wording.near(part, counts, "triples")
                empty = "" if known else ", which is empty"
                return f"{self._text(part)} is no predicate of this graph{empty}{near}"
        return f"{self._predicate(pattern)} connects nothing in this graph"

    def _others(self) -> list[tuple[str | None, GraphSpace]]:
        graphs = [(None, self.space.default), *self.space.named.items()]
        return [(name, each) for name, each in graphs if name != self.graph.name]

    def _elsewhere(self, names: set[str | None]) -> str:
        """Say in which other graphs something is."""
        listed = [self.wording.graph(name) for name in sorted(name for name in names if name)]
        parts = ["the default graph"] if None in names else []
        if listed:
            more = ", ..." if len(listed) > NAMED else ""
            parts.append(f"graph{'s' if len(listed) > 1 else ''} {', '.join(listed[:NAMED])}{more}")
        return f"; it is in {' and in '.join(parts)}" if parts else ""

    def _no_such_triple(self, pattern: TriplePattern, end: object) -> str:
        said = self._text(end)
        if not isinstance(end, IRI | Literal):
            return f"{self._text(pattern)} has no match"
        if pattern.predicate == _TYPE and end == pattern.object and isinstance(end, IRI):
            return self._no_class(end)
        side = "object" if end == pattern.object else "subject"
        here = f"{'an' if side == 'object' else 'a'} {side} of {self._predicate(pattern)}"
        there = self._other_spelling(pattern, end) if isinstance(end, Literal) else ""
        values = self.space.of_term(end)
        if not values & self.graph.terms:
            having = {name for name, each in self._others() if values & each.terms & ~ALL_FRESH}
            return f"{said} does not occur in this graph{there or self._elsewhere(having)}"
        if isinstance(pattern.predicate, IRI):
            turned = self.graph.subjects if side == "object" else self.graph.objects
            if values & turned.get(pattern.predicate.value, 0):
                other = " subject" if side == "object" else "n object"
                return f"{said} is never {here}, but it is a{other}: turn the pattern round"
        return f"{said} is never {here}{there or self._what(pattern, side)}"

    def _no_class(self, class_: IRI) -> str:
        having = {name for name, each in self._others() if class_.value in each.classes}
        counts = self.space.schema.contents(self.graph.name).classes
        near = self._elsewhere(having) or self.wording.near(class_, counts, "instances")
        return f"{self._text(class_)} is no class of this graph{near}"

    def _other_spelling(self, pattern: TriplePattern, literal: Literal) -> str:
        """Name a literal that the graph has in this place with another tag, datatype or case."""
        if not isinstance(pattern.predicate, IRI):
            return ""
        column = self.graph.objects.get(pattern.predicate.value, 0)
        return self.wording.spelling(literal, self.space.tags, column)

    def _what(self, pattern: TriplePattern, side: str) -> str:
        if not isinstance(pattern.predicate, IRI):
            return ""
        columns = self.graph.objects if side == "object" else self.graph.subjects
        sorts = self.wording.sorts(columns.get(pattern.predicate.value, 0))
        return f"; {side}s are {sorts}" if sorts else ""

    def _no_common_terms(self, pattern: TriplePattern, variable: Variable, cause: Cause) -> str:
        own = Link(pattern, self.graph)
        here = self._role(own, variable)
        roles = {
            other: role
            for other in cause.others
            if isinstance(other, Link) and (role := self._role(other, variable))
        }
        column = self._column(own, variable)
        clashing = [role for other, role in roles.items() if not self._column(other, variable) & column]
        rest = clashing[:1] or list(roles.values())[:NAMED]
        if pattern.subject == pattern.object == variable:
            return f"no term is both subject and object of {self._predicate(pattern)} here"
        fitting = self._fitting(pattern, variable, roles)
        if not rest:
            return f"{self.wording.of(variable, cause.values)} here, which is never {here}{fitting}"
        return f"nothing is both {' and '.join(rest)} and {here}{fitting}"

    def _fitting(self, pattern: TriplePattern, variable: Variable, others: Iterable[Link]) -> str:
        """Say what would fit: the pattern turned round, or what such terms are."""
        turned = TriplePattern(pattern.object, pattern.predicate, pattern.subject)
        common = self._column(Link(turned, self.graph), variable)
        for other in others:
            common &= self._column(other, variable)
        loop = pattern.subject == pattern.object
        simple = isinstance(pattern.predicate, IRI) and pattern.predicate != _TYPE
        if others and common and not loop and simple:
            return f"; turned round it fits: {self._text(turned)}"
        sorts = self.wording.sorts(self._column(Link(pattern, self.graph), variable))
        return f"; these are {sorts}" if sorts and pattern.predicate != _TYPE else ""

    def _column(self, link: Link, variable: Variable) -> Values:
        """Return what a variable can be in a pattern alone."""
        pattern, graph = link
        try:
            subjects, objects = Triples(self.space).ends(pattern, graph)
        except NoSolution:
            return 0
        if variable == pattern.predicate:
            return graph.predicates
        return subjects if variable == pattern.subject else objects

    def _role(self, link: Link, variable: Variable) -> str:
        pattern, graph = link
        if variable not in (pattern.subject, pattern.predicate, pattern.object):
            return ""
        where = "" if graph is self.graph else f" in {self._place(graph)}"
        if pattern.predicate == variable:
            return f"a predicate{where}"
        if pattern.predicate == _TYPE and isinstance(pattern.object, IRI):
            return f"an instance of {self._text(pattern.object)}{where}"
        side, other = (
            ("subject", pattern.object) if pattern.subject == variable else ("object", pattern.subject)
        )
        beside = "" if isinstance(other, Variable) else f" with {self._text(other)}"
        article = "an" if side == "object" else "a"
        return f"{article} {side} of {self._predicate(pattern)}{beside}{where}"

    def _place(self, graph: GraphSpace) -> str:
        return f"graph {self.wording.graph(graph.name)}" if graph.name else "the default graph"

    def _predicate(self, pattern: TriplePattern) -> str:
        if isinstance(pattern.predicate, Variable):
            return str(pattern.predicate)
        return self.wording.path(pattern.predicate)
