"""What is around a term: a handful of queries, each over a bounded part of the graph.

A class may have millions of instances, and an entity be at the end of as many triples. What is too much to be
counted whole, or takes too long, is counted for a part, and the finding says so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Generic, TypeVar

from hermes.errors import StoreError
from hermes.findings import Direction, Edge, End, Inspection, Role, Side
from hermes.results import Table
from hermes.sparql.iris import is_absolute
from hermes.terms import IRI, RDF_TYPE, Literal, Row, Term, full_iri

Ask = Callable[[str], Table]
"""Executes a SELECT query; raises `StoreError`."""

_TYPE: Final = full_iri(RDF_TYPE)

_WHOLE: Final = 100_000
"""A class of at most so many instances, or a predicate of so many triples, is looked at whole."""
_SAMPLES: Final = (500, 50)
"""Of a larger one so many are looked at; fewer where those take too long."""
_TRIPLES: Final = (1_000_000, 10_000)
"""At most so many triples in a direction are counted; fewer where those take too long."""
_SLICES: Final = 4
"""A sample is made of so many pieces: stores keep like terms together."""
_FARTHEST: Final = 1_000_000
"""The pieces of a sample lie among the first so many: a store walks to where a piece begins."""
_MOST_TYPES: Final = 10

_TOO_MUCH: Final = frozenset(["timeout", "memory", "too_large"])
"""The categories of errors that a smaller query may not have."""

_DIRECTIONS: Final[tuple[tuple[Direction, str], ...]] = (("out", "{} ?p ?o"), ("in", "?o ?p {}"))

F = TypeVar("F")
E = TypeVar("E", bound=Edge | End)


def inspect(ask: Ask, term: IRI, limit: int, role: Role | None = None) -> Inspection:
    """Return what is around a term, at most `limit` edges or ends, without labels.

    Args:
        ask: executes the queries: at most six, or more where some take too long.
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
    return _class(ask, found, limit) if chosen == "class" else _predicate(ask, found, limit)


# --- what a term is ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _About:
    """How much there is of a term in each role that it has, at least so much where `capped`; its classes.

    Of an entity it is only said that it has a triple of its own.
    """

    counts: dict[Role, int]
    types: tuple[IRI, ...]
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
        return _About(counts, types, cap in counts.values()), table.complete

    found, whole = _first_whole([partial(look, None), partial(look, _WHOLE + 1)])
    return found if whole else replace(found, capped=True)


_ROLES: Final[tuple[Role, ...]] = ("class", "predicate", "entity")
"""As what a term is looked at first."""


def _about_query(term: IRI, cap: int | None) -> str:
    def counted(role: Role, pattern: str, cap: int | None) -> str:
        bounded = pattern if cap is None else f"{{ SELECT * {{ {pattern} }} LIMIT {cap} }}"
        return f'{{ SELECT ("{role}" AS ?role) (COUNT(*) AS ?n) {{ {bounded} }} }}'

    parts = (
        counted("class", f"?x {_TYPE} {term}", cap),
        counted("predicate", f"?x {term} ?y", cap),
        counted("entity", f"{term} ?x ?y", 1),
        f'{{ SELECT ("type" AS ?role) ?type {{ {term} {_TYPE} ?type }} ORDER BY ?type LIMIT {_MOST_TYPES} }}',
    )
    return f"SELECT ?role ?type ?n {{ {' UNION '.join(parts)} }}"


# --- entities and classes -----------------------------------------------------------------------

_EXAMPLE: Final = "(SAMPLE(?o) AS ?e)"


@dataclass(frozen=True, slots=True)
class _Part(Generic[F]):
    """What was found of so many instances or triples (None: of all), and whether it is only a bound."""

    found: Sequence[F]
    sampled: int | None = None
    capped: bool = False


Look = Callable[[], tuple[_Part[Edge], bool]]
"""Looks at a part; whether the answers came whole."""


def _entity(ask: Ask, found: Inspection, limit: int) -> Inspection:
    def look(direction: Direction, pattern: str, cap: int) -> tuple[_Part[Edge], bool]:
        triples = f"SELECT ?p ?o {{ {pattern.format(found.term)} }} LIMIT {cap}"
        table = ask(f"SELECT ?p (COUNT(*) AS ?n) {_EXAMPLE} {{ {{ {triples} }} }} GROUP BY ?p")
        return _Part(_edges(table.rows, direction), capped=_sum(table.rows) >= cap), table.complete

    edges: list[Edge] = []
    capped = False
    for direction, pattern in _DIRECTIONS:
        part, whole = _first_whole([partial(look, direction, pattern, cap) for cap in _TRIPLES])
        edges += part.found
        capped = capped or part.capped or not whole
    count = sum(edge.count for edge in edges)
    return _with_edges(replace(found, count=count, capped=capped), edges, limit)


