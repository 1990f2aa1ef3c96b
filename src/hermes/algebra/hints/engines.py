"""Warnings of what the engine in use is known to do otherwise (see `hermes.algebra.engines`).

Only differences that a plan can meet have a rule here: what hermes refuses, or writes in another way, is
never met.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Final, TypeVar, cast

from hermes.algebra.engines import Difference, differences
from hermes.algebra.hints.change import Change
from hermes.algebra.observation import Hint, Observation, Solutions
from hermes.algebra.operators.graph import Graph as GraphClause
from hermes.algebra.plan import Plan
from hermes.algebra.ports import Graph
from hermes.sparql.expressions import Aggregate, Call, Expression, Membership, Operation
from hermes.sparql.modifiers import Alias
from hermes.sparql.paths import RepeatPath
from hermes.sparql.patterns import Group, TriplePattern
from hermes.sparql.tree import walk
from hermes.terms import IRI, XSD, Literal, Variable

P = TypeVar("P")


class Case:
    """A plan, what was seen of it, and its parts by type: a rule looks only at those that it is about."""

    def __init__(self, plan: Plan, seen: Observation) -> None:
        self.plan = plan
        self.seen = seen
        self._parts: defaultdict[type, list[object]] = defaultdict(list)
        for part in walk(plan):
            self._parts[type(part)].append(part)

    def parts(self, kind: type[P]) -> list[P]:
        """Return the parts of this type, wherever they stand."""
        return cast("list[P]", self._parts.get(kind, []))


Meets = Callable[[Case], bool]
"""Whether a case meets a difference."""

CAP: Final = 10_000
"""The rows that Virtuoso sends, and sorts, unless it is set up otherwise."""

_STRINGS: Final = frozenset(
    {
        "STR", "CONCAT", "LANG", "UCASE", "LCASE", "SUBSTR", "REPLACE", "STRBEFORE", "STRAFTER", "TZ",
        "ENCODE_FOR_URI", "IF", "COALESCE", "STRUUID", "MD5", "SHA1", "SHA256", "SHA384", "SHA512",
    }
)  # fmt: skip
_COMPARISONS: Final = frozenset({"=", "!=", "<", ">", "<=", ">="})
_TIMES: Final = frozenset(XSD + name for name in ("date", "dateTime", "gYear", "gYearMonth", "time"))
_ODD_NUMBER: Final = re.compile(r"\+\d.*|-?0\d.*|-?\d+\.\d*0")


def engine_differences(kg: Graph, change: Change) -> Iterator[Hint]:
    """Warn where the step brings in what this engine is known to do otherwise; later steps say nothing."""
    case = Case(change.plan, change.seen)
    for known, meets in _rules_for(kg.engine):
        if meets(case) and not meets(Case(change.before, change.seen_before)):
            advice = f"; {known.advice}" if known.advice else ""
            yield Hint("engine-difference", f"{kg.engine}: {known.happens}{advice}")


@cache
def _rules_for(engine: str) -> tuple[tuple[Difference, Meets], ...]:
    known = differences()
    return tuple((known[name], meets) for name, meets in RULES.items() if engine in known[name].engines)


# --- the rules --------------------------------------------------------------------------------------


def _group_concat(case: Case) -> bool:
    """GROUP_CONCAT over what is not surely a string, and has no value in some row that was seen."""
    columns = [
        column.variable.name
        for column in case.plan.projection
        if isinstance(column, Alias) and any(map(_concatenates_terms, walk(column.expression)))
    ]
    if not columns or not isinstance(case.seen, Solutions) or not case.seen.sample:
        return bool(columns)
    return any(name not in row for row in case.seen.sample for name in columns)


def _concatenates_terms(part: object) -> bool:
    if not isinstance(part, Aggregate) or part.function != "GROUP_CONCAT":
        return False
    argument = part.argument
    return not (isinstance(argument, Call) and argument.function in _STRINGS)


def _comparisons(case: Case) -> Iterator[tuple[Expression, Expression]]:
    """Yield the operands of each comparison and of each IN, both ways round."""
    for comparison in case.parts(Operation):
        if comparison.operators[0] in _COMPARISONS:
            left, right = comparison.operands
            yield left, right
            yield right, left
    for membership in case.parts(Membership):
        yield from ((membership.operand, choice) for choice in membership.choices)


def _language_tag(case: Case) -> bool:
    return any(
        _calls(left, "LANG") and isinstance(right, Literal) and right.lexical != right.lexical.lower()
        for left, right in _comparisons(case)
    )


def _spelling(case: Case) -> bool:
    """STR compared with a spelling that is not canonical."""
    return any(
        _calls(left, "STR") and isinstance(right, Literal) and bool(_ODD_NUMBER.fullmatch(right.lexical))
        for left, right in _comparisons(case)
    )


def _calls(expression: Expression, function: str) -> bool:
    return isinstance(expression, Call) and expression.function == function


def _dates(case: Case) -> bool:
    """Two sides whose datatypes can be seen in the text, and are of time, and differ."""
    return any(
        (one := _time(left)) is not None and (other := _time(right)) is not None and one != other
        for left, right in _comparisons(case)
    )


def _time(expression: Expression) -> str | None:
    name = None
    if isinstance(expression, Literal):
        name = expression.datatype
    elif isinstance(expression, Call) and isinstance(expression.function, IRI):
        name = expression.function.value
    return name if name in _TIMES else None


def _division(case: Case) -> bool:
    return any(
        operator == "/" and not (isinstance(divisor, Literal) and divisor.lexical.strip("0.") != "")
        for part in case.parts(Operation)
        for operator, divisor in zip(part.operators, part.operands[1:], strict=True)
    )


def _in_nothing(case: Case) -> bool:
    return any(part.negated and not part.choices for part in case.parts(Membership))


def _bare_condition(case: Case) -> bool:
    """A variable, or a text with a tag, as the whole condition of a filter."""
    conditions = [each for group in case.parts(Group) for each in group.filters]
    return any(
        isinstance(each, Variable) or (isinstance(each, Literal) and each.language is not None)
        for each in conditions
    )


def _paths(case: Case) -> Iterator[tuple[TriplePattern, RepeatPath]]:
    for part in case.parts(TriplePattern):
        if part.is_path:
            yield from ((part, step) for step in walk(part.predicate) if isinstance(step, RepeatPath))


def _zero_length(case: Case) -> bool:
    """A path that may be empty begins or ends at a constant, and nothing was found."""
    if isinstance(case.seen, Solutions) and case.seen.count:
        return False
    return any(
        path is pattern.predicate and path.times != "+" and not isinstance(end, Variable)
        for pattern, path in _paths(case)
        for end in (pattern.subject, pattern.object)
    )


def _open_path(case: Case) -> bool:
    return any(
        path.times != "?" and isinstance(pattern.subject, Variable) and isinstance(pattern.object, Variable)
        for pattern, path in _paths(case)
    )


def _graph_over_nothing(case: Case) -> bool:
    return any(
        not any(isinstance(inside, TriplePattern) for inside in walk(part.patterns))
        for part in case.parts(GraphClause)
    )


def _several_from(case: Case) -> bool:
    return sum(not clause.named for clause in case.plan.dataset) > 1


def _grouped_by_keys(case: Case) -> bool:
    """Groups by keys, at most one of which was seen."""
    return bool(case.plan.group_by) and not (isinstance(case.seen, Solutions) and case.seen.count > 1)


def _too_many_rows(case: Case) -> bool:
    return isinstance(case.seen, Solutions) and case.seen.count > CAP


def _sorts_too_many(case: Case) -> bool:
    return bool(case.plan.order_by) and case.plan.sliced and (case.plan.limit or 0) + case.plan.offset > CAP


RULES: Final[Mapping[str, Meets]] = {
    "group-concat-of-non-strings": _group_concat,
    "group-over-nothing": _grouped_by_keys,
    "language-tag-case": _language_tag,
    "literal-spelling": _spelling,
    "date-comparison": _dates,
    "division-by-zero": _division,
    "not-in-nothing": _in_nothing,
    "truth-of-a-tagged-text": _bare_condition,
    "absent-start-of-a-path": _zero_length,
    "graph-over-no-pattern": _graph_over_nothing,
    "from-keeps-duplicates": _several_from,
    "open-path": _open_path,
    "row-cap": _too_many_rows,
    "sort-cap": _sorts_too_many,
}
"""How a plan is recognised that meets a difference, by the difference's id."""
