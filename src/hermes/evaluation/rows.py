"""Two answers without the names of their columns, and how many of their rows agree."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain
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

    def without(self, column: int) -> Rows:
        """Return the answer without a column."""
        return Rows(self.width - 1, [row[:column] + row[column + 1 :] for row in self.rows])


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

    def without(self, column: int) -> Asked:
        """Return the same without a column."""
        choices = (Choice(each.rows.without(column), each.wanted) for each in self.choices)
        return Asked(self.certain.without(column), tuple(choices))


@dataclass(frozen=True, slots=True)
class Match:
    """How two answers agree, as sets of rows.

    Args:
        right: rows that are given and asked for.
        asked: rows that are asked for.
        given: rows that are given.
        in_order: whether all rows are right and come in the order of the gold answer.
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


def match(asked: Asked, given: Rows, reading: Reading) -> Match:
    """Return how an answer agrees with what is asked for, its columns in the order that agrees best.

    Rows of another width are never right.
    """
    numbers = _Numbers(chain((part.rows for part in asked.parts), (given.rows,)), reading)
    certain, *choices = (numbers.of(part.rows) for part in asked.parts)
    answer = numbers.of(given.rows)
    wanted = [min(each.wanted, len(rows)) for each, rows in zip(asked.choices, choices, strict=True)]
    size = len(certain) + sum(wanted)
    if given.width != asked.certain.width:
        # Two empty answers are equal whatever their columns.
        return Match(0, size, len(answer), in_order=not size and not answer)
    best, order = -1, False
    whole = [row for part in (certain, *choices) for row in part]
    for most, columns in assignments(whole, answer, given.width):
        if best >= min(most, size, len(answer)):
            break
        rows = numbers.renamed(whole, [tuple(row[at] for at in columns) for row in answer])
        right = sum(map(certain.__contains__, rows))
        for choice, limit in zip(choices, wanted, strict=True):
            right += min(limit, sum(map(choice.__contains__, rows)))
        if right > best:
            best, order = right, rows == list(certain) and not choices
    return Match(best, size, len(answer), in_order=order or (best == size == len(answer) and bool(choices)))


class _Numbers:
    """A number for each value, so that rows are compared quickly."""

    def __init__(self, tables: Iterable[Sequence[TermRow]], reading: Reading) -> None:
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
        self._blank = frozenset(blank)

    def of(self, rows: Sequence[TermRow]) -> dict[Cells, None]:
        """Return rows as numbers, each once, in their order."""
        number = self._numbers
        return dict.fromkeys([tuple([number[id(cell)] for cell in row]) for row in rows])

    def renamed(self, gold: Sequence[Cells], given: Sequence[Cells]) -> Sequence[Cells]:
        """Return the given rows with their blank nodes called as in the gold rows."""
        if not self._blank:
            return given
        pairs = paired(gold, given, self._blank)
        return [
            tuple(pairs.get(cell, -cell - 1) if cell in self._blank else cell for cell in row)
            for row in given
        ]


def _spelling(term: Term | None) -> object:
    """Return what equal terms have in common, quicker to compare than they are."""
    match term:
        case Literal():
            return (term.lexical, term.datatype, term.language)
        case IRI():
            return term.value
        case _:
            return term
