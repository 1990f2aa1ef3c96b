"""The elements of a group in words, one rule for each operator.

An operator that has no rule here is shown by its SPARQL text; another module may give it words with
`@phrase.register`.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import singledispatch

from hermes.algebra.operators import Bind, Graph, Join, Minus, Optional, Service, Subquery, Union, Values
from hermes.printable import printable
from hermes.sparql.expressions import Exists, Expression, variables_of
from hermes.sparql.patterns import Element, Group, TriplePattern
from hermes.sparql.tree import walk
from hermes.terms import IRI, Literal, Variable
from hermes.verbalize.expressions import condition, predication, value
from hermes.verbalize.lexicon import listed
from hermes.verbalize.phrase import Clause
from hermes.verbalize.speech import Speech
from hermes.verbalize.trees import Pool
from hermes.verbalize.variables import parts

Bound = Collection[Variable]


@singledispatch
def phrase(element: Element, speech: Speech, before: Bound) -> str:
    """Return the words for an element of a group; `before` are the variables bound before it."""
    del before
    speech.introduced.update(element.binds())
    return f"as in {speech.copy(printable(element.text(speech.lexicon.write)), element)}"


def has_words(element: Element) -> bool:
    """Whether a rule says this element; else its text is shown as it is."""
    return phrase.dispatch(type(element)) is not phrase.dispatch(object)


class Filters:
    """The filters of a group, of which some are said beside the attribute that they are about."""

    def __init__(self, conditions: tuple[Expression, ...], speech: Speech, visible: Bound) -> None:
        self.left = list(conditions)
        self.speech = speech
        self.visible = visible

    def about(self, attribute: Variable) -> str | None:
        """Take the filters that only compare this attribute with constants, and return what they say."""
        said = []
        for expression in list(self.left):
            read = set(variables_of(expression)) - set(self.speech.inlined)
            if read != {attribute} or attribute not in self.visible:
                continue
            with self.speech.seeing(self.visible):
                made = predication(expression, self.speech)
            if made and made[0] == attribute and _reads_once(expression, attribute):
                self.left.remove(expression)
                said.append(made[1])
        return listed(said) if said else None

    def words(self, *, inside: bool) -> list[str]:
        """Say those that are left; `inside` as for `condition`."""
        with self.speech.seeing(self.visible):
            return [condition(expression, self.speech, inside=inside) for expression in self.left]


def _reads_once(expression: Expression, variable: Variable) -> bool:
    """Whether the variable stands at one place, and no EXISTS may read it too."""
    return sum(part == variable or isinstance(part, Exists) for part in walk(expression)) == 1


def group_words(group: Group, speech: Speech, left: Bound = ()) -> str:
    """Return the words for a group inside another, as statements.

    `left` are the variables that a LeftJoin binds before the group: its filters see them.
    """
    filters = Filters(group.filters, speech, {*left, *speech.outer, *group.binds()})
    first, others = parts(group)
    others = without_single_values(others, group, speech)
    pool = Pool(first, speech, filters.about)
    said = pool.statements()
    said += (Clause(words) for words in element_words(others, speech, first))
    said += (Clause(words) for words in filters.words(inside=True))
    if not said:
        return "(nothing more is asked)"
    last = len(said) - 1
    return " and ".join(clause.text(last=place == last) for place, clause in enumerate(said))


def element_words(elements: list[Element], speech: Speech, first: list[TriplePattern]) -> list[str]:
    """Return the words for the elements of a group that come after its first triple patterns."""
    before = set(Group(tuple(first)).binds())
    said: list[str] = []
    for element in elements:
        if isinstance(element, TriplePattern):
            said += (clause.text(last=False) for clause in Pool([element], speech).statements())
        else:
            said.append(phrase(element, speech, frozenset(before)))
        before.update(element.binds())
    return said


def without_single_values(elements: list[Element], group: Group, speech: Speech) -> list[Element]:
    """Return the elements without the sub-queries whose one value is said where a filter uses it."""
    left = []
    for element in elements:
        variable = _single_value(element)
        if (
            isinstance(element, Subquery)
            and variable
            and speech.uses[variable] == _MADE_AND_USED
            and variable in variables_of(group.filters)
        ):
            speech.inlined[variable] = f"({_told(element, speech)})"
        else:
            left.append(element)
    return left


_MADE_AND_USED = 2


def _single_value(element: Element) -> Variable | None:
    """Return the column of a sub-query that always gives one row of one column."""
    if not isinstance(element, Subquery):
        return None
    plan = element.actions
    plain = plan.grouped and not (plan.group_by or plan.having or plan.sliced or plan.values)
    return plan.columns[0] if plain and len(plan.columns) == 1 else None


def _told(element: Subquery, speech: Speech, *, named: bool = False) -> str:
    with speech.apart(()):
        return speech.tell(element.actions, speech, named=named)


@phrase.register
def _subquery(element: Subquery, speech: Speech, before: Bound) -> str:
    del before
    columns = element.actions.columns
    words = _told(element, speech, named=len(columns) != 1)
    speech.introduced.update(columns)
    names = listed(speech.name(column) for column in columns) or "a match"
    if len(columns) != 1:
        return f"{names} come from ({words})"
    return f"{names} is {'' if _single_value(element) else 'one of '}({words})"


@phrase.register
def _optional(element: Optional, speech: Speech, before: Bound) -> str:
    return f"optionally ({group_words(element.patterns, speech, before)})"


@phrase.register
def _minus(element: Minus, speech: Speech, before: Bound) -> str:
    shares = any(variable in before for variable in element.patterns.binds())
    idle = "" if shares else " (which shares no variable and so removes nothing)"
    with speech.apart(before):
        return f"except where ({group_words(element.patterns, speech)}){idle}"


@phrase.register
def _join(element: Join, speech: Speech, before: Bound) -> str:
    del before
    return f"by itself ({group_words(element.patterns, speech)})"


@phrase.register
def _union(element: Union, speech: Speech, before: Bound) -> str:
    del before
    known = set(speech.introduced)
    branches = []
    for branch in element.branches:
        with speech.apart(known):
            branches.append(f"({group_words(branch, speech)})")
    speech.introduced.update(element.binds())
    return f"either {' or '.join(branches)}"


@phrase.register
def _graph(element: Graph, speech: Speech, before: Bound) -> str:
    del before
    where = _place(element.name, "some named graph", speech)
    return f"in {where} ({group_words(element.patterns, speech)})"


@phrase.register
def _service(element: Service, speech: Speech, before: Bound) -> str:
    del before
    where = _place(element.endpoint, "some endpoint", speech)
    silent = ", or without it where that fails," if element.silent else ""
    return f"at {where}{silent} ({group_words(element.patterns, speech)})"


def _place(name: Variable | IRI, unknown: str, speech: Speech) -> str:
    kind = unknown.removeprefix("some ")
    if isinstance(name, IRI):
        return f"the {kind} {printable(speech.lexicon.write(name.value))}"
    if name in speech.introduced:
        return f"the {kind} {speech.name(name)}"
    speech.introduced.add(name)
    return f"{unknown}{speech.introduction(name)}"


@phrase.register
def _bind(element: Bind, speech: Speech, before: Bound) -> str:
    with speech.seeing({*before, *speech.outer}):
        words = value(element.expr, speech, inside=True)
    speech.introduced.add(element.var)
    return f"{speech.name(element.var)} stands for {words}"


@phrase.register
def _values(element: Values, speech: Speech, before: Bound) -> str:
    del before
    return table_words(element, speech)


def table_words(element: Values, speech: Speech) -> str:
    """Return the words for a table of values."""
    speech.introduced.update(element.vars)
    names = [speech.name(variable) for variable in element.vars]
    rows = [[_cell(cell, speech) for cell in row] for row in element.rows]
    if not rows:
        return f"{listed(names) or 'a row'} comes from an empty table"
    if not names:
        return f"each match counts {len(rows)} times" if len(rows) > 1 else "a row without columns"
    if len(names) == 1:
        return f"{names[0]} is {listed((row[0] for row in rows), 'or')}"
    table = listed((f"({', '.join(row)})" for row in rows), "or")
    return f"({', '.join(names)}) is {table}"


def _cell(cell: IRI | Literal | None, speech: Speech) -> str:
    return "anything" if cell is None else speech.lexicon.term(cell)


@condition.register
def _exists(expression: Exists, speech: Speech, *, negated: bool = False, inside: bool = False) -> str:
    del inside
    denied = " not" if negated != expression.negated else ""
    known = speech.introduced if speech.visible is None else speech.visible
    with speech.apart(known), speech.inside_exists():
        words = group_words(expression.group, speech)
    return f"it does{denied} hold that ({words})" if denied else f"it holds that ({words})"
