"""From a reading to drafts: for each class that all may hang together with, the best draft of the question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from hermes.labels.stems import root
from hermes.labels.words import is_row
from hermes.linking import Candidate, Cue
from hermes.linking.english import meant_by
from hermes.linking.lexicon import Name
from hermes.policies.class_graph import ClassGraph, Link
from hermes.policies.draft import (
    Absent,
    Attribute,
    Column,
    Condition,
    Draft,
    Function,
    Having,
    Mean,
    Ranking,
    Sign,
)
from hermes.policies.reading import Phrase, Pick, Reading
from hermes.terms import IRI, Literal

_FAR: Final = 0.12
"""What each link between classes takes from a score."""
_UNREACHED: Final = 9.0
_SAID: Final = 0.45
"""The least fit of a phrase to an attribute."""
_CLASS: Final = 0.75
"""The same to a class."""
_NEAR: Final = 3
"""Words that stand at most so far apart say something of each other."""
_NAMING: Final = frozenset(map(root, ("name", "title", "label")))
_FUNCTIONS: Final[dict[str, Function]] = {"average": "avg", "sum": "sum", "maximum": "max", "minimum": "min"}
_SIGNS: Final[dict[str, Sign]] = {
    "greater": ">",
    "less": "<",
    "at-least": ">=",
    "at-most": "<=",
    "equal": "=",
}
_COMMON: Final = frozenset("common popular frequent frequently often".split())
_PARTS_OF_NAMES: Final = {
    "first": frozenset(map(root, ("first", "forename", "given", "fname", "firstname"))),
    "last": frozenset(map(root, ("last", "surname", "family", "lname", "lastname"))),
}
_ONE_WORD: Final = frozenset(map(root, ("forename", "fname", "firstname", "surname", "lname", "lastname")))
_YEARS: Final = frozenset(map(root, ("year", "date")))
_PARTS: Final = frozenset(
    map(root, "substring contains containing includes including word letter letters starts".split())
)
_IDENTIFYING: Final = frozenset("id ids identifier identifiers".split())
_FROM_LOW: Final = frozenset(("youngest", "newest", "latest"))


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What a graph is made of, as drafting needs it.

    Args:
        graph: its classes.
        numeric: the predicates with numbers or dates as objects.
    """

    graph: ClassGraph
    numeric: frozenset[str]


