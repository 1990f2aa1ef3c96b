"""What comes first: superlatives."""

from __future__ import annotations

from typing import Final

from hermes.labels.stems import root
from hermes.linking.english import meant_by
from hermes.linking.lexicon import Name
from hermes.policies.draft import FUNCTIONS, Attribute, Column, Ranking
from hermes.policies.english import AGE, BORN, COMMON, FROM_LOW
from hermes.policies.phrases import FAR, SAID
from hermes.policies.reading import Phrase
from hermes.policies.sketch import Sketching

_BESIDE: Final = 2
"""Words between a superlative and what it is of, that one included."""


class Rankings(Sketching):
    """Reads the superlatives of a question."""

    def read(self) -> None:
        """A superlative: by an attribute, by a function over it, or by how many there are."""
        for cue, first, last in self._reading.asks("most", "least")[:1]:
            text = cue.span.text.lower()
            phrase = self._beside(first, last)
            limit = self._limit(first, last)
            descending = cue.asks == "most"
            if self._by_function(last, descending=descending):
                self._sketch.use(range(first, last + 1))
                continue
            found = self._by_namesake(text, phrase)
            if found is None and not self._sketch.plural:
                found = self._by_count(text, phrase) or self._by_attribute(text, phrase)
            if found is None:
                continue
            score, by, count = found
            name = self._phrases.name(by.predicate or "")
            if name is not None:
                descending = _direction(text, name, descending=descending)
            self._sketch.ranking = Ranking(self._sketch.need(by), descending, count, limit)
            self._sketch.score += score
            self._sketch.use(range(first, last + 1))
            said = count if name is None else count or (phrase and self._reading.fit(phrase, name) >= SAID)
            if phrase is not None and said:
                self._sketch.used |= set(phrase.places)

    def _beside(self, first: int, last: int) -> Phrase | None:
        """Return the phrase right after some words, else the one right before them."""
        for phrase in self._reading.phrases:
            if 0 < phrase.first - last <= _BESIDE:
                return phrase
        return next((each for each in self._reading.phrases if 0 < first - each.last <= _BESIDE), None)

    def _by_function(self, last: int, *, descending: bool) -> bool:
        """Whether what comes first does so by an average or a sum: the highest average salary."""
        for cue, first, end in self._reading.asks("average", "sum"):
            phrase = self._reading.after(end)
            if not 0 < first - last <= 1 or phrase is None:
                continue
            score, attribute = self._phrases.attribute_of(phrase, self._sketch.cls, numeric=True)
            if attribute is not None:
                self._sketch.ranking = Ranking(
                    self._sketch.need(attribute), descending, function=FUNCTIONS[cue.asks]
                )
                self._sketch.score += score + 0.3
                self._sketch.used |= set(phrase.places)
                self._sketch.spoken.add(phrase)
                self._sketch.use(range(first, end + 1))
                return True
        return False

    def _by_namesake(self, text: str, phrase: Phrase | None) -> tuple[float, Attribute, bool] | None:
        """An attribute whose name has the superlative itself: the highest point by the highest elevation."""
        if phrase is None:
            return None
        named = self._phrases.named_with(root(text))
        rated = [
            (
                self._reading.fit(phrase, name) + 0.3 - FAR * self._phrases.distance(self._sketch.cls, cls),
                iri,
                cls,
            )
            for iri, name in named
            if self._reading.fit(phrase, name) > 0
            for cls in self._phrases.domains(iri)
        ]
        score, iri, cls = max(rated, default=(0.0, "", ""))
        if score < SAID:
            return None
        if any(start <= phrase.first < end for start, end in self._reading.heads):
            self._sketch.columns.append(Column(self._sketch.need(Attribute(cls, iri))))
        self._sketch.used |= set(phrase.places)
        self._sketch.spoken.add(phrase)
        # The best finishes of all, not the best one.
        if self._reading.words[phrase.last].folded.endswith("s"):
            self._sketch.score += score
            self._sketch.plural = True
            return None
        measured = [
            each
            for each, name in named
            if cls in self._phrases.domains(each)
            and (self._phrases.is_numeric(each) or set(meant_by(text)) & set(name.roots))
        ]
        return score, Attribute(cls, min(measured, default=iri)), False

    def _by_count(self, text: str, phrase: Phrase | None) -> tuple[float, Attribute, bool] | None:
        if COMMON & set(text.split()) or (phrase and self._reading.words[phrase.first].folded in COMMON):
            if phrase:
                self._sketch.used.add(phrase.first)
            return 0.8, Attribute(self._sketch.cls), True
        if "number of" not in text and text not in ("most", "fewest", "least"):
            return None
        if phrase is not None and phrase in self._phrases.classes:
            fit, cls = self._phrases.classes[phrase]
            score, attribute = self._phrases.attribute_of(phrase, self._sketch.cls, numeric=True)
            if attribute is None or score < fit:
                return (0.2 if cls == self._sketch.cls else fit), Attribute(cls), True
        return self._by_links()

    def _by_links(self) -> tuple[float, Attribute, bool] | None:
        """By how many there are of what the class is linked with, where the question says the link."""
        for phrase in self._reading.phrases:
            fit, link = self._phrases.link_of(phrase, self._sketch.cls)
            if link is not None and self._sketch.cls in (link.subject, link.object):
                self._sketch.used |= set(phrase.places)
                return fit, Attribute(link.other(self._sketch.cls)), True
        return None

    def _by_attribute(self, text: str, phrase: Phrase | None) -> tuple[float, Attribute, bool] | None:
        words = text.split()
        if phrase is not None:
            words += [self._reading.words[place].folded for place in phrase.places]
        found: list[tuple[float, Attribute | None]] = [self._phrases.meant_attribute(words, self._sketch.cls)]
        if phrase is not None:
            score, attribute = self._phrases.attribute_of(phrase, self._sketch.cls, numeric=True)
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
                self._sketch.use(range(pick.first, pick.last + 1))
                return max(1, int(pick.number.value.lexical))
        return 1


def _direction(text: str, name: Name, *, descending: bool) -> bool:
    """Whether the largest come first: the youngest have the smallest age, and were born last."""
    if AGE in name.roots and text in FROM_LOW:
        return False
    if not BORN.isdisjoint(name.roots) and text in ("oldest", "youngest"):
        return text == "youngest"
    return descending
