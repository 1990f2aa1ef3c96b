"""Minus (SPARQL 1.1, sections 8.2 and 18.5)."""

from collections.abc import Collection, Iterator

from hermes.algebra.fields import field
from hermes.algebra.items import PATTERNS
from hermes.algebra.kind import Clause, kind
from hermes.algebra.scope import listed
from hermes.sparql.parser import Parser
from hermes.sparql.patterns import Group, Slip, begins_with
from hermes.terms import IriWriter, Variable


@kind
class Minus(Clause):
    """Remove the solutions that agree with a match of the patterns on a shared variable."""

    op = "minus"
    example = '{"op": "minus", "patterns": ["?city ex:country ex:USA"]}'
    commutes = False
    patterns: Group = field(PATTERNS)

    def text(self, names: IriWriter) -> str:
        """Return `MINUS { ... }`."""
        return f"MINUS {self.patterns.text(names)}"

    def binds(self) -> tuple[Variable, ...]:
        """Return nothing: what MINUS matches is not seen outside."""
        return ()

    def groups(self) -> tuple[Group, ...]:
        """Return the patterns."""
        return (self.patterns,)

    def slips(self, before: Collection[Variable]) -> Iterator[Slip]:
        """Report a MINUS that shares no variable: it removes nothing (section 8.3.1)."""
        if not any(variable in before for variable in self.patterns.binds()):
            yield Slip(
                "minus-shares-nothing",
                f"minus shares no variable with what is before it ({listed(before)}), so it removes nothing",
            )


@begins_with("MINUS")
def minus(parser: Parser) -> Minus:
    """Read `MINUS { ... }` (rule 66)."""
    parser.expect_word("MINUS")
    return Minus(parser.group())
