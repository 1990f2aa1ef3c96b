"""The words of a question in English, and how much of a name they say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from hermes.labels.fold import fold
from hermes.labels.stems import SAYING_NOTHING, stem, stems

_VERBS: Final = "am are can could did do does had has have is was were will would"
_YES_OR_NO: Final = frozenset(_VERBS.split())
_COUNTING: Final = ("how many", "number of", "count ")


@dataclass(frozen=True, slots=True)
class QuestionWords:
    """A question, folded: its words in order, and their stems. Its first 300 characters count."""

    text: str
    words: tuple[str, ...]
    stems: frozenset[str]

    @classmethod
    def of(cls, question: str) -> QuestionWords:
        """Return the words of a question; it has none where it has no letters and digits."""
        text = fold(question)
        words = tuple(text.split())
        return cls(text, words, frozenset(stems(words)))

    @property
    def counts(self) -> bool:
        """Whether a number is asked for: "how many", "number of"."""
        return any(said in f"{self.text} " for said in _COUNTING)

    @property
    def decides(self) -> bool:
        """Whether yes or no is asked for: the question begins with a verb such as "is"."""
        return bool(self.words) and self.words[0] in _YES_OR_NO

    def said(self, name: str, but: Iterable[str] = ()) -> float:
        """Return how much of a name the question says: the square of its words that are said, by all of them.

        So a name of two words that are both said has 2, one of which one is said 0.5.

        Args:
            name: a label, such as "has phone".
            but: words of the question that do not count.
        """
        wanted = stems(fold(name).split())
        there = self.stems.difference(stems(but))
        return sum(word in there for word in wanted) ** 2 / len(wanted) if wanted else 0.0

    def runs(self, but: Sequence[str] = ()) -> list[str]:
        """Return what may be names of entities: words side by side that say something, the longest first.

        Args:
            but: names whose words part others as empty words do.
        """
        known = {stem for name in but for stem in stems(fold(name).split())}
        runs: list[list[str]] = [[]]
        for word in self.words:
            if word in SAYING_NOTHING or stem(word) in known:
                runs.append([])
            else:
                runs[-1].append(word)
        return sorted(dict.fromkeys(" ".join(run) for run in runs if run), key=lambda run: -len(run.split()))
