"""How well a label fits the words of a text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hermes.labels import fold
from hermes.labels.stems import SAYING_NOTHING, root
from hermes.linking.english import meant_by

_OF_LABEL: Final = 0.75
"""How much it counts that all words of a label are said, beside how much of the text it says."""
_MEANT: Final = 0.7
"""How much a word says of what it asks for without naming it: "oldest" of an age."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a text wants: the roots of its words, and of what these ask for, each with how much it is said."""

    roots: Mapping[str, float]
    words: int

    @classmethod
    def of(cls, text: str) -> Wanted:
        """Return what a text wants; it wants nothing where it has no word that says something."""
        words = [word for word in fold(text).split() if word not in SAYING_NOTHING]
        meant = {each: _MEANT for word in fold(text).split() for each in meant_by(word)}
        return cls(meant | dict.fromkeys(map(root, words), 1.0), len(words))

    def fit(self, label: str) -> float:
        """Return from 0 to 1 how well a label says what is wanted: the words of it that are said."""
        said = [root(word) for word in fold(label).split() if word not in SAYING_NOTHING]
        if not said or not self.roots:
            return 0.0
        found = sum(self.roots.get(each, 0.0) for each in said)
        return _OF_LABEL * found / len(said) + (1 - _OF_LABEL) * min(1.0, found / max(1, self.words))
