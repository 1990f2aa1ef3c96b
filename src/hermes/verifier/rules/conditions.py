"""Conditions (SPARQL 1.1, sections 17.2 to 17.4): what variables can be where one is true, or is false.

A condition has three outcomes: true, false and error (section 17.2). A filter keeps what is true. So a
condition is *taken* as true or as false, and gives what its variables can be then; where that is nothing, it
never comes out so. An error is neither, which is why "not true" is never taken for "false".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hermes.sparql.expressions import Call, Exists, Expression, Membership, Operation, Prefixed
from hermes.terms import FALSE, IRI, TRUE, XSD_STRING, Literal, Variable
from hermes.verifier.literals import INTEGER, NUMERIC, TEMPORAL, tag_of
from hermes.verifier.rules.expressions import Expressions
from hermes.verifier.rules.graph_space import Values
from hermes.verifier.rules.opposites import opposites
from hermes.verifier.rules.scales import REVERSED, whole_key
from hermes.verifier.rules.solutions import Cause, NoSolution, Solutions, either
from hermes.verifier.rules.space import FRESH, UNBOUND, Family, Space
from hermes.verifier.rules.spans import may_hold, span_of
from hermes.verifier.rules.texts import Contained, contained

_NEGATED: Final = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}

_ORDERED: Final[tuple[Family, ...]] = ("string", "tagged", "number", "boolean", "moment", "triple")
"""The families that may have an order; IRIs and blank nodes have none (section 17.3)."""

Note = Callable[[str, object, Cause], None]
"""Takes down a part that never matches: a code, the part and why."""

ExistsRule = Callable[[Exists, Solutions, bool], None]
"""Narrows solutions, in place, to those with (or without) a match of the group; raises `NoSolution`."""


class Conditions:
    """The rule of filters in a space."""

    def __init__(self, space: Space, expressions: Expressions, exists: ExistsRule, note: Note) -> None:
        self.space = space
        self.expressions = expressions
        self._exists = exists
        self._note = note
        self._functions = expressions.functions

    def keep(self, conditions: tuple[Expression, ...], solutions: Solutions) -> None:
        """Narrow `solutions`, in place, to those for which all conditions can be true.

        Raises:
            NoSolution: one is never true, or two of them never together.
        """
        for condition in conditions:
            self.take(condition, solutions, outcome=True)
        pair = opposites(conditions)
        if pair is not None:
            raise NoSolution(Cause("never-true", Operation(("&&",), pair), pair))

    def take(self, condition: Expression, solutions: Solutions, *, outcome: bool) -> None:
        """Narrow `solutions`, in place, to those for which a condition can come out so.

        Raises:
            NoSolution: it never does.
        """
        at = condition if outcome else Prefixed("!", condition)
        match condition:
            case Operation(("&&" | "||", *_), operands):
                self._several(at, condition.operators[0], operands, solutions, outcome=outcome)
            case Operation((operator,), (left, right)) if operator in _NEGATED:
                self._compare(at, operator if outcome else _NEGATED[operator], left, right, solutions)
            case Prefixed("!", operand):
                self.take(operand, solutions, outcome=not outcome)
            case Membership(operand, choices, negated) if choices:
                self._member(at, operand, choices, solutions, among=outcome != negated)
            case Exists():
                self._exists(condition, solutions, outcome)
            case Call("BOUND", (Variable() as variable,)):
                self._bound(at, variable, solutions, bound=outcome)
            case Call(str() as name, arguments) if name in self._functions.kinds:
                self._kind(at, arguments[0], self._functions.kinds[name], solutions, outcome=outcome)
            case Call("SAMETERM", (left, right)) if outcome:
                self._compare(at, "=", left, right, solutions)
            case Call("LANGMATCHES", (Call("LANG", (Variable() as variable,)), Literal() as tag)) if outcome:
                self._narrow(at, variable, self.space.of_language(tag.lexical, exact=False), solutions)
            case _:
                self._value(at, condition, solutions, outcome=outcome)

    # --- one by one -----------------------------------------------------------------------------

    def _several(
        self,
        at: Expression,
        operator: str,
        operands: tuple[Expression, ...],
        solutions: Solutions,
        *,
        outcome: bool,
    ) -> None:
        if (operator == "&&") is outcome:
            if outcome:
                self.keep(operands, solutions)
                return
            for operand in operands:
                self.take(operand, solutions, outcome=False)
            return
        possible, never = [], []
        for operand in operands:
            tried = solutions.copy()
            try:
                self.take(operand, tried, outcome=outcome)
                possible.append(tried.values)
            except NoSolution as nothing:
                never.append((operand, nothing.cause))
        if not possible:
            first = never[0][1]
            whole = first.code in ("never-true", "always-error")
            raise NoSolution(first._replace(at=at) if whole else first)
        if outcome:
            for operand, cause in never:
                self._note("choice-never-true", operand, cause)
        solutions.values = either(possible)

    def _member(
        self,
        at: Expression,
        operand: Expression,
        choices: tuple[Expression, ...],
        solutions: Solutions,
        *,
        among: bool,
    ) -> None:
        if among:
            equalities = tuple(Operation(("=",), (operand, choice)) for choice in choices)
            self._several(at, "||", equalities, solutions, outcome=True)
            return
        for choice in choices:
            self._compare(at, "!=", operand, choice, solutions)

    def _bound(self, at: Expression, variable: Variable, solutions: Solutions, *, bound: bool) -> None:
        values = self.expressions.of(variable, solutions)
        found = values & ~UNBOUND if bound else values & UNBOUND
        if not found:
            raise NoSolution(Cause("never-true", at, variable))
        if not self.expressions.outside:
            solutions.values[variable] = found

    def _kind(
        self, at: Expression, argument: Expression, wanted: Values, solutions: Solutions, *, outcome: bool
    ) -> None:
        if not outcome:
            # A literal such as "abc"^^xsd:integer is not numeric, so a number may be none.
            wanted = self.space.anything & ~(wanted & ~self.space.families["number"])
        if isinstance(argument, Variable):
            self._narrow(at, argument, wanted, solutions)
        elif not self.expressions.of(argument, solutions) & wanted:
            raise NoSolution(Cause("never-true", at, argument))

    def _value(self, at: Expression, condition: Expression, solutions: Solutions, *, outcome: bool) -> None:
        """Take any expression by its effective boolean value (section 17.2.2)."""
        if condition in (TRUE, FALSE):
            if (condition == TRUE) is not outcome:
                raise NoSolution(Cause("never-true", at, condition))
            return
        if not self.expressions.of(condition, solutions) & self._functions.truths:
            raise NoSolution(Cause("always-error", at, condition))
        if outcome:
            self._contain(at, condition, solutions)

    def _contain(self, at: Expression, condition: Expression, solutions: Solutions) -> None:
        """Keep the values that may contain what a true condition says that they do."""
        found = contained(condition)
        if found is not None:
            allowed = self.space.containing(found.text, folded=found.folded)
            self._narrow(at, found.variable, allowed, solutions, found)

    # --- comparisons ----------------------------------------------------------------------------

    def _compare(
        self, at: Expression, operator: str, left: Expression, right: Expression, solutions: Solutions
    ) -> None:
        """Take a comparison as true; of one that is taken as false, `operator` is the opposite."""
        if self._of_a_literal(at, operator, left, right, solutions):
            return
        negated = isinstance(at, Prefixed)
        if operator == "!=":
            self._note_apart(at, left, right, solutions)
        allowed_left = self._allowed(operator, right, solutions, negated=negated)
        allowed_right = self._allowed(REVERSED[operator], left, solutions, negated=negated)
        for side, allowed, other in ((left, allowed_left, right), (right, allowed_right, left)):
            if isinstance(side, Variable):
                self._narrow(at, side, allowed, solutions, other)
            elif not self.expressions.of(side, solutions) & allowed:
                values = self.expressions.of(side, solutions)
                raise NoSolution(Cause("never-true", at, side, (other,), values))
        if operator == "=" or not (negated or operator == "!="):
            self._within(at, operator, left, right, solutions)

    def _within(
        self, at: Expression, operator: str, left: Expression, right: Expression, solutions: Solutions
    ) -> None:
        """Look at the numbers and the texts of both sides.

        Not of an order that is taken as false: that NaN is not below does not say that it is above.
        """
        if operator == "=":
            self._contain(at, Operation(("=",), (left, right)), solutions)
        spans = [span_of(side, solutions, self.expressions) for side in (left, right)]
        if spans[0] is not None and spans[1] is not None and not may_hold(operator, spans[0], spans[1]):
            subject, span = (right, spans[1]) if isinstance(left, Literal) else (left, spans[0])
            raise NoSolution(Cause("never-true", at, subject, (span,)))

    def _note_apart(self, at: Expression, left: Expression, right: Expression, solutions: Solutions) -> None:
        """Take down a `!=` of values of which no two can be equal: it keeps all, or fails for all."""
        for side, other in ((left, right), (right, left)):
            values = self.expressions.of(side, solutions) & ~UNBOUND
            if values and not values & self._allowed("=", other, solutions, negated=False):
                self._note("never-equal", at, Cause("never-equal", at, side, (other,), values))
                return

    def _of_a_literal(
        self, at: Expression, operator: str, left: Expression, right: Expression, solutions: Solutions
    ) -> bool:
        """Take `LANG(?x) = "en"` and `DATATYPE(?x) = xsd:date`; return whether it was one."""
        match operator, left, right:
            case "=", Call("LANG", (Variable() as variable,)), Literal() as tag if tag_of(tag) == XSD_STRING:
                allowed = self.space.of_language(tag.lexical, exact=True)
            case "=", Call("DATATYPE", (Variable() as variable,)), IRI(datatype):
                allowed = self.space.of_datatype(datatype)
            case _:
                return False
        self._narrow(at, variable, allowed, solutions, right)
        return True

    def _allowed(self, operator: str, other: Expression, solutions: Solutions, *, negated: bool) -> Values:
        """Return the x for which `x operator other` can be true (or, `negated`, its opposite false)."""
        values = self.expressions.of(other, solutions) & ~UNBOUND
        if not values:
            return 0
        if operator == "!=":
            return self.space.anything
        if isinstance(other, Literal):
            found = self._beside_constant(operator, other)
            if found is not None:
                inexact = (
                    self._functions.inexact if negated and operator != "=" else 0
                )  # NaN is neither below nor above
                return found | inexact
        return self._comparable(operator, values)

    def _beside_constant(self, operator: str, constant: Literal) -> Values | None:
        space, tag = self.space, tag_of(constant)
        if tag in NUMERIC:
            found = space.scales.comparable(operator, constant)
            if found is None:
                return None
            if operator == "=" and (key := whole_key(constant)) is not None:
                whole = space.schema.occurrences.get(INTEGER)
                equal = space.bits(whole.signatures_of(key)) if whole is not None else 0
                found = (found & ~space.tags.get(INTEGER, 0)) | equal
            return found | FRESH["number"]
        if tag in TEMPORAL:
            found = space.scales.comparable(operator, constant)
            return None if found is None else found | self._functions.placeless | FRESH["moment"]
        return None

    def _comparable(self, operator: str, values: Values) -> Values:
        """Return what can be equal to, or in order with, one of some values."""
        families = self.space.families
        found = 0
        if operator in ("=", "<=", ">="):  # what has no order may still be one and the same term
            same = sum(families[name] for name in ("iri", "blank", "triple", "string", "tagged"))
            found |= values & same
            found |= self._equal_numbers(values & families["number"]) if operator == "=" else 0
        for name in ("boolean", "moment", "other") if operator == "=" else (*_ORDERED, "other"):
            if values & families[name]:
                found |= families[name]
        return found

    def _equal_numbers(self, numbers: Values) -> Values:
        """Return the numbers that can be equal to some: whole ones are where they are the same term."""
        if not numbers or numbers & FRESH["number"]:
            return self.space.families["number"] if numbers else 0
        whole = self.space.tags.get(INTEGER, 0)
        near = self.space.scales.overlapping(self.space.signatures(numbers))
        if not numbers & ~whole:
            near &= ~whole
        return numbers | near | FRESH["number"]

    def _narrow(
        self,
        at: Expression,
        variable: Variable,
        allowed: Values,
        solutions: Solutions,
        other: Expression | Contained | None = None,
    ) -> None:
        values = self.expressions.of(variable, solutions)
        found = values & allowed & ~UNBOUND
        if not found:
            raise NoSolution(Cause("never-true", at, variable, () if other is None else (other,), values))
        solutions.values[variable] = found
