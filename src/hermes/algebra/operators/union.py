"""Union and nested groups (SPARQL 1.1, sections 5.2, 7 and 18.5)."""

from hermes.algebra.fields import field
from hermes.algebra.items import BRANCHES
from hermes.algebra.kind import Clause, kind
from hermes.algebra.operators.join import Join
from hermes.sparql.parser import Parser
from hermes.sparql.patterns import Element, Group, begins_with
from hermes.terms import IriWriter, Variable


@kind
class Union(Clause):
    """Join with the solutions of any of the branches; a solution of two branches counts twice."""

    op = "union"
    example = '{"op": "union", "branches": [["?city ex:country ex:Greece"], ["?city ex:country ex:Japan"]]}'
    branches: tuple[Group, ...] = field(BRANCHES)

    def text(self, names: IriWriter) -> str:
        """Return `{ ... } UNION { ... }`."""
        return " UNION ".join(branch.text(names) for branch in self.branches)

    def binds(self) -> tuple[Variable, ...]:
        """Return what any branch may bind."""
        return tuple(dict.fromkeys(name for branch in self.branches for name in branch.binds()))

    def groups(self) -> tuple[Group, ...]:
        """Return the branches."""
        return self.branches


@begins_with("{")
def group_or_union(parser: Parser) -> Element:
    """Read a group, a sub-query in braces, or a union of groups (rule 67)."""
    is_select = parser.texts[parser.at + 1].upper() == "SELECT"
    branches = [parser.group()]
    while parser.take_word("UNION"):
        branches.append(parser.group())
    if len(branches) > 1:
        return Union(tuple(branches))
    return branches[0].elements[0] if is_select else Join(branches[0])
