"""Expressions in words (SPARQL 1.1, sections 11 and 17). What has no words keeps its SPARQL text."""

from __future__ import annotations

from functools import singledispatch
from typing import Final

from hermes.printable import printable
from hermes.sparql.expressions import (
    Aggregate,
    Call,
    Exists,
    Expression,
    Membership,
    Operation,
    Prefixed,
    expression_text,
)
from hermes.terms import IRI, XSD, Literal, Variable, quote
from hermes.verbalize.lexicon import bracketed, listed, plural
from hermes.verbalize.speech import Speech

# --- conditions ----------------------------------------------------------------------------------

_COMPARISONS: Final = {
    "=": "equals", "!=": "does not equal", "<": "is less than", ">": "is more than", "<=": "is at most",
    ">=": "is at least",
}  # fmt: skip
_OPPOSITES: Final = {
    "=": "does not equal", "!=": "does not differ from", "<": "is not less than", ">": "is not more than",
    "<=": "is not at most", ">=": "is not at least",
}  # fmt: skip
_MIRRORED: Final = {"=": "=", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}

_TESTS: Final = {
    "BOUND": ("is known", "is unknown"),
    "ISIRI": ("is an IRI", "is no IRI"),
    "ISURI": ("is a URI", "is no URI"),
    "ISBLANK": ("is a blank node", "is no blank node"),
    "ISLITERAL": ("is a literal", "is no literal"),
    "ISNUMERIC": ("is a number", "is no number"),
    "CONTAINS": ("contains {1}", "does not contain {1}"),
    "STRSTARTS": ("begins with {1}", "does not begin with {1}"),
    "STRENDS": ("ends with {1}", "does not end with {1}"),
    "LANGMATCHES": ("matches the language range {1}", "does not match the language range {1}"),
    "SAMETERM": ("is the same term as {1}", "is not the same term as {1}"),
    "REGEX": ("matches the pattern {1}", "does not match the pattern {1}"),
}
"""The functions that give a truth value: what they say of their first argument, and its opposite."""


@singledispatch
def condition(expression: Expression, speech: Speech, *, negated: bool = False, inside: bool = False) -> str:
    """Return the words for an expression of which the truth is asked.

    `negated` says the opposite; `inside` puts words that hold an `and` or `or` in brackets.
    """
    del inside
    return f"{value(expression, speech, inside=True)} is {'not ' if negated else ''}true"


def predication(
    expression: Expression, speech: Speech, *, negated: bool = False
) -> tuple[Expression, str] | None:
    """Return the subject of a condition and what it says of it: `?age` and `is more than 3`."""
    match expression:
        case Prefixed("!", operand):
            return predication(operand, speech, negated=not negated)
        case Operation((operator,), (left, right)) if operator in _COMPARISONS:
            if isinstance(left, Literal | IRI) and not isinstance(right, Literal | IRI):
                left, right, operator = right, left, _MIRRORED[operator]
            words = (_OPPOSITES if negated else _COMPARISONS)[operator]
            return left, f"{words} {value(right, speech, inside=True)}"
        case Membership(operand, choices, not_in):
            return operand, _choice(choices, speech, negated=negated != not_in)
        case Call(str() as function, (subject, *others), False) if function in _TESTS:
            words = _TESTS[function][negated]
            given = [value(other, speech, inside=True) for other in others]
            return subject, words.format("", *given) + _flags(function, others, speech)
    return None


def _choice(choices: tuple[Expression, ...], speech: Speech, *, negated: bool) -> str:
    words = [value(choice, speech, inside=True) for choice in choices]
    if not words:
        return "is not among no values" if negated else "is among no values"
    if len(words) == 1:
        return f"{_COMPARISONS['!=' if negated else '=']} {words[0]}"
    return f"is {'none' if negated else 'one'} of {listed(words, 'or')}"


def _flags(function: str, others: list[Expression], speech: Speech) -> str:
    if function != "REGEX" or len(others) == 1:
        return ""
    if others[1] == Literal("i"):
        return " in any case"
    return f" with the flags {value(others[1], speech, inside=True)}"


