"""Views: which graphs patterns are matched in (SPARQL 1.1, section 13)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hermes.algebra.plan import DatasetClause
from hermes.verifier.schema import Columns, Schema, Signature


@dataclass(frozen=True, slots=True)
class View:
    """Some graphs of a schema: a name, or None for the default graph.

    `together` says whether their triples make one graph; else it is one of them, not known which.
    """

    schema: Schema
    graphs: tuple[str | None, ...]
    together: bool = True

    @property
    def predicates(self) -> tuple[str, ...]:
        """The predicates of any of the graphs."""
        found = (name for graph in self.graphs for name in self.schema.contents(graph).predicates)
        return tuple(dict.fromkeys(found))

    def links(self, predicate: str) -> frozenset[tuple[int, int]]:
        """Return the pairs of signatures that a predicate connects in any of the graphs."""
        found: frozenset[tuple[int, int]] = frozenset()
        for graph in self.graphs:
            known = self.schema.contents(graph).predicates.get(predicate)
            found |= frozenset() if known is None else known.links
        return found

    def columns(self, signature: Signature) -> Iterator[Columns]:
        """Yield the columns of a signature in each of the graphs."""
        return (signature.columns(graph) for graph in self.graphs)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a plan is asked of: the view of its default graph, and its named graphs, each with a view."""

    default: View
    named: Mapping[str, View]

    @classmethod
    def of(cls, clauses: tuple[DatasetClause, ...], schema: Schema) -> Asked:
        """Return what FROM and FROM NAMED say, or all graphs of the schema where there are none."""
        if not clauses:
            return cls(View(schema, (None,)), {name: View(schema, (name,)) for name in schema.graphs})
        default = tuple(clause.graph.value for clause in clauses if not clause.named)
        named = [clause.graph.value for clause in clauses if clause.named]
        return cls(View(schema, default), {name: View(schema, (name,)) for name in named})

    @property
    def somewhere(self) -> View:
        """The view of a named graph of which it is not known which it is."""
        return View(self.default.schema, tuple(self.named), together=False)
