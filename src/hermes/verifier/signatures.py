"""Signatures from columns: which terms stand in the same ones.

Each term has a number, and each number a state: the node of a tree whose edges are columns. As columns are
gone through one after the other, the state of a term in the end says all columns that it stands in, and
equal states are equal signatures. So nothing is kept of a term but two small numbers and its text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from hermes.terms import IRI, RDF_TYPE
from hermes.verifier.literals import NUMERIC, TEMPORAL, place_of
from hermes.verifier.reading import Column, Terms
from hermes.verifier.schema import NO_COLUMNS, Columns, Kind, Signature

Place = tuple[str, str, str | None]
"""A column: `s`, `o` and a predicate, `c` and a class, or `p`, for what is a predicate; each with the named
graph, or None. Or `g` and the name of a graph, for that name."""


@dataclass(frozen=True, slots=True)
class Stored:
    """The triples of one graph: the columns of its predicates, and its classes with their instances."""

    columns: Mapping[str, Column]
    classes: Mapping[str, set[int]]


def stored(terms: Terms, columns: Mapping[str, Column]) -> Stored:
    """Return the triples of a graph with its classes: those that are IRIs."""
    typed = columns.get(RDF_TYPE)
    if typed is None:
        return Stored(columns, {})
    wanted = set(typed.objects)
    names = {
        number: text for text, number in terms.by_tag.get(("iri", "iri"), {}).items() if number in wanted
    }
    found: dict[str, set[int]] = {}
    for subject, class_ in zip(typed.subjects, typed.objects, strict=True):
        name = names.get(class_)
        if name is not None:
            found.setdefault(name, set()).add(subject)
    return Stored(columns, found)


class States:
    """The tree of sets of columns: a state for each term, moved along an edge for each of its columns."""

    def __init__(self, terms: Terms) -> None:
        self.of_term = [0] * terms.size
        for root, known in enumerate(terms.by_tag.values()):
            for number in known.values():
                self.of_term[number] = root
        self._parents: list[tuple[int, Place]] = [(-1, ("", "", None))] * len(terms.by_tag)
        self._edges: dict[tuple[int, Place], int] = {}

    def move(self, terms: Iterable[int], place: Place) -> None:
        """Say that each of the terms, named once, stands in a column that has not been named before."""
        of_term, edges = self.of_term, self._edges
        for term in terms:
            edge = (of_term[term], place)
            state = edges.get(edge)
            if state is None:
                state = edges[edge] = len(self._parents)
                self._parents.append(edge)
            of_term[term] = state

    def add(self, graph: Stored, name: str | None, terms: Terms) -> None:
        """Say in which columns of a graph terms stand; `name` is None for the default graph."""
        for class_, instances in graph.classes.items():
            self.move(instances, ("c", class_, name))
        for predicate, column in graph.columns.items():
            self.move(set(column.subjects), ("s", predicate, name))
            self.move(set(column.objects), ("o", predicate, name))
        self.move((terms.number(IRI(predicate)) for predicate in graph.columns), ("p", "", name))

    def places(self, state: int) -> Iterator[Place]:
        """Yield the columns of a state."""
        state, place = self._parents[state]
        while state >= 0:
            yield place
            state, place = self._parents[state]


def signatures(terms: Terms, states: States, most: int) -> tuple[list[int], tuple[Signature, ...]]:
    """Return the place of the signature of each term, and the signatures.

    Of more than `most`, the rarest of each kind become one.
    """
    of_term = states.of_term
    counts = Counter(of_term[number] for known in terms.by_tag.values() for number in known.values())
    ranked = [state for state, _ in counts.most_common()]
    kept, rest = ranked[:most], ranked[most:]
    places = {state: place for place, state in enumerate(kept)}
    members: list[list[int]] = [[state] for state in kept]
    tags = {of_term[number]: tag for tag, known in terms.by_tag.items() for number in known.values()}
    rare: dict[tuple[Kind, str], int] = {}
    for state in rest:
        place = rare.setdefault(tags[state], len(members))
        if place == len(members):
            members.append([])
        members[place].append(state)
        places[state] = place
    at = [places.get(state, -1) for state in of_term]
    ranges = _ranges(terms, at)
    return at, tuple(
        _signature(tags[group[0]], group, states, counts, ranges.get(place))
        for place, group in enumerate(members)
    )


def _ranges(terms: Terms, at: list[int]) -> dict[int, tuple[float, float]]:
    """Return the least and the greatest place of the numbers and dates of each signature."""
    found: dict[int, tuple[float, float]] = {}
    for (_, tag), known in terms.by_tag.items():
        if tag not in NUMERIC and tag not in TEMPORAL:
            continue
        for lexical, number in known.items():
            place = place_of(tag, lexical)
            if place is not None:
                low, high = found.get(at[number], (place, place))
                found[at[number]] = (min(low, place), max(high, place))
    return found


def _signature(
    tag: tuple[Kind, str],
    group: list[int],
    states: States,
    counts: Mapping[int, int],
    span: tuple[float, float] | None,
) -> Signature:
    by_graph: dict[str | None, list[Place]] = {}
    names = None
    for state in group:
        for place in states.places(state):
            if place[0] == "g":
                names = place[1]
            else:
                by_graph.setdefault(place[2], []).append(place)
    columns = {graph: _columns(places) for graph, places in by_graph.items()}
    own = columns.pop(None, NO_COLUMNS)
    low, high = span or (None, None)
    return Signature(
        *tag,
        classes=own.classes,
        subject_of=own.subject_of,
        object_of=own.object_of,
        predicate=own.predicate,
        count=sum(counts[state] for state in group),
        low=low,
        high=high,
        exact=len(group) == 1,
        named={graph: each for graph, each in sorted(columns.items(), key=str) if graph is not None},
        graph=names,
    )


def _columns(places: list[Place]) -> Columns:
    found: dict[str, set[str]] = {"s": set(), "o": set(), "c": set(), "p": set()}
    for column, name, _ in places:
        found[column].add(name)
    return Columns(
        classes=tuple(sorted(found["c"])),
        subject_of=tuple(sorted(found["s"])),
        object_of=tuple(sorted(found["o"])),
        predicate=bool(found["p"]),
    )
