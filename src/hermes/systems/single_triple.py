"""The best-labelled plan of one triple pattern: a lower bound that every other system should pass.

Names in the question are matched with labels, words by words; there is no meaning, no synonym, no second
pattern. English only, as its list of empty words is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from hermes.algebra.action import parse_action
from hermes.algebra.explorer import Explorer
from hermes.algebra.observation import Rejected
from hermes.findings import Edge, Entry
from hermes.kg import KG
from hermes.labels import words
from hermes.systems.answer import Answer
from hermes.systems.question_words import QuestionWords
from hermes.terms import IRI, RDF_TYPE, full_iri

_LOOKUPS: Final = 3
_ENTITIES: Final = 2
_EDGES: Final = 200
_TRIED: Final = 3
_QUALIFIED: Final = 0.5
"""The weight of the table in the name of a column, `singer` in `singer#name`, beside the column's own."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A pattern, and how well the question says it; `answer` is its variable, or empty where it has none."""

    score: float
    pattern: str
    answer: str = "?answer"


class SingleTriple:
    """Answers with one pattern: an entity and a predicate, in either direction, or a predicate, or a class.

    The one that the question says best and that has solutions. "How many" counts them, a question that begins
    with a verb asks whether there is one. A handful of queries; the same answer each time.
    """

    def answer(self, question: str, kg: KG) -> Answer:
        """Return the best pattern with its rows; no query where the question says nothing of the graph.

        Raises:
            StoreError: the store could not answer.
        """
        asked = QuestionWords.of(question)
        candidates = sorted(_candidates(asked, kg), key=lambda each: (-each.score, each.pattern))
        for candidate in candidates[:_TRIED]:
            explorer = Explorer(kg, sample_size=1)
            if all(
                not isinstance(explorer.run(parse_action(action)), Rejected)
                for action in _actions(candidate, asked)
            ):
                return Answer(explorer.plan, explorer.sparql, explorer.answer(), explorer.trace)
        return Answer()


def _actions(candidate: Candidate, asked: QuestionWords) -> Iterator[Mapping[str, object]]:
    yield {"op": "triple", "pattern": candidate.pattern}
    if asked.decides or not candidate.answer:
        yield {"op": "ask"}
    elif asked.counts:
        yield {"op": "aggregate", "expr": f"COUNT({candidate.answer})", "alias": "?count"}
    else:
        yield {"op": "project", "vars": [candidate.answer]}


def _candidates(asked: QuestionWords, kg: KG) -> Iterator[Candidate]:
    """Yield the patterns that the question says something of, and that have solutions."""
    if not asked.stems:
        return
    classes = _best(_said(asked, kg, kg.vocabulary.classes))
    predicates = _best(_predicates(asked, kg))
    for score, iri in classes:
        # A class that is said as well as a column of its table is what is asked for.
        yield Candidate(score + 0.01, f"?answer a {full_iri(iri)}")
    for score, iri in predicates:
        yield Candidate(score, f"?subject {full_iri(iri)} ?answer")
    known = [
        kg.vocabulary.labels.get(iri, "") for score, iri in (*classes[:1], *predicates[:1]) if score >= 1
    ]
    entities = _entities(asked, known, kg)
    for entry in entities:
        yield from _around(entry, entities, asked, kg)


def _best(scored: Iterator[tuple[float, str]]) -> list[tuple[float, str]]:
    return sorted((each for each in scored if each[0] > 0), key=lambda each: (-each[0], each[1]))[:_TRIED]


def _said(asked: QuestionWords, kg: KG, names: Mapping[str, int]) -> Iterator[tuple[float, str]]:
    return ((asked.said(kg.vocabulary.labels.get(iri, "")), iri) for iri in names)


def _predicates(asked: QuestionWords, kg: KG) -> Iterator[tuple[float, str]]:
    for score, iri in _said(asked, kg, kg.vocabulary.predicates):
        if score > 0 and iri != RDF_TYPE:
            yield score + _QUALIFIED * asked.said(_table(iri)), iri


def _table(iri: str) -> str:
    """Return the name of the table whose column an IRI names, `singer` of `singer#name`; else nothing."""
    table, mark, _ = iri.rpartition("#")
    return (words(table) or "") if mark else ""


def _entities(asked: QuestionWords, known: list[str], kg: KG) -> list[Entry]:
    """Return the entities that the question names in full, that with the longest name first."""
    found: dict[IRI, Entry] = {}
    for run in asked.runs(known)[:_LOOKUPS]:
        for entry in kg.lookup(run, "entity", _ENTITIES).entries:
            if entry.match == "exact":
                found.setdefault(entry.term, entry)
    return list(found.values())[:_ENTITIES]


def _around(entry: Entry, entities: list[Entry], asked: QuestionWords, kg: KG) -> Iterator[Candidate]:
    """Yield the patterns of an entity; the words of its own name say nothing of a predicate."""
    own = entry.matched.lower().split()
    inspection = kg.inspect(entry.term, _EDGES, role="entity")
    for edge in inspection.edges:
        label = kg.vocabulary.labels.get(edge.predicate.value, "")
        said = asked.said(label, own)
        if said > 0 and edge.predicate.value != RDF_TYPE:
            # The name of an entity is said as well: a pattern with both says more than one of them.
            yield Candidate(said + len(own), *_pattern(edge, entry, entities, decides=asked.decides))


def _pattern(edge: Edge, entry: Entry, entities: list[Entry], *, decides: bool) -> tuple[str, str]:
    this, predicate = full_iri(entry.term.value), full_iri(edge.predicate.value)
    others = [full_iri(other.term.value) for other in entities if other.term != entry.term]
    other = others[0] if decides and others else "?answer"
    pattern = f"{this} {predicate} {other}" if edge.direction == "out" else f"{other} {predicate} {this}"
    return pattern, "?answer" if other == "?answer" else ""
