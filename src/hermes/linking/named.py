"""Words linked to entities and to texts that occur, by the indexes of a graph."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from typing import Literal as OneOf

from hermes.findings import Role
from hermes.labels import Indexes, fold
from hermes.labels.hits import Named
from hermes.labels.index import Index
from hermes.labels.misspelt import misspelt
from hermes.labels.stems import stem
from hermes.labels.value_index import literal_of
from hermes.linking.mentions import Evidence, Span
from hermes.linking.tokens import Word
from hermes.terms import IRI, Literal

LONGEST: Final = 8
"""So many words may be one name."""
_MOST: Final = 400
"""So many names that are a text are looked at, and so many for each part."""
_MOST_WITH_PART: Final = 12
_SEARCHES: Final = 12
"""So many searches for parts of names, each of which takes a millisecond or two."""
_SHORTEST_PART: Final = 3
_SHORTEST_TYPO: Final = 5

Kind = OneOf["entity", "value"]


@dataclass(frozen=True, slots=True)
class Found:
    """A name in an index that words of a question say.

    Args:
        words: the words.
        term: the entity, or the text.
        name: its name.
        evidence: how they say it.
        part: how much of the name they say, from 0 to 1.
    """

    words: tuple[Word, ...]
    term: IRI | Literal
    name: str
    evidence: Evidence
    part: float = 1.0


def named(
    indexes: Indexes, words: Sequence[Word], spans: Sequence[Span], known: Callable[[Word], bool]
) -> list[Found]:
    """Return what words of a question name.

    First names that are said as they are, or but for the plural of their last word; then, of the words that
    are left, names that they are a part of, and where there is none, names that they may be a typo for.

    Args:
        indexes: those of the graph.
        words: of the question.
        spans: the texts in quotation marks.
        known: whether a word says a predicate or a class: then it is not looked for as a part.

    Raises:
        StoreError: the store could not answer.
    """
    exact = [found for kind in _KINDS for found in _exact(indexes, kind, words, spans)]
    covered = {word for found in exact if _tells(found) for word in found.words}
    left = list(runs(words, lambda word: word not in covered and word.says))
    parts: list[Found] = []
    for run in _searched(left, known):
        with_it = [found for kind in _KINDS for found in _with_part(indexes, kind, run)]
        parts += with_it or [found for kind in _KINDS for found in _misspelt(indexes, kind, run)]
    return [*exact, *parts]


_KINDS: Final[tuple[Kind, Kind]] = ("entity", "value")


def _tells(found: Found) -> bool:
    """Whether words that are a name are hardly anything else."""
    return len(found.words) > 1 or found.words[0].capital


def _exact(indexes: Indexes, kind: Kind, words: Sequence[Word], spans: Sequence[Span]) -> Iterator[Found]:
    said: defaultdict[str, list[tuple[tuple[Word, ...], Evidence]]] = defaultdict(list)
    for start in range(len(words)):
        for end in range(start + 1, min(start + LONGEST, len(words)) + 1):
            run = tuple(words[start:end])
            if any(word.says for word in run) or all(word.capital for word in run):
                for text, evidence in _forms(run):
                    said[text].append((run, evidence))
    for span in spans:
        inside = tuple(word for word in words if span.start <= word.span.start and word.span.end <= span.end)
        if inside and fold(span.text) not in said:
            said[fold(span.text)].append((inside, "exact"))
    for name in _ask(indexes, kind, lambda index: index.any_equal(list(said), _MOST)):
        for run, evidence in said[name.folded]:
            yield Found(run, _term(kind, name), name.text, evidence)


def _forms(run: Sequence[Word]) -> Iterator[tuple[str, Evidence]]:
    """Yield some words as a name, and the same with the last one in the singular or the plural."""
    *first, last = [word.folded for word in run]
    yield " ".join([*first, last]), "exact"
    for other in dict.fromkeys((stem(last), f"{last}s", *_places(last))):
        if other != last:
            yield " ".join([*first, other]), "inflected"


def _places(word: str) -> Iterator[str]:
    """Yield what an adjective of a place may be made of: `african`, `italian`, `canadian`."""
    if word.endswith("an") and len(word) > _SHORTEST_TYPO:
        yield word[:-1]
        yield word[:-2]
        if word.endswith("ian"):
            yield f"{word[:-3]}a"
            yield f"{word[:-3]}y"


def runs(words: Iterable[Word], among: Callable[[Word], bool]) -> Iterator[tuple[Word, ...]]:
    """Yield the words side by side that are among some, as long as they go."""
    run: list[Word] = []
    for word in words:
        if among(word):
            run.append(word)
        elif run:
            yield tuple(run)
            run = []
    if run:
        yield tuple(run)


def _searched(left: Iterable[tuple[Word, ...]], known: Callable[[Word], bool]) -> list[tuple[Word, ...]]:
    """Return what is looked for: runs of words that begin with capitals, and words that name nothing else."""
    found: dict[tuple[Word, ...], None] = {}
    for run in left:
        found |= {each: None for each in runs(run, lambda word: word.capital) if len(each) > 1}
        for word in run:
            if (
                len(word.folded) >= _SHORTEST_PART
                and not word.folded.isdigit()
                and (word.capital or not known(word))
            ):
                found[word,] = None
    return list(found)[:_SEARCHES]


def _with_part(indexes: Indexes, kind: Kind, run: tuple[Word, ...]) -> Iterator[Found]:
    folded = [word.folded for word in run]
    for name in _ask(indexes, kind, lambda index: index.phrase(folded, None, _MOST_WITH_PART)):
        theirs = name.folded.split()
        part = len(" ".join(folded)) / max(1, len(" ".join(theirs)))
        yield Found(run, _term(kind, name), name.text, "part", min(1.0, part))


def _misspelt(indexes: Indexes, kind: Kind, run: tuple[Word, ...]) -> Iterator[Found]:
    folded = [word.folded for word in run]
    if min(map(len, folded)) < _SHORTEST_TYPO:
        return
    for name, typos, _ in _typos(indexes, kind, folded):
        yield Found(run, _term(kind, name), name.text, "typo", max(0.0, 1 - 0.2 * typos))


def _typos(indexes: Indexes, kind: Kind, words: Sequence[str]) -> list[tuple[Named, int, int]]:
    found: list[tuple[Named, int, int]] = []

    def look(index: Index) -> list[Named]:
        role: Role | None = "entity" if kind == "entity" else None
        found.extend(misspelt(index, words, role, _MOST_WITH_PART, bold=False))
        return []

    _ask(indexes, kind, look)
    length = len(" ".join(words))
    return [each for each in found if abs(len(each[0].folded) - length) <= 2 + length // 2]


def _ask(indexes: Indexes, kind: Kind, question: Callable[[Index], list[Named]]) -> list[Named]:
    index = indexes.names if kind == "entity" else indexes.values
    return [name for name in index.ask(question) if kind == "value" or name.role == "entity"]


def _term(kind: Kind, name: Named) -> IRI | Literal:
    return IRI(name.iri) if kind == "entity" else literal_of(name.iri)
