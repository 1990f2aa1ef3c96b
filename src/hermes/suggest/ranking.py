"""The order of suggestions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from hermes.findings import Step, Suggestion
from hermes.suggest.fitting import Wanted

_WEIGHTS: Final[dict[Step, float]] = {"out": 1.0, "in": 1.5, "class": 2.5, "value": 3.0, "range": 4.0}
"""How often a step of each sort comes: of two sorts, one of half the weight comes twice as often."""
_TELLING: Final = 0.3
"""The least fit to a text that lifts a suggestion above all that fit it less."""


def ranked(suggestions: Iterable[Suggestion], text: str) -> list[Suggestion]:
    """Return suggestions, the best first, with how well each fits the text.

    Those that a text says come first; then, and without a text, each sort in turn: predicates by how many
    values of the focus have them, values by how often they occur.
    """
    wanted = Wanted.of(text)
    scored = (
        [replace(each, score=round(wanted.fit(each.label), 4)) for each in suggestions]
        if wanted.words
        else [*suggestions]
    )
    scored.sort(key=lambda each: (-each.values if each.step != "value" else 0, -each.solutions, each.action))
    place: Counter[Step] = Counter()
    keyed: list[tuple[float, float, str, Suggestion]] = []
    for each in scored:
        place[each.step] += 1
        fit = each.score if each.score >= _TELLING else 0.0
        keyed.append((-fit, place[each.step] * _WEIGHTS[each.step], each.action, each))
    return [each for *_, each in sorted(keyed, key=lambda key: key[:3])]
