"""Filter (SPARQL 1.1, sections 5.2.2 and 18.5)."""

from hermes.algebra.fields import EXPRESSION, field
from hermes.algebra.kind import GroupOperator, kind
from hermes.sparql.expressions import Expression
from hermes.sparql.patterns import Group


@kind
class Filter(GroupOperator):
    """Keep the solutions for which an expression is true; EXISTS and NOT EXISTS too.

    A filter is of its whole group, wherever it is written.
    """

    op = "filter"
    example = '{"op": "filter", "expr": "?year > 1950"}'
    expr: Expression = field(EXPRESSION)

    def add_to(self, group: Group) -> Group:
        """Return `group` with the filter."""
        return group.add_filter(self.expr)
