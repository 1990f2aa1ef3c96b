"""The order of suggestions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Final

from hermes.findings import Step, Suggestion
from hermes.suggest.fitting import Wanted
from hermes.terms import IRI, OWL, RDF, RDFS

_WEIGHTS: Final[dict[Step, float]] = {"out": 1.0, "in": 1.5, "class": 2.5, "value": 3.0, "range": 4.0}
"""How often a step of each sort comes: of two sorts, one of half the weight comes twice as often."""
_TELLING: Final = 0.3
"""The least fit to a text that lifts a suggestion above all that fit it less."""
_GENERAL: Final = (RDF, RDFS, OWL)
"""What stands in these namespaces says how a graph is built, not what it is about."""


Edge = tuple[Step, IRI]
"""A predicate in one direction."""


def ranked(suggestions: Iterable[Suggestion], text: str, said: Collection[Edge] = ()) -> list[Suggestion]:
    """Return suggestions, the best first, with how well each fits the text.

    Those that a text says come first; then, and without a text, each sort in turn: predicates by how many
    values of the focus have them, values by how often they occur. An edge that the focus has in the plan
    already (`said`) is the last of its sort.
    """
    wanted = Wanted.of(text)
    scored = [replace(each, score=round(max(each.score, wanted.fit(each.label)), 4)) for each in suggestions]
    place: Counter[Step] = Counter()
    keyed: list[tuple[float, float, str, Suggestion]] = []
    for each in sorted(scored, key=lambda each: ((each.step, each.term) in said, *_within_sort(each))):
        place[each.step] += 1
        fit = each.score if each.score >= _TELLING else 0.0
        keyed.append((-fit, place[each.step] * _WEIGHTS[each.step], each.action, each))
    return [each for *_, each in sorted(keyed, key=lambda key: key[:3])]


def _within_sort(each: Suggestion) -> tuple[bool, int, int, str]:
    general = isinstance(each.term, IRI) and each.term.value.startswith(_GENERAL)
    values = 0 if each.step == "value" else -each.values
    return general, values, -each.solutions, each.action
