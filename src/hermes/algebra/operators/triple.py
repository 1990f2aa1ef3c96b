"""Basic graph patterns and property paths (SPARQL 1.1, sections 5.1, 9 and 18.3.1)."""

from hermes.algebra.fields import TRIPLE, field
from hermes.algebra.kind import GroupOperator, kind
from hermes.sparql.patterns import Group, TriplePattern


@kind
class Triple(GroupOperator):
    """Keep the solutions that match one triple pattern; the predicate may be a property path.

    An equal triple pattern in the same group is kept once.
    """

    op = "triple"
    example = '{"op": "triple", "pattern": "?city ex:hosted ?games"}'
    pattern: TriplePattern = field(TRIPLE)

    def add_to(self, group: Group) -> Group:
        """Return `group` with the triple pattern."""
        return group.add(self.pattern)
