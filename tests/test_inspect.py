"""`kg.inspect` against counting by hand: all terms of a graph, parts of it, and what takes too long."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes import KG
from hermes.errors import PlanError, StoreError
from hermes.findings import Direction, Inspection, Role, Side
from hermes.results import Table, Triples
from hermes.store import Store
from hermes.terms import IRI, RDF_TYPE, Literal, Term
from strategies import olympics

EX: Final = "http://example.org/olympics/"
TYPE: Final = IRI(RDF_TYPE)
ROLES: Final[tuple[Role, ...]] = ("class", "predicate", "entity")


class Triple(NamedTuple):
    """A triple of the graph."""

    s: Term
    p: Term
    o: Term


def _triples(kg: KG) -> list[Triple]:
    return [Triple(row["s"], row["p"], row["o"]) for row in kg.select("SELECT * { ?s ?p ?o }").rows]


TRIPLES: Final = _triples(olympics())
IRIS: Final = sorted({term for triple in TRIPLES for term in triple if isinstance(term, IRI)}, key=str)


# --- counting by hand ---------------------------------------------------------------------------


def _edges(around: Callable[[Term], bool]) -> dict[tuple[Term, Direction], tuple[int, int]]:
    """Return the triples of each predicate, and the terms that have them, of the terms that are meant."""
    ends: defaultdict[tuple[Term, Direction], list[Term]] = defaultdict(list)
    for triple in TRIPLES:
        if around(triple.s):
            ends[triple.p, "out"].append(triple.s)
        if around(triple.o):
            ends[triple.p, "in"].append(triple.o)
    return {key: (len(terms), len(set(terms))) for key, terms in ends.items()}


def _classes(term: Term) -> list[Term | None]:
    return [triple.o for triple in TRIPLES if triple.s == term and triple.p == TYPE] or [None]


def _ends(predicate: IRI) -> Counter[tuple[Side, Term | None]]:
    found: Counter[tuple[Side, Term | None]] = Counter()
    for triple in TRIPLES:
        if triple.p == predicate:
            found.update(("subject", kind) for kind in _classes(triple.s))
            value = triple.o
            kinds = [IRI(value.datatype)] if isinstance(value, Literal) else _classes(value)
            found.update(("object", kind) for kind in kinds)
    return found


def _count(term: IRI, role: Role) -> int:
    if role == "entity":
        return sum((triple.s == term) + (triple.o == term) for triple in TRIPLES)
    if role == "class":
        return sum(triple.p == TYPE and triple.o == term for triple in TRIPLES)
    return sum(triple.p == term for triple in TRIPLES)


@pytest.mark.parametrize("term", IRIS, ids=lambda term: term.value.removeprefix(EX))
def test_every_term_in_every_role(term: IRI) -> None:
    """Counts, edges and ends are those that counting by hand gives, and examples are of the graph."""
    for role in ROLES:
        found = olympics().inspect(term, limit=1000, role=role)
        assert (found.term, found.role, found.count) == (term, role, _count(term, role))
        assert (found.complete, found.capped, found.more, found.sampled) == (True, False, 0, None)
        assert set(found.types) == {kind for kind in _classes(term) if kind is not None}
        if role == "predicate" or not found.count:
            wanted: dict[tuple[Term, Direction], tuple[int, int]] = {}
        elif role == "class":
            members = {triple.s for triple in TRIPLES if triple.p == TYPE and triple.o == term}
            wanted = _edges(members.__contains__)
        else:
            wanted = {key: (count, 1) for key, (count, _) in _edges({term}.__contains__).items()}
        assert {(edge.predicate, edge.direction): (edge.count, edge.terms) for edge in found.edges} == wanted
        ends = Counter({(end.side, end.kind): end.count for end in found.ends})
        assert ends == (_ends(term) if role == "predicate" else Counter())
        _check_examples(found)


def _check_examples(found: Inspection) -> None:
    """An example stands where it is said to stand."""
    for edge in found.edges:
        ends = [
            triple.o if edge.direction == "out" else triple.s
            for triple in TRIPLES
            if triple.p == edge.predicate
        ]
        assert edge.example in ends
    for end in found.ends:
        sides = [
            triple.s if end.side == "subject" else triple.o for triple in TRIPLES if triple.p == found.term
        ]
        assert end.example in sides


@pytest.mark.parametrize("term", IRIS, ids=lambda term: term.value.removeprefix(EX))
def test_the_role_that_is_chosen(term: IRI) -> None:
    """Instances win, then triples of a predicate; what else the term is is said."""
    found = olympics().inspect(term)
    roles = [role for role in ("class", "predicate") if _count(term, role)]
    assert found.role == next(iter(roles), "entity")
    own = any(triple.s == term for triple in TRIPLES)
    others = {*roles, *(["entity"] if own else [])} - {found.role}
    assert set(found.also) == others
    assert olympics().inspect(term, role=found.role) == found


def test_labels() -> None:
    """The label of the term, and those of the terms that are named, in the preferred language."""
    found = olympics().inspect(IRI(EX + "LakePlacid"))
    assert found.label == "Lake Placid"
    assert found.labels[IRI(EX + "altitude")] == "altitude in metres"
    assert found.labels[IRI(EX + "City")] == "city"
    assert olympics().inspect(TYPE).label == ""


# --- limits ---------------------------------------------------------------------------------------


@given(st.sampled_from(IRIS), st.integers(1, 30))
def test_limit(term: IRI, limit: int) -> None:
    """What is cut is said to be cut; what is shown is the first of each direction, which share the room."""
    kg = olympics()
    whole, found = kg.inspect(term, 1000), kg.inspect(term, limit)
    for name, key in (("edges", "direction"), ("ends", "side")):
        everything, kept = getattr(whole, name), getattr(found, name)
        assert len(kept) == min(limit, len(everything))
        for way in ("out", "in", "subject", "object"):
            there = [each for each in everything if getattr(each, key) == way]
            shown = [each for each in kept if getattr(each, key) == way]
            assert shown == there[: len(shown)]
            assert len(shown) >= min(len(there), limit // 2)
    assert found.more == len(whole.edges) + len(whole.ends) - len(found.edges) - len(found.ends)
    assert found.complete == (found.more == 0)


def test_a_term_that_does_not_occur() -> None:
    """It has no triples, which is the truth about it."""
    assert olympics().inspect(IRI(EX + "Nowhere")) == Inspection(IRI(EX + "Nowhere"), "entity", "", 0)


@pytest.mark.parametrize(
    "text", ["", "a", "x:y z", f"{EX}a> ?p ?o . <{EX}b", f"{EX}a\n", 'urn:"', "http://a/%zz", "urn:\\u003e"]
)
def test_what_is_no_iri_reaches_no_query(text: str) -> None:
    """A term that could leave its brackets is refused."""
    with pytest.raises(PlanError) as caught:
        olympics().inspect(IRI(text))
    assert caught.value.code == "bad-iri"


# --- parts ----------------------------------------------------------------------------------------


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make 5 instances or triples many, and 8 a sample."""
    monkeypatch.setattr("hermes.inspecting._WHOLE", 5)
    monkeypatch.setattr("hermes.inspecting._SAMPLES", (8, 2))