def _class(ask: Ask, found: Inspection, limit: int) -> Inspection:
    members = f"?s {_TYPE} {found.term}"
    most, few = _TRIPLES

    def sample(size: int, cap: int) -> tuple[_Part[Edge], bool]:
        rows = ask(_sample_query(members, "?s", found.count, size)).rows
        names = _writable(row.get("s") for row in rows)
        sampled = len(names) if len(names) < found.count else None
        if not names:
            return _Part([], sampled), True
        return _around(ask, f"VALUES ?s {{ {' '.join(names)} }}", cap, sampled)

    def look(cap: int | None) -> tuple[_Part[Edge], bool]:
        return _around(ask, f"{members} .", cap)

    looks: list[Look] = [partial(sample, _SAMPLES[-1], few)]
    if found.count <= _SAMPLES[0]:
        looks.insert(0, partial(look, most))
    else:
        # The sample is cheap, says what all would cost, and is there if that is too much after all.
        looks.insert(0, partial(sample, _SAMPLES[0], most))
        seen = _first_whole(looks)
        looks = [lambda: seen]
        if found.count <= _WHOLE and (cost := _cost(seen[0], found.count)) < most:
            looks.insert(0, partial(look, None if cost else most))
    part, whole = _first_whole(looks)
    known = replace(found, sampled=part.sampled, capped=found.capped or part.capped or not whole)
    return _with_edges(known, part.found, limit)


def _around(
    ask: Ask, instances: str, cap: int | None, sampled: int | None = None
) -> tuple[_Part[Edge], bool]:
    """Return the edges of instances, counting at most `cap` triples each way."""
    edges: list[Edge] = []
    capped, whole = False, True
    for direction, pattern in _DIRECTIONS:
        triples = f"{instances} {pattern.format('?s')}"
        if cap is not None:  # it costs a quarter of the time, so only where it may be needed
            triples = f"{{ SELECT ?s ?p ?o {{ {triples} }} LIMIT {cap} }}"
        counts = f"(COUNT(*) AS ?n) (COUNT(DISTINCT ?s) AS ?k) {_EXAMPLE}"
        table = ask(f"SELECT ?p {counts} {{ {triples} }} GROUP BY ?p")
        edges += _edges(table.rows, direction)
        whole = whole and table.complete
        capped = capped or (cap is not None and _sum(table.rows) >= cap)
    return _Part(edges, sampled, capped), whole


def _cost(part: _Part[Edge], count: int) -> int:
    """Return about how many triples `count` instances have; 0 where the sample does not say."""
    triples = sum(edge.count for edge in part.found)
    return triples * count // part.sampled if part.sampled else 0


def _edges(rows: Sequence[Row], direction: Direction) -> list[Edge]:
    return [
        Edge(predicate, direction, _number(row, "n"), _number(row, "k", 1), row.get("e"))
        for row in rows
        if isinstance(predicate := row.get("p"), IRI)
    ]


def _with_edges(found: Inspection, edges: Sequence[Edge], limit: int) -> Inspection:
    ranked = sorted(edges, key=lambda edge: (-edge.terms, -edge.count, edge.predicate.value))
    out = [edge for edge in ranked if edge.direction == "out"]
    kept = _shared(out, [edge for edge in ranked if edge.direction == "in"], limit)
    return _said(replace(found, edges=kept, more=len(ranked) - len(kept)))


# --- predicates ---------------------------------------------------------------------------------


