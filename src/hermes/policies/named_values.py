"""Entities and texts that a question names, and what must not be there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from hermes.labels.words import is_row
from hermes.linking import Candidate
from hermes.policies.draft import Absent, Attribute, Condition, Sign
from hermes.policies.english import NAMING, PARTS, YEARS
from hermes.policies.phrases import FAR
from hermes.policies.reading import NEAR, Phrase, Pick
from hermes.policies.sketch import Sketching
from hermes.terms import IRI, Literal

_ENTITY: Final = 0.05
"""What an entity has more than a text that is its name."""
_BESIDE: Final = 0.35
"""How much it counts that a predicate is said near to a value of it."""
_NAMES: Final = 0.16
"""The same, that the value is the name of an instance."""
_MENTIONED: Final = 0.1
"""The same, that the question says the class."""
_SHARED: Final = 0.25
"""What is taken off where instances of several classes have the predicate."""
_LATER: Final = 0.01
"""What each place among the predicates of a value takes, the most frequent being first."""
_YEAR: Final = 0.8
"""How well a year of a question is said by a predicate of years or dates."""
_CONTAINED: Final = 0.5
"""How well a text in quotation marks is a part of something that is asked for."""
_BEFORE: Final = 6
"""Words between an attribute and the text that it contains."""


class NamedValues(Sketching):
    """Reads the names in a question."""

    def read(self) -> None:
        """Entities and texts that the question names."""
        for pick in self._reading.picks:
            if self._sketch.used & set(range(pick.first, pick.last + 1)):
                continue
            found = self._contained(pick) or self._equal(pick)
            if found is not None:
                score, condition = found
                self._sketch.need(condition.of)
                self._sketch.conditions.append(condition)
                self._sketch.score += score
                self._sketch.use(range(pick.first, pick.last + 1))

    def _equal(self, pick: Pick) -> tuple[float, Condition] | None:
        entities = [
            each
            for each in pick.candidates
            if isinstance(each.term, IRI) and each.evidence == "exact" and not is_row(each.term.value)
        ]
        rated = [
            each
            for candidate in pick.candidates
            if not entities
            or isinstance(candidate.term, IRI)
            or not self._phrases.instances.only_names(candidate)
            for each in self._meanings(candidate, pick)
        ]
        return max(rated, key=lambda each: (each[0], str(each[1].of))) if rated else None

    def _contained(self, pick: Pick) -> tuple[float, Condition] | None:
        """Return the condition that an attribute contains a text in quotation marks, where that is asked."""
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
        if text is None or near.isdisjoint(PARTS):
            return None
        for phrase in reversed(self._reading.phrases):
            if 0 < pick.first - phrase.last <= _BEFORE and not self._only_names(phrase):
                score, attribute = self._phrases.attribute_of(phrase, self._sketch.cls)
                if attribute is not None:
                    return score + _CONTAINED, Condition(attribute, "contains", (Literal(text),))
        shown = self._phrases.instances.named(self._sketch.cls)
        return None if shown is None else (_CONTAINED, Condition(shown, "contains", (Literal(text),)))

    def _only_names(self, phrase: Phrase) -> bool:
        return all(self._reading.words[place].root in NAMING | PARTS for place in phrase.places)

    def _meanings(self, candidate: Candidate, pick: Pick) -> Iterator[tuple[float, Condition]]:
        """Yield what a candidate may be a condition on, with how well that fits."""
        if isinstance(candidate.term, IRI):
            texts = any(isinstance(each.term, Literal) for each in pick.candidates)
            if not (is_row(candidate.term.value) and texts):
                yield from self._as_instance(candidate, candidate.term)
            return
        for place, predicate in enumerate(candidate.predicates):
            rated = candidate.score - _LATER * place + self._as_value_of(predicate.value, pick)
            for cls in self._phrases.domains(predicate.value):
                mentioned = _MENTIONED * any(each == cls for _, each in self._phrases.classes.values())
                far = FAR * self._phrases.distance(self._sketch.cls, cls)
                of = Attribute(cls, predicate.value)
                yield rated + mentioned - far, Condition(of, "=", (candidate.term,))

    def _as_instance(self, candidate: Candidate, term: IRI) -> Iterator[tuple[float, Condition]]:
        for cls in candidate.types:
            far = FAR * self._phrases.distance(self._sketch.cls, cls.value)
            yield candidate.score + _ENTITY - far, Condition(Attribute(cls.value), "=", (term,))

    def _as_value_of(self, predicate: str, pick: Pick) -> float:
        """Return what is added where a predicate is said near to a value, or names what is shown by it."""
        name = self._phrases.name(predicate)
        shared = _SHARED * (len(self._phrases.domains(predicate)) > 1)
        if name is None:
            return -shared
        near = (
            phrase
            for phrase in self._reading.phrases
            if min(abs(phrase.last - pick.first), abs(phrase.first - pick.last)) <= NEAR
        )
        said = max((self._reading.fit(phrase, name) for phrase in near), default=0.0)
        if pick.number is not None and pick.number.kind == "year" and not YEARS.isdisjoint(name.roots):
            said = max(said, _YEAR)
        naming = set(name.roots) - set(name.of) <= NAMING
        return _BESIDE * said + _NAMES * naming - shared

    def merged(self) -> Iterator[Condition]:
        """Yield the conditions; several values of one attribute are any of these."""
        together: dict[tuple[Attribute, Sign], list[IRI | Literal]] = {}
        for each in self._sketch.conditions:
            together.setdefault((each.of, each.sign), []).extend(each.terms)
        for (attribute, sign), terms in together.items():
            yield Condition(attribute, sign, tuple(dict.fromkeys(terms)))

    def _deny_link(self, first: int, last: int, until: int) -> None:
        """Note that a link which is said after a negation must not be there."""
        for phrase in self._reading.phrases:
            if last < phrase.first < until:
                fit, link = self._phrases.link_of(phrase, self._sketch.cls)
                if link is not None and self._sketch.cls in (link.subject, link.object):
                    self._sketch.absent.append(Absent((link,)))
                    self._sketch.score += fit
                    self._sketch.used |= set(phrase.places)
                    self._sketch.use(range(first, last + 1))
                    return

    def read_negations(self) -> None:
        """What must not be there: after a negation, a class with its conditions, or other values."""
        denied = self._reading.asks("negation")
        for number, (_, first, last) in enumerate(denied):
            until = denied[number + 1][1] if number + 1 < len(denied) else len(self._reading.words)
            after = [
                (phrase, cls)
                for phrase, (_, cls) in self._phrases.classes.items()
                if last < phrase.first < until
                and cls != self._sketch.cls
                and not self._sketch.used & set(phrase.places)
            ]
            picks = [
                pick
                for pick in self._reading.picks
                if last < pick.first < until and not self._sketch.used & set(range(pick.first, pick.last + 1))
            ]
            conditions = [found[1] for pick in picks if (found := self._equal(pick)) is not None]
            classes = [cls for _, cls in after[:1]]
            ends = [*classes, *(each.of.cls for each in conditions)]
            if not ends:
                self._deny_link(first, last, until)
                continue
            if not classes and all(each.of.cls == self._sketch.cls for each in conditions):
                self._sketch.conditions += [replace(each, sign="!=") for each in conditions]
            else:
                links = self._phrases.tree(self._sketch.cls, ends)
                if links is None or not links:
                    continue
                self._sketch.absent.append(Absent(links, tuple(conditions)))
            self._sketch.score += 0.6 + 0.5 * len(conditions)
            self._sketch.use(range(first, last + 1), *(range(pick.first, pick.last + 1) for pick in picks))
            for phrase, _ in after[:1]:
                self._sketch.used |= set(phrase.places)
