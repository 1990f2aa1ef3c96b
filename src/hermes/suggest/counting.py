"""The queries of a focus: what it is connected by, to what, and which values it has; each counted.

Counts are of solutions of the plan after the step. Where each solution of WHERE is one of the plan, the
values of the focus are counted first, and each triple of a value then counts as often as the value occurs;
else the plan itself is counted, with the predicate as one more column.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from typing import Literal as OneOf

from hermes.algebra.operators.values import Values
from hermes.algebra.render import sub_query_text
from hermes.explanation.binding import mentioned
from hermes.results import Table
from hermes.sparql.patterns import Group, TriplePattern
from hermes.suggest.site import Site
from hermes.terms import IRI, RDF_TYPE, Literal, Term, Variable, full_iri, term_text

What = OneOf["out", "in", "class", "is", "bound"]
"""The focus is subject (`out`), object (`in`), an instance of the term, the term itself, or anything."""

_WHATS: Final[tuple[What, ...]] = ("out", "in", "class", "is", "bound")
_P: Final = Variable("_hermes_p")
_O: Final = Variable("_hermes_o")
_M: Final = Variable("_hermes_m")
_N: Final = Variable("_hermes_n")
_V: Final = Variable("_hermes_v")
_WHAT: Final = Variable("_hermes_what")
_TO: Final = Variable("_hermes_to")
_TYPE: Final = IRI(RDF_TYPE)

LARGEST: Final = 1000
"""So many values of a focus are counted one by one; of more, the most frequent."""


@dataclass(frozen=True, slots=True)
class Counted:
    """What a step at the focus would leave.

    Args:
        what: how the focus and the terms stand.
        predicate: of the triple; None for `class` and `is`.
        other: the class, the term or the variable at the other end; None where that is a new variable.
        solutions: how many solutions.
        values: how many values of the focus.
    """

    what: What
    predicate: IRI | None
    other: Term | Variable | None
    solutions: int
    values: int


@dataclass(frozen=True, slots=True)
class Spread:
    """The values of a focus with the solutions that each leaves, the most frequent first.

    Args:
        values: see above.
        complete: False where there are more.
        times: how often each solution counts, for what shares no variable with the focus.
    """

    values: tuple[tuple[Term, int], ...]
    complete: bool
    times: int = 1


class Counting:
    """Makes and reads the queries of one focus.

    Args:
        site: the focus.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self._near, self._far = site.parts if site.plain else (site.where, Group())
        self._known: Spread | None = None

    @property
    def near(self) -> frozenset[Variable]:
        """The variables that hang together with the focus."""
        return mentioned(self._near)

    # --- what the focus is connected by ---------------------------------------------------------------

    def edges(self) -> str:
        """Return the query of all predicates around the focus, and of its classes."""
        focus = self._site.focus
        branches = [
            *self._branch("out", TriplePattern(focus, _P, _O), (_P,)),
            *self._branch("in", TriplePattern(_O, _P, focus), (_P,)),
            *self._branch("class", TriplePattern(focus, _TYPE, _O), (_O,)),
        ]
        if self._site.needed is not None:
            branches += self._bound(self._site.needed)
        return self._query(branches)

    def connections(self, terms: Sequence[IRI | Literal], others: Sequence[Variable]) -> str:
        """Return the query of what connects the focus with terms, and with other variables of the plan."""
        focus = self._site.focus
        branches: list[str] = []
        if terms:
            listed = Values((_O,), tuple((term,) for term in terms))
            branches += self._branch("out", TriplePattern(focus, _P, _O), (_P, _O), listed)
            iris = Values((_O,), tuple((term,) for term in terms if isinstance(term, IRI)))
            if iris.rows:
                branches += self._branch("in", TriplePattern(_O, _P, focus), (_P, _O), iris)
        for other in others:
            branches += self._branch("out", TriplePattern(focus, _P, other), (_P,), to=other)
            branches += self._branch("in", TriplePattern(other, _P, focus), (_P,), to=other)
        return self._query(branches)

    def read(self, table: Table, others: Sequence[Variable] = ()) -> Iterator[Counted]:
        """Yield what the answer of one of these queries says, in no order.

        A row of a branch that counts values apart from solutions is put together with its partner.
        """
        factor = self._factor(table)
        found: dict[tuple[What, Term | None, Term | Variable | None], list[int]] = {}
        by_name = {str(other): other for other in others}
        for row in table.rows:
            word = _word(row.get(_WHAT.name))
            what = next((each for each in _WHATS if each == word), None)
            if what is None:
                continue
            other: Term | Variable | None = row.get(_O.name)
            if isinstance(to := row.get(_TO.name), Literal):
                other = by_name.get(to.lexical, other)
            counts = found.setdefault((what, row.get(_P.name), other), [0, 0])
            counts[0] += _number(row.get(_N.name)) * factor
            counts[1] += _number(row.get(_V.name))
        for (what, predicate, other), (solutions, values) in found.items():
            if solutions and values and isinstance(predicate, IRI | None):
                yield Counted(what, predicate, other, solutions, values)

    # --- which values it has --------------------------------------------------------------------------

    def values(self) -> str:
        """Return the query of the most frequent values of the focus."""
        focus = self._site.focus
        if self._site.plain:
            counted = f"SELECT ({focus} AS {_O}) (COUNT(*) AS {_N}) WHERE {self._near.text(full_iri)}"
            body = f"{counted} GROUP BY {focus}"
        else:
            inner = self._inner(Group((*self._near.elements,), self._near.filters), (focus,))
            body = f"SELECT ({focus} AS {_O}) (COUNT(*) AS {_N}) WHERE {{ {inner} }} GROUP BY {focus}"
        limited = f"{{ {body} ORDER BY DESC({_N}) LIMIT {LARGEST + 1} }}"
        return self._query([f'{{ SELECT ("is" AS {_WHAT}) {_O} {_N} WHERE {{ {limited} }} }}'])

    def read_values(self, table: Table) -> Spread:
        """Return what the answer of the query of values says; what has no name is left out."""
        factor = self._factor(table)
        rows = [
            (row.get(_O.name), _number(row.get(_N.name)))
            for row in table.rows
            if _word(row.get(_WHAT.name)) == "is"
        ]
        found = [(term, count * factor) for term, count in rows if term is not None and count]
        found.sort(key=lambda each: (-each[1], str(each[0])))
        return Spread(tuple(found[:LARGEST]), table.complete and len(rows) <= LARGEST, factor)

    # --- texts ----------------------------------------------------------------------------------------

    def _branch(
        self,
        what: What,
        triple: TriplePattern,
        keys: tuple[Variable, ...],
        listed: Values | None = None,
        *,
        to: Variable | None = None,
    ) -> Iterator[str]:
        columns = " ".join([f'("{what}" AS {_WHAT})', *map(str, keys)])
        if to is not None:
            columns += f' ("{to}" AS {_TO})'
        by = f"GROUP BY {' '.join(map(str, keys))}" if keys else ""
        if self._site.plain:
            start = self._values_of([focus for focus in (self._site.focus, to) if focus is not None])
            yield self._plain_branch(columns, by, triple, start, listed)
        elif self._site.way != "exists":
            yield from self._other_branches(columns, by, triple, keys, listed)

    def _bound(self, needed: TriplePattern) -> Iterator[str]:
        """Yield what is left where the focus has a value."""
        columns = f'("bound" AS {_WHAT})'
        if self._site.plain:
            start = self._values_of([self._site.focus])
            yield f"{{ SELECT {columns} (SUM({_M}) AS {_N}) (COUNT(*) AS {_V}) WHERE {{ {start} }} }}"
        else:
            yield from self._other_branches(columns, "", needed, ())

    def use(self, spread: Spread) -> None:
        """Let further queries begin at the values of the focus that are known, where these can be listed."""
        listed = spread.complete and all(isinstance(term, IRI | Literal) for term, _ in spread.values)
        if listed and self._site.plain and not isinstance(self._site.graph, Variable):
            self._known = spread

    def _values_of(self, variables: list[Variable]) -> str:
        """Return the values of the focus, and of others, with the number of solutions that have them."""
        if self._known is not None and variables == [self._site.focus]:
            times = self._known.times
            rows = " ".join(
                f"({term_text(term, full_iri)} {count // times})" for term, count in self._known.values
            )
            return f"VALUES ({self._site.focus} {_M}) {{ {rows} }}"
        if isinstance(self._site.graph, Variable):
            variables.append(self._site.graph)
        names = " ".join(map(str, dict.fromkeys(variables)))
        counted = f"SELECT {names} (COUNT(*) AS {_M}) WHERE {self._near.text(full_iri)}"
        return f"{{ {counted} GROUP BY {names} HAVING (BOUND({self._site.focus})) }}"

    def _plain_branch(
        self, columns: str, by: str, triple: TriplePattern, start: str, listed: Values | None
    ) -> str:
        site = self._site
        around = triple.text(full_iri)
        if site.way == "graph":
            around = f"GRAPH {site.graph} {{ {around} }}"
        table = "" if listed is None else f"{listed.text(full_iri)} "
        inside = f"{table}{start} {around}"
        if site.way == "exists":
            names = by.removeprefix("GROUP BY ")
            inside = f"{{ SELECT DISTINCT {names} {site.focus} {_M} WHERE {{ {inside} }} }}"
        total = f"(SUM({_M}) AS {_N}) (COUNT(DISTINCT {site.focus}) AS {_V})"
        return f"{{ SELECT {columns} {total} WHERE {{ {inside} }} {by} }}"

    def _other_branches(
        self,
        columns: str,
        by: str,
        triple: TriplePattern,
        keys: tuple[Variable, ...],
        listed: Values | None = None,
    ) -> Iterator[str]:
        group = self._near.add(self._site.clause(triple))
        if listed is not None:
            group = Group((listed, *group.elements), group.filters)
        rows = self._inner(group, keys)
        yield f"{{ SELECT {columns} (COUNT(*) AS {_N}) WHERE {{ {rows} }} {by} }}"
        values = f"(0 AS {_N}) (COUNT(DISTINCT {self._site.focus}) AS {_V})"
        yield f"{{ SELECT {columns} {values} WHERE {group.text(full_iri)} {by} }}"

    def _inner(self, where: Group, keys: tuple[Variable, ...]) -> str:
        """Return the plan over another WHERE as a sub-query, with more columns and more keys of groups."""
        plan = self._site.plan
        grouped = (*keys, *(key for key in plan.group_by if key not in keys)) if plan.grouped else ()
        chosen = tuple(column for column in plan.projection if column not in keys)
        asked = plan.variant(
            where=where, projection=(*keys, *chosen), projected=True, group_by=grouped, dataset=()
        )
        return sub_query_text(asked, full_iri)

    def _query(self, branches: Iterable[str]) -> str:
        dataset = "".join(
            f"FROM {'NAMED ' if each.named else ''}{each.graph} " for each in self._site.plan.dataset
        )
        parts = list(branches)
        if self._far.elements or self._far.filters:
            parts.append(
                f'{{ SELECT ("times" AS {_WHAT}) (COUNT(*) AS {_N}) WHERE {self._far.text(full_iri)} }}'
            )
        return f"SELECT * {dataset}WHERE {{ {' UNION '.join(parts)} }}"

    def _factor(self, table: Table) -> int:
        """Return how many solutions there are of what shares no variable with the focus."""
        if not (self._far.elements or self._far.filters):
            return 1
        return next(
            (_number(row.get(_N.name)) for row in table.rows if _word(row.get(_WHAT.name)) == "times"), 0
        )


def _word(term: Term | None) -> str:
    return term.lexical if isinstance(term, Literal) else ""


def _number(term: Term | None) -> int:
    return int(term.lexical) if isinstance(term, Literal) and term.lexical.isdigit() else 0
