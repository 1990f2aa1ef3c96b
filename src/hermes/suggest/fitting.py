"""How well a label fits the words of a text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hermes.labels import fold
from hermes.labels.stems import stems

_SHORTEST: Final = 4
"""Letters that two words must begin with alike, to say the same but for their endings."""
_ALIKE: Final = 0.7
"""And the least part of the longer word that these letters are."""
_BUT_FOR_ENDING: Final = 0.8
_OF_LABEL: Final = 0.75
"""How much it counts that all words of a label are said, beside how much of the text it says."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The stems of the words that a text says something with."""

    words: frozenset[str]

    @classmethod
    def of(cls, text: str) -> Wanted:
        """Return what a text wants; it wants nothing where it has no word that says something."""
        return cls(frozenset(stems(fold(text).split())))

    def fit(self, label: str) -> float:
        """Return from 0 to 1 how well a label says what is wanted: the words of it that are said."""
        said = stems(fold(label).split())
        if not said or not self.words:
            return 0.0
        found = sum(max((_alike(each, word) for word in self.words), default=0.0) for each in said)
        return _OF_LABEL * found / len(said) + (1 - _OF_LABEL) * min(1.0, found / len(self.words))


def _alike(word: str, other: str) -> float:
    """Return 1 for one word, less for words that begin alike, 0 for others."""
    if word == other:
        return 1.0
    same = 0
    for letter, its in zip(word, other, strict=False):
        if letter != its:
            break
        same += 1
    return _BUT_FOR_ENDING if same >= max(_SHORTEST, _ALIKE * max(len(word), len(other))) else 0.0
