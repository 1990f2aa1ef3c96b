"""Join with a nested group (SPARQL 1.1, sections 5.2 and 18.5)."""

from hermes.algebra.fields import field
from hermes.algebra.items import PATTERNS
from hermes.algebra.kind import Clause, kind
from hermes.sparql.patterns import Group
from hermes.terms import IriWriter, Variable


@kind
class Join(Clause):
    """Join with the solutions of a group of its own: its filters see only what is inside."""

    op = "join"
    example = '{"op": "join", "patterns": ["?city ex:country ?country", "FILTER(?country != ex:USA)"]}'
    patterns: Group = field(PATTERNS)

    def text(self, names: IriWriter) -> str:
        """Return `{ ... }`."""
        return self.patterns.text(names)

    def binds(self) -> tuple[Variable, ...]:
        """Return what the patterns bind."""
        return self.patterns.binds()

    def groups(self) -> tuple[Group, ...]:
        """Return the patterns."""
        return (self.patterns,)
