"""A plan in an order that reads naturally: connected, the most selective first, else as it is written.

Only what keeps the solutions changes place (SPARQL 1.1, section 18.5):

- clauses that join, among their neighbours that join;
- a clause that joins, over an OPTIONAL, MINUS or BIND before it, where all that both mention is bound before
  either. This is done only where the query would else go through a product;
- filters, which belong to their whole group, so that each is shown as soon as what it reads is bound.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf, log10
from typing import Final, TypeVar

from hermes.algebra.decompose import element_operator
from hermes.algebra.kind import Operator
from hermes.algebra.operators.bind import Bind
from hermes.algebra.operators.filter import Filter
from hermes.algebra.operators.minus import Minus
from hermes.algebra.operators.optional import Optional
from hermes.algebra.plan import Plan
from hermes.algebra.ports import Vocabulary
from hermes.explanation.binding import NONE, Variables, certain_of, mentioned
from hermes.explanation.estimate import chosen_by, estimate
from hermes.sparql.expressions import Expression, is_volatile
from hermes.sparql.patterns import Element, Group
from hermes.sparql.tree import rewrite

T = TypeVar("T")

_PASSABLE: Final = (Optional, Minus, Bind)
"""The operators over which a join may move, under the condition of `_passes`."""


def natural_order(plan: Plan, vocabulary: Vocabulary | None = None) -> Plan:
    """Return a plan with the same solutions whose clauses stand in an order that reads naturally.

    Args:
        plan: any plan.
        vocabulary: how often predicates and classes occur, where that is known; else the shape of the
            patterns decides.
    """
    where = _Ordering(vocabulary).group(plan.where, NONE)
    return plan if where == plan.where else replace(plan, where=where)


def operators(plan: Plan) -> list[Operator]:
    """Return the operators that build `plan` from `Plan()`, each filter as soon as it can be read.

    The columns are always chosen by one of them, so that the plan they build selects what `plan` selects.
    """
    chosen = plan.variant(projected=bool(plan.projection) or plan.projected)
    found = list(chosen.operators())
    first, last = len(plan.dataset), len(plan.dataset) + len(plan.where.elements) + len(plan.where.filters)
    found[first:last] = [
        element_operator(item) if isinstance(item, Element) else Filter(item) for item in items(plan.where)
    ]
    return found


def items(group: Group) -> Iterator[Element | Expression]:
    """Yield the elements of a group, and each filter as soon as all that it reads is bound."""
    waiting = list(group.filters)
    for place, element in enumerate(group.elements, start=1):
        yield element
        before, later = group.elements[:place], group.elements[place:]
        open_yet = {name for clause in later for name in clause.binds()} - certain_of(before)
        bound = frozenset(name for clause in before for name in clause.binds())
        for condition in [*waiting]:
            read = mentioned(condition)
            if read & bound and not read & open_yet:
                waiting.remove(condition)
                yield condition
    yield from waiting


class _Ordering:
    """Orders the groups of a plan, from outside to inside, by one vocabulary."""

    def __init__(self, vocabulary: Vocabulary | None) -> None:
        self._vocabulary = vocabulary

    def group(self, group: Group, outside: Variables) -> Group:
        """Return a group in order; `outside` are the variables that are bound where it is joined."""
        left, done = list(group.elements), list[Element]()
        known, chosen = outside, NONE.union(*map(chosen_by, group.filters))
        while left:
            element = left.pop(self._next(left, done, known, chosen))
            done.append(self._inside(element, known))
            known = known.union(element.binds())
        return Group(tuple(done), tuple(self._inside(condition, known) for condition in group.filters))

    def _inside(self, part: T, known: Variables) -> T:
        """Return a clause or a condition with the groups in it in order."""

        def change(inner: object) -> object | None:
            if isinstance(inner, Plan):
                return natural_order(inner, self._vocabulary)
            return self.group(inner, known) if isinstance(inner, Group) else None

        return rewrite(part, change)

    def _next(
        self, left: Sequence[Element], done: Sequence[Element], known: Variables, chosen: Variables
    ) -> int:
        """Return the place of the element to take next; filters let `chosen` have few values."""
        if not left[0].commutes:
            return 0
        run = next((place for place, element in enumerate(left) if not element.commutes), len(left))
        first = min(range(run), key=lambda place: self._rank(left[place], known, chosen, place))
        if not _apart(left[first], known):
            return first
        for place in range(run + 1, len(left)):
            if not _apart(left[place], known) and _may_come_first(place, left, done):
                return place
        return first

    def _rank(
        self, element: Element, known: Variables, chosen: Variables, place: int
    ) -> tuple[bool, float, int]:
        """Return what orders elements: connected before apart, few solutions before many, then as written.

        Numbers of one magnitude are alike: the model is rough, and the order as written was somebody's.
        """
        guess = estimate(element, known | chosen, self._vocabulary)
        magnitude = inf if guess == inf else round(log10(max(guess, 0.1)))
        return _apart(element, known), magnitude, place


def _apart(element: Element, known: Variables) -> bool:
    """Whether joining an element would pair every solution with each of its own."""
    own = frozenset(element.binds())
    return bool(known and own and not own & known)


def _may_come_first(place: int, left: Sequence[Element], done: Sequence[Element]) -> bool:
    """Whether the element at `place` may change places with all that stands before it."""
    return left[place].commutes and all(
        other.commutes or _passes(left[place], other, certain_of([*done, *left[:at]]))
        for at, other in enumerate(left[:place])
    )


def _passes(join: Element, other: Element, bound: Variables) -> bool:
    """Whether LeftJoin, Minus and Extend may come after a join, given what is `bound` before both.

    They may where all that both mention is bound before either: then the join neither changes what the
    other one sees, nor sees what the other one makes.
    """
    shared = mentioned(join) & mentioned(other)
    return isinstance(other, _PASSABLE) and not is_volatile(other) and shared <= bound
