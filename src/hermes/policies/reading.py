"""A question as a search sees it: words in order, what each says, and which part of the question it is in."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

from hermes.linking import Candidate, Cue, Mention, Mentions, Number
from hermes.linking.english import meant_by
from hermes.linking.lexicon import Lexicon, Name
from hermes.linking.tokens import Word, words_of
from hermes.policies.english import BE, BEFORE_COUNT, BREAKS, KINDS, TELLS

NEAR: Final = 3
"""Words that stand at most so far apart say something of each other."""
_LIKELY: Final = 0.45
"""The least score of an entity or a text that a search takes for meant."""
_PARTLY: Final = 0.33
"""The same for one of which the name is said in part or misspelt."""
_MISSPELT: Final = 0.42
_MEANT: Final = 0.7
_ORDERS: Final = ("ascending", "descending")
_VALUES: Final = ("count", "average", "sum", "maximum", "minimum", "most", "least")
"""What says only by what an answer is sorted, where it stands after a word for sorting."""


@dataclass(frozen=True, slots=True)
class Pick:
    """Words that are taken for the name of an entity or a text, or for a number.

    Args:
        first, last: the places of the words, both inside.
        candidates: what they may mean, the best first.
        number: the number that they are, if any.
    """

    first: int
    last: int
    candidates: tuple[Candidate, ...]
    number: Number | None = None


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words side by side that say something: the places of the words, in order."""

    places: tuple[int, ...]

    @property
    def first(self) -> int:
        """The place of the first word."""
        return self.places[0]

    @property
    def last(self) -> int:
        """The place of the last word."""
        return self.places[-1]