@pytest.mark.usefixtures("small")
def test_a_large_class_is_sampled() -> None:
    """8 of 13 cities from here and there; no count is more than of all."""
    term = IRI(EX + "City")
    found = olympics().inspect(term)
    assert (found.count, found.sampled, found.complete, found.capped) == (13, 8, False, False)
    members = {triple.s for triple in TRIPLES if triple.p == TYPE and triple.o == term}
    whole = _edges(members.__contains__)
    label = next(edge for edge in found.edges if edge.predicate.value.endswith("#label"))
    assert (label.count, label.terms) == (24, 8)
    for edge in found.edges:
        count, terms = whole[edge.predicate, edge.direction]
        assert edge.count <= count
        assert edge.terms <= terms


@pytest.mark.usefixtures("small")
def test_a_large_predicate_is_sampled() -> None:
    """8 of 19 triples; each has a subject of one class and a date."""
    found = olympics().inspect(IRI(EX + "opened"))
    assert (found.count, found.sampled, found.complete) == (19, 8, False)
    assert sum(end.count for end in found.ends if end.side == "subject") == 8
    assert sum(end.count for end in found.ends if end.side == "object") == 8
    assert {end.kind.value for end in found.ends if end.kind} == {
        EX + "SummerGames",
        EX + "WinterGames",
        "http://www.w3.org/2001/XMLSchema#date",
    }


def test_a_hub_is_counted_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts are at least so many where there are more triples than are counted."""
    monkeypatch.setattr("hermes.inspecting._TRIPLES", (4, 2))
    usa = olympics().inspect(IRI(EX + "USA"))
    assert (usa.count, usa.capped, usa.complete) == (8, True, False)
    assert all(edge.count <= 4 for edge in usa.edges)
    city = olympics().inspect(IRI(EX + "City"))
    assert (city.count, city.capped, city.sampled, city.complete) == (13, True, None, False)
    assert sum(edge.count for edge in city.edges) == 8
    slow = _impatient(lambda query: "LIMIT 4" in query).inspect(IRI(EX + "USA"))
    assert (slow.count, slow.capped) == (4, True)


class Impatient:
    """A store that refuses what it thinks too much."""

    engine: Final = "impatient"

    def __init__(self, inner: Store, too_much: Callable[[str], bool], category: str = "timeout") -> None:
        self.inner = inner
        self.too_much = too_much
        self.category = category
        self.asked: list[str] = []
        self.source = inner.source
        self.fingerprint = inner.fingerprint

    def select(self, query: str) -> Table:
        """Refuse, or pass on."""
        self.asked.append(query)
        if self.too_much(query):
            raise StoreError("too much", category=self.category)
        return self.inner.select(query)

    def ask(self, query: str) -> bool:
        """Pass on."""
        return self.inner.ask(query)

    def construct(self, query: str) -> Triples:
        """Pass on."""
        return self.inner.construct(query)

    def close(self) -> None:
        """Leave the inner store open: other tests use it."""


def _impatient(too_much: Callable[[str], bool], category: str = "timeout") -> KG:
    return KG(Impatient(olympics().store, too_much, category), olympics().prefixes)


@pytest.mark.parametrize("category", ["timeout", "memory", "too_large"])
def test_what_takes_too_long_is_sampled(category: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A class whose instances cannot all be looked at in time."""
    monkeypatch.setattr("hermes.inspecting._SAMPLES", (8, 2))
    kg = _impatient(lambda query: "COUNT(DISTINCT" in query and "VALUES" not in query, category)
    found = kg.inspect(IRI(EX + "City"))
    assert (found.count, found.sampled, found.complete) == (13, 8, False)


