"""The dataset of a plan: its default graph and its named graphs (SPARQL 1.1, section 13)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from hermes.algebra.plan import DatasetClause
from hermes.terms import IRI
from hermes.verifier.rules.graph_space import GraphSpace, Values
from hermes.verifier.rules.space import Space
from hermes.verifier.schema import Predicate


@dataclass(frozen=True)
class Dataset:
    """The graphs that a plan is asked of.

    Args:
        space: what its terms are.
        default: the default graph.
        facts: what is known of the predicates of the default graph; nothing where that is a merge.
        clauses: FROM and FROM NAMED, where it is they that say so.
        unknown: why the named graphs are not known; empty where they are.
    """

    space: Space
    default: GraphSpace
    facts: Mapping[str, Predicate]
    clauses: Sequence[DatasetClause] = ()
    unknown: str = ""

    @classmethod
    def of(cls, clauses: Sequence[DatasetClause], space: Space) -> Dataset:
        """Return the dataset that FROM and FROM NAMED describe, or that of the schema where there are none.

        Where there are some, the graphs of the schema must be known. Of several FROM the default
        graph is the merge (section 13.2.1); as the embedded engine does, blank nodes keep being the same.
        """
        unknown = space.schema.graphs_unknown
        if not clauses:
            return cls(space, space.default, space.schema.predicates, unknown=unknown)
        nothing = GraphSpace(None)
        default = [space.named.get(clause.graph.value, nothing) for clause in clauses if not clause.named]
        facts = default[0].known if len(default) == 1 else {}
        return cls(space, GraphSpace.merged(default), facts, clauses)

    @cached_property
    def named(self) -> Mapping[str, GraphSpace]:
        """The named graphs, by name.

        One that FROM NAMED names is in the dataset also where the store has nothing of it.
        """
        known = self.space.named
        if not self.clauses:
            return known
        names = (clause.graph.value for clause in self.clauses if clause.named)
        return {name: known.get(name) or GraphSpace(name) for name in names}

    @cached_property
    def somewhere(self) -> GraphSpace:
        """The columns of a named graph of which it is not known which it is."""
        return GraphSpace.any_of(tuple(self.named.values())) if self.clauses else self.space.somewhere

    def name(self, graph: str) -> Values:
        """Return the name of a named graph as a value."""
        known = self.space.names.get(graph)
        return self.space.of_term(IRI(graph)) if known is None else known

    @property
    def missing(self) -> list[IRI]:
        """The graphs that FROM and FROM NAMED name and that have no triples."""
        graphs = dict.fromkeys(clause.graph for clause in self.clauses)
        known = self.space.named if graphs else {}
        return [graph for graph in graphs if graph.value not in known or not known[graph.value].known]

    @property
    def names(self) -> Values:
        """The names of the named graphs as values."""
        found = 0
        for graph in self.named:
            found |= self.name(graph)
        return found
