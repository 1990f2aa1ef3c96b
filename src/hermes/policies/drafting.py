"""From a reading to drafts: around each class of a graph, the best draft of the question."""

from __future__ import annotations

from typing import Final

from hermes.policies.columns import Columns
from hermes.policies.comparisons import Comparisons
from hermes.policies.draft import Attribute, Column, Draft
from hermes.policies.named_values import NamedValues
from hermes.policies.phrases import FAR, UNREACHED, Ground, Phrases
from hermes.policies.rankings import Rankings
from hermes.policies.reading import Reading
from hermes.policies.sketch import Sketch

_CONNECTED: Final = 0.4
"""How much of the fit of a class or a link counts that what is asked for is connected with."""
_ASIDE: Final = 0.3
"""The same of an attribute that is said, and neither selected nor a condition."""
_LEFT_OUT: Final = 0.25
"""What each word takes from a score that a draft says nothing of."""


def drafts(reading: Reading, ground: Ground) -> list[Draft]:
    """Return a draft of a question around each class of a graph, the best first.

    Args:
        reading: the question.
        ground: the graph.
    """
    phrases = Phrases(reading, ground)
    classes = [name.term.value for name in reading.lexicon.names if name.role == "class"]
    found = [
        _Drafting(phrases, cls).draft()
        for cls in classes
        if cls in ground.graph.attributes or cls in ground.graph.links
    ]
    kept = [each for each in found if each is not None and not _shows_nothing(each, ground)]
    return sorted(kept, key=lambda each: (-each.score, each.cls))


def _shows_nothing(draft: Draft, ground: Ground) -> bool:
    """Whether the instances that a draft selects have no name that could be shown."""
    return any(
        column.of.predicate is None and column.function is None and column.of.cls in ground.nameless
        for column in draft.columns
    )


class _Drafting:
    """Makes the draft around one class."""

    def __init__(self, phrases: Phrases, cls: str) -> None:
        self._phrases = phrases
        self._reading = phrases.reading
        self._sketch = Sketch(cls)

    def draft(self) -> Draft | None:
        """Return the draft; None where what it needs does not hang together."""
        sketch, values = self._sketch, NamedValues(self._phrases, self._sketch)
        columns = Columns(self._phrases, sketch)
        self._mentioned()
        Comparisons(self._phrases, sketch).read()
        Rankings(self._phrases, sketch).read()
        values.read_negations()
        values.read()
        columns.read_functions()
        columns.read_groups()
        ask = bool(self._reading.asks("yes-no"))
        if not ask:
            columns.read()
            if not sketch.columns:
                sketch.columns.append(Column(self._phrases.instances.shown(sketch.cls)))
        self._others()
        links = self._phrases.tree(sketch.cls, [cls for cls in sketch.needed if cls != sketch.cls])
        if links is None:
            return None
        left = [phrase for phrase in self._reading.phrases if not sketch.used & set(phrase.places)]
        return Draft(
            sketch.cls,
            tuple(dict.fromkeys(sketch.columns)),
            links,
            tuple(values.merged()),
            tuple(sketch.absent),
            sketch.ranking,
            sketch.having,
            tuple(dict.fromkeys(sketch.grouped)),
            ask,
            sketch.mean,
            sketch.score - FAR * len(links) - _LEFT_OUT * sum(len(phrase.places) for phrase in left),
            tuple(self._reading.text(phrase.places) for phrase in left),
            len(sketch.used),
        )

    def _mentioned(self) -> None:
        """Note where the question says the class: in what is asked for, or right after it, most."""
        best = 0.0
        for number, (phrase, (fit, cls)) in enumerate(self._phrases.classes.items()):
            if cls == self._sketch.cls:
                denied = any(first < phrase.first for _, first, _ in self._reading.asks("negation"))
                best = max(best, fit * (0.2 if denied else 1.4 if number == 0 else 1.0))
                self._sketch.used |= set(phrase.places)
        self._sketch.score += best

    def _others(self) -> None:
        """Classes that the question says and nothing has used: what is asked for is connected with them."""
        for phrase, (fit, cls) in self._phrases.classes.items():
            if (
                not self._sketch.used & set(phrase.places)
                and self._phrases.distance(self._sketch.cls, cls) < UNREACHED
            ):
                self._sketch.needed[cls] = None
                self._sketch.score += _CONNECTED * fit
                self._sketch.used |= set(phrase.places)
        for phrase in self._reading.phrases:
            if self._sketch.used & set(phrase.places):
                continue
            score, attribute = self._phrases.attribute_of(phrase, self._sketch.cls)
            fit, link = self._phrases.link_of(phrase, self._sketch.cls, self._sketch.needed)
            if link is not None and fit >= score:
                self._sketch.need(Attribute(link.subject))
                self._sketch.need(Attribute(link.object))
                self._sketch.score += _CONNECTED * fit
                self._sketch.used |= set(phrase.places)
            elif attribute is not None:
                self._sketch.score += _ASIDE * score
                self._sketch.used |= set(phrase.places)
