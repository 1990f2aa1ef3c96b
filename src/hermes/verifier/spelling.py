"""Names that a graph does not use, where nothing more is known of it than its vocabulary."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hermes.algebra.operators.graph import Graph
from hermes.algebra.plan import Plan
from hermes.sparql.patterns import TriplePattern
from hermes.sparql.tree import walk
from hermes.terms import IRI, RDF_TYPE, Names
from hermes.verifier.schema import Schema
from hermes.verifier.verdict import Warned

_UNION: Final = "union"


def unused_names(plan: Plan, schema: Schema, names: Names) -> Iterator[Warned]:
    """Yield a warning for each predicate and class that the vocabulary does not list.

    It is that of the default graph, so of patterns in GRAPH and after FROM nothing is said, unless it is the
    union.
    """
    whole = schema.dataset == _UNION
    if not schema.predicates or (plan.dataset and not whole):
        return
    clauses = (clause for clause in walk(plan.where) if isinstance(clause, Graph) and not whole)
    elsewhere = {id(part) for clause in clauses for part in walk(clause)}
    for pattern in walk(plan.where):
        if not isinstance(pattern, TriplePattern) or id(pattern) in elsewhere:
            continue
        at = pattern.text(names)
        for part in walk(pattern.predicate):
            if isinstance(part, IRI) and part.value not in schema.predicates:
                yield Warned("unknown-predicate", f"{names(part.value)} is not known as a predicate", at)
        typed = pattern.predicate == IRI(RDF_TYPE) and isinstance(pattern.object, IRI)
        if typed and isinstance(pattern.object, IRI) and pattern.object.value not in schema.classes:
            yield Warned("unknown-class", f"{names(pattern.object.value)} is not known as a class", at)
