"""Search in an index: from the names that are a text to those that it may be a typo for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from hermes.findings import Role
from hermes.labels.hits import Asked, Hit, Hits, Named
from hermes.labels.index import Index
from hermes.labels.misspelt import misspelt
from hermes.labels.words import split_words

_POOL: Final = 100
"""So many names, the shortest ones, are looked at for each way to match."""
_MOST_FORMS: Final = 200
"""So many words that contain a piece of a word are looked at."""

Found = tuple[Sequence[Named], bool]
"""Names, and whether they are all."""


def search(index: Index, text: str, role: Role | None, enough: int) -> Hits:
    """Return the names that contain a text.

    A name that is the text is best; then one that begins with it, one that has it, or all of its words, as
    words, one that has it inside of words; and where there is none of these but the last, one that has it but
    for a typo or two. The ways are tried in this order, until there are more hits than wanted.

    Args:
        index: the names.
        text: what is looked for; case, accents and punctuation do not count.
        role: the only role that counts, or None.
        enough: how many terms are wanted; there may be more.

    Raises:
        sqlite3.Error: the index is broken.
    """
    hits = _contained(index, Asked.of(text), role, enough)
    if _weak(hits) and (apart := split_words(text)) != text:  # hasCategory, Winter1932
        for hit in _contained(index, Asked.of(apart), role, enough):
            hits.add(hit)
    words = Asked.of(text).words
    if words and _weak(hits):
        for name, *typos in misspelt(index, words, role, _most(enough), bold=not hits):
            hits.add(Hit.typo(name, *typos))
    return hits


def _weak(hits: Hits) -> bool:
    """Whether nothing is found but perhaps inside of words."""
    return all(hit.match == "inside" for hit in hits)


def _most(enough: int) -> int:
    return max(_POOL, 2 * enough)


def _contained(index: Index, asked: Asked, role: Role | None, enough: int) -> Hits:
    """Return the names that contain what is asked for."""
    hits, most = Hits(index.complete), _most(enough)
    for way in _ways(index, asked, role, most):
        if len(hits) > enough:
            hits.complete = False
            break
        names, complete = way()
        hits.complete &= complete
        for name in names:
            if (hit := asked.hit(name)) is not None:
                hits.add(hit)
    return hits


def _ways(index: Index, asked: Asked, role: Role | None, most: int) -> Iterator[Callable[[], Found]]:
    """Yield the ways to match, the best first."""
    words = asked.words
    yield lambda: _whole(index.equal(asked.folded, role, most), most)
    if not words:
        return
    yield lambda: _whole(index.phrase(words, role, most, begins=True), most)
    yield lambda: _whole(index.phrase(words, role, most), most)
    if len(words) > 1:
        yield lambda: _whole(index.all_words(words, role, most), most)
    yield lambda: _inside(index, words, role, most)


def _whole(names: Sequence[Named], most: int) -> Found:
    return names, len(names) < most


def _inside(index: Index, words: Sequence[str], role: Role | None, most: int) -> Found:
    """Find the names with all these pieces of words in them; a phrase may begin and end within words."""
    forms = [[(each,) for each in index.spelling.containing(word, _MOST_FORMS)] for word in words]
    if not all(forms):
        return (), True
    names, complete = _whole(index.any_of_each(forms, role, most), most)
    return names, complete and all(len(each) < _MOST_FORMS for each in forms)