class Drafting:
    """Drafts of one question.

    Args:
        reading: the question.
        vocabulary: the graph.
    """

    def __init__(self, reading: Reading, vocabulary: Vocabulary) -> None:
        self._reading = reading
        self._graph = vocabulary.graph
        self._numeric = vocabulary.numeric
        self._names = {name.term.value: name for name in reading.lexicon.names}
        self._liked = frozenset(
            name.term.value
            for name in reading.lexicon.names
            if name.role == "predicate"
            and any(reading.fit(phrase, name) >= _SAID for phrase in reading.phrases)
        )
        self._distances: dict[tuple[str, str], float] = {}

    def drafts(self) -> list[Draft]:
        """Return the drafts, the best first."""
        classes = [name for name in self._reading.lexicon.names if name.role == "class"]
        found = [
            _ForClass(self, name.term.value).draft()
            for name in classes
            if name.term.value in self._graph.attributes or name.term.value in self._graph.links
        ]
        return sorted((each for each in found if each is not None), key=lambda each: (-each.score, each.cls))

    # --- what phrases say -----------------------------------------------------------------------------

    def class_of(self, phrase: Phrase) -> tuple[float, str]:
        """Return the class that a phrase says best, with how well."""
        rated = [
            (self._reading.fit(phrase, name), name.count, name.term.value)
            for name in self._names.values()
            if name.role == "class"
        ]
        fit, _, cls = max(rated, default=(0.0, 0, ""))
        return fit, cls

    def attribute_of(
        self, phrase: Phrase, cls: str, *, numeric: bool = False
    ) -> tuple[float, Attribute | None]:
        """Return the attribute that a phrase says best, of a class or of one that is not far from it."""
        best: tuple[float, Attribute | None] = (0.0, None)
        for name in self._names.values():
            if name.role != "predicate" or (numeric and name.term.value not in self._numeric):
                continue
            fit = self._reading.fit(phrase, name)
            if fit < _SAID:
                continue
            for domain in self._graph.domains.get(name.term.value, ()):
                if name.term.value not in self._graph.attributes.get(domain, ()):
                    continue
                score = fit - _FAR * self.distance(cls, domain)
                if score > best[0]:
                    best = score, Attribute(domain, name.term.value)
        return best

    def meant_attribute(self, words: Sequence[str], cls: str) -> tuple[float, Attribute | None]:
        """Return the number that words for a quality ask for: "oldest" an age, of a class or near it."""
        order = [each for word in words for each in meant_by(word)]
        far = 2.5 * _FAR
        best: tuple[float, Attribute | None] = (0.0, None)
        for name in self._names.values():
            iri = name.term.value
            if iri not in self._numeric or not set(order) & set(name.roots):
                continue
            place = min(order.index(each) for each in name.roots if each in order)
            for domain in self._graph.domains.get(iri, ()):
                score = 0.8 - 0.08 * place - far * self.distance(cls, domain) - 0.05 * (len(name.roots) - 1)
                if score > best[0]:
                    best = score, Attribute(domain, iri)
        return best

    def shown(self, cls: str) -> Attribute:
        """Return what the instances of a class are shown by: their names, where a table made them."""
        best: tuple[int, int, str] | None = None
        of_class = set(self._names[cls].roots) if cls in self._names else set()
        for iri in sorted(self._graph.attributes.get(cls, ())):
            name = self._names.get(iri)
            if name is None or not name.of:
                continue
            others = [each for each in name.roots if each not in of_class and each not in name.of]
            if not _NAMING.isdisjoint(name.roots):
                rated = (0, len(others), iri)
            elif not others:
                rated = (1, 0, iri)
            elif _is_id(name.roots):
                rated = (2, len(others), iri)
            else:
                rated = (3, len(others), iri)
            best = rated if best is None else min(best, rated)
        return Attribute(cls, best[2] if best else None)

    def full_name(self, cls: str) -> tuple[Attribute, ...]:
        """Return the first and the last name of a class whose instances have no other."""
        found: dict[str, str] = {}
        for iri in sorted(self._graph.attributes.get(cls, ())):
            name = self._names.get(iri)
            if name is None or not name.of:
                continue
            for part, roots in _PARTS_OF_NAMES.items():
                if roots & set(name.roots) and (len(name.roots) > 1 or name.roots[0] in _ONE_WORD):
                    found.setdefault(part, iri)
        plain = self.shown(cls)
        name = self._names.get(plain.predicate or "")
        others = set(name.roots) - set(name.of) - _NAMING if name is not None else {""}
        if len(found) < len(_PARTS_OF_NAMES) or not others:
            return ()
        return tuple(Attribute(cls, found[part]) for part in ("first", "last"))

    def only_names(self, candidate: Candidate) -> bool:
        """Whether a text is nothing but the name of things."""
        names = [self._names.get(each.value) for each in candidate.predicates]
        return all(name is None or not _NAMING.isdisjoint(name.roots) for name in names)

    def named(self, cls: str) -> Attribute | None:
        """Return what gives the instances of a class their names, or else those that they are linked with."""
        for each in (cls, *sorted({link.other(cls) for link in self._graph.links.get(cls, ())})):
            shown = self.shown(each)
            name = self._names.get(shown.predicate or "")
            if name is not None and not _NAMING.isdisjoint(name.roots):
                return shown
        shown = self.shown(cls)
        return shown if shown.predicate is not None else None

    def identified(self, cls: str) -> Attribute | None:
        """Return the attribute that identifies the instances of a class."""
        of_class = set(self._names[cls].roots) if cls in self._names else set()
        rated = [
            (sum(each not in of_class for each in name.roots), len(name.roots), iri)
            for iri in self._graph.attributes.get(cls, ())
            if (name := self._names.get(iri)) is not None and _is_id(name.roots)
        ]
        return Attribute(cls, min(rated)[2]) if rated else None

    def distance(self, one: str, other: str) -> float:
        """Return how many links lie between two classes."""
        if (one, other) not in self._distances:
            path = self._graph.tree(one, [other])
            self._distances[one, other] = _UNREACHED if path is None else float(len(path))
        return self._distances[one, other]

    def tree(self, cls: str, others: Sequence[str]) -> tuple[Link, ...] | None:
        """Return what connects a class with others."""
        return self._graph.tree(cls, others, self._liked)

    def namesake(self, text: str, phrase: Phrase, cls: str) -> str | None:
        """Return an attribute of a class that has a word for a function in its own name, and is said."""
        for iri, name in self.named_with(root(text)):
            if iri in self._graph.attributes.get(cls, ()) and self._reading.fit(phrase, name) >= _SAID:
                return iri
        return None

    def named_with(self, said: str) -> list[tuple[str, Name]]:
        """Return the predicates that have a root in their own name."""
        return [
            (iri, name)
            for iri, name in sorted(self._names.items())
            if said in name.roots and name.role == "predicate"
        ]

    def name(self, iri: str) -> Name | None:
        """Return the name of a predicate or a class."""
        return self._names.get(iri)

    @property
    def reading(self) -> Reading:
        """The question."""
        return self._reading

    @cached_property
    def classes(self) -> dict[Phrase, tuple[float, str]]:
        """The class that each phrase says, where it says one."""
        found = {phrase: self.class_of(phrase) for phrase in self._reading.phrases}
        return {phrase: each for phrase, each in found.items() if each[0] >= _CLASS}

    def domains(self, predicate: str) -> tuple[str, ...]:
        """Return the classes of the subjects of a predicate."""
        return self._graph.domains.get(predicate, ())

    def is_numeric(self, predicate: str | None) -> bool:
        """Whether a predicate has numbers or dates."""
        return predicate in self._numeric


