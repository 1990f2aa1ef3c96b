"""LeftJoin (SPARQL 1.1, sections 6 and 18.5)."""

from hermes.algebra.fields import field
from hermes.algebra.items import PATTERNS
from hermes.algebra.kind import Clause, kind
from hermes.sparql.parser import Parser
from hermes.sparql.patterns import Group, begins_with
from hermes.terms import IriWriter, Variable


@kind
class Optional(Clause):
    """Add what the patterns bind where they match; keep the solution where they do not."""

    op = "optional"
    example = '{"op": "optional", "patterns": ["?city ex:nickname ?name"]}'
    sees_outer = True
    commutes = False
    patterns: Group = field(PATTERNS)

    def text(self, names: IriWriter) -> str:
        """Return `OPTIONAL { ... }`."""
        return f"OPTIONAL {self.patterns.text(names)}"

    def binds(self) -> tuple[Variable, ...]:
        """Return what the patterns bind."""
        return self.patterns.binds()

    def groups(self) -> tuple[Group, ...]:
        """Return the patterns."""
        return (self.patterns,)


@begins_with("OPTIONAL")
def optional(parser: Parser) -> Optional:
    """Read `OPTIONAL { ... }` (rule 57)."""
    parser.expect_word("OPTIONAL")
    return Optional(parser.group())
