"""ToMultiSet of inline data (SPARQL 1.1, sections 10.2 and 18.2.3)."""

from collections.abc import Callable
from typing import TypeVar

from hermes.algebra.fields import ANY_VARIABLES, ROWS, DataRow, data_value, field, one_of
from hermes.algebra.kind import Clause, kind, refuse_after_slice
from hermes.algebra.plan import Plan
from hermes.errors import PlanError
from hermes.sparql.parser import Parser
from hermes.sparql.patterns import Group, begins_with
from hermes.terms import IRI, IriWriter, Literal, Variable, term_text

T = TypeVar("T")


@kind
class Values(Clause):
    """Join with a table written into the query; null leaves a cell undefined.

    With `"at": "end"` it is the block after the query, joined after grouping (section 18.2.4.3).
    """

    op = "values"
    example = '{"op": "values", "vars": ["?city"], "rows": [["ex:Athens"], ["ex:London"]]}'
    vars: tuple[Variable, ...] = field(ANY_VARIABLES)
    rows: tuple[DataRow, ...] = field(ROWS)
    at: str = field(one_of("here", "end"), default="here")

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.vars):
                raise PlanError(
                    f"a row of values has {len(row)} cells for {len(self.vars)} variables",
                    code="values-width",
                )
        if len(set(self.vars)) != len(self.vars):
            raise PlanError("values names a variable twice", code="values-width")

    def text(self, names: IriWriter) -> str:
        """Return `VALUES ... { ... }`."""
        rows = [["UNDEF" if cell is None else term_text(cell, names) for cell in row] for row in self.rows]
        if len(self.vars) == 1:
            return f"VALUES {self.vars[0]} {{ {''.join(row[0] + ' ' for row in rows)}}}"
        table = "".join(f"({' '.join(row)}) " for row in rows)
        return f"VALUES ({' '.join(map(str, self.vars))}) {{ {table}}}"

    def binds(self) -> tuple[Variable, ...]:
        """Return the variables of the table."""
        return self.vars

    def add_to(self, group: Group) -> Group:
        """Return `group` with the table."""
        if self.at == "end":
            raise PlanError(
                'values with "at": "end" stands after a query, not inside a group', code="values-end"
            )
        return group.add(self)

    def apply(self, plan: Plan) -> Plan:
        """Add the table to WHERE, or as the block after the query."""
        refuse_after_slice(plan)
        if self.at == "here":
            return plan.evolve(where=self.add_to(plan.where))
        return plan.evolve(values=self)


@begins_with("VALUES")
def values(parser: Parser) -> Values:
    """Read `VALUES ... { ... }` (rules 61 to 65)."""
    parser.expect_word("VALUES")
    if parser.next_is("("):
        variables = _in("(", ")", parser, parser.variable)
        rows = _in("{", "}", parser, lambda: tuple(_in("(", ")", parser, lambda: _cell(parser))))
    else:
        variables = [parser.variable("a variable or ( after VALUES")]
        rows = _in("{", "}", parser, lambda: (_cell(parser),))
    return Values(tuple(variables), tuple(rows))


def _in(opening: str, closing: str, parser: Parser, one: Callable[[], T]) -> list[T]:
    parser.expect(opening)
    found = []
    while not parser.take(closing):
        found.append(one())
    return found


def _cell(parser: Parser) -> IRI | Literal | None:
    return None if parser.take_word("UNDEF") else data_value(parser)