def _predicate(ask: Ask, found: Inspection, limit: int) -> Inspection:
    triples = f"?s {found.term} ?o"

    def look() -> tuple[_Part[End], bool]:
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
        return _Part(ends), subjects.complete and objects.complete

    def sample(size: int) -> tuple[_Part[End], bool]:
        rows = ask(_sample_query(triples, "?s ?o", found.count, size)).rows
        return _Part(_ends_of(ask, rows), len(rows)), True

    looks = [partial(sample, size) for size in _SAMPLES]
    part, whole = _first_whole([look, *looks] if found.count <= _WHOLE else looks)
    ranked = sorted(part.found, key=lambda end: (-end.count, end.kind.value if end.kind else ""))
    subjects = [end for end in ranked if end.side == "subject"]
    kept = _shared(subjects, [end for end in ranked if end.side == "object"], limit)
    known = replace(found, capped=found.capped or not whole, sampled=part.sampled)
    return _said(replace(known, ends=kept, more=len(ranked) - len(kept)))


_SIDES: Final[tuple[Side, Side]] = ("subject", "object")


def _ends(rows: Sequence[Row], side: Side) -> Iterator[End]:
    for row in rows:
        kind = row.get("class") or row.get("datatype")
        if kind is None or isinstance(kind, IRI):  # a class without a name says nothing
            yield End(side, kind, _number(row, "n"), row.get("e"))


def _ends_of(ask: Ask, rows: Sequence[Row]) -> list[End]:
    """Return the ends of some triples; the classes of blank nodes cannot be asked for."""
    names = _writable(term for row in rows for term in row.values())
    classes: defaultdict[Term, list[IRI]] = defaultdict(list)
    if names:
        for row in ask(f"SELECT ?x ?class {{ VALUES ?x {{ {' '.join(names)} }} ?x {_TYPE} ?class }}").rows:
            if isinstance(kind := row.get("class"), IRI):
                classes[row["x"]].append(kind)
    found: defaultdict[tuple[Side, IRI | None], list[Term]] = defaultdict(list)
    for row in rows:
        for side, term in zip(_SIDES, (row.get("s"), row.get("o")), strict=True):
            if isinstance(term, Literal):
                found[side, IRI(term.datatype)].append(term)
            elif isinstance(term, IRI):
                for kind in classes.get(term) or (None,):
                    found[side, kind].append(term)
    return [End(side, kind, len(terms), terms[0]) for (side, kind), terms in found.items()]


# --- parts of a graph ---------------------------------------------------------------------------


def _first_whole(looks: Sequence[Callable[[], tuple[F, bool]]]) -> tuple[F, bool]:
    """Return what the first look finds that is whole, else what the last one finds; and whether it is whole.

    Raises:
        StoreError: the last look failed, or another did for a reason that a smaller one has too.
    """
    *larger, last = looks
    for look in larger:
        try:
            found, whole = look()
        except StoreError as error:
            if error.category not in _TOO_MUCH:
                raise
        else:
            if whole:
                return found, whole
    return last()


def _sample_query(pattern: str, variables: str, count: int, size: int) -> str:
    """Return the query for `size` of the `count` solutions of a pattern, in pieces from here and there.

    What is done with them is asked by their names: engines that estimate the cost of a query think that of a
    join with a limited sub-query without bounds.
    """
    slices = 1 if size >= count or size == _SAMPLES[-1] else _SLICES
    step = min(count, _FARTHEST) // slices
    pieces = (
        f"{{ SELECT {variables} {{ {pattern} }} LIMIT {size // slices} OFFSET {number * step} }}"
        for number in range(slices)
    )
    return f"SELECT {variables} {{ {' UNION '.join(pieces)} }}"


def _writable(terms: Iterable[Term | None]) -> list[str]:
    """Return the IRIs that can stand in a query, each once."""
    return [str(term) for term in dict.fromkeys(terms) if isinstance(term, IRI) and is_absolute(term.value)]


def _shared(first: Sequence[E], second: Sequence[E], limit: int) -> tuple[E, ...]:
    """Return at most `limit` of two lists: half of each, and more of one where the other is shorter."""
    most = max(limit - len(second), (limit + 1) // 2)
    kept = tuple(first[:most])
    return kept + tuple(second[: limit - len(kept)])


def _said(found: Inspection) -> Inspection:
    """Return the inspection, which says whether it is complete."""
    return replace(found, complete=not found.capped and found.sampled is None and not found.more)


def _sum(rows: Sequence[Row]) -> int:
    return sum(_number(row, "n") for row in rows)


def _number(row: Row, name: str, default: int = 0) -> int:
    value = row.get(name)
    return int(value.lexical) if isinstance(value, Literal) and value.lexical.isdecimal() else default


def _text(row: Row, name: str) -> str:
    value = row.get(name)
    return value.lexical if isinstance(value, Literal) else ""
