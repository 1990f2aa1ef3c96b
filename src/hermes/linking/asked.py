"""Words linked to the entities and texts of an endpoint without an index, by a few bounded queries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final

from hermes.findings import Entry
from hermes.linking.mentions import Evidence, Span
from hermes.linking.named import Found, runs
from hermes.linking.tokens import Word, between
from hermes.store import deadline
from hermes.terms import RDF_LANG_STRING, Literal

if TYPE_CHECKING:
    from hermes.kg import KG

_LOOKUPS: Final = 4
"""So many names are looked for."""
_ENTRIES: Final = 8
_SECONDS: Final = 10.0
"""How long all of these may take."""


def asked(kg: KG, question: str, words: Sequence[Word], spans: Sequence[Span]) -> Iterator[Found]:
    """Yield the entities and texts for words with capitals, and for those in quotation marks.

    Texts are tried as they are written; whether they occur is for the caller to ask.

    Raises:
        StoreError: the endpoint could not answer in time.
    """
    names = [
        *_quoted(words, spans),
        *runs(words, lambda word: word.capital and word.says and not word.span.text.isdigit()),
    ]
    with deadline(_SECONDS):
        for run in islice(dict.fromkeys(names), _LOOKUPS):
            text = between(question, run).text
            yield Found(run, Literal(text), text, "exact")
            yield Found(run, Literal(text, RDF_LANG_STRING, kg.language), text, "exact")
            for entry in kg.lookup(text, "entity", _ENTRIES).entries:
                yield Found(
                    run, entry.term, entry.matched, _evidence(entry), len(text) / max(1, len(entry.matched))
                )


def _quoted(words: Sequence[Word], spans: Sequence[Span]) -> Iterator[tuple[Word, ...]]:
    for span in spans:
        inside = tuple(word for word in words if span.start <= word.span.start and word.span.end <= span.end)
        if inside:
            yield inside


def _evidence(entry: Entry) -> Evidence:
    return "exact" if entry.match == "exact" else "typo" if entry.match == "typo" else "part"