def _is_id(roots: Sequence[str]) -> bool:
    return any(each in ("id", "cod") or each.endswith("id") for each in roots)


class _ForClass:
    """The draft that hangs together with one class."""

    def __init__(self, drafting: Drafting, cls: str) -> None:
        self._all = drafting
        self._reading = drafting.reading
        self._cls = cls
        self._score = 0.0
        self._used: set[int] = set()
        self._spoken: set[Phrase] = set()
        self._plural = False
        self._mean: Mean | None = None
        self._needed: dict[str, None] = {}
        self._conditions: list[Condition] = []
        self._absent: list[Absent] = []
        self._columns: list[Column] = []
        self._grouped: list[Attribute] = []
        self._ranking: Ranking | None = None
        self._having: Having | None = None

    def draft(self) -> Draft | None:
        """Return the draft; None where what it needs does not hang together."""
        ask = bool(self._reading.asks("yes-no"))
        self._mentioned()
        self._compared()
        self._ranked()
        self._negated()
        self._named()
        self._functions()
        self._each()
        if not ask:
            self._heads()
            if not self._columns:
                self._columns.append(Column(self._all.shown(self._cls)))
        self._others()
        needed = [cls for cls in self._needed if cls != self._cls]
        links = self._all.tree(self._cls, needed)
        if links is None:
            return None
        left = [phrase for phrase in self._reading.phrases if not self._used & set(phrase.places)]
        score = self._score - _FAR * len(links) - 0.25 * sum(len(phrase.places) for phrase in left)
        return Draft(
            self._cls,
            tuple(dict.fromkeys(self._columns)),
            links,
            tuple(self._merged()),
            tuple(self._absent),
            self._ranking,
            self._having,
            tuple(dict.fromkeys(self._grouped)),
            ask,
            self._mean,
            score,
            frozenset(self._used),
        )

    # --- the class ------------------------------------------------------------------------------------

    def _mentioned(self) -> None:
        """Note where the question says the class: in what is asked for, or right after it, most."""
        best = 0.0
        for number, (phrase, (fit, cls)) in enumerate(self._all.classes.items()):
            if cls == self._cls:
                denied = any(first < phrase.first for _, first, _ in self._reading.asks("negation"))
                best = max(best, fit * (0.2 if denied else 1.4 if number == 0 else 1.0))
                self._used |= set(phrase.places)
        self._score += best

    def _need(self, attribute: Attribute) -> Attribute:
        self._needed[attribute.cls] = None
        return attribute

    # --- conditions -----------------------------------------------------------------------------------

    def _compared(self) -> None:
        """Numbers with a comparison: of an attribute, or of how many of a class there are."""
        self._between()
        for cue, first, last in self._reading.asks(*_SIGNS):
            if self._beyond_mean(cue, first, last):
                continue
            pick = self._number_beside(first, last)
            if pick is None or pick.number is None or pick.first in self._used:
                continue
            sign = _SIGNS[cue.asks]
            counted = self._counted_after(max(last, pick.last))
            attribute = self._attribute_beside(cue, first, last, pick)
            if attribute[1] is not None and (counted is None or attribute[0] >= 0.8):
                self._conditions.append(Condition(self._need(attribute[1]), sign, (pick.number.value,)))
                self._score += attribute[0]
            elif counted is not None:
                self._having = Having(self._need(Attribute(counted)), sign, pick.number.value.lexical)
                self._score += 0.8
            else:
                self._score -= 0.5
            self._use(range(first, last + 1), range(pick.first, pick.last + 1))

    def _between(self) -> None:
        """Two numbers that an attribute lies between."""
        for cue, first, last in self._reading.asks("between"):
            picks = [
                pick
                for pick in self._reading.picks
                if pick.number is not None and last < pick.first <= last + 4
            ]
            if len(picks) < 2 or picks[0].number is None or picks[1].number is None:  # noqa: PLR2004 - two ends
                continue
            score, attribute = self._attribute_beside(cue, first, last, picks[1])
            if attribute is not None:
                self._need(attribute)
                self._conditions.append(Condition(attribute, ">=", (picks[0].number.value,)))
                self._conditions.append(Condition(attribute, "<=", (picks[1].number.value,)))
                self._score += score
            self._use(range(first, picks[1].last + 1))

    def _beyond_mean(self, cue: Cue, first: int, last: int) -> bool:
        """Whether an attribute is compared with its average: "above the average age"."""
        mean = next((each for each in self._reading.asks("average") if 0 < each[1] - last <= 2), None)
        if mean is None:
            return False
        for phrase in self._reading.phrases:
            if 0 < phrase.first - mean[2] <= 1 or 0 < first - phrase.last <= 2:
                score, attribute = self._all.attribute_of(phrase, self._cls, numeric=True)
                if attribute is not None:
                    self._mean = Mean(self._need(attribute), _SIGNS[cue.asks])
                    self._score += score + 0.3
                    self._used |= set(phrase.places)
                    self._spoken.add(phrase)
                    self._use(range(first, mean[2] + 1))
                    return True
        return False

    def _number_beside(self, first: int, last: int) -> Pick | None:
        rated = [
            (pick.first - last if pick.first > last else first - pick.last + 1, pick)
            for pick in self._reading.picks
            if pick.number is not None
        ]
        near = [(far, pick) for far, pick in rated if 0 < far <= _NEAR]
        return min(near, key=lambda pair: pair[0])[1] if near else None

    def _counted_after(self, last: int) -> str | None:
        for phrase, (_, cls) in self._all.classes.items():
            if 0 < phrase.first - last <= 1:
                self._used |= set(phrase.places)
                self._spoken.add(phrase)
                return cls
        return None

    def _attribute_beside(
        self, cue: Cue, first: int, last: int, pick: Pick
    ) -> tuple[float, Attribute | None]:
        """Return the attribute that is compared: said just before, by the comparison itself, or just after."""
        found: list[tuple[float, Attribute | None, Phrase | None]] = []
        for phrase in self._reading.phrases:
            before = 0 < first - phrase.last <= _NEAR
            after = 0 < phrase.first - max(last, pick.last) <= 1
            between = last < phrase.first and phrase.last < pick.first
            if before or after or between:
                score, attribute = self._all.attribute_of(phrase, self._cls, numeric=True)
                found.append((score, attribute, phrase))
        score, attribute = self._all.meant_attribute(cue.span.text.lower().split(), self._cls)
        found.append((score - 0.05, attribute, None))
        if pick.number is not None and pick.number.kind in ("year", "date"):
            score, attribute = self._all.meant_attribute(["when"], self._cls)
            found.append((score - 0.1, attribute, None))
        best = max(found, key=lambda each: each[0])
        if best[1] is not None and best[2] is not None:
            self._used |= set(best[2].places)
        return best[0], best[1]

    def _named(self) -> None:
        """Entities and texts that the question names."""
        for pick in self._reading.picks:
            if self._used & set(range(pick.first, pick.last + 1)):
                continue
            found = self._contained(pick) or self._equal(pick)
            if found is not None:
                score, condition = found
                self._need(condition.of)
                self._conditions.append(condition)
                self._score += score
                self._use(range(pick.first, pick.last + 1))

    def _equal(self, pick: Pick) -> tuple[float, Condition] | None:
        entities = [
            each
            for each in pick.candidates
            if isinstance(each.term, IRI) and each.evidence == "exact" and not is_row(each.term.value)
        ]
        rated = [
            each
            for candidate in pick.candidates
            if not entities or isinstance(candidate.term, IRI) or not self._all.only_names(candidate)
            for each in self._meanings(candidate, pick)
        ]
        return max(rated, key=lambda each: (each[0], str(each[1].of))) if rated else None

    def _contained(self, pick: Pick) -> tuple[float, Condition] | None:
        """Return the condition that a text in quotation marks is a part of an attribute, where that is asked."""
        words = self._reading.words
        text = next(
            (
                span.text
                for span in self._reading.mentions.quoted
                if span.start <= words[pick.first].span.start < span.end
            ),
            None,
        )
        near = {word.root for word in words[max(0, pick.first - 4) : pick.first]}
        if text is None or near.isdisjoint(_PARTS):
            return None
        for phrase in reversed(self._reading.phrases):
            if 0 < pick.first - phrase.last <= 6:
                score, attribute = self._all.attribute_of(phrase, self._cls)
                if attribute is not None:
                    return score + 0.5, Condition(attribute, "contains", (Literal(text),))
        shown = self._all.named(self._cls)
        return None if shown is None else (0.5, Condition(shown, "contains", (Literal(text),)))

    def _meanings(self, candidate: Candidate, pick: Pick) -> Iterator[tuple[float, Condition]]:
        """Yield what a candidate may be a condition on, with how well that fits."""
        if isinstance(candidate.term, IRI):
            if is_row(candidate.term.value) and any(
                isinstance(each.term, Literal) for each in pick.candidates
            ):
                return
            for cls in candidate.types:
                score = candidate.score + 0.05 - _FAR * self._all.distance(self._cls, cls.value)
                yield score, Condition(Attribute(cls.value), "=", (candidate.term,))
            return
        for place, predicate in enumerate(candidate.predicates):
            name = self._all.name(predicate.value)
            said = 0.0
            if name is not None:
                near = [
                    p
                    for p in self._reading.phrases
                    if min(abs(p.last - pick.first), abs(p.first - pick.last)) <= _NEAR
                ]
                said = max((self._reading.fit(phrase, name) for phrase in near), default=0.0)
            for cls in self._all.domains(predicate.value):
                mentioned = any(each == cls for _, each in self._all.classes.values())
                far = self._all.distance(self._cls, cls)
                naming = name is not None and set(name.roots) - set(name.of) <= _NAMING
                if pick.number is not None and pick.number.kind == "year" and name is not None:
                    said = max(said, 0.8 if not _YEARS.isdisjoint(name.roots) else 0.0)
                shared = 0.25 if len(self._all.domains(predicate.value)) > 1 else 0.0
                score = (
                    candidate.score
                    - shared
                    + 0.35 * said
                    + 0.1 * mentioned
                    + 0.16 * naming
                    - _FAR * far
                    - 0.01 * place
                )
                yield score, Condition(Attribute(cls, predicate.value), "=", (candidate.term,))

    def _merged(self) -> Iterator[Condition]:
        """Yield the conditions; several values of one attribute are any of these."""
        together: dict[tuple[Attribute, Sign], list[IRI | Literal]] = {}
        for each in self._conditions:
            key = each.of, each.sign
            if each.sign in ("=", "!="):
                together.setdefault(key, []).extend(each.terms)
            else:
                together.setdefault((each.of, each.sign), []).extend(each.terms[:1])
        for (attribute, sign), terms in together.items():
            yield Condition(attribute, sign, tuple(dict.fromkeys(terms)))

    def _negated(self) -> None:
        """What must not be there: after a negation, a class with its conditions, or other values."""
        denied = self._reading.asks("negation")
        for number, (_, first, last) in enumerate(denied):
            until = denied[number + 1][1] if number + 1 < len(denied) else len(self._reading.words)
            after = [
                (phrase, cls)
                for phrase, (_, cls) in self._all.classes.items()
                if last < phrase.first < until and cls != self._cls and not self._used & set(phrase.places)
            ]
            picks = [
                pick
                for pick in self._reading.picks
                if last < pick.first < until and not self._used & set(range(pick.first, pick.last + 1))
            ]
            conditions = [found[1] for pick in picks if (found := self._equal(pick)) is not None]
            classes = [cls for _, cls in after[:1]]
            ends = [*classes, *(each.of.cls for each in conditions)]
            if not ends:
                continue
            if not classes and all(each.of.cls == self._cls for each in conditions):
                self._conditions += [replace(each, sign="!=") for each in conditions]
            else:
                links = self._all.tree(self._cls, ends)
                if links is None or not links:
                    continue
                self._absent.append(Absent(links, tuple(conditions)))
            self._score += 0.6 + 0.5 * len(conditions)
            self._use(range(first, last + 1), *(range(pick.first, pick.last + 1) for pick in picks))
            for phrase, _ in after[:1]:
                self._used |= set(phrase.places)

    # --- what comes first -----------------------------------------------------------------------------

    def _ranked(self) -> None:
        """A superlative: by an attribute, or by how many there are."""
        for cue, first, last in self._reading.asks("most", "least")[:1]:
            text = cue.span.text.lower()
            phrase = next((each for each in self._reading.phrases if 0 < each.first - last <= 2), None)
            if phrase is None:
                phrase = next((each for each in self._reading.phrases if 0 < first - each.last <= 2), None)
            limit = self._limit(first, last)
            descending = cue.asks == "most"
            if self._by_function(last, descending):
                self._use(range(first, last + 1))
                continue
            found = self._by_namesake(text, phrase)
            if found is None and not self._plural:
                found = self._by_count(text, phrase) or self._by_attribute(text, phrase)
            if found is None:
                continue
            score, by, count = found
            name = self._all.name(by.predicate or "")
            if name is not None and "age" in name.roots and text in _FROM_LOW:
                descending = False
            if (
                name is not None
                and {"birth", "birthda", "year"} & set(name.roots)
                and text in ("oldest", "youngest")
            ):
                descending = text == "youngest"
            self._ranking = Ranking(self._need(by), descending, count, limit)
            self._score += score
            self._use(range(first, last + 1))
            if phrase is not None and (count or self._reading.fit(phrase, name) >= _SAID if name else count):
                self._used |= set(phrase.places)

    def _by_function(self, last: int, descending: bool) -> bool:
        """Whether what comes first does so by an average or a sum: the highest average salary."""
        for cue, first, end in self._reading.asks("average", "sum"):
            phrase = self._after(end)
            if not 0 < first - last <= 1 or phrase is None:
                continue
            score, attribute = self._all.attribute_of(phrase, self._cls, numeric=True)
            if attribute is not None:
                self._ranking = Ranking(self._need(attribute), descending, function=_FUNCTIONS[cue.asks])
                self._score += score + 0.3
                self._used |= set(phrase.places)
                self._spoken.add(phrase)
                self._use(range(first, end + 1))
                return True
        return False

    def _by_namesake(self, text: str, phrase: Phrase | None) -> tuple[float, Attribute, bool] | None:
        """An attribute whose name has the superlative itself: the highest point by the highest elevation."""
        if phrase is None:
            return None
        named = self._all.named_with(root(text))
        rated = [
            (self._reading.fit(phrase, name) + 0.3 - _FAR * self._all.distance(self._cls, cls), iri, cls)
            for iri, name in named
            if self._reading.fit(phrase, name) > 0
            for cls in self._all.domains(iri)
        ]
        score, iri, cls = max(rated, default=(0.0, "", ""))
        if score < _SAID:
            return None
        if any(start <= phrase.first < end for start, end in self._reading.heads):
            self._columns.append(Column(self._need(Attribute(cls, iri))))
        self._used |= set(phrase.places)
        self._spoken.add(phrase)
        if self._reading.words[phrase.last].folded.endswith(
            "s"
        ):  # the best finishes of all, not the best one
            self._score += score
            self._plural = True
            return None
        measured = [
            each
            for each, name in named
            if cls in self._all.domains(each)
            and (self._all.is_numeric(each) or set(meant_by(text)) & set(name.roots))
        ]
        return score, Attribute(cls, min(measured, default=iri)), False

    def _by_count(self, text: str, phrase: Phrase | None) -> tuple[float, Attribute, bool] | None:
        if _COMMON & set(text.split()) or (phrase and self._reading.words[phrase.first].folded in _COMMON):
            if phrase:
                self._used.add(phrase.first)
            return 0.8, Attribute(self._cls), True
        if "number of" not in text and text not in ("most", "fewest", "least"):
            return None
        if phrase is not None and phrase in self._all.classes:
            fit, cls = self._all.classes[phrase]
            score, attribute = self._all.attribute_of(phrase, self._cls, numeric=True)
            if attribute is None or score < fit:
                return (0.2 if cls == self._cls else fit), Attribute(cls), True
        return None

    def _by_attribute(self, text: str, phrase: Phrase | None) -> tuple[float, Attribute, bool] | None:
        words = text.split()
        if phrase is not None:
            words += [self._reading.words[place].folded for place in phrase.places]
        found: list[tuple[float, Attribute | None]] = [self._all.meant_attribute(words, self._cls)]
        if phrase is not None:
            score, attribute = self._all.attribute_of(phrase, self._cls, numeric=True)
            found.append((score + 0.1, attribute))
        score, attribute = max(found, key=lambda each: each[0])
        return None if attribute is None else (score, attribute, False)

    def _limit(self, first: int, last: int) -> int:
        for pick in self._reading.picks:
            whole = (
                pick.number is not None
                and pick.number.kind == "number"
                and pick.number.value.lexical.isdigit()
            )
            if (
                pick.number is not None
                and whole
                and (0 < pick.first - last <= 1 or 0 < first - pick.last <= 1)
            ):
                self._use(range(pick.first, pick.last + 1))
                return max(1, int(pick.number.value.lexical))
        return 1

    # --- columns --------------------------------------------------------------------------------------

    def _functions(self) -> None:
        """Averages, sums, largest and smallest values of an attribute."""
        for cue, first, last in self._reading.asks(*_FUNCTIONS):
            if first in self._used or any(
                order < first for _, order, _ in self._reading.asks("ascending", "descending")
            ):
                continue
            for phrase in self._reading.phrases:
                if phrase.first > last:
                    score, attribute = self._all.attribute_of(phrase, self._cls, numeric=True)
                    if attribute is None and cue.asks in ("maximum", "minimum"):
                        score, attribute = self._all.attribute_of(phrase, self._cls)
                    named = self._all.namesake(cue.span.text.lower(), phrase, self._cls)
                    if named is not None:
                        break
                    if attribute is not None:
                        self._columns.append(Column(self._need(attribute), _FUNCTIONS[cue.asks]))
                        self._score += score + 0.2
                        self._used |= set(phrase.places)
                        self._spoken.add(phrase)
                    break

    def _each(self) -> None:
        """What is counted or added up for each of something."""
        several = [
            each
            for each in self._reading.asks("distinct")
            if self._reading.asks("count", *_FUNCTIONS)
            and self._reading.words[each[1] - 1].folded in ("for", "in", "across")
        ]
        for _, _, last in [*self._reading.asks("each"), *several]:
            phrase = next((each for each in self._reading.phrases if 0 < each.first - last <= 1), None)
            if phrase is None:
                continue
            score, attribute = self._all.attribute_of(phrase, self._cls)
            if phrase in self._all.classes and self._all.classes[phrase][0] >= score:
                cls = self._all.classes[phrase][1]
                score, attribute = self._all.classes[phrase][0], self._all.shown(cls)
            if attribute is not None:
                self._grouped.append(self._need(attribute))
                self._score += 0.5 * score
                self._used |= set(phrase.places)

    def _heads(self) -> None:
        """What is asked for, in the words before the first that says something of it."""
        heads = list(self._reading.heads)
        count = [last for _, _, last in self._reading.asks("count")]
        told = len(heads) > 1 and bool(self._columns_of(heads[1:], []))
        if told and count:
            self._columns_of([(0, 0)], count)
        elif not told:
            found = self._columns_of(heads, count)
            if not found and not self._columns and not count:
                self._columns_of([self._reading.later_head(heads[0][1])], count)
        if count and all(column.function is None for column in self._columns):
            self._columns.append(Column(Attribute(self._cls), "count", distinct=True))
        if self._grouped and any(column.function for column in self._columns):
            self._columns = [*(Column(each) for each in self._grouped), *self._columns]

    def _columns_of(self, heads: Sequence[tuple[int, int]], count: Sequence[int]) -> int:
        """Note the columns that some parts of the question say; return how many."""
        found = 0
        for start, end in heads:
            for phrase in self._reading.phrases:
                counted = any(phrase is self._after(last) for last in count)
                if phrase in self._spoken or (not start <= phrase.first < end and not counted):
                    continue
                full = self._all.full_name(self._cls) if not counted and self._says_name(phrase) else ()
                if full:
                    self._columns += [Column(self._need(each)) for each in full]
                    self._score += 0.9
                    self._used |= set(phrase.places)
                    found += 1
                    continue
                column = self._column(phrase, counted=counted)
                if column is not None:
                    score, each = column
                    found += 1
                    self._columns.append(each)
                    self._need(each.of)
                    self._score += score
                    self._used |= set(phrase.places)
        return found

    def _after(self, last: int) -> Phrase | None:
        """Return the first phrase after a word, where it stands near to it."""
        return next((each for each in self._reading.phrases if 0 < each.first - last <= _NEAR), None)

    def _column(self, phrase: Phrase, *, counted: bool) -> tuple[float, Column] | None:
        general = self._general(phrase)
        if general is not None:
            return 0.9, Column(general)
        score, attribute = self._all.attribute_of(phrase, self._cls)
        fit, cls = self._all.classes.get(phrase, (0.0, ""))
        fit -= _FAR * self._all.distance(self._cls, cls) if cls else 0.0
        if fit > 0 and fit >= score:
            if cls == self._cls and not counted and any(column.function for column in self._columns):
                return None
            of = Attribute(cls) if counted else self._all.shown(cls)
            return fit * 0.6, Column(of, "count" if counted else None, distinct=counted)
        if attribute is None:
            return None
        if any(column.of == attribute for column in self._columns):
            return None
        if any(each.of == attribute and each.sign == "=" for each in self._conditions):
            return None
        if counted and self._all.is_numeric(attribute.predicate) and not self._is_said(phrase, attribute):
            return score, Column(attribute, "sum")
        return score, Column(attribute, "count" if counted else None, distinct=counted)

    def _is_said(self, phrase: Phrase, attribute: Attribute) -> bool:
        """Whether a phrase says the name of an attribute, and does not only ask for it: "people" a population."""
        name = self._all.name(attribute.predicate or "")
        said = {self._reading.words[place].root for place in phrase.places}
        return name is not None and not said.isdisjoint(name.roots)

    def _says_name(self, phrase: Phrase) -> bool:
        """Whether a phrase says just "name" or "full name"."""
        words = [self._reading.words[place] for place in phrase.places]
        return words[-1].root in _NAMING and all(word.folded == "full" for word in words[:-1])

    def _general(self, phrase: Phrase) -> Attribute | None:
        """Return what a phrase means that only says "name" or "id": of the class itself."""
        words = [self._reading.words[place] for place in phrase.places]
        if {word.root for word in words} <= _NAMING:
            return self._all.named(self._cls)
        if all(word.folded in _IDENTIFYING for word in words):
            return self._all.identified(self._cls)
        return None

    def _others(self) -> None:
        """Classes that the question says and nothing has used: what is asked for is connected with them."""
        for phrase, (fit, cls) in self._all.classes.items():
            if not self._used & set(phrase.places) and self._all.distance(self._cls, cls) < _UNREACHED:
                self._needed[cls] = None
                self._score += 0.4 * fit
                self._used |= set(phrase.places)
        for phrase in self._reading.phrases:
            if self._used & set(phrase.places):
                continue
            score, attribute = self._all.attribute_of(phrase, self._cls)
            if attribute is not None:
                self._score += 0.3 * score
                self._used |= set(phrase.places)

    def _use(self, *places: range) -> None:
        for each in places:
            self._used |= set(each)
