"""Goals: what a plan proves or refutes of them, on the shipped graph."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from hermes import KG
from hermes.algebra import Plan, parse_query, render
from hermes.algebra.goal import SHAPES
from hermes.sparql.tree import walk
from hermes.terms import IRI, XSD, Literal
from hermes.verifier import Goal, Kernel, Schema
from shared import data_folder

EX = "http://example.org/olympics/"


@pytest.fixture(scope="module")
def kg() -> KG:
    """The shipped graph."""
    return KG.load("olympics")


@pytest.mark.parametrize(
    ("query", "goal", "standing"),
    [
        ("SELECT ?c { ?c ex:hosted ?g }", Goal(form="rows"), "proved"),
        ("ASK { ?c ex:hosted ?g }", Goal(form="rows"), "refuted"),
        ("ASK { ?c ex:hosted ?g }", Goal(form="truth"), "proved"),
        ("SELECT (COUNT(?c) AS ?n) { ?c ex:hosted ?g }", Goal(form="number"), "proved"),
        ("SELECT (MAX(?y) AS ?n) { ?g ex:year ?y }", Goal(form="number"), "proved"),
        ("SELECT (MAX(?l) AS ?n) { ?g rdfs:label ?l }", Goal(form="number"), "refuted"),
        ("SELECT (MAX(?y + 1) AS ?n) { ?g ex:year ?y }", Goal(form="number"), "unknown"),
        ("SELECT ?c { ?c ex:hosted ?g }", Goal(form="number"), "refuted"),
        ("SELECT ?c { ?c ex:hosted ?g }", Goal(type=IRI(EX + "City")), "proved"),
        ("SELECT ?g { ?c ex:hosted ?g }", Goal(type=IRI(EX + "City")), "refuted"),
        ("SELECT ?g { ?c ex:hosted ?g }", Goal(type=IRI(EX + "SummerGames")), "unknown"),
        ("SELECT ?y { ?g ex:year ?y }", Goal(type=IRI(XSD + "integer")), "proved"),
        ("SELECT ?y { ?g ex:year ?y }", Goal(type=IRI(XSD + "string")), "refuted"),
        ("SELECT ?z { ?g ex:year ?y BIND(?y + 1 AS ?z) }", Goal(type=IRI(XSD + "integer")), "unknown"),
        ("SELECT ?c { ?c ex:country ex:USA }", Goal(mentions=(IRI(EX + "USA"),)), "proved"),
        ("SELECT ?c { ?c ex:country ex:Greece }", Goal(mentions=(IRI(EX + "USA"),)), "refuted"),
        ("SELECT ?c { ?c ex:country ?k } LIMIT 3", Goal(max=3), "proved"),
        ("SELECT ?c { ?c ex:country ?k } LIMIT 3", Goal(min=4), "refuted"),
        ("SELECT ?c { ?c ex:country ?k }", Goal(max=3), "refuted"),
        ("SELECT ?c { ?c ex:country ?k }", Goal(max=13), "proved"),
        ("SELECT ?c { ?c ex:country ?k } OFFSET 3", Goal(max=10), "proved"),
        ("SELECT ?c { ?c a ex:City }", Goal(min=13), "proved"),
        ("SELECT DISTINCT ?k { ?c ex:country ?k }", Goal(min=9), "refuted"),
        ("SELECT DISTINCT ?c { ?c ex:hosted ?g . ?c rdfs:label ?l }", Goal(max=13), "proved"),
        ("SELECT ?c (COUNT(?g) AS ?n) { ?c ex:hosted ?g } GROUP BY ?c", Goal(max=13), "proved"),
        ("SELECT ?k { VALUES ?c { ex:Athens ex:London } ?c ex:country ?k }", Goal(max=2), "proved"),
        ("SELECT ?k { ?c ex:country ?k FILTER(?c != ex:Athens) }", Goal(max=3), "unknown"),
        ("SELECT (COUNT(?c) AS ?n) { ?c ex:hosted ?g }", Goal(type=IRI(XSD + "integer")), "proved"),
        ("SELECT ?g { ?c ex:hosted ?g }", Goal(type=IRI(EX + "Games")), "unknown"),
        ("SELECT ?c { ?c ex:sesson ?g }", Goal(min=1), "refuted"),
        ("SELECT ?y { ex:Summer2012 ex:year ?y }", Goal(max=1), "proved"),
        ("SELECT (COUNT(?c) AS ?n) { ?c ex:hosted ?g }", Goal(min=1), "proved"),
        ("SELECT (COUNT(?c) AS ?n) { ?c ex:hosted ?g }", Goal(max=0), "refuted"),
    ],
)
def test_a_part_of_a_goal_stands_as_it_should(kg: KG, query: str, goal: Goal, standing: str) -> None:
    """Each part is proved, refuted or unknown by the plan alone."""
    verdict = Kernel(Schema.mine(kg)).check(parse_query(query, prefixes=kg.prefixes), goal)
    assert [part.standing for part in verdict.goal] == [standing]


# --- against real answers -------------------------------------------------------------------------

_NUMBERS = {XSD + name for name in ("integer", "decimal", "double", "float")}


@dataclass(frozen=True)
class Answer:
    """The real answer of a query: its shape, the number of its rows, and the types of its answers."""

    shape: str
    count: int
    types: tuple[frozenset[str], ...]
    names: frozenset[IRI]

    def has(self, goal: Goal, field: str) -> tuple[bool, bool]:
        """Return whether the answer is what a part of a goal asks for, and whether none of it is."""
        if field == "form":
            numbers = [bool(types & _NUMBERS) for types in self.types if types]
            if goal.form != self.shape or goal.form != "number":
                return goal.form == self.shape, goal.form != self.shape
            return all(numbers), not any(numbers)
        if field == "type":
            fitting = [goal.type is not None and goal.type.value in types for types in self.types]
            return all(fitting), not any(fitting)
        fits = {
            "min": self.count >= (goal.min or 0),
            "max": goal.max is None or self.count <= goal.max,
            "mentions": set(goal.mentions) <= self.names,
        }[field]
        return fits, not fits


def _answer(kg: KG, plan: Plan) -> Answer:
    names = frozenset(part for part in walk(plan) if isinstance(part, IRI))
    if plan.form == "ask":
        return Answer("truth", 1, (), names)
    table = kg.select(render(plan))
    shape = "number" if plan.grouped and not plan.group_by else "rows"
    column = table.variables[0]
    answers = Counter(row.get(column) for row in table.rows[:200])
    return Answer(shape, len(table.rows), tuple(_types(kg, term) for term in answers), names)


def _types(kg: KG, term: object) -> frozenset[str]:
    if isinstance(term, Literal):
        return frozenset({term.datatype})
    if not isinstance(term, IRI):
        return frozenset()
    found = kg.select(f"SELECT ?c {{ <{term.value}> a ?c }}").rows
    return frozenset(each.value for row in found if isinstance(each := row["c"], IRI))


def _goals(answer: Answer, classes: list[str]) -> Iterator[Goal]:
    """Yield goals that the answer reaches, and some that it does not."""
    yield from (Goal(form=form) for form in SHAPES)
    count = answer.count
    yield from (Goal(min=least) for least in (0, 1, count, count + 1, 2 * count + 5))
    yield from (Goal(max=most) for most in (0, 1, max(count - 1, 0), count, 2 * count + 5, 10_000))
    wanted = {XSD + "integer", XSD + "string", *classes}.union(*answer.types[:2])
    yield from (Goal(type=IRI(name)) for name in sorted(wanted))
    yield from (Goal(mentions=(iri,)) for iri in [*sorted(answer.names, key=str)[:2], IRI(EX + "absent")])


@pytest.mark.parametrize("folder", ["ck25", "geoquery", "spider4sparql"])
def test_what_is_proved_holds_for_real_answers(folder: str) -> None:
    """Of all gold queries: what is proved is so, what is refuted is not, and not all is unknown."""
    data = data_folder(folder)
    content: dict[str, Any] = json.loads((data / "questions.dev.json").read_text(encoding="utf-8"))
    stood: Counter[str] = Counter()
    for name, files in content["dataset"]["kg"].items():
        kg = KG.load(*(data / file for file in files))
        kernel = Kernel(Schema.mine(kg))
        classes = list(kg.vocabulary.classes)[:3]
        for question in content["questions"]:
            if question["kg"] != name:
                continue
            plan = parse_query(question["query"]["sparql"])
            answer = _answer(kg, plan)
            for goal in _goals(answer, classes):
                (part,) = kernel.check(plan, goal).goal
                every, none = answer.has(goal, part.field)
                assert part.standing != "proved" or every, (question["id"], goal, part)
                assert part.standing != "refuted" or none, (question["id"], goal, part)
                stood[part.standing] += 1
        kg.close()
    assert stood["proved"] > stood.total() / 5
    assert stood["refuted"] > stood.total() / 5