@condition.register(Call)
@condition.register(Membership)
def _tested(
    expression: Call | Membership, speech: Speech, *, negated: bool = False, inside: bool = False
) -> str:
    del inside
    said = predication(expression, speech, negated=negated)
    if said is None:
        return f"{value(expression, speech, inside=True)} is {'not ' if negated else ''}true"
    subject, words = said
    return f"{value(subject, speech, inside=True)} {words}"


@condition.register
def _prefixed(expression: Prefixed, speech: Speech, *, negated: bool = False, inside: bool = False) -> str:
    if expression.operator == "!":
        return condition(expression.operand, speech, negated=not negated, inside=inside)
    return f"{value(expression, speech, inside=True)} is {'not ' if negated else ''}true"


@condition.register
def _operation(expression: Operation, speech: Speech, *, negated: bool = False, inside: bool = False) -> str:
    word = {"||": "or", "&&": "and"}.get(expression.operators[0])
    if word is None:
        said = predication(expression, speech, negated=negated)
        if said is None:
            return f"{value(expression, speech, inside=True)} is {'not ' if negated else ''}true"
        return f"{value(said[0], speech, inside=True)} {said[1]}"
    words = f" {word} ".join(condition(operand, speech, inside=True) for operand in expression.operands)
    if negated:
        return f"it is not so that ({words})"
    return f"({words})" if inside else words


# --- values --------------------------------------------------------------------------------------

_INFIX: Final = {"+": "plus", "-": "minus", "*": "times", "/": "divided by"}

_FUNCTIONS: Final = {
    "ABS": "the absolute value of {0}",
    "BNODE": "a new blank node for {0}",
    "CEIL": "{0} rounded up",
    "DATATYPE": "the datatype of {0}",
    "DAY": "the day of {0}",
    "ENCODE_FOR_URI": "{0} encoded for URIs",
    "FLOOR": "{0} rounded down",
    "HOURS": "the hours of {0}",
    "IRI": "the IRI made of {0}",
    "LANG": "the language of {0}",
    "LCASE": "{0} in lower case",
    "MD5": "the MD5 hash of {0}",
    "MINUTES": "the minutes of {0}",
    "MONTH": "the month of {0}",
    "REPLACE": "{0} with {2} for the pattern {1}",
    "ROUND": "{0} rounded",
    "SECONDS": "the seconds of {0}",
    "SHA1": "the SHA1 hash of {0}",
    "SHA256": "the SHA256 hash of {0}",
    "SHA384": "the SHA384 hash of {0}",
    "SHA512": "the SHA512 hash of {0}",
    "STR": "the text of {0}",
    "STRAFTER": "the part of {0} after {1}",
    "STRBEFORE": "the part of {0} before {1}",
    "STRDT": "{0} as a literal of type {1}",
    "STRLANG": "{0} as a text in the language {1}",
    "STRLEN": "the number of characters of {0}",
    "SUBSTR": "the part of {0} from character {1}",
    "TIMEZONE": "the time zone of {0}",
    "TZ": "the time zone text of {0}",
    "UCASE": "{0} in upper case",
    "URI": "the URI made of {0}",
    "YEAR": "the year of {0}",
}
_CONSTANTS: Final = {
    "BNODE": "a new blank node", "NOW": "the present time", "RAND": "a random number", "UUID": "a new IRI",
    "STRUUID": "a new identifier",
}  # fmt: skip
_MORE: Final = {"SUBSTR": " and {2} characters long", "REPLACE": " with the flags {3}"}
"""What functions say of one argument more than they need."""


@singledispatch
def value(expression: Expression, speech: Speech, *, inside: bool = False) -> str:
    """Return the words for an expression; `inside` puts those of several parts in brackets."""
    del inside
    return speech.copy(printable(expression_text(expression, speech.lexicon.write)), expression)


@value.register(Variable)
@value.register(IRI)
@value.register(Literal)
def _term(expression: Variable | IRI | Literal, speech: Speech, *, inside: bool = False) -> str:
    del inside
    return speech.value(expression)


@value.register(Exists)
@value.register(Membership)
def _truth(expression: Exists | Membership, speech: Speech, *, inside: bool = False) -> str:
    return bracketed(f"whether {condition(expression, speech)}", inside=inside)


