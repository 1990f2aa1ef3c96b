"""Names that match a text: how each contains it, and which is better."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from hermes.findings import Match, Role
from hermes.labels.fold import fold

_MOST_WORDS: Final = 32
"""Words of a text that count."""
_TYPO: Final = 9


@dataclass(frozen=True, slots=True)
class Named:
    """A name of a term: as the graph has it and folded; `alternative` where it is not its first one."""

    iri: str
    role: Role
    text: str
    folded: str
    alternative: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """A name that matches, how, and how well: of two hits the one with the lesser `order` is better."""

    name: Named
    match: Match
    order: tuple[int, ...]

    @classmethod
    def typo(cls, name: Named, *typos: int) -> Hit:
        """Return the hit of a name that a misspelt text may mean; fewer typos are better.

        Of as many, a long name is better than a short one: letters are left out more often than added.
        """
        return cls(name, "typo", (_TYPO, *typos, int(name.alternative), -len(name.folded)))


@dataclass(frozen=True, slots=True)
class Asked:
    """A text that is looked for, folded, and its words."""

    folded: str
    words: Sequence[str]

    @classmethod
    def of(cls, text: str) -> Asked:
        """Return what a text looks for; without letters and digits it has no words."""
        folded = fold(text)
        said = any(character.isalnum() for character in folded)
        return cls(folded, folded.split()[:_MOST_WORDS] if said else ())

    def hit(self, name: Named) -> Hit | None:
        """Return the hit where a name contains the text, None where it does not.

        How it does counts most: several words may stand apart and in any order, which is weaker than the
        phrase. Then a first name is better than another one, and a short name than a long one.
        """
        for rank, (holds, match) in enumerate(self._ways(name.folded)):
            if holds:
                return Hit(name, match, (rank, *_weight(name)))
        return None

    def _ways(self, label: str) -> Iterator[tuple[bool, Match]]:
        """Yield for each way to match, the best first, whether a label matches so."""
        phrase, between = " ".join(self.words), f" {label} "
        yield label == self.folded, "exact"
        if not self.words:
            return
        yield between.startswith(f" {phrase} "), "prefix"
        yield label.startswith(phrase), "prefix"
        yield f" {phrase} " in between, "word"
        yield f" {phrase}" in between, "word"
        # A word that is asked for twice has to be there twice.
        often = Counter(self.words).items()
        yield all(between.replace(" ", "  ").count(f" {word} ") >= n for word, n in often), "word"
        yield all(between.count(f" {word}") >= n for word, n in often), "word"
        yield phrase in label, "inside"
        yield all(label.count(word) >= n for word, n in often), "inside"


def _weight(name: Named) -> tuple[int, int]:
    return int(name.alternative), len(name.folded)


@dataclass(slots=True)
class Hits:
    """The best hit of each term; `complete` is whether there are no others."""

    complete: bool = True
    best: dict[str, Hit] = field(default_factory=dict)

    def add(self, hit: Hit) -> None:
        """Take a hit, where it is better than what the term has."""
        known = self.best.get(hit.name.iri)
        if known is None or (hit.order, hit.name.text) < (known.order, known.name.text):
            self.best[hit.name.iri] = hit

    def __len__(self) -> int:
        return len(self.best)

    def __iter__(self) -> Iterator[Hit]:
        """Yield the hits, the best first."""
        return iter(sorted(self.best.values(), key=lambda hit: (hit.order, hit.name.iri)))