def test_a_sample_that_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """A smaller one, of the first instances: walking to others may be what takes long."""
    monkeypatch.setattr("hermes.inspecting._SAMPLES", (8, 2))
    kg = _impatient(lambda query: "COUNT(DISTINCT" in query and query.count(EX) != 2)
    found = kg.inspect(IRI(EX + "City"))
    assert (found.count, found.sampled, found.complete) == (13, 2, False)
    assert all(edge.terms <= 2 for edge in found.edges)


def test_a_class_that_cannot_be_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """At least so many instances, of which some are looked at."""
    monkeypatch.setattr("hermes.inspecting._WHOLE", 9)
    monkeypatch.setattr("hermes.inspecting._SAMPLES", (8, 2))
    counted = f"(COUNT(*) AS ?n) {{ ?x <{RDF_TYPE}> <{EX}City> }}"
    found = _impatient(lambda query: counted in query).inspect(IRI(EX + "City"))
    assert (found.count, found.capped, found.sampled, found.complete) == (10, True, 8, False)


def test_what_cannot_be_answered_is_an_error() -> None:
    """Where even the smallest part takes too long, and where the store is not there, there is no finding."""
    for category in ("timeout", "unreachable"):
        with pytest.raises(StoreError) as caught:
            _impatient(lambda query: "GROUP BY" in query, category).inspect(IRI(EX + "City"))
        assert caught.value.category == category


def test_another_failure_is_not_tried_again() -> None:
    """A store that is not there is asked once."""
    store = Impatient(olympics().store, lambda _: True, "unreachable")
    with pytest.raises(StoreError):
        KG(store, {}).inspect(IRI(EX + "City"))
    assert len(store.asked) == 1


def test_a_handful_of_queries() -> None:
    """What a term is, and both directions or sides; labels are of the KG."""
    for name, most in (("City", 3), ("LakePlacid", 3), ("hosted", 3), ("Nowhere", 3)):
        store = Impatient(olympics().store, lambda _: False)
        kg = KG(store, olympics().prefixes, vocabulary=olympics().vocabulary)
        kg.stated_labels([TYPE])
        before = len(store.asked)
        kg.inspect(IRI(EX + name))
        assert len([query for query in store.asked[before:] if "VALUES" not in query]) <= most


# --- odd graphs -----------------------------------------------------------------------------------


def _load(folder: Path, lines: Sequence[str]) -> KG:
    path = folder / "odd.ttl"
    path.write_text("@prefix ex: <http://example.org/> .\n" + "\n".join(lines), encoding="utf-8")
    return KG.load(path)


def test_a_class_that_is_a_predicate_too(tmp_path: Path) -> None:
    """All roles are said."""
    kg = _load(tmp_path, ["ex:a a ex:Both . ex:b ex:Both ex:c . ex:Both ex:p ex:Both ."])
    found = kg.inspect(IRI("http://example.org/Both"))
    assert (found.role, found.count, found.also) == ("class", 1, ("predicate", "entity"))
    entity = kg.inspect(IRI("http://example.org/Both"), role="entity")
    assert {(edge.predicate.value[19:], edge.direction, edge.count) for edge in entity.edges} >= {
        ("p", "out", 1),
        ("p", "in", 1),
    }


def test_classes_without_a_name(tmp_path: Path) -> None:
    """A blank node as a class says nothing; its terms are counted for the classes that have one."""
    kg = _load(tmp_path, ["ex:a ex:p ex:b ; a [], ex:A . ex:b a [] ."])
    found = kg.inspect(IRI("http://example.org/p"))
    assert [(end.side, end.kind) for end in found.ends] == [("subject", IRI("http://example.org/A"))]
    assert kg.inspect(IRI("http://example.org/b")).types == ()


def test_an_empty_graph(tmp_path: Path) -> None:
    """Nothing occurs in it."""
    assert _load(tmp_path, []).inspect(IRI("http://example.org/a")).count == 0


def test_names_that_are_near() -> None:
    """Entities by their names in words; an opaque, or an endless, name is near to nothing."""
    kg = olympics()
    assert kg.nearest(EX + "Lake_Placd", "entity") == [(EX + "LakePlacid", 10)]
    assert kg.nearest(EX + "LakePlacid", "entity") == []
    assert kg.nearest("urn:isbn:1", "entity") == []
    assert kg.nearest(EX + "a" * 100_000, "entity") == []
