"""Expressions (SPARQL 1.1, sections 11 and 17) and how they are printed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hermes.sparql.functions import VOLATILE
from hermes.sparql.tree import Node, walk
from hermes.terms import IRI, IriWriter, Literal, Variable, quote, term_text

if TYPE_CHECKING:
    from hermes.sparql.patterns import Group

PRECEDENCE: Final = {
    "||": 1, "&&": 2,
    "=": 3, "!=": 3, "<": 3, ">": 3, "<=": 3, ">=": 3,
    "+": 4, "-": 4, "*": 5, "/": 5,
}  # fmt: skip
RELATIONAL: Final = 3
"""Comparisons and IN do not chain (rule 114)."""
UNARY: Final = 6
PRIMARY: Final = 7


@dataclass(frozen=True, slots=True)
class Operation(Node):
    """Operands joined by infix operators of one precedence, read from the left: `?a + ?b - ?c`.

    There is one operator fewer than operands; a comparison has exactly two operands.
    """

    operators: tuple[str, ...]
    operands: tuple[Expression, ...]

    @property
    def precedence(self) -> int:
        """How tightly the operators bind."""
        return PRECEDENCE[self.operators[0]]

    def text(self, names: IriWriter) -> str:
        """Return the expression as SPARQL text."""
        tighter = self.precedence + 1
        parts = [expression_text(self.operands[0], names, tighter)]
        for operator, operand in zip(self.operators, self.operands[1:], strict=True):
            parts += (operator, expression_text(operand, names, tighter))
        return " ".join(parts)


@dataclass(frozen=True, slots=True)
class Prefixed(Node):
    """`!e`, `-e` or `+e`."""

    operator: str
    operand: Expression

    def text(self, names: IriWriter) -> str:
        """Return the expression as SPARQL text."""
        operand = expression_text(self.operand, names, UNARY + 1)
        # A number must not melt with the sign before it: -(1) is not the literal -1.
        return f"{self.operator}({operand})" if isinstance(self.operand, Literal) else self.operator + operand


@dataclass(frozen=True, slots=True)
class Membership(Node):
    """`e IN (...)` or `e NOT IN (...)`."""

    operand: Expression
    choices: tuple[Expression, ...]
    negated: bool

    def text(self, names: IriWriter) -> str:
        """Return the expression as SPARQL text."""
        choices = ", ".join(expression_text(choice, names) for choice in self.choices)
        word = "NOT IN" if self.negated else "IN"
        return f"{expression_text(self.operand, names, RELATIONAL + 1)} {word} ({choices})"


@dataclass(frozen=True, slots=True)
class Call(Node):
    """A built-in function (a name in capitals) or a function named by an IRI."""

    function: str | IRI
    arguments: tuple[Expression, ...]
    distinct: bool = False

    def text(self, names: IriWriter) -> str:
        """Return the expression as SPARQL text."""
        name = self.function if isinstance(self.function, str) else names(self.function.value)
        arguments = ", ".join(expression_text(argument, names) for argument in self.arguments)
        return f"{name}({'DISTINCT ' if self.distinct else ''}{arguments})"


@dataclass(frozen=True, slots=True)
class Aggregate(Node):
    """A set function (section 11); `argument` is None for `COUNT(*)`."""

    function: str
    argument: Expression | None
    distinct: bool = False
    separator: str | None = None

    def text(self, names: IriWriter) -> str:
        """Return the expression as SPARQL text."""
        argument = "*" if self.argument is None else expression_text(self.argument, names)
        separator = "" if self.separator is None else f"; SEPARATOR={quote(self.separator)}"
        return f"{self.function}({'DISTINCT ' if self.distinct else ''}{argument}{separator})"


@dataclass(frozen=True, slots=True)
class Exists(Node):
    """`EXISTS { ... }` or `NOT EXISTS { ... }` (section 8.1)."""

    group: Group
    negated: bool

    def text(self, names: IriWriter) -> str:
        """Return the expression as SPARQL text."""
        return f"{'NOT ' if self.negated else ''}EXISTS {self.group.text(names)}"


Expression = Variable | IRI | Literal | Operation | Prefixed | Membership | Call | Aggregate | Exists


def expression_text(expression: Expression, names: IriWriter, tightness: int = 0) -> str:
    """Return `expression` as SPARQL text, in parentheses where its place asks for a tighter one."""
    if isinstance(expression, Variable | IRI | Literal):
        return term_text(expression, names)
    text = expression.text(names)
    return text if _precedence(expression) >= tightness else f"({text})"


def _precedence(expression: Expression) -> int:
    match expression:
        case Operation():
            return expression.precedence
        case Membership():
            return RELATIONAL
        case Prefixed():
            return UNARY
        case _:
            return PRIMARY


def variables_of(expression: object, *, outside_aggregates: bool = False) -> tuple[Variable, ...]:
    """Return the variables that an expression reads, each once, in order of first mention.

    The patterns of EXISTS are left out: what they need from outside is their group's business.
    """
    stop = (Exists, Aggregate) if outside_aggregates else (Exists,)
    return tuple(dict.fromkeys(part for part in walk(expression, stop) if isinstance(part, Variable)))


def has_aggregate(expression: object) -> bool:
    """Whether an aggregate stands in the expression (one in a sub-query of it does not count)."""
    return any(isinstance(part, Aggregate) for part in walk(expression, (Exists,)))


def is_volatile(expression: object) -> bool:
    """Whether two evaluations of the expression may differ."""
    return any(isinstance(part, Call | Aggregate) and part.function in VOLATILE for part in walk(expression))
