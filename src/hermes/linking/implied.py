"""Terms that a question does not say, but that come with what it says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from hermes.labels.stems import root
from hermes.linking.lexicon import Lexicon, Name
from hermes.linking.mentions import Candidate
from hermes.linking.surroundings import Surroundings
from hermes.linking.tokens import Word
from hermes.terms import IRI

_OF_VALUE: Final = 0.6
"""How much of the score of a text its predicates have, the first one most."""
_LATER: Final = 0.95
_OF_CLASS: Final = 0.5
"""How much of the score of a predicate the classes of its subjects have."""
_OF_OBJECT: Final = 0.3
_CONNECTS: Final = 0.55
"""How much of their scores a predicate has that connects two classes."""
_NAMES: Final = 0.45
"""How much of the score of a class the predicates have that give its instances names."""
_LEAST: Final = 0.3
"""The least score of what implies something."""
_NAMING: Final = frozenset(map(root, ("name", "title", "label")))

Words = tuple[Word, ...]
Spoken = tuple[Words, Candidate]


class Implied:
    """What comes with the candidates of a question.

    The predicates of a text; the classes of the subjects and objects of a predicate, and of an entity; what
    connects two classes; what gives the instances of a class their names.

    Args:
        spoken: the candidates with the words that say them.
        lexicon: the names of the graph.
        around: what goes together in it.
    """

    def __init__(self, spoken: Sequence[Spoken], lexicon: Lexicon, around: Surroundings) -> None:
        self._names = {name.term: name for name in lexicon.names}
        self._around = around
        self._found: dict[IRI, tuple[float, Words]] = {}
        for words, candidate in spoken:
            if isinstance(candidate.term, IRI) and candidate.kind != "entity":
                self._more(candidate.term, candidate.score, words)
            for place, predicate in enumerate(candidate.predicates):
                self._more(predicate, candidate.score * _OF_VALUE * _LATER**place, words)
            for cls in candidate.types:
                self._more(cls, candidate.score * _OF_CLASS, words)

    def candidates(self) -> Iterator[Spoken]:
        """Yield what comes with them, and they themselves again where that says them better."""
        for term, (score, words) in list(self._found.items()):
            self._classes_of(term.value, score, words)
        for predicate in self._around.subjects:
            self._connect(predicate)
        for term, (score, words) in list(self._found.items()):
            if score >= _LEAST:
                self._names_of(term.value, score, words)
        for term, (score, words) in self._found.items():
            name = self._names[term]
            yield words, Candidate(term, name.role, name.text, "implied", round(score, 4), name.count)

    def _more(self, term: IRI, score: float, words: Words) -> None:
        if term in self._names and score > self._found.get(term, (0.0, ()))[0]:
            self._found[term] = score, words

    def _classes_of(self, predicate: str, score: float, words: Words) -> None:
        for place, cls in enumerate(self._around.subjects.get(predicate, ())):
            self._more(IRI(cls), score * _OF_CLASS * _LATER**place, words)
        for place, cls in enumerate(self._around.objects.get(predicate, ())):
            self._more(IRI(cls), score * _OF_OBJECT * _LATER**place, words)

    def _connect(self, predicate: str) -> None:
        """Note a predicate that connects two classes which the question says."""
        for one in self._around.subjects.get(predicate, ()):
            for other in self._around.objects.get(predicate, ()):
                (first, _), (second, words) = self._score(one), self._score(other)
                if min(first, second) >= _LEAST:
                    self._more(IRI(predicate), _CONNECTS * (first * second) ** 0.5, words)

    def _names_of(self, cls: str, score: float, words: Words) -> None:
        for predicate in self._around.of_class.get(cls, ()):
            name: Name | None = self._names.get(IRI(predicate))
            if name is not None and not _NAMING.isdisjoint(name.roots):
                self._more(name.term, score * _NAMES / len(name.roots) ** 0.5, words)

    def _score(self, term: str) -> tuple[float, Words]:
        return self._found.get(IRI(term), (0.0, ()))
