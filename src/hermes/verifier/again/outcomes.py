"""Conditions over one enumerated solution: all outcomes that are possible (SPARQL 1.1, section 17.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from typing import Final

from hermes.sparql.expressions import Call, Exists, Expression, Membership, Operation, Prefixed
from hermes.terms import FALSE, IRI, RDF_LANG_STRING, TRUE, XSD_STRING, Literal, Variable
from hermes.verifier.again.reach import exclude, never
from hermes.verifier.again.strings import differs, lacks
from hermes.verifier.again.tokens import ANYTHING, Solution, Token, Tokens, sort_of
from hermes.verifier.literals import DECIMAL, DOUBLE, FLOAT, INTEGER, NUMERIC, family, place_of, tag_of

Outcome = bool | None
"""True, false, or None: an error."""

OPEN: Final[frozenset[Outcome]] = frozenset({True, False, None})
ERROR: Final[frozenset[Outcome]] = frozenset({None})
NO_ERROR: Final[frozenset[Outcome]] = frozenset({True, False})

_COMPARISONS: Final = {"=", "!=", "<", ">", "<=", ">="}
_OPPOSITE: Final = {"<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_EXCHANGED: Final = {"=": "=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
_EQUAL_BY_VALUE: Final = {"number", "boolean", "moment", "other"}
_WHOLE: Final = 2.0**53
_DIGITS: Final = 16
_LITERAL_SORTS: Final = {"string", "tagged", "number", "boolean", "moment", "other"}
_TESTS: Final = {
    "ISIRI": {"iri"},
    "ISURI": {"iri"},
    "ISBLANK": {"blank"},
    "ISLITERAL": _LITERAL_SORTS,
    "ISNUMERIC": {"number"},
}
_STRING_FUNCTIONS: Final = {
    "STRLEN", "UCASE", "LCASE", "ENCODE_FOR_URI", "CONTAINS", "STRSTARTS", "STRENDS", "STRBEFORE", "STRAFTER",
    "REGEX", "SUBSTR", "REPLACE",
}  # fmt: skip
_TWO_STRINGS: Final = {"CONTAINS", "STRSTARTS", "STRENDS", "STRBEFORE", "STRAFTER"}
_DATE_FUNCTIONS: Final = {"YEAR", "MONTH", "DAY", "HOURS", "MINUTES", "SECONDS", "TIMEZONE", "TZ"}
_NUMBER_FUNCTIONS: Final = {"ABS", "CEIL", "FLOOR", "ROUND"}
_RESULTS: Final[tuple[tuple[set[str], set[str]], ...]] = (
    ({"STR", "LANG", "ENCODE_FOR_URI"}, {"string"}),
    ({"UCASE", "LCASE", "SUBSTR", "REPLACE", "STRBEFORE", "STRAFTER", "CONCAT"}, {"string", "tagged"}),
    ({"STRLEN", "YEAR", "MONTH", "DAY", "HOURS", "MINUTES", "SECONDS"}, {"number"}),
    (_NUMBER_FUNCTIONS, {"number", "other"}),
    ({"DATATYPE", "IRI", "URI"}, {"iri"}),
    ({"CONTAINS", "STRSTARTS", "STRENDS", "REGEX", "LANGMATCHES", "SAMETERM"}, {"boolean"}),
)
"""Functions with the sorts of their results."""

Matches = Callable[[Exists, Solution], frozenset[Outcome]]


def _needs(name: str) -> list[set[str]]:
    """Return the sorts that the arguments of a function must have, if it is not to fail."""
    if name in _STRING_FUNCTIONS:
        return [{"string", "tagged", "other"}] * (2 if name in _TWO_STRINGS else 1)
    if name in _DATE_FUNCTIONS:
        return [{"moment", "other"}]
    if name in _NUMBER_FUNCTIONS:
        return [{"number", "other"}]
    if name in ("LANG", "DATATYPE"):
        return [_LITERAL_SORTS]
    return [_LITERAL_SORTS | {"iri"}] if name == "STR" else []


def _turned(found: frozenset[Outcome]) -> frozenset[Outcome]:
    return frozenset(None if each is None else not each for each in found)


class Outcomes:
    """The possible outcomes of a condition for one solution.

    `matches` answers EXISTS; `inside` says that variables without a value may have one from around the group;
    `guessed` whether a value that may be anything was looked at: then some outcomes may be impossible.
    """

    def __init__(self, tokens: Tokens, matches: Matches) -> None:
        self.tokens = tokens
        self._matches = matches
        self.inside = False
        self.guessed = False

    def of(self, condition: Expression, solution: Solution) -> frozenset[Outcome]:
        """Return the possible outcomes."""
        match condition:
            case Operation(("&&" | "||" as operator, *_), operands):
                return self._connected(operator, operands, solution)
            case Operation((operator,), (left, right)) if operator in _COMPARISONS:
                return self._compared(operator, left, right, solution)
            case Prefixed("!", operand):
                return _turned(self.of(operand, solution))
            case Membership(operand, choices) if choices:
                return self._member(condition, operand, choices, solution)
            case Exists():
                return self._matches(condition, solution)
        return self._truth(condition, solution)

    def _member(
        self, at: Membership, operand: Expression, choices: tuple[Expression, ...], solution: Solution
    ) -> frozenset[Outcome]:
        if not self.values(operand, solution):
            return ERROR
        equal = tuple(Operation(("=",), (operand, choice)) for choice in choices)
        found = self._connected("||", equal, solution)
        # Engines take what cannot be compared for different, or for an error: it may be either.
        found |= {False} if None in found else set()
        return _turned(found) if at.negated else found

    def _connected(
        self, operator: str, operands: Iterable[Expression], solution: Solution
    ) -> frozenset[Outcome]:
        """Three-valued logic: what decides wins over an error (section 17.2)."""
        decides = operator == "||"
        found: set[Outcome] = {not decides}
        operands = tuple(operands)
        for operand in operands:
            here = self.of(operand, solution)
            found = {
                decides if decides in (a, b) else None if None in (a, b) else not decides
                for a, b in product(found, here)
            }
        return frozenset(found - {True}) if not decides and exclude(operands) else frozenset(found)

    def _bound(self, variable: Variable, solution: Solution) -> frozenset[Outcome]:
        token = solution.get(variable)
        if token == ANYTHING or (token is None and self.inside):
            return NO_ERROR
        return frozenset({token is not None})

    # --- values ---------------------------------------------------------------------------------

    def values(self, expression: Expression, solution: Solution) -> frozenset[Token]:
        """Return the tokens that an expression can have; none where it always fails."""
        found = self._values(expression, solution)
        self.guessed |= ANYTHING in found
        return found

    def _values(self, expression: Expression, solution: Solution) -> frozenset[Token]:
        match expression:
            case Variable():
                token = solution.get(expression, ANYTHING if self.inside else None)
                return frozenset() if token is None else frozenset({token})
            case IRI() | Literal():
                return self.tokens.constant(expression)
            case Call(str() as name, arguments):
                return self._called(name, arguments, solution)
            case Operation((operator, *_), operands) if operator in "+-*/":
                return self._calculated(operands, solution, moments=operator in "+-")
            case Prefixed("-" | "+", operand):
                return self._calculated((operand,), solution, moments=False)
        truth = isinstance(expression, Operation | Prefixed | Membership | Exists)
        return self._sorted({"boolean"}) if truth else frozenset({ANYTHING})

    def _called(self, name: str, arguments: tuple[Expression, ...], solution: Solution) -> frozenset[Token]:
        for argument, sorts in zip(arguments, _needs(name), strict=False):
            if not self._some(self.values(argument, solution), sorts):
                return frozenset()
        for names, sorts in _RESULTS:
            if name in names:
                return self._sorted(sorts)
        return frozenset({ANYTHING})

    def _calculated(
        self, operands: tuple[Expression, ...], solution: Solution, *, moments: bool
    ) -> frozenset[Token]:
        sorts = {"number", "other", "moment"} if moments else {"number", "other"}
        if all(self._some(self.values(operand, solution), sorts) for operand in operands):
            return self._sorted({"number", "other", "moment"})
        return frozenset()

    def _some(self, tokens: Iterable[Token], sorts: set[str]) -> bool:
        return any(token == ANYTHING or self.tokens.sort(token) in sorts for token in tokens)

    def _sorted(self, sorts: set[str]) -> frozenset[Token]:
        return frozenset(token for token in self.tokens.every if self.tokens.sort(token) in sorts)

    def _truth(self, condition: Expression, solution: Solution) -> frozenset[Outcome]:
        match condition:
            case Call("BOUND", (Variable() as variable,)):
                return self._bound(variable, solution)
            case Call(str() as name, (argument,)) if name in _TESTS:
                return self._tested(_TESTS[name], self.values(argument, solution))
            case Call("SAMETERM", (left, right)):
                return self._compared("=", left, right, solution)
            case Call("LANGMATCHES", (Call("LANG", (Variable() as variable,)), Literal() as wanted)):
                return self._tagged(variable, wanted.lexical.lower(), solution, finer=True)
        if condition in (TRUE, FALSE):
            return frozenset({condition == TRUE})
        truthful = self._some(self.values(condition, solution), _LITERAL_SORTS - {"moment"})
        found = OPEN if truthful else ERROR
        return found - {True} if lacks(condition, solution, self.tokens) else found

    def _tested(self, sorts: set[str], tokens: frozenset[Token]) -> frozenset[Outcome]:
        if ANYTHING in tokens or (sorts == {"number"} and self._some(tokens, sorts)):
            return OPEN  # "abc"^^xsd:integer is no number
        return frozenset(self.tokens.sort(token) in sorts for token in tokens) or ERROR

    # --- comparisons ----------------------------------------------------------------------------

    def _compared(
        self, operator: str, left: Expression, right: Expression, solution: Solution
    ) -> frozenset[Outcome]:
        match operator, left, right:
            case "=", Call("LANG", (Variable() as variable,)), Literal(datatype=datatype) as wanted if (
                datatype == XSD_STRING
            ):
                return self._tagged(variable, wanted.lexical.lower(), solution, finer=False)
            case "=", Call("DATATYPE", (Variable() as variable,)), IRI(datatype):
                return self._typed(variable, family(datatype), solution)
            case "!=", Call("LANG" | "DATATYPE"), IRI() | Literal():
                return _turned(self._compared("=", left, right, solution))
        lefts, rights = self.values(left, solution), self.values(right, solution)
        found: set[Outcome] = set()
        for a, b in product(lefts, rights):
            found |= self._pair(operator, (a, left), (b, right))
        if never("=" if operator == "!=" else operator, left, right, solution, self.tokens) or (
            operator in ("=", "!=") and differs(left, right, solution, self.tokens)
        ):
            found -= {operator != "!="}
        return frozenset(found) if lefts and rights else ERROR

    def _pair(
        self, operator: str, left: tuple[Token, Expression], right: tuple[Token, Expression]
    ) -> frozenset[Outcome]:
        """Return the outcomes of comparing two tokens, each with the expression that it is a value of."""
        tokens = {left[0], right[0]}
        sorts = {self.tokens.sort(token) for token in tokens if token != ANYTHING}
        if operator not in ("=", "!=") and sorts & {"iri", "blank"}:
            # Without an order there is still equality, of one term with itself.
            itself = ANYTHING in tokens or len(tokens) == 1
            return frozenset({operator in ("<=", ">="), None}) if itself else ERROR
        if ANYTHING in tokens:
            return OPEN
        comparable = len(sorts) == 1
        if operator in ("=", "!="):
            same = comparable and self._alike(*sorted(tokens, key=str)) and self._related("=", left, right)
            return OPEN if same else frozenset({operator == "!=", None})
        if not comparable:
            return ERROR
        outcomes = ((True, operator), (False, _OPPOSITE[operator]))
        found: set[Outcome] = {outcome for outcome, tried in outcomes if self._related(tried, left, right)}
        unordered = {False} if self._unordered(*left) or self._unordered(*right) else set()
        return frozenset({None, *found, *unordered})

    def _alike(self, first: Token, *second: Token) -> bool:
        """Whether two tokens of one sort may have a value in common."""
        if not second or self.tokens.sort(first) not in _EQUAL_BY_VALUE:
            return not second
        if isinstance(first, str) or isinstance(second[0], str):
            return True
        one, other = (self.tokens.schema.signatures[token] for token in (first, second[0]))
        if one.tag == other.tag == INTEGER:
            return False
        if one.tag not in NUMERIC:
            return True
        if one.low is None or other.low is None or one.high is None or other.high is None:
            return False
        slack = 1e-6 + 1e-6 * max(abs(one.low), abs(one.high), abs(other.low), abs(other.high))
        return one.low <= other.high + slack and other.low <= one.high + slack

    def _related(
        self, operator: str, left: tuple[Token, Expression], right: tuple[Token, Expression]
    ) -> bool:
        """Whether two tokens may stand in a relation, for the sake of the constants that they come from."""
        (a, one), (b, other) = left, right
        if isinstance(other, Literal) and not self._near(operator, a, other):
            return False
        return not isinstance(one, Literal) or self._near(_EXCHANGED[operator], b, one)

    def _unordered(self, token: Token, origin: Expression) -> bool:
        """Whether a value may be NaN, which is neither below nor above anything."""
        if isinstance(origin, Literal):
            return place_of(tag_of(origin), origin.lexical) is None
        return isinstance(token, int) and self.tokens.schema.signatures[token].tag in (DOUBLE, FLOAT)

    def _near(self, operator: str, token: Token, constant: Literal) -> bool:
        """Whether a value of a signature may stand in this relation to a constant, by least and greatest."""
        if not isinstance(token, int):
            return True
        signature = self.tokens.schema.signatures[token]
        tag = tag_of(constant)
        place = place_of(tag, constant.lexical)
        if place is None:
            return True
        if signature.low is None or signature.high is None:
            return signature.tag not in NUMERIC  # what has no place among numbers equals none
        exact = tag in (INTEGER, DOUBLE) or (tag == DECIMAL and len(constant.lexical) < _DIGITS)
        whole = signature.tag == INTEGER and exact and abs(place) < _WHOLE
        if whole and operator == "=":
            equal = Literal(str(int(place)), INTEGER)
            return place.is_integer() and token in self.tokens.constant(equal)
        slack = 0.0 if whole else abs(place) * 1e-6 + 1e-6 if signature.tag in NUMERIC else 5.0
        itself = slack > 0 or operator in ("=", "<=", ">=")
        below = signature.low < place + slack or (signature.low == place + slack and itself)
        above = signature.high > place - slack or (signature.high == place - slack and itself)
        return {"<": below, "<=": below, ">": above, ">=": above, "=": below and above}[operator]

    def _typed(self, variable: Variable, datatype: str, solution: Solution) -> frozenset[Outcome]:
        """Return the outcomes of comparing a datatype."""
        token = solution.get(variable)
        if token is None and not self.inside:
            return ERROR
        if token is None or token == ANYTHING:
            return OPEN
        if self.tokens.sort(token) not in _LITERAL_SORTS:
            return ERROR
        tagged = datatype == RDF_LANG_STRING
        sort = "tagged" if tagged else sort_of(datatype)
        equal = (
            datatype in self.tokens.datatype(token)
            if isinstance(token, int)
            else self.tokens.sort(token) == sort
        )
        return OPEN if equal else frozenset({False, None})

    def _tagged(
        self, variable: Variable, wanted: str, solution: Solution, *, finer: bool
    ) -> frozenset[Outcome]:
        """Return the outcomes of comparing a language tag; unknown tags may be any."""
        token = solution.get(variable)
        if token is None and not self.inside:
            return ERROR
        if token is None or token == ANYTHING:
            return OPEN
        sort = self.tokens.sort(token)
        if sort not in _LITERAL_SORTS:
            return ERROR
        if not isinstance(token, int):
            return OPEN if (sort == "tagged") == (wanted != "") else frozenset({False, None})
        tag = self.tokens.schema.signatures[token].tag
        own = tag[1:] if tag.startswith("@") else ""
        equal = own == wanted or (finer and bool(own) and (wanted == "*" or own.startswith(wanted + "-")))
        return OPEN if equal else frozenset({False, None})
