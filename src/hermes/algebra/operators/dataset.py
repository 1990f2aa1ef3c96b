"""The dataset of a query (SPARQL 1.1, section 13.2)."""

from hermes.algebra.fields import FLAG, GRAPH_IRI, field
from hermes.algebra.kind import Operator, kind
from hermes.algebra.plan import DatasetClause, Plan
from hermes.terms import IRI


@kind
class From(Operator):
    """Ask a graph instead of the default graph; with `named` it is one of those that `graph` sees."""

    op = "from"
    example = '{"op": "from", "graph": "<http://example.org/olympics/graph>"}'
    graph: IRI = field(GRAPH_IRI)
    named: bool = field(FLAG, default=False)

    def apply(self, plan: Plan) -> Plan:
        """Add FROM or FROM NAMED; an equal one is kept once."""
        clause = DatasetClause(self.graph, self.named)
        return plan if clause in plan.dataset else plan.evolve(dataset=(*plan.dataset, clause))