@value.register
def _prefixed_value(expression: Prefixed, speech: Speech, *, inside: bool = False) -> str:
    if expression.operator == "!":
        return bracketed(f"whether {condition(expression, speech)}", inside=inside)
    sign = "minus" if expression.operator == "-" else "plus"
    return bracketed(f"{sign} {value(expression.operand, speech, inside=True)}", inside=inside)


@value.register
def _operation_value(expression: Operation, speech: Speech, *, inside: bool = False) -> str:
    if expression.operators[0] not in _INFIX:
        return bracketed(f"whether {condition(expression, speech)}", inside=inside)
    words = [value(expression.operands[0], speech, inside=True)]
    for operator, operand in zip(expression.operators, expression.operands[1:], strict=True):
        words += (_INFIX[operator], value(operand, speech, inside=True))
    return bracketed(" ".join(words), inside=inside)


@value.register
def _call(expression: Call, speech: Speech, *, inside: bool = False) -> str:
    function, arguments = expression.function, expression.arguments
    if isinstance(function, str) and function in _TESTS:
        return bracketed(f"whether {condition(expression, speech)}", inside=inside)
    given = [value(argument, speech, inside=True) for argument in arguments]
    match function:
        case IRI(iri):
            words = _cast(iri, given, speech, distinct=expression.distinct)
        case "COALESCE":
            words = f"the first known one of {listed(given, 'or')}" if given else ""
        case "CONCAT":
            words = f"the text that joins {listed(given)}" if given else 'the text ""'
        case "IF":
            test = condition(arguments[0], speech, inside=True)
            words = f"{given[1]} if {test}, else {given[2]}"
        case _ if not given:
            words = _CONSTANTS.get(function, "")
        case _:
            words = _FUNCTIONS.get(function, "").format(*given)
            words += _MORE[function].format(*given) if len(given) > _LEAST.get(function, 9) else ""
    if not words:
        return speech.copy(printable(expression.text(speech.lexicon.write)), expression)
    return bracketed(words, inside=inside and (len(given) > 1 or " of " not in words))


_LEAST: Final = {"SUBSTR": 2, "REPLACE": 3}


def _cast(iri: str, given: list[str], speech: Speech, *, distinct: bool) -> str:
    if iri.startswith(XSD) and len(given) == 1 and not distinct:
        return f"{given[0]} read as {printable(speech.lexicon.write(iri))}"
    words = f"the result of the function {speech.lexicon.iri(IRI(iri))}"
    each = " for the different values of" if distinct else " for"
    return f"{words}{each} {listed(given)}" if given else words


# --- aggregates ----------------------------------------------------------------------------------

_SETS: Final = {
    "COUNT": "the number of values of", "SUM": "the sum of", "MIN": "the least value of",
    "MAX": "the greatest value of", "AVG": "the average of", "SAMPLE": "any one value of",
}  # fmt: skip
_OF_ALL: Final = {"MIN": "least", "MAX": "greatest", "AVG": "average"}
_DIFFERENT: Final = {
    "COUNT": "the number of different values of", "SUM": "the sum of the different values of",
    "MIN": "the least of the different values of", "MAX": "the greatest of the different values of",
    "AVG": "the average of the different values of", "SAMPLE": "any one of the different values of",
}  # fmt: skip


@value.register
def _aggregate(expression: Aggregate, speech: Speech, *, inside: bool = False) -> str:
    del inside
    function, different = expression.function, expression.distinct
    if expression.argument is None:
        return f"the number of {'different ' if different else ''}matches"
    if function == "COUNT" and isinstance(expression.argument, Variable):
        noun = speech.noun(expression.argument)
        if noun:
            counted = f"different {plural(noun)}" if different else f"{plural(noun)} (repeats counted)"
            return f"the number of {counted}"
    with speech.seeing(speech.matched):
        words = value(expression.argument, speech, inside=True)
    attribute = speech.attribute(expression.argument) if isinstance(expression.argument, Variable) else None
    if attribute and function in _OF_ALL and not different:
        return f"the {_OF_ALL[function]} {attribute}"
    if function == "GROUP_CONCAT":
        with_text = "" if expression.separator is None else f" with {printable(quote(expression.separator))}"
        return f"the {'different ' if different else ''}values of {words} joined{with_text}"
    return f"{(_DIFFERENT if different else _SETS)[function]} {words}"
