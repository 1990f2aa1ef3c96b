"""Search in an index: from the names that are a text to those that it may be a slip for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from hermes.findings import Role
from hermes.labels.hits import Asked, Hit, Hits, Named
from hermes.labels.index import Index
from hermes.labels.misspelt import misspelt

_POOL: Final = 100
"""So many names, the shortest ones, are looked at for each way to match."""
_MOST_FORMS: Final = 200
"""Words that contain a piece of a word; there are seldom more."""


def search(index: Index, text: str, role: Role | None, enough: int) -> Hits:
    """Return the names that contain a text.

    A name that is the text is best; then one that begins with it, one that has it, or all of its words, as
    words, one that has it inside of words; and where there is none of these but the last, one that has it but
    for a slip or two. The ways are tried in this order, until there are more hits than wanted.

    Args:
        index: the names.
        text: what is looked for; case, accents and punctuation do not count.
        role: the only role that counts, or None.
        enough: how many terms are wanted; there may be more.

    Raises:
        sqlite3.Error: the index is broken.
    """
    asked = Asked.of(text)
    hits = Hits(index.complete)
    most = max(_POOL, 2 * enough)
    for way in _ways(index, asked, role, most):
        if len(hits) > enough:
            hits.complete = False
            return hits
        names = way()
        hits.complete &= len(names) < most
        for name in names:
            if (hit := asked.hit(name)) is not None:
                hits.add(hit)
    if asked.words and all(hit.match == "inside" for hit in hits):
        for name, *slips in misspelt(index, asked.words, role, most, bold=not hits):
            hits.add(Hit.typo(name, *slips))
    return hits


def _ways(
    index: Index, asked: Asked, role: Role | None, most: int
) -> Iterator[Callable[[], Sequence[Named]]]:
    """Yield the ways to match, the best first."""
    words = asked.words
    yield lambda: index.equal(asked.folded, role, most)
    if not words:
        return
    yield lambda: index.phrase(words, role, most, begins=True)
    yield lambda: index.phrase(words, role, most)
    if len(words) > 1:
        yield lambda: index.all_words(words, role, most)
    yield lambda: _inside(index, words, role, most)


def _inside(index: Index, words: Sequence[str], role: Role | None, most: int) -> Sequence[Named]:
    """Return the names with all these pieces of words in them; a phrase may begin and end within words."""
    forms = [[(each,) for each in index.spelling.containing(word, _MOST_FORMS)] for word in words]
    return index.any_of_each(forms, role, most) if all(forms) else ()
