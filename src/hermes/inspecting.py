"""What is around a term: a handful of queries, each over a bounded part of the graph.

A class may have millions of instances, and an entity be at the end of as many triples. What is too much to be
counted whole, or takes too long, is counted for a part, and the finding says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Generic, TypeVar

from hermes.errors import StoreError
from hermes.findings import Direction, Edge, End, Inspection, Role, Side
from hermes.results import Table
from hermes.terms import IRI, RDF_TYPE, Literal, Row, full_iri

Ask = Callable[[str], Table]
"""Executes a SELECT query; raises `StoreError`."""

_TYPE: Final = full_iri(RDF_TYPE)

_WHOLE: Final = 100_000
"""A class of at most so many instances, or a predicate of so many triples, is looked at whole."""
_SAMPLES: Final = (10_000, 200)
"""Of a larger one so many are looked at; fewer where those take too long."""
_TRIPLES: Final = (1_000_000, 10_000)
"""At most so many triples in a direction are counted; fewer where those take too long."""
_FIRST: Final = 200
"""Of so many instances it is seen first how many triples they have."""
_SLICES: Final = 4
"""A sample is made of so many pieces, but for the smallest: stores keep like terms together."""
_FARTHEST: Final = 1_000_000
"""The pieces of a sample lie among the first so many: a store walks to where a piece begins."""
_MOST_TYPES: Final = 10

_TOO_MUCH: Final = frozenset(["timeout", "memory", "too_large"])
"""The categories of errors that a smaller query may not have."""

_DIRECTIONS: Final[tuple[tuple[Direction, str], ...]] = (("out", "{} ?p ?o"), ("in", "?o ?p {}"))

A = TypeVar("A")
F = TypeVar("F")
E = TypeVar("E", bound=Edge | End)


def inspect(ask: Ask, term: IRI, limit: int, role: Role | None = None) -> Inspection:
    """Return what is around a term, at most `limit` edges or ends, without labels.

    Args:
        ask: executes the queries: three, or more where some take too long.
        term: an absolute IRI that every engine reads.
        limit: how many edges or ends; each direction, or side, has its share of them.
        role: as what the term is looked at; by default as a class where it has instances, else as a predicate
            where it has triples, else as an entity.

    Raises:
        StoreError: the store could not answer.
    """
    about = _about(ask, term)
    chosen: Role = next(iter(about.counts), "entity") if role is None else role
    found = Inspection(
        term,
        chosen,
        label="",
        count=about.counts.get(chosen, 0),
        types=about.types,
        also=tuple(each for each in about.counts if each != chosen),
        capped=about.capped,
        complete=not about.capped,
    )
    if chosen == "entity":
        return _entity(ask, found, limit)
    if not found.count:
        return found
    if chosen == "predicate":
        return _predicate(ask, found, limit)
    return _class(ask, found, limit, whole=found.count <= _WHOLE and about.triples < _TRIPLES[0])


# --- what a term is ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _About:
    """How much there is of a term in each role that it has, at least so much where `capped`; its classes.

    Of an entity it is only said that it has a triple of its own. `triples` is about how many the instances
    have, in the direction in which they have more.
    """

    counts: dict[Role, int]
    types: tuple[IRI, ...]
    triples: int
    capped: bool


def _about(ask: Ask, term: IRI) -> _About:
    def look(cap: int | None) -> tuple[_About, bool]:
        table = ask(_about_query(term, cap))
        numbers = {_text(row, "role"): _number(row, "n") for row in table.rows if "type" not in row}
        counts: dict[Role, int] = {}
        for role in _ROLES:
            if numbers.get(role):
                counts[role] = numbers[role]
        types = tuple(kind for row in table.rows if isinstance(kind := row.get("type"), IRI))
        instances = counts.get("class", 0)
        triples = max(numbers.get(name, 0) for name, _ in _DIRECTIONS)
        triples = triples * instances // max(1, min(instances, _FIRST))
        return _About(counts, types, triples, cap in counts.values()), table.complete

    seen = _first_whole((None, _WHOLE + 1), look)
    return seen.found if seen.whole else replace(seen.found, capped=True)


_ROLES: Final[tuple[Role, ...]] = ("class", "predicate", "entity")
"""As what a term is looked at first."""


def _about_query(term: IRI, cap: int | None) -> str:
    def counted(role: str, pattern: str, cap: int | None) -> str:
        bounded = pattern if cap is None else f"{{ SELECT * {{ {pattern} }} LIMIT {cap} }}"
        return f'{{ SELECT ("{role}" AS ?role) (COUNT(*) AS ?n) {{ {bounded} }} }}'

    first = f"{{ SELECT ?s {{ ?s {_TYPE} {term} }} LIMIT {_FIRST} }}"
    parts = (
        counted("class", f"?x {_TYPE} {term}", cap),
        counted("predicate", f"?x {term} ?y", cap),
        counted("entity", f"{term} ?x ?y", 1),
        *(counted(name, f"{first} {way.format('?s')}", _TRIPLES[0]) for name, way in _DIRECTIONS),
        f'{{ SELECT ("type" AS ?role) ?type {{ {term} {_TYPE} ?type }} ORDER BY ?type LIMIT {_MOST_TYPES} }}',
    )
    return f"SELECT ?role ?type ?n {{ {' UNION '.join(parts)} }}"


# --- entities and classes -----------------------------------------------------------------------


def _entity(ask: Ask, found: Inspection, limit: int) -> Inspection:
    edges: list[Edge] = []
    whole = True
    for direction, pattern in _DIRECTIONS:
        triples = f"SELECT ?p ?o {{ {pattern.format(found.term)} }} LIMIT "

        def look(cap: int, triples: str = triples) -> tuple[Sequence[Row], bool]:
            table = ask(f"SELECT ?p (COUNT(*) AS ?n) {_EXAMPLE} {{ {{ {triples}{cap} }} }} GROUP BY ?p")
            return table.rows, table.complete and _sum(table.rows) < cap

        there = _first_whole(_TRIPLES, look)
        edges += _edges(there.found, direction)
        whole = whole and there.whole
    count = sum(edge.count for edge in edges)
    return _with_edges(replace(found, count=count, capped=not whole, complete=whole), edges, limit)


def _class(ask: Ask, found: Inspection, limit: int, *, whole: bool) -> Inspection:
    def look(part: tuple[int | None, int | None]) -> tuple[list[Edge], bool]:
        size, cap = part
        instances = _part(f"?s {_TYPE} {found.term}", "?s", found.count, size)
        edges: list[Edge] = []
        whole = True
        for direction, pattern in _DIRECTIONS:
            triples = f"{instances} {pattern.format('?s')}"
            if cap is not None:  # it costs a quarter of the time, so only where it may be needed
                triples = f"{{ SELECT ?s ?p ?o {{ {triples} }} LIMIT {cap} }}"
            counts = f"(COUNT(*) AS ?n) (COUNT(DISTINCT ?s) AS ?k) {_EXAMPLE}"
            table = ask(f"SELECT ?p {counts} {{ {triples} }} GROUP BY ?p")
            edges += _edges(table.rows, direction)
            whole = whole and table.complete and (cap is None or _sum(table.rows) < cap)
        return edges, whole

    most, few = _TRIPLES
    sizes: Sequence[int | None] = [size for size in _SAMPLES if size < found.count] or [None]
    first = [(None, None)] if whole else []
    seen = _first_whole([*first, *((size, most) for size in sizes), (sizes[-1], few)], look)
    sampled = seen.attempt[0]
    capped = found.capped or not seen.whole
    part = replace(found, capped=capped, sampled=sampled, complete=not capped and sampled is None)
    return _with_edges(part, seen.found, limit)


_EXAMPLE: Final = "(SAMPLE(?o) AS ?e)"


def _edges(rows: Sequence[Row], direction: Direction) -> list[Edge]:
    return [
        Edge(predicate, direction, _number(row, "n"), _number(row, "k", 1), row.get("e"))
        for row in rows
        if isinstance(predicate := row.get("p"), IRI)
    ]


def _with_edges(found: Inspection, edges: Sequence[Edge], limit: int) -> Inspection:
    ranked = sorted(edges, key=lambda edge: (-edge.terms, -edge.count, edge.predicate.value))
    out = [edge for edge in ranked if edge.direction == "out"]
    into = [edge for edge in ranked if edge.direction == "in"]
    kept = _shared(out, into, limit)
    more = len(edges) - len(kept)
    return replace(found, edges=kept, more=more, complete=found.complete and not more)


# --- predicates ---------------------------------------------------------------------------------


def _predicate(ask: Ask, found: Inspection, limit: int) -> Inspection:
    def look(size: int | None) -> tuple[list[End], bool]:
        triples = _part(f"?s {found.term} ?o", "?s ?o", found.count, size)
        subjects = ask(
            f"SELECT ?class (COUNT(*) AS ?n) (SAMPLE(?s) AS ?e) "
            f"{{ {triples} OPTIONAL {{ ?s {_TYPE} ?class }} }} GROUP BY ?class"
        )
        objects = ask(
            f"SELECT ?class ?datatype (COUNT(*) AS ?n) {_EXAMPLE} "
            f"{{ {triples} OPTIONAL {{ ?o {_TYPE} ?class }} BIND(DATATYPE(?o) AS ?datatype) }} "
            "GROUP BY ?class ?datatype"
        )
        ends = [*_ends(subjects.rows, "subject"), *_ends(objects.rows, "object")]
        return ends, subjects.complete and objects.complete

    seen = _first_whole(_sizes(found.count), look)
    ranked = sorted(seen.found, key=lambda end: (-end.count, end.kind.value if end.kind else ""))
    subjects = [end for end in ranked if end.side == "subject"]
    kept = _shared(subjects, [end for end in ranked if end.side == "object"], limit)
    return replace(
        found,
        ends=kept,
        more=len(ranked) - len(kept),
        capped=found.capped or not seen.whole,
        sampled=seen.attempt,
        complete=found.complete and seen.whole and seen.attempt is None and len(kept) == len(ranked),
    )


def _ends(rows: Sequence[Row], side: Side) -> Iterator[End]:
    for row in rows:
        kind = row.get("class") or row.get("datatype")
        if kind is None or isinstance(kind, IRI):  # a class without a name says nothing
            yield End(side, kind, _number(row, "n"), row.get("e"))


# --- parts of a graph ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Seen(Generic[A, F]):
    """What the first attempt gave that came back whole; else what the last one did."""

    attempt: A
    found: F
    whole: bool


def _first_whole(attempts: Sequence[A], look: Callable[[A], tuple[F, bool]]) -> _Seen[A, F]:
    """Look at the whole, then at smaller parts where that is too much.

    Raises:
        StoreError: the last attempt failed, or another did for a reason that a smaller one has too.
    """
    *larger, last = attempts
    for attempt in larger:
        try:
            found, whole = look(attempt)
        except StoreError as error:
            if error.category not in _TOO_MUCH:
                raise
        else:
            if whole:
                return _Seen(attempt, found, whole)
    found, whole = look(last)
    return _Seen(last, found, whole)


def _sizes(count: int) -> Sequence[int | None]:
    """Return the sizes of the parts to look at, of `count` terms or triples; None is all of them."""
    smaller = [size for size in _SAMPLES if size < count]
    return [None, *smaller] if count <= _WHOLE else smaller


def _part(pattern: str, variables: str, count: int, size: int | None) -> str:
    """Return a pattern, or sub-queries for `size` of its `count` solutions, in pieces from here and there."""
    if size is None:
        return f"{pattern} ."
    slices = 1 if size == _SAMPLES[-1] else _SLICES  # where that much takes too long, so may walking to it
    step = min(count, _FARTHEST) // slices
    pieces = (
        f"{{ SELECT {variables} {{ {pattern} }} LIMIT {size // slices} OFFSET {number * step} }}"
        for number in range(slices)
    )
    return f"{{ {' UNION '.join(pieces)} }}"


def _shared(first: Sequence[E], second: Sequence[E], limit: int) -> tuple[E, ...]:
    """Return at most `limit` of two lists: half of each, and more of one where the other is shorter."""
    most = max(limit - len(second), (limit + 1) // 2)
    kept = tuple(first[:most])
    return kept + tuple(second[: limit - len(kept)])


def _sum(rows: Sequence[Row]) -> int:
    return sum(_number(row, "n") for row in rows)


def _number(row: Row, name: str, default: int = 0) -> int:
    value = row.get(name)
    return int(value.lexical) if isinstance(value, Literal) and value.lexical.isdecimal() else default


def _text(row: Row, name: str) -> str:
    value = row.get(name)
    return value.lexical if isinstance(value, Literal) else ""
