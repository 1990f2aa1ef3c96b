"""A draft that is being made."""

from __future__ import annotations

from dataclasses import dataclass, field

from hermes.policies.draft import Absent, Attribute, Column, Condition, Having, Mean, Ranking
from hermes.policies.phrases import Phrases
from hermes.policies.reading import Phrase


@dataclass
class Sketch:
    """A draft that is being made, around one class.

    Args:
        cls: the class.
        score: how well it says the question so far.
        used: the places of the words that it says.
        spoken: the phrases that are said for good, and make no column.
        compared: the phrases that say what a number is compared with.
        needed: the classes that have to be connected.
        plural: whether what comes first is asked of all, and not of one.
    """

    cls: str
    score: float = 0.0
    used: set[int] = field(default_factory=set)
    spoken: set[Phrase] = field(default_factory=set)
    compared: set[Phrase] = field(default_factory=set)
    needed: dict[str, None] = field(default_factory=dict)
    conditions: list[Condition] = field(default_factory=list)
    absent: list[Absent] = field(default_factory=list)
    columns: list[Column] = field(default_factory=list)
    grouped: list[Attribute] = field(default_factory=list)
    ranking: Ranking | None = None
    having: Having | None = None
    mean: Mean | None = None
    plural: bool = False

    def need(self, attribute: Attribute) -> Attribute:
        """Note that the class of an attribute has to be connected."""
        self.needed[attribute.cls] = None
        return attribute

    def use(self, *places: range) -> None:
        """Note that words are said."""
        for each in places:
            self.used |= set(each)


class Sketching:
    """Reads one side of a question into a sketch.

    Args:
        phrases: what the phrases of the question say.
        sketch: where it is noted.
    """

    def __init__(self, phrases: Phrases, sketch: Sketch) -> None:
        self._phrases = phrases
        self._reading = phrases.reading
        self._sketch = sketch