@dataclass(frozen=True)
class Reading:
    """One question over one graph.

    Args:
        mentions: what was linked.
        lexicon: the names of the predicates and classes.
    """

    mentions: Mentions
    lexicon: Lexicon

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """The words of the question."""
        return words_of(self.mentions.question)

    @cached_property
    def cues(self) -> tuple[tuple[Cue, int, int], ...]:
        """What the words ask for, each with the places of its first and last word."""
        found = [(cue, *self._places(cue.span.start, cue.span.end)) for cue in self.mentions.cues]
        order = min((first for cue, first, _ in found if cue.asks in _ORDERS), default=len(self.words))
        return tuple(
            (cue, first, last)
            for cue, first, last in found
            if last >= first
            and (first <= order or cue.asks not in _VALUES)
            and not self._named_by(cue, first)
        )

    def _named_by(self, cue: Cue, first: int) -> bool:
        """Whether "numbers of" stands after a noun that it belongs to: flight numbers of ..."""
        before = self.words[first - 1] if first else None
        return (
            cue.asks == "count"
            and cue.span.text.lower().startswith("number")
            and before is not None
            and before.says
            and before.folded not in BEFORE_COUNT
        )

    def asks(self, *kinds: str) -> list[tuple[Cue, int, int]]:
        """Return the cues of some kinds."""
        return [each for each in self.cues if each[0].asks in kinds]

    @cached_property
    def picks(self) -> tuple[Pick, ...]:
        """The entities, texts and numbers that the words name, none of which share a word, in order."""
        rated: list[tuple[float, Pick]] = []
        for mention in self.mentions.mentions:
            named = tuple(
                each
                for each in mention.candidates
                if each.kind in ("entity", "value")
                and _is_meant(each)
                and not self._is_word(mention, each)
                and not self._by_chance(mention, each)
            )
            first, last = self._places(mention.span.start, mention.span.end)
            number = next(
                (each for each in self.mentions.numbers if each.span.start == mention.span.start), None
            )
            if named and last >= first:
                rated.append((named[0].score + 0.02 * (last - first), Pick(first, last, named, number)))
        for number in self.mentions.numbers:
            first, last = self._places(number.span.start, number.span.end)
            if last >= first:
                rated.append((0.79, Pick(first, last, (), number)))
        taken: set[int] = set()
        chosen: list[Pick] = []
        for _, pick in sorted(rated, key=lambda pair: (-pair[0], pair[1].first)):
            places = set(range(pick.first, pick.last + 1))
            if not places & taken and not self._asking(pick):
                taken |= places
                chosen.append(pick)
        return tuple(sorted(chosen, key=lambda pick: pick.first))

    def _by_chance(self, mention: Mention, named: Candidate) -> bool:
        """Whether small words are a part of a name, or nearly one, where names are written with capitals."""
        if not mention.span.text.islower():
            return False
        alone = " " not in mention.span.text
        weak = ("part", "typo")
        return named.evidence in weak and (alone or self._written)

    def _is_word(self, mention: Mention, named: Candidate) -> bool:
        """Whether a single small word is a text by chance, as it says a class or a predicate too."""
        text = mention.span.text
        if " " in text or not text.islower():
            return False
        return (
            any(
                each.kind in ("class", "predicate") and each.evidence in ("exact", "inflected")
                for each in mention.candidates
            )
            and named.kind == "value"
        )

    def _asking(self, pick: Pick) -> bool:
        """Whether words only ask for an operation."""
        return pick.number is None and any(
            first <= pick.first and pick.last <= last and cue.asks != "count"
            for cue, first, last in self.cues
        )

    @cached_property
    def _silent(self) -> frozenset[int]:
        """The places of words that name no predicate or class: of picks, of cues, and empty ones."""
        taken = {place for pick in self.picks for place in range(pick.first, pick.last + 1)}
        taken |= {place for _, first, last in self.cues for place in range(first, last + 1)}
        taken |= {place for place, word in enumerate(self.words) if not word.says}
        for place, word in enumerate(self.words):
            after = self.words[place + 1].folded if place + 1 < len(self.words) else ""
            if word.folded in KINDS and after == "of" and not self._in_names(word.root):
                taken.add(place)
            if word.folded == "name" and after in ("the", "all", "every") and place in self._starts:
                taken.add(place)
        return frozenset(taken)

    def _in_names(self, root: str) -> bool:
        return any(
            root in each for name in self.lexicon.names if name.role == "predicate" for each in name.roots
        )

    @cached_property
    def _written(self) -> bool:
        """Whether names in the question have capitals: it has some beside its first letter."""
        return any(word.capital and not word.folded.isdigit() for word in self.words[1:])

    @cached_property
    def _starts(self) -> frozenset[int]:
        """The places at which sentences begin."""
        found = {0}
        for place in range(1, len(self.words)):
            between = self.mentions.question[self.words[place - 1].span.end : self.words[place].span.start]
            if any(sign in between for sign in "?.!"):
                found.add(place)
        return frozenset(found)

    @cached_property
    def phrases(self) -> tuple[Phrase, ...]:
        """The runs of other words, parted at commas too."""
        found: list[list[int]] = [[]]
        for place, word in enumerate(self.words):
            if place in self._silent or self._comma_before(place):
                found.append([])
            if place not in self._silent:
                found[-1].append(place)
            del word
        runs = [places for places in found if places]
        for run, after in pairwise(runs):
            if [self.words[place].folded for place in run] == ["first"] and self.words[
                after[0]
            ].folded == "last":
                run.append(after[-1])  # the first and last name
        return tuple(Phrase(tuple(places)) for places in runs)

    @cached_property
    def heads(self) -> tuple[tuple[int, int], ...]:
        """The parts that say what is asked for: the places of their first words, and those they end before.

        One for each sentence, the later ones only where they tell to do something.
        """
        return tuple(
            (start, self._end_of_head(start))
            for start in sorted(self._starts)
            if start == 0 or self.words[start].folded in TELLS
        )

    def _end_of_head(self, start: int) -> int:
        begun = False
        for place in range(start, len(self.words)):
            word = self.words[place]
            if place != start and place in self._starts:
                return place
            speaks = place not in self._silent
            if begun and (word.folded in BREAKS or (word.folded in BE and not speaks)):
                return place
            if begun and any(
                first <= place <= last and cue.asks in _ORDERS for cue, first, last in self.cues
            ):
                return place
            begun = begun or speaks
        return len(self.words)

    def later_head(self, end: int) -> tuple[int, int]:
        """Return the part after one that said nothing of the graph."""
        return end + 1, self._end_of_head(end + 1)

    def after(self, last: int) -> Phrase | None:
        """Return the first phrase after a word, where it stands near to it."""
        return next((each for each in self.phrases if 0 < each.first - last <= NEAR), None)

    def fit(self, phrase: Phrase, name: Name) -> float:
        """Return from 0 to 1 how well a phrase says a name: how much of the name, and of the phrase."""
        roots: dict[str, float] = {}
        for place in phrase.places:
            for meant in meant_by(self.words[place].folded):
                roots[meant] = max(roots.get(meant, 0.0), _MEANT)
        for root, each in self.lexicon.said(self.words[place] for place in phrase.places).items():
            if each.how != "synonym":
                roots[root] = max(roots.get(root, 0.0), each.much)
        return max(self._fit(phrase, name, way, roots) for way in name.ways)

    def _fit(self, phrase: Phrase, name: Name, way: tuple[str, ...], roots: dict[str, float]) -> float:
        own = _share(self.lexicon, way, roots)
        if not own:
            return 0.0
        said = [self.words[place].root for place in phrase.places]
        useful = [
            (place, each) for place, each in zip(phrase.places, said, strict=True) if each not in name.of
        ]
        spoken = sum(
            any(each == one or one in meant_by(self.words[place].folded) or each in one for one in way)
            for place, each in useful
        )
        whole = spoken / len(useful) if useful else 1.0
        last = 0.04 if said[-1] in way else 0.0
        return own * (0.55 + 0.45 * whole) + (0.05 if set(name.of) & set(said) else 0.0) + last

    def _places(self, start: int, end: int) -> tuple[int, int]:
        inside = [place for place, word in enumerate(self.words) if start <= word.span.start < end]
        return (inside[0], inside[-1]) if inside else (0, -1)

    def _comma_before(self, place: int) -> bool:
        if place == 0:
            return False
        between = self.mentions.question[self.words[place - 1].span.end : self.words[place].span.start]
        return any(sign in between for sign in ",;()")

    def text(self, places: Collection[int]) -> str:
        """Return words as they stand in the question."""
        return " ".join(self.words[place].span.text for place in sorted(places))


def _is_meant(candidate: Candidate) -> bool:
    if candidate.evidence == "typo":
        return candidate.score >= _MISSPELT
    if candidate.evidence == "part":
        return candidate.score >= _PARTLY
    return candidate.score >= _LIKELY


def _share(lexicon: Lexicon, roots: Sequence[str], said: dict[str, float]) -> float:
    total = sum(lexicon.weight(each) for each in roots)
    return sum(lexicon.weight(each) * said.get(each, 0.0) for each in roots) / total if total else 0.0
