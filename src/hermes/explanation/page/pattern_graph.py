"""The patterns of a plan as a graph to draw: variables and constants, and the predicates between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from hermes.algebra.operators.graph import Graph
from hermes.algebra.operators.minus import Minus
from hermes.algebra.operators.optional import Optional
from hermes.algebra.operators.subquery import Subquery
from hermes.algebra.operators.union import Union
from hermes.algebra.plan import Plan
from hermes.sparql.expressions import Exists, Expression, expression_text, variables_of
from hermes.sparql.paths import path_text
from hermes.sparql.patterns import Element, End, Group, TriplePattern
from hermes.sparql.tree import walk
from hermes.terms import IRI, RDF_TYPE, IriWriter, Variable, term_text

_REQUIRED: Final[tuple[str, ...]] = ()


@dataclass(slots=True)
class Node:
    """A variable or a constant: its name, and lines below it (its class, conditions on it alone)."""

    name: str
    variable: bool
    answers: bool = False
    lines: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Arrow:
    """A triple pattern from one node to another; `within` are the groups around it, outermost first."""

    start: int
    end: int
    label: str
    within: tuple[str, ...] = _REQUIRED


@dataclass(slots=True)
class PatternGraph:
    """What is drawn; `notes` are the conditions that are about no single variable."""

    nodes: list[Node] = field(default_factory=list)
    arrows: list[Arrow] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def named_terms(plan: Plan) -> Iterator[IRI]:
    """Yield the IRIs in the triple patterns, which a drawing shows by their labels."""
    for part in walk(plan.where):
        if isinstance(part, TriplePattern):
            yield from (term for term in walk(part) if isinstance(term, IRI))


def pattern_graph(plan: Plan, labels: Mapping[IRI, str]) -> PatternGraph:
    """Return the graph of a plan's patterns, IRIs by their labels where they have one."""
    names = plan.prefixes.names()

    def write(iri: str) -> str:
        return labels.get(IRI(iri)) or names(iri)

    builder = _Builder(write)
    builder.plan(plan, _REQUIRED, {})
    for variable in plan.columns:
        if variable in builder.top:
            builder.graph.nodes[builder.top[variable]].answers = True
    return builder.graph


class _Builder:
    """Goes through the groups once; `seen` are the nodes of the variables that are seen there."""

    def __init__(self, write: IriWriter) -> None:
        self.graph = PatternGraph()
        self.top: dict[Variable, int] = {}
        self._write = write

    def plan(self, plan: Plan, within: tuple[str, ...], seen: dict[Variable, int]) -> None:
        """Add a query, or a sub-query of which only the columns are seen outside."""
        self.group(plan.where, within, seen)
        if not within:
            self.top = seen

    def group(self, group: Group, within: tuple[str, ...], seen: dict[Variable, int]) -> None:
        """Add the elements and filters of a group."""
        for element in group.elements:
            self._element(element, within, seen)
        for condition in group.filters:
            self._condition(condition, within, seen)

    def _element(self, element: Element, within: tuple[str, ...], seen: dict[Variable, int]) -> None:
        match element:
            case TriplePattern():
                self._triple(element, within, seen)
            case Optional():
                self.group(element.patterns, (*within, "optional"), seen)
            case Minus():
                self.group(element.patterns, (*within, "minus"), dict(seen))
            case Union():
                for number, branch in enumerate(element.branches, start=1):
                    self.group(branch, (*within, f"or {number}"), seen)
            case Graph():
                self.group(element.patterns, (*within, f"in {term_text(element.name, self._write)}"), seen)
            case Subquery():
                self._sub_query(element.actions, within, seen)
            case _ if element.groups():
                for inner in element.groups():
                    self.group(inner, within, seen)
            case _:
                made = tuple(element.binds())
                node = self._node(made[0], seen) if len(made) == 1 else None
                self._note(element.text(self._write), within, node)

    def _sub_query(self, plan: Plan, within: tuple[str, ...], seen: dict[Variable, int]) -> None:
        inner = {name: node for name, node in seen.items() if name in plan.columns}
        self.plan(plan, (*within, "sub-query"), inner)
        seen.update((name, node) for name, node in inner.items() if name in plan.columns)

    def _condition(self, condition: Expression, within: tuple[str, ...], seen: dict[Variable, int]) -> None:
        if isinstance(condition, Exists):
            word = "not exists" if condition.negated else "exists"
            self.group(condition.group, (*within, word), dict(seen))
        else:
            read = variables_of(condition)
            node = seen.get(read[0]) if len(read) == 1 else None
            self._note(expression_text(condition, self._write), within, node)

    def _note(self, said: str, within: tuple[str, ...], node: int | None) -> None:
        """Write what is said to the one node that it is about, or beside the drawing."""
        text = " ".join((*within, said))
        if node is None:
            self.graph.notes.append(text)
        else:
            self.graph.nodes[node].lines.append(text)

    def _triple(self, triple: TriplePattern, within: tuple[str, ...], seen: dict[Variable, int]) -> None:
        subject = self._node(triple.subject, seen)
        if triple.predicate == IRI(RDF_TYPE) and isinstance(triple.object, IRI) and not within:
            self.graph.nodes[subject].lines.insert(0, f"a {self._write(triple.object.value)}")
            return
        predicate = triple.predicate
        label = str(predicate) if isinstance(predicate, Variable) else path_text(predicate, self._write)
        self.graph.arrows.append(Arrow(subject, self._node(triple.object, seen), label, within))

    def _node(self, end: End, seen: dict[Variable, int]) -> int:
        """Return the node of a term: one for each variable, and one for each mention of a constant."""
        if isinstance(end, Variable) and end in seen:
            return seen[end]
        name = "(something)" if isinstance(end, Variable) and end.blank else term_text(end, self._write)
        self.graph.nodes.append(Node(name, isinstance(end, Variable)))
        place = len(self.graph.nodes) - 1
        if isinstance(end, Variable):
            seen[end] = place
        return place
