"""The grammar rules for expressions (rules 107 to 128), read by precedence climbing."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from hermes.errors import did_you_mean
from hermes.sparql.expressions import (
    PRECEDENCE,
    RELATIONAL,
    Aggregate,
    Call,
    Exists,
    Expression,
    Membership,
    Operation,
    Prefixed,
)
from hermes.sparql.functions import AGGREGATES, ANY, BUILT_INS
from hermes.sparql.iris import resolve
from hermes.sparql.parser.terms import TermRules
from hermes.terms import IRI, XSD_STRING, Literal, Variable

if TYPE_CHECKING:
    from hermes.sparql.patterns import Group

_WHAT = "an expression"


class ExpressionRules(TermRules, ABC):
    """Reads expressions. `aggregates` says whether set functions may stand here."""

    aggregates = False

    @abstractmethod
    def group(self) -> Group:
        """Read a group graph pattern in braces."""

    def expression(self, loosest: int = 1) -> Expression:
        """Read an expression whose operators bind at least as tightly as `loosest`."""
        left = self._prefixed()
        while True:
            level = self._operator_level()
            if level < loosest:
                return left
            left = self._relation(left) if level == RELATIONAL else self._operation(left, level)
            if level == RELATIONAL and self._operator_level() == RELATIONAL:
                self.fail("&& or || between two comparisons")

    def _operator_level(self) -> int:
        kind, text = self.kinds[self.at], self.texts[self.at]
        if kind == "PUNCT":
            return PRECEDENCE.get(text, 0)
        if kind == "WORD" and text.upper() in ("IN", "NOT"):
            return RELATIONAL
        return 0

    def _operation(self, left: Expression, level: int) -> Operation:
        operators, operands = [], [left]
        while self._operator_level() == level:
            operators.append(self.texts[self.at])
            self.at += 1
            operands.append(self.expression(level + 1))
        return Operation(tuple(operators), tuple(operands))

    def _relation(self, left: Expression) -> Expression:
        if self.kinds[self.at] == "WORD":
            negated = self.take_word("NOT")
            self.expect_word("IN")
            return Membership(left, self._arguments(), negated)
        operator = self.texts[self.at]
        self.at += 1
        return Operation((operator,), (left, self.expression(RELATIONAL + 1)))

    def _prefixed(self) -> Expression:
        text = self.texts[self.at]
        if self.kinds[self.at] == "PUNCT" and text in ("!", "-", "+") and not self.starts_literal():
            self.at += 1
            return Prefixed(text, self.primary())
        return self.primary()

    def primary(self) -> Expression:
        """Read a primary expression (rule 119)."""
        kind = self.kinds[self.at]
        if kind == "VAR":
            return self.variable()
        if kind == "PUNCT" and self.texts[self.at] == "(":
            return self.bracketed()
        if self.starts_iri():
            function = self.iri()
            if not self.next_is("("):
                return function
            distinct = self._takes_distinct()
            arguments = self._arguments(opened=distinct)
            if distinct and not arguments:
                self.fault("DISTINCT needs an argument")
            return Call(function, arguments, distinct)
        if self.starts_literal():
            return self.literal()
        if kind == "WORD":
            return self._named()
        self.fail(_WHAT)

    def bracketed(self) -> Expression:
        """Read an expression in parentheses."""
        self.expect("(")
        self.enter()
        inner = self.expression()
        self.leave()
        self.expect(")")
        return inner

    def constraint(self) -> Expression:
        """Read an expression in parentheses, or a bare function call (rule 69)."""
        if self.next_is("("):
            return self.bracketed()
        start = self.at
        if not self.starts_iri() and self.kinds[self.at] != "WORD":
            self.fail('"(", a function or EXISTS')
        constraint = self.primary()
        if isinstance(constraint, IRI | Literal):
            self.fault("a condition without parentheses must be a function or EXISTS", start)
        return constraint

    def _takes_distinct(self) -> bool:
        """Step over `(DISTINCT` if it comes next."""
        if self.texts[self.at + 1].upper() == "DISTINCT" and self.kinds[self.at + 1] == "WORD":
            self.at += 2
            return True
        return False

    def _arguments(self, *, opened: bool = False) -> tuple[Expression, ...]:
        if not opened:
            self.expect("(")
        self.enter()
        arguments: list[Expression] = []
        if not self.next_is(")"):
            arguments.append(self.expression())
            while self.take(","):
                arguments.append(self.expression())
        self.leave()
        if not self.take(")"):
            self.fail('"," or ")"')
        return tuple(arguments)

    def _named(self) -> Expression:
        name = self.keyword()
        if name in ("EXISTS", "NOT"):
            negated = self.take_word("NOT")
            self.expect_word("EXISTS")
            return Exists(self.group(), negated)
        if name in AGGREGATES:
            return self._aggregate(name)
        arity = BUILT_INS.get(name)
        if arity is None:
            hint = did_you_mean(name, [*BUILT_INS, *AGGREGATES])
            word = self.texts[self.at]
            self.fault(f'"{word}" is no SPARQL function; a variable is ?{word}, a name has a prefix{hint}')
        start = self.at
        self.at += 1
        if not self.next_is("("):
            self.fail('"("')
        arguments = self._arguments()
        if not arity[0] <= len(arguments) <= arity[1]:
            self.fault(f"{name} takes {_count(*arity)}, not {len(arguments)}", start)
        if name == "BOUND" and not (isinstance(arguments[0], Variable) and self.at == start + 4):
            self.fault("BOUND takes a variable and nothing else", start)
        return Call(_SAME.get(name, name), self._with_base(name, arguments))

    def _with_base(self, name: str, arguments: tuple[Expression, ...]) -> tuple[Expression, ...]:
        """Make the constant of `IRI("x")` absolute: it is relative to the BASE that the plan drops."""
        match arguments:
            case (Literal(text, datatype),) if (
                name in ("IRI", "URI") and datatype == XSD_STRING and self.context.base is not None
            ):
                return (Literal(resolve(text, self.context.base)),)
            case _:
                return arguments

    def _aggregate(self, name: str) -> Aggregate:
        if not self.aggregates:
            self.fault(
                f"{name} is an aggregate: it may stand in aggregate, having, order and project, "
                "not in a pattern, a filter, or another aggregate",
                code="misplaced-aggregate",
            )
        self.at += 1
        self.expect("(")
        self.enter()
        distinct = self.take_word("DISTINCT")
        self.aggregates = False
        argument = None if name == "COUNT" and self.take("*") else self.expression()
        self.aggregates = True
        separator = None
        if name == "GROUP_CONCAT" and self.take(";"):
            self.expect_word("SEPARATOR")
            self.expect("=")
            separator = self.string()
        self.leave()
        self.expect(")")
        return Aggregate(name, argument, distinct, None if separator == " " else separator)


_SAME = {"URI": "IRI", "ISURI": "ISIRI"}
"""Two names of one function."""


def _count(least: int, most: int) -> str:
    if most == ANY:
        return f"at least {least} argument{'s' * (least != 1)}"
    if least == most:
        return "no argument" if least == 0 else f"{least} argument{'s' * (least != 1)}"
    return f"{least} to {most} arguments"
