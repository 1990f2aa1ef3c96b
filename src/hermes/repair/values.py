"""Changes of constants: the term of the graph that was meant, found by one query for all constants."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from hermes.algebra.plan import Plan
from hermes.algebra.ports import Graph
from hermes.repair.batch import NUMBER, batch, numbered
from hermes.repair.candidate import Candidate, Change
from hermes.repair.likeness import alike, bare, term_name
from hermes.repair.names import class_change, predicate_change
from hermes.repair.places import Constant
from hermes.sparql.expressions import Call, Expression, Operation
from hermes.sparql.modifiers import Alias
from hermes.sparql.patterns import Group, TriplePattern
from hermes.sparql.tree import walk
from hermes.terms import IRI, RESERVED, XSD, XSD_STRING, Literal, Term, Variable

VALUE: Final = Variable(f"{RESERVED}v")
_LABEL: Final = Variable(f"{RESERVED}l")
_ANY: Final = Variable(f"{RESERVED}p")

_SAMPLE: Final = 2000
"""Values that are compared with a constant by their names; those that say the same are always found."""
_EQUAL: Final = 20
_NEAR: Final = 0.6
"""The least likeness of a value that may have been meant."""

_RESPELT: Final = 0.9
_VALUE: Final = 0.85
_LABELLED: Final = 0.88
_RETYPED: Final = 0.8
_NAMED: Final = 0.08

_LEXICAL: Final = (
    (XSD + "integer", re.compile(r"[+-]?\d+")),
    (XSD + "decimal", re.compile(r"[+-]?\d*\.\d+")),
    (XSD + "double", re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")),
    (XSD + "boolean", re.compile(r"true|false|0|1")),
    (XSD + "date", re.compile(r"-?\d{4,}-\d\d-\d\d(Z|[+-]\d\d:\d\d)?")),
    (XSD + "dateTime", re.compile(r"-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?")),
    (XSD + "gYear", re.compile(r"-?\d{4,}")),
    (XSD_STRING, re.compile(r".*", re.DOTALL)),
)


def retyped(constant: Constant) -> Iterator[Candidate]:
    """Yield the clause with what its constant says as a literal of another datatype; costs nothing."""
    term, text = constant.term, term_name(constant.term)
    for rank, (datatype, form) in enumerate(_LEXICAL):
        made = Literal(text, datatype)
        if made != term and form.fullmatch(text):
            change = _respelt(term, made)
            score = _RETYPED if change == "datatype" else _RESPELT
            yield Candidate(constant.clause, constant.filled(made), change, score - rank / 100)


def found(kg: Graph, plan: Plan, constants: Sequence[Constant]) -> Iterator[Candidate]:
    """Yield the clauses with terms of the graph that join in the place of a constant; by one query.

    Raises:
        StoreError: the store could not answer.
    """
    asked = [(each, *branch) for each in constants if not each.ordered for branch in _branches(each)]
    if not asked:
        return
    named = {part for part in walk(plan.where) if isinstance(part, IRI | Literal)}
    plans = [numbered(number, branch) for number, (_, _, branch) in enumerate(asked)]
    for row in kg.select(batch(plans, plan.dataset, (NUMBER, VALUE))).rows:
        number, value = row[NUMBER.name], row.get(VALUE.name)
        if isinstance(number, Literal) and isinstance(value, IRI | Literal):
            constant, labelled, _ = asked[int(number.lexical)]
            if constant.role == "term":
                yield from _meant(constant, value, labelled=labelled, there=value in named)
            else:
                yield from _named(kg, plan, constant, value)


def _branches(constant: Constant) -> Iterator[tuple[bool, Plan]]:
    """Yield what gives a sample of the values, those that say the same, and those with such a label."""
    text, value, where = term_name(constant.term), constant.value, constant.where
    yield False, _values(where, value, _SAMPLE)
    if constant.role != "term":
        return
    yield False, _values(where.add_filter(_says(value, text, inside=constant.inside)), value, _EQUAL)
    if isinstance(value, Variable) and not constant.inside:
        labelled = where.add(TriplePattern(value, _ANY, _LABEL)).add_filter(Call("ISLITERAL", (_LABEL,)))
        yield True, _values(labelled.add_filter(_says(_LABEL, text)), value, _EQUAL)


def _values(where: Group, value: Expression, most: int) -> Plan:
    column = value if value == VALUE else Alias(value, VALUE)
    return Plan(where=where, projection=(column,), projected=True, distinct=True, limit=most)


def _says(value: Expression, text: str, *, inside: bool = False) -> Expression:
    """Return the condition that a value says `text`, but for case and punctuation."""
    plain = bare(text)
    if not plain.isascii() or (plain == text and not plain.isalnum()):
        said, plain = Call("LCASE", (Call("STR", (value,)),)), text.lower()
    else:
        # An IRI may end with its separator, as `<cities/Tirana/>` does.
        unended = Call("REPLACE", (Call("STR", (value,)), Literal("[/#:]+$"), Literal("")))
        name = Call("REPLACE", (unended, Literal("^.*[/#:]"), Literal("")))
        whole = Call("IF", (Call("ISIRI", (value,)), name, Call("STR", (value,))))
        said = Call("REPLACE", (Call("LCASE", (whole,)), Literal("[^a-z0-9]+"), Literal("")))
    if inside:
        return Call("CONTAINS", (said, Literal(plain)))
    return Operation(("=",), (said, Literal(plain)))


def _named(kg: Graph, plan: Plan, constant: Constant, value: IRI | Literal) -> Iterator[Candidate]:
    triple, name = constant.clause, constant.term
    if isinstance(triple, TriplePattern) and isinstance(name, IRI) and isinstance(value, IRI):
        if constant.role == "class":
            yield from class_change(triple, value.value, kg.vocabulary)
        else:
            yield from predicate_change(plan, triple, name, value.value, kg.vocabulary)


def _meant(constant: Constant, value: IRI | Literal, *, labelled: bool, there: bool) -> Iterator[Candidate]:
    """Return the clause with a value in place of the constant, where it may have been meant.

    `there` says that the plan names the value elsewhere: queries return to what they name.
    """
    likeness = 1.0 if labelled else alike(term_name(constant.term), term_name(value))
    if constant.inside:
        yield from _part(constant, value)
    elif likeness < _NEAR or value == constant.term:
        return
    elif isinstance(value, IRI):
        score = (_LABELLED if labelled else _VALUE) * likeness + _NAMED * there
        yield Candidate(constant.clause, constant.filled(value), "entity", score)
    elif likeness == 1:
        yield Candidate(constant.clause, constant.filled(value), _respelt(constant.term, value), _RESPELT)
    else:
        yield Candidate(constant.clause, constant.filled(value), "value", _VALUE * likeness)


def _part(constant: Constant, value: IRI | Literal) -> Iterator[Candidate]:
    """Return the clause with the part of a value that says the same as the constant."""
    text = value.lexical if isinstance(value, Literal) else value.value
    wanted = re.escape(term_name(constant.term)).replace("_", ".")
    there = re.search(wanted, text, re.IGNORECASE)
    if there is not None and Literal(there[0]) != constant.term:
        change: Change = "case" if isinstance(constant.term, Literal) else "kind"
        yield Candidate(constant.clause, constant.filled(Literal(there[0])), change, _RESPELT)


def _respelt(wrong: Term, right: Literal) -> Change:
    if not isinstance(wrong, Literal):
        return "kind"
    if wrong.language != right.language:
        return "language"
    return "case" if wrong.datatype == right.datatype else "datatype"
