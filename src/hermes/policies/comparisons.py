"""Numbers with a comparison, and what is compared with an average."""

from __future__ import annotations

from typing import Final

from hermes.linking import Cue
from hermes.policies.draft import Attribute, Condition, Having, Mean, Sign
from hermes.policies.reading import NEAR, Phrase, Pick
from hermes.policies.sketch import Sketching

_SIGNS: Final[dict[str, Sign]] = {
    "greater": ">",
    "less": "<",
    "at-least": ">=",
    "at-most": "<=",
    "equal": "=",
}
_SURE: Final = 0.8
"""How well an attribute has to be said to be meant rather than a number of things."""
_BESIDE: Final = 2
"""Words between a comparison and what is compared, that one included."""


class Comparisons(Sketching):
    """Reads the comparisons of a question."""

    def read(self) -> None:
        """Numbers with a comparison: of an attribute, or of how many of a class there are."""
        self._between()
        for cue, first, last in self._reading.asks(*_SIGNS):
            if self._beyond_mean(cue, first, last):
                continue
            pick = self._number_beside(first, last)
            if pick is None or pick.number is None or pick.first in self._sketch.used:
                continue
            sign = _SIGNS[cue.asks]
            counted = self._counted_after(max(last, pick.last))
            attribute = self._attribute_beside(cue, first, last, pick)
            if attribute[1] is not None and (counted is None or attribute[0] >= _SURE):
                self._sketch.conditions.append(
                    Condition(self._sketch.need(attribute[1]), sign, (pick.number.value,))
                )
                self._sketch.score += attribute[0]
            elif counted is not None:
                self._sketch.having = Having(
                    self._sketch.need(Attribute(counted)), sign, pick.number.value.lexical
                )
                self._sketch.score += 0.8
            else:
                self._sketch.score -= 0.5
            self._sketch.use(range(first, last + 1), range(pick.first, pick.last + 1))

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
                self._sketch.need(attribute)
                self._sketch.conditions.append(Condition(attribute, ">=", (picks[0].number.value,)))
                self._sketch.conditions.append(Condition(attribute, "<=", (picks[1].number.value,)))
                self._sketch.score += score
            self._sketch.use(range(first, picks[1].last + 1))

    def _beyond_mean(self, cue: Cue, first: int, last: int) -> bool:
        """Whether an attribute is compared with its average: "above the average age"."""
        mean = next((each for each in self._reading.asks("average") if 0 < each[1] - last <= _BESIDE), None)
        if mean is None:
            return False
        for phrase in self._reading.phrases:
            if 0 < phrase.first - mean[2] <= 1 or 0 < first - phrase.last <= _BESIDE:
                score, attribute = self._phrases.attribute_of(phrase, self._sketch.cls, numeric=True)
                if attribute is not None:
                    self._sketch.mean = Mean(self._sketch.need(attribute), _SIGNS[cue.asks])
                    self._sketch.score += score + 0.3
                    self._sketch.used |= set(phrase.places)
                    self._sketch.spoken.add(phrase)
                    self._sketch.use(range(first, mean[2] + 1))
                    return True
        return False

    def _number_beside(self, first: int, last: int) -> Pick | None:
        rated = [
            (pick.first - last if pick.first > last else first - pick.last + 1, pick)
            for pick in self._reading.picks
            if pick.number is not None
        ]
        near = [(far, pick) for far, pick in rated if 0 < far <= NEAR]
        return min(near, key=lambda pair: pair[0])[1] if near else None

    def _counted_after(self, last: int) -> str | None:
        for phrase, (_, cls) in self._phrases.classes.items():
            if 0 < phrase.first - last <= 1:
                self._sketch.used |= set(phrase.places)
                self._sketch.spoken.add(phrase)
                return cls
        return None

    def _attribute_beside(
        self, cue: Cue, first: int, last: int, pick: Pick
    ) -> tuple[float, Attribute | None]:
        """Return the attribute that is compared: said just before or after, or by the comparison itself."""
        found: list[tuple[float, Attribute | None, Phrase | None]] = []
        for phrase in self._reading.phrases:
            before = 0 < first - phrase.last <= NEAR
            after = 0 < phrase.first - max(last, pick.last) <= 1
            between = last < phrase.first and phrase.last < pick.first
            if before or after or between:
                score, attribute = self._phrases.attribute_of(phrase, self._sketch.cls, numeric=True)
                found.append((score, attribute, phrase))
        score, attribute = self._phrases.meant_attribute(cue.span.text.lower().split(), self._sketch.cls)
        found.append((score - 0.05, attribute, None))
        if pick.number is not None and pick.number.kind in ("year", "date"):
            score, attribute = self._phrases.meant_attribute(["when"], self._sketch.cls)
            found.append((score - 0.1, attribute, None))
        best = max(found, key=lambda each: each[0])
        if best[1] is not None and best[2] is not None:
            self._sketch.used |= set(best[2].places)
            self._sketch.compared.add(best[2])
        return best[0], best[1]
