"""What is selected: columns, functions over them, and what they are grouped by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hermes.policies.draft import FUNCTIONS, Attribute, Column
from hermes.policies.english import IDENTIFYING, NAMING
from hermes.policies.phrases import FAR
from hermes.policies.reading import Phrase
from hermes.policies.sketch import Sketching

_GENERAL: Final = 0.9
"""How well "name" and "id" say the name and the id of the class."""
_OF_CLASS: Final = 0.6
"""How much of the fit of a class a column has that shows its instances."""


class Columns(Sketching):
    """Reads what a question asks for."""

    def read_functions(self) -> None:
        """Averages, sums, largest and smallest values of an attribute."""
        for cue, first, last in self._reading.asks(*FUNCTIONS):
            if first in self._sketch.used or any(
                order < first for _, order, _ in self._reading.asks("ascending", "descending")
            ):
                continue
            for phrase in self._reading.phrases:
                if phrase.first > last:
                    score, attribute = self._phrases.attribute_of(phrase, self._sketch.cls, numeric=True)
                    if attribute is None and cue.asks in ("maximum", "minimum"):
                        score, attribute = self._phrases.attribute_of(phrase, self._sketch.cls)
                    named = self._phrases.namesake(cue.span.text.lower(), phrase, self._sketch.cls)
                    if named is not None:
                        break
                    if attribute is not None:
                        self._sketch.columns.append(Column(self._sketch.need(attribute), FUNCTIONS[cue.asks]))
                        self._sketch.score += score + 0.2
                        self._sketch.used |= set(phrase.places)
                        self._sketch.spoken.add(phrase)
                    break

    def read_groups(self) -> None:
        """What is counted or added up for each of something."""
        several = [
            each
            for each in self._reading.asks("distinct")
            if self._reading.asks("count", *FUNCTIONS)
            and self._reading.words[each[1] - 1].folded in ("for", "in", "across")
        ]
        for _, _, last in [*self._reading.asks("each"), *several]:
            phrase = next((each for each in self._reading.phrases if 0 < each.first - last <= 1), None)
            if phrase is None:
                continue
            score, attribute = self._phrases.attribute_of(phrase, self._sketch.cls)
            if phrase in self._phrases.classes and self._phrases.classes[phrase][0] >= score:
                cls = self._phrases.classes[phrase][1]
                score, attribute = self._phrases.classes[phrase][0], self._phrases.instances.shown(cls)
            if attribute is not None:
                self._sketch.grouped.append(self._sketch.need(attribute))
                self._sketch.score += 0.5 * score
                self._sketch.used |= set(phrase.places)

    def read(self) -> None:
        """What is asked for, in the words before the first that says something of it."""
        heads = list(self._reading.heads)
        count = [last for _, _, last in self._reading.asks("count")]
        told = len(heads) > 1 and bool(self._columns_of(heads[1:], []))
        if told and count:
            self._columns_of([(0, 0)], count)
        elif not told:
            found = self._columns_of(heads, count)
            if not found and not self._sketch.columns and not count:
                self._columns_of([self._reading.later_head(heads[0][1])], count)
        if count and all(column.function is None for column in self._sketch.columns):
            self._sketch.columns.append(Column(Attribute(self._sketch.cls), "count", distinct=True))
        if self._sketch.grouped and any(column.function for column in self._sketch.columns):
            self._sketch.columns = [*(Column(each) for each in self._sketch.grouped), *self._sketch.columns]

    def _columns_of(self, heads: Sequence[tuple[int, int]], count: Sequence[int]) -> int:
        """Note the columns that some parts of the question say; return how many."""
        found = 0
        for start, end in heads:
            for phrase in self._reading.phrases:
                counted = any(phrase is self._reading.after(last) for last in count)
                if phrase in self._sketch.spoken or (not start <= phrase.first < end and not counted):
                    continue
                full = () if counted else self._full_name(phrase)
                if full:
                    self._sketch.columns += [Column(self._sketch.need(each)) for each in full]
                    self._sketch.score += 0.9
                    self._sketch.used |= set(phrase.places)
                    found += 1
                    continue
                column = self._column(phrase, counted=counted)
                if column is not None:
                    score, each = column
                    found += 1
                    self._sketch.columns.append(each)
                    self._sketch.need(each.of)
                    self._sketch.score += score
                    self._sketch.used |= set(phrase.places)
        return found

    def _column(self, phrase: Phrase, *, counted: bool) -> tuple[float, Column] | None:
        """Return the column that a phrase says, with how well."""
        general = self._general(phrase)
        if general is not None:
            return _GENERAL, Column(general)
        score, attribute = self._phrases.attribute_of(phrase, self._sketch.cls)
        fit, cls = self._phrases.classes.get(phrase, (0.0, ""))
        fit -= FAR * self._phrases.distance(self._sketch.cls, cls) if cls else 0.0
        if fit > 0 and (fit >= score or phrase in self._sketch.compared):
            return self._class_column(fit, cls, counted=counted)
        if attribute is None or self._has(attribute):
            return None
        if counted and self._phrases.is_numeric(attribute.predicate) and not self._is_said(phrase, attribute):
            return score, Column(attribute, "sum")
        return score, Column(attribute, "count" if counted else None, distinct=counted)

    def _class_column(self, fit: float, cls: str, *, counted: bool) -> tuple[float, Column] | None:
        functions = any(column.function for column in self._sketch.columns)
        if cls == self._sketch.cls and functions and not counted:
            return None
        of = Attribute(cls) if counted else self._phrases.instances.shown(cls)
        return _OF_CLASS * fit, Column(of, "count" if counted else None, distinct=counted)

    def _has(self, attribute: Attribute) -> bool:
        """Whether an attribute is selected already, or has one value only."""
        return any(column.of == attribute for column in self._sketch.columns) or any(
            each.of == attribute and each.sign == "=" for each in self._sketch.conditions
        )

    def _is_said(self, phrase: Phrase, attribute: Attribute) -> bool:
        """Whether a phrase says the name of an attribute; "people" only asks for a population."""
        name = self._phrases.name(attribute.predicate or "")
        said = {self._reading.words[place].root for place in phrase.places}
        return name is not None and not said.isdisjoint(name.roots)

    def _full_name(self, phrase: Phrase) -> tuple[Attribute, ...]:
        """Return the first and the last name, where a phrase says just "name" or "full name"."""
        words = [self._reading.words[place] for place in phrase.places]
        if words[-1].root not in NAMING or any(word.folded != "full" for word in words[:-1]):
            return ()
        return self._phrases.instances.full_name(self._sketch.cls)

    def _general(self, phrase: Phrase) -> Attribute | None:
        """Return what a phrase means that only says "name" or "id": of the class itself."""
        words = [self._reading.words[place] for place in phrase.places]
        if {word.root for word in words} <= NAMING:
            return self._phrases.instances.named(self._sketch.cls)
        if all(word.folded in IDENTIFYING for word in words):
            return self._phrases.instances.identified(self._sketch.cls)
        return None
