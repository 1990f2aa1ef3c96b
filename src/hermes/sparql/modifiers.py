"""The pieces of solution modifiers and SELECT clauses (SPARQL 1.1, sections 11, 15 and 16.1)."""

from __future__ import annotations

from dataclasses import dataclass

from hermes.sparql.expressions import Expression, expression_text
from hermes.sparql.tree import Node
from hermes.terms import IriWriter, Variable


@dataclass(frozen=True, slots=True)
class Alias(Node):
    """A value with a name: `expression AS ?variable`."""

    expression: Expression
    variable: Variable

    def text(self, names: IriWriter) -> str:
        """Return the alias without parentheses."""
        return f"{expression_text(self.expression, names)} AS {self.variable}"


@dataclass(frozen=True, slots=True)
class OrderCondition(Node):
    """One sort key; ascending unless said otherwise."""

    expression: Expression
    descending: bool = False

    def text(self, names: IriWriter) -> str:
        """Return the condition: `?x`, `ASC(...)` or `DESC(...)`."""
        text = expression_text(self.expression, names)
        if self.descending:
            return f"DESC({text})"
        return text if isinstance(self.expression, Variable) else f"ASC({text})"


Column = Variable | Alias
"""What a SELECT clause lists."""

GroupKey = Variable | Alias | Expression
"""What GROUP BY lists: a variable, an expression with a name, or an expression."""


def column_text(column: Column, names: IriWriter) -> str:
    """Return a column as SPARQL text."""
    return f"({column.text(names)})" if isinstance(column, Alias) else str(column)


def group_key_text(key: GroupKey, names: IriWriter) -> str:
    """Return a group key as SPARQL text."""
    if isinstance(key, Alias):
        return f"({key.text(names)})"
    text = expression_text(key, names)
    return text if isinstance(key, Variable) else f"({text})"
