"""What an expression can be (SPARQL 1.1, section 17): its values, and whether it may fail.

A function that no rule knows can be anything and can fail. A rule says only which arguments always fail: by
the specification they are type errors, and the embedded engine takes them for errors too.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from hermes.sparql.expressions import Call, Exists, Expression, Membership, Operation, Prefixed
from hermes.terms import IRI, Literal, Variable
from hermes.verifier.literals import DATE, DATE_TIME, DOUBLE, FLOAT
from hermes.verifier.rules.graph_space import Values
from hermes.verifier.rules.solutions import Solutions
from hermes.verifier.rules.space import UNBOUND, Family, Space

_STRINGS: Final[tuple[Family, ...]] = ("string", "tagged", "other")
_MOMENTS: Final[tuple[Family, ...]] = ("moment", "other")
_NUMBERS: Final[tuple[Family, ...]] = ("number", "other")
_ADDED: Final[tuple[Family, ...]] = ("number", "moment", "other")
_LITERALS: Final[tuple[Family, ...]] = ("string", "tagged", "number", "boolean", "moment", "other")

_TAKES: Final[dict[str, tuple[Family, ...]]] = {
    **dict.fromkeys(
        (
            "STRLEN", "UCASE", "LCASE", "ENCODE_FOR_URI", "CONTAINS", "STRSTARTS", "STRENDS", "STRBEFORE",
            "STRAFTER", "REGEX", "SUBSTR", "REPLACE",
        ),
        _STRINGS,
    ),
    **dict.fromkeys(("YEAR", "MONTH", "DAY", "HOURS", "MINUTES", "SECONDS", "TIMEZONE", "TZ"), _MOMENTS),
    **dict.fromkeys(("ABS", "CEIL", "FLOOR", "ROUND"), _NUMBERS),
    "LANG": _LITERALS,
    "DATATYPE": _LITERALS,
    "STR": ("iri", *_LITERALS),
}  # fmt: skip
"""What the first argument of a function can be, if the function is not to fail."""

_KINDS: Final[dict[str, tuple[Family, ...]]] = {
    "ISIRI": ("iri",),
    "ISURI": ("iri",),
    "ISBLANK": ("blank",),
    "ISLITERAL": _LITERALS,
    "ISNUMERIC": ("number",),
}

_BOTH: Final = frozenset({"CONTAINS", "STRSTARTS", "STRENDS", "STRBEFORE", "STRAFTER"})
"""Functions whose second argument is a string as well."""

_GIVES: Final[dict[str, tuple[Family, ...]]] = {
    **dict.fromkeys(("STR", "LANG", "ENCODE_FOR_URI"), ("string",)),
    **dict.fromkeys(("CONTAINS", "STRSTARTS", "STRENDS", "REGEX", "LANGMATCHES"), ("boolean",)),
    **dict.fromkeys(
        ("UCASE", "LCASE", "SUBSTR", "REPLACE", "STRBEFORE", "STRAFTER", "CONCAT"), ("string", "tagged")
    ),
    **dict.fromkeys(("STRLEN", "YEAR", "MONTH", "DAY", "HOURS", "MINUTES", "SECONDS"), ("number",)),
    **dict.fromkeys(("ABS", "CEIL", "FLOOR", "ROUND"), ("number", "other")),
    "DATATYPE": ("iri",),
    "IRI": ("iri",),
    "URI": ("iri",),
}  # fmt: skip
"""What a function gives where it does not fail."""


class Functions:
    """What functions take and give in a space.

    Attributes:
        takes: what the first argument of a function can be, if it is not to fail.
        gives: what a function gives where it does not fail.
        kinds: the terms for which a test such as ISIRI is true.
        strings: what functions of strings take.
        numbers: what arithmetic takes.
        added: what `+` and `-` take; moments too.
        truths: what has an effective boolean value (section 17.2.2).
        inexact: numbers that may be neither below nor above another.
        placeless: moments that have no place on a scale.
    """

    def __init__(self, space: Space) -> None:
        def union(families: Iterable[Family]) -> Values:
            return sum(space.families[family] for family in families)

        self.takes = {name: union(families) for name, families in _TAKES.items()}
        self.gives = {name: union(families) for name, families in _GIVES.items()}
        self.kinds = {name: union(families) for name, families in _KINDS.items()}
        self.strings = union(_STRINGS)
        self.numbers = union(_NUMBERS)
        self.added = union(_ADDED)
        self.truths = space.literals & ~space.families["moment"]
        self.inexact = space.tags.get(DOUBLE, 0) | space.tags.get(FLOAT, 0)
        self.placeless = space.families["moment"] & ~(space.tags.get(DATE, 0) | space.tags.get(DATE_TIME, 0))


class Expressions:
    """The values of expressions in a space.

    `outside` says whether a variable that nothing binds may have a value from around the group, as inside
    EXISTS.
    """

    def __init__(self, space: Space, functions: Functions) -> None:
        self.space = space
        self.functions = functions
        self.outside = False

    def of(self, expression: Expression, solutions: Solutions) -> Values:
        """Return what an expression can be; `UNBOUND` stands for its failure."""
        match expression:
            case Variable():
                found = solutions.of(expression)
                return found | self.space.anything if self.outside and found & UNBOUND else found
            case IRI() | Literal():
                return self.space.of_term(expression)
            case Call(str()):
                return self._call(expression, solutions)
            case Operation(operators, operands) if operators[0] in _ARITHMETIC:
                return self._arithmetic(operators, operands, solutions)
            case Prefixed("-" | "+", operand):
                return self._arithmetic(("*",), (operand,), solutions)
        truth = isinstance(expression, Operation | Prefixed | Membership | Exists)
        return (self.space.families["boolean"] if truth else self.space.anything) | UNBOUND

    def _call(self, call: Call, solutions: Solutions) -> Values:
        name = str(call.function)
        result = self.functions.gives.get(name, self.space.anything) | UNBOUND
        if (
            name in self.functions.takes
            and not self.of(call.arguments[0], solutions) & self.functions.takes[name]
        ):
            return UNBOUND
        if name in _BOTH and not self.of(call.arguments[1], solutions) & self.functions.strings:
            return UNBOUND
        return result

    def _arithmetic(
        self, operators: tuple[str, ...], operands: tuple[Expression, ...], solutions: Solutions
    ) -> Values:
        allowed = self.functions.added if operators[0] in "+-" else self.functions.numbers
        if any(not self.of(operand, solutions) & allowed for operand in operands):
            return UNBOUND
        return self.functions.added | UNBOUND


_ARITHMETIC: Final = frozenset("+-*/")
