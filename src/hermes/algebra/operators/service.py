"""Service (SPARQL 1.1 Federated Query, section 2). The explorer refuses hosts that are not allowed."""

from hermes.algebra.fields import FLAG, VARIABLE_OR_IRI, field
from hermes.algebra.items import PATTERNS
from hermes.algebra.kind import Clause, kind
from hermes.sparql.parser import Parser
from hermes.sparql.patterns import Group, begins_with
from hermes.terms import IRI, IriWriter, Variable, term_text


@kind
class Service(Clause):
    """Match the patterns at another endpoint, whose host the graph must allow."""

    op = "service"
    example = (
        '{"op": "service", "endpoint": "<https://sparql.example.org/>", "patterns": ["?city ex:twin ?other"]}'
    )
    endpoint: Variable | IRI = field(VARIABLE_OR_IRI)
    patterns: Group = field(PATTERNS)
    silent: bool = field(FLAG, default=False)

    def text(self, names: IriWriter) -> str:
        """Return `SERVICE endpoint { ... }`."""
        silent = "SILENT " if self.silent else ""
        return f"SERVICE {silent}{term_text(self.endpoint, names)} {self.patterns.text(names)}"

    def binds(self) -> tuple[Variable, ...]:
        """Return the endpoint, if it is a variable, and what the patterns bind."""
        named = (self.endpoint,) if isinstance(self.endpoint, Variable) else ()
        return (*named, *self.patterns.binds())

    def groups(self) -> tuple[Group, ...]:
        """Return the patterns."""
        return (self.patterns,)


@begins_with("SERVICE")
def service(parser: Parser) -> Service:
    """Read `SERVICE [SILENT] endpoint { ... }` (rule 59)."""
    parser.expect_word("SERVICE")
    silent = parser.take_word("SILENT")
    return Service(parser.variable_or_iri(), parser.group(), silent)
