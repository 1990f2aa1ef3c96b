"""The grammar rules for SELECT columns and solution modifiers (rules 9 and 18 to 26)."""

from __future__ import annotations

from typing import Final

from hermes.sparql.expressions import Expression
from hermes.sparql.modifiers import Alias, Column, GroupKey, OrderCondition
from hermes.sparql.parser.expressions import ExpressionRules
from hermes.terms import IRI, Variable

LARGEST: Final = 2**63 - 1
"""The largest LIMIT and OFFSET that every engine reads."""


class ModifierRules(ExpressionRules):
    """Reads the pieces of solution modifiers."""

    def alias(self, *, aggregates: bool) -> Alias:
        """Read `expression AS ?variable`."""
        self.aggregates = aggregates
        expression = self.expression()
        self.aggregates = False
        self.expect_word("AS")
        return Alias(expression, self.variable("the new variable (?name)"))

    def column(self) -> Column:
        """Read `?x` or `(expression AS ?x)`."""
        if self.take("("):
            alias = self.alias(aggregates=True)
            self.expect(")")
            return alias
        return self.variable("a variable or (expression AS ?name)")

    def group_key(self) -> GroupKey:
        """Read `?x`, `(expression AS ?x)`, `(expression)` or a function call."""
        if self.take("("):
            expression = self.expression()
            alias = Alias(expression, self.variable()) if self.take_word("AS") else None
            self.expect(")")
            return alias or expression
        if self.kinds[self.at] == "VAR":
            return self.variable()
        return self.constraint()

    def with_aggregates(self) -> Expression:
        """Read a whole expression in which aggregates may stand."""
        self.aggregates = True
        expression = self.expression()
        self.aggregates = False
        return expression

    def having(self) -> Expression:
        """Read one condition of HAVING."""
        self.aggregates = True
        condition = self.constraint()
        self.aggregates = False
        return condition

    def order_condition(self) -> OrderCondition:
        """Read `?x`, `ASC(...)`, `DESC(...)`, `(expression)` or a function call."""
        self.aggregates = True
        try:
            if self.keyword() in ("ASC", "DESC"):
                descending = self.keyword() == "DESC"
                self.at += 1
                return OrderCondition(self.bracketed(), descending)
            if self.kinds[self.at] == "VAR":
                return OrderCondition(self.variable())
            return OrderCondition(self.constraint())
        finally:
            self.aggregates = False

    def natural(self, what: str) -> int:
        """Read a whole number >= 0."""
        digits = self.texts[self.at].lstrip("0") or "0"
        if self.kinds[self.at] != "INTEGER" or len(digits) > len(str(LARGEST)) or int(digits) > LARGEST:
            self.fail(f"a whole number for {what}, at most {LARGEST}")
        self.at += 1
        return int(digits)

    def variable_or_iri(self) -> Variable | IRI:
        """Read a variable or an IRI (rule 107)."""
        if self.kinds[self.at] == "VAR":
            return self.variable()
        return self.iri("a variable or an IRI")
