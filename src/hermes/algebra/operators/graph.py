"""Graph (SPARQL 1.1, sections 13.3 and 18.6)."""

from hermes.algebra.fields import VARIABLE_OR_IRI, field
from hermes.algebra.items import PATTERNS
from hermes.algebra.kind import Clause, kind
from hermes.sparql.parser import Parser
from hermes.sparql.patterns import Group, begins_with
from hermes.terms import IRI, IriWriter, Variable, term_text


@kind
class Graph(Clause):
    """Match the patterns in a named graph; a variable as name goes through all of them."""

    op = "graph"
    example = '{"op": "graph", "name": "?graph", "patterns": ["?city ex:hosted ?games"]}'
    name: Variable | IRI = field(VARIABLE_OR_IRI)
    patterns: Group = field(PATTERNS)

    def text(self, names: IriWriter) -> str:
        """Return `GRAPH name { ... }`."""
        return f"GRAPH {term_text(self.name, names)} {self.patterns.text(names)}"

    def binds(self) -> tuple[Variable, ...]:
        """Return the name, if it is a variable, and what the patterns bind."""
        named = (self.name,) if isinstance(self.name, Variable) else ()
        return (*named, *self.patterns.binds())

    def groups(self) -> tuple[Group, ...]:
        """Return the patterns."""
        return (self.patterns,)


@begins_with("GRAPH")
def graph(parser: Parser) -> Graph:
    """Read `GRAPH name { ... }` (rule 58)."""
    parser.expect_word("GRAPH")
    return Graph(parser.variable_or_iri(), parser.group())
