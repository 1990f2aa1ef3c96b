"""Two answers without the names of their columns, and how many of their rows agree."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from hermes.evaluation.blank_nodes import paired
from hermes.evaluation.columns import Cells, assignments
from hermes.evaluation.ties import Ties
from hermes.evaluation.values import merged, numbers_in
from hermes.results import Result, Table, Triples, Truth
from hermes.terms import FALSE, IRI, TRUE, BlankNode, Literal, Term

_TRIPLE: Final = 3

TermRow = tuple[Term | None, ...]
"""A row; None is an unbound cell."""

Reading = Callable[[Term], Hashable]
"""Gives what is equal for terms that count as one."""


@dataclass(frozen=True, slots=True)
class Rows:
    """An answer without the names of its columns."""

    width: int
    rows: Sequence[TermRow]

    @classmethod
    def of(cls, result: Result) -> Rows:
        """Return the rows of a result; a truth value is one row with one Boolean."""
        match result:
            case Truth(value):
                return cls(1, [(TRUE if value else FALSE,)])
            case Triples(triples):
                return cls(_TRIPLE, [(each.subject, each.predicate, each.object) for each in triples])
            case Table(variables, rows):
                return cls(len(variables), [tuple(map(row.get, variables)) for row in rows])


@dataclass(frozen=True, slots=True)
class Choice:
    """Rows of which a right answer has so many as are wanted."""

    rows: Rows
    wanted: int


@dataclass(frozen=True, slots=True)
class Asked:
    """What a right answer has: certain rows, and some of each choice."""

    certain: Rows
    choices: tuple[Choice, ...] = ()

    @classmethod
    def of(cls, gold: Result, ties: Ties | None) -> Asked:
        """Return what a gold answer asks for, where ties are known with what is as right."""
        if ties is None or not ties.ties:
            return cls(Rows.of(gold))
        choices = (Choice(Rows.of(Table(ties.columns, tie.rows)), tie.wanted) for tie in ties.ties)
        return cls(Rows.of(Table(ties.columns, ties.certain)), tuple(choices))

    @property
    def parts(self) -> tuple[Rows, ...]:
        """All rows that may be right."""
        return (self.certain, *(choice.rows for choice in self.choices))


@dataclass(frozen=True, slots=True)
class Match:
    """How two answers agree, as sets of rows.

    Args:
        right: rows that are given and asked for.
        asked: rows that are asked for.
        given: rows that are given.
        in_order: whether the two are equal, and the rows that every right answer has come in its order.
    """

    right: int
    asked: int
    given: int
    in_order: bool = False

    @property
    def exact(self) -> bool:
        """Whether nothing is missing and nothing is wrong."""
        return self.right == self.asked == self.given

    @property
    def precision(self) -> float:
        """The part of the given rows that is right."""
        return self.right / self.given if self.given else float(self.exact)

    @property
    def recall(self) -> float:
        """The part of what is asked for that is given."""
        return self.right / self.asked if self.asked else float(self.exact)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return 1.0 if self.exact else 2 * self.right / (self.asked + self.given)


Numbers = dict[Cells, None]
"""Rows as numbers, each once, in their order."""


@dataclass(frozen=True, slots=True)
class Pair:
    """What is asked for and what is given, each value as a number.

    Args:
        certain: rows that a right answer has.
        choices: rows of which a right answer has some, with how many.
        given: the answer.
        width: the columns of what is asked for.
        given_width: the columns of the answer.
        blank: the numbers of blank nodes.
    """

    certain: Numbers
    choices: tuple[tuple[Numbers, int], ...]
    given: Numbers
    width: int
    given_width: int
    blank: frozenset[int] = frozenset()

    @classmethod
    def of(cls, asked: Asked, given: Rows, reading: Reading) -> Pair:
        """Return the numbers of two answers: the same for terms that the reading makes equal."""
        values = _Values([*(part.rows for part in asked.parts), given.rows], reading)
        choices = tuple((values.numbers(each.rows.rows), each.wanted) for each in asked.choices)
        certain, answer = values.numbers(asked.certain.rows), values.numbers(given.rows)
        return cls(certain, choices, answer, asked.certain.width, given.width, values.blank)

    def without_asked(self, column: int) -> Pair:
        """Return the pair without a column of what is asked for."""
        choices = tuple((_without(rows, column), wanted) for rows, wanted in self.choices)
        return replace(self, certain=_without(self.certain, column), choices=choices, width=self.width - 1)

    def without_given(self, column: int) -> Pair:
        """Return the pair without a column of the answer."""
        return replace(self, given=_without(self.given, column), given_width=self.given_width - 1)

    def match(self) -> Match:
        """Return how the two agree, the columns of the answer in the order that agrees best.

        Rows of another width are never right.
        """
        choices = [(rows, min(wanted, len(rows))) for rows, wanted in self.choices]
        size = len(self.certain) + sum(wanted for _, wanted in choices)
        if self.given_width != self.width:
            # Two empty answers are equal whatever their columns.
            return Match(0, size, len(self.given), in_order=not size and not self.given)
        best, in_order = -1, False
        whole = [row for rows in (self.certain, *(rows for rows, _ in choices)) for row in rows]
        for most, columns in assignments(self._unnamed(whole), self._unnamed(self.given), self.width):
            if best >= min(most, size, len(self.given)):
                break
            rows = self._named(whole, [tuple([row[at] for at in columns]) for row in self.given])
            right = sum(map(self.certain.__contains__, rows))
            right += sum(min(wanted, sum(map(choice.__contains__, rows))) for choice, wanted in choices)
            if right > best:
                best = right
                exact = best == size == len(self.given)
                in_order = exact and [row for row in rows if row in self.certain] == list(self.certain)
        return Match(best, size, len(self.given), in_order=in_order)

    def _unnamed(self, rows: Collection[Cells]) -> Collection[Cells]:
        """Return rows in which all blank nodes are one: any may stand for any other."""
        if not self.blank:
            return rows
        return [tuple([-1 if cell in self.blank else cell for cell in row]) for row in rows]

    def _named(self, gold: Sequence[Cells], given: list[Cells]) -> list[Cells]:
        """Return the given rows with their blank nodes called as in the gold rows."""
        if not self.blank:
            return given
        # One label in both answers is two nodes.
        own = {cell: -cell - 1 for cell in self.blank}
        given = [tuple([own.get(cell, cell) for cell in row]) for row in given]
        pairs = paired(gold, given, self.blank | set(own.values()))
        return [tuple([pairs.get(cell, cell) for cell in row]) for row in given]


def _without(rows: Numbers, column: int) -> Numbers:
    return dict.fromkeys([row[:column] + row[column + 1 :] for row in rows])


class _Values:
    """A number for each value in some tables, so that rows are compared quickly."""

    def __init__(self, tables: Sequence[Sequence[TermRow]], reading: Reading) -> None:
        # Cells of a table often are one object, and an object is found faster than an equal one.
        cells = {id(cell): cell for table in tables for row in table for cell in row}
        spelled: dict[object, int] = {}
        places = {key: spelled.setdefault(_spelling(cell), len(spelled)) for key, cell in cells.items()}
        terms = list({place: cells[key] for key, place in places.items()}.values())
        stands = merged(numbers_in(term for term in terms if term is not None))
        known: dict[Hashable, int] = {}
        numbers: list[int] = []
        blank: set[int] = set()
        for term in terms:
            value = None if term is None else reading(term)
            if isinstance(value, Decimal):
                value = stands.get(value, value)
            numbers.append(known.setdefault(value, len(known)))
            if isinstance(term, BlankNode):
                blank.add(numbers[-1])
        self._numbers = {key: numbers[place] for key, place in places.items()}
        self.blank = frozenset(blank)

    def numbers(self, rows: Sequence[TermRow]) -> Numbers:
        """Return rows as numbers."""
        number = self._numbers
        return dict.fromkeys([tuple([number[id(cell)] for cell in row]) for row in rows])


def _spelling(term: Term | None) -> object:
    """Return what equal terms have in common, quicker to compare than they are."""
    if isinstance(term, Literal):
        return (term.lexical, term.datatype, term.language)
    return term.value if isinstance(term, IRI) else term
