"""Extend (SPARQL 1.1, sections 10.1 and 18.5)."""

from collections.abc import Collection, Iterator

from hermes.algebra.fields import EXPRESSION, VARIABLE, field
from hermes.algebra.kind import Clause, kind
from hermes.algebra.scope import unbound
from hermes.sparql.expressions import Expression, expression_text
from hermes.sparql.parser import Parser
from hermes.sparql.patterns import Slip, begins_with
from hermes.terms import IriWriter, Variable


@kind
class Bind(Clause):
    """Give each solution a new variable with the value of an expression; unbound where that fails."""

    op = "bind"
    example = '{"op": "bind", "expr": "YEAR(?opened)", "var": "?when"}'
    commutes = False
    expr: Expression = field(EXPRESSION)
    var: Variable = field(VARIABLE)

    def text(self, names: IriWriter) -> str:
        """Return `BIND(... AS ?x)`."""
        return f"BIND({expression_text(self.expr, names)} AS {self.var})"

    def binds(self) -> tuple[Variable, ...]:
        """Return the new variable."""
        return (self.var,)

    def introduces(self) -> tuple[Variable, ...]:
        """Return the new variable: it may not be in scope already."""
        return (self.var,)

    def slips(self, before: Collection[Variable]) -> Iterator[Slip]:
        """Report variables of the expression that nothing before it binds."""
        return unbound(self.expr, before, "bind")


@begins_with("BIND")
def bind(parser: Parser) -> Bind:
    """Read `BIND(expression AS ?x)` (rule 60)."""
    parser.expect_word("BIND")
    parser.expect("(")
    alias = parser.alias(aggregates=False)
    parser.expect(")")
    return Bind(alias.expression, alias.variable)
