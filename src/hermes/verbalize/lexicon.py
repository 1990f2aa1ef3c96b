"""The words for terms: labels of IRIs, quoted where they could be read as words of the sentence; literals."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Final, Protocol

from hermes.printable import clip, printable
from hermes.terms import IRI, RDF_TYPE, XSD, XSD_STRING, Literal, Prefixes, Term, literal_text, quote
from hermes.verbalize.predicates import is_participle, noun_in

LONGEST_LABEL: Final = 80
"""Characters of a label that are shown: labels come from the data and may be whole texts."""

_BARE: Final = re.compile(r"\w+(?:[ '\u2019.-]{1,2}\w+)*\.?|[A-Za-z][\w.-]*:[\w-]+|<[^\s<>\"`“”;]+>")
_OWN_WORDS: Final = frozenset({
    "also", "always", "and", "any", "anything", "both", "but", "combination", "divided", "each",
    "either", "equals", "every", "everything", "except", "fewer", "holds", "if", "itself", "less",
    "match", "minus", "more", "neither", "no", "nor", "not", "nothing", "once", "only", "optionally",
    "or", "plus", "something", "sorted", "stands", "such", "that", "then", "there", "these", "they",
    "this", "those", "times", "unless", "where", "whether", "which", "who", "whose", "with", "without",
})  # fmt: skip
"""A label with one of these words inside could pass for a part of the sentence."""

_LANGUAGES: Final = {
    "ar": "Arabic", "de": "German", "en": "English", "es": "Spanish", "fr": "French", "it": "Italian",
    "ja": "Japanese", "ko": "Korean", "nl": "Dutch", "pl": "Polish", "pt": "Portuguese", "ru": "Russian",
    "sv": "Swedish", "tr": "Turkish", "zh": "Chinese",
}  # fmt: skip
_KINDS: Final = {
    XSD + "date": "the date", XSD + "dateTime": "the time", XSD + "time": "the time of day",
    XSD + "gYear": "the year", XSD + "gYearMonth": "the month", XSD + "duration": "the duration",
}  # fmt: skip
_PLAIN: Final = re.compile(r"[\w.:+-]+")
_NUMBER: Final = re.compile(r"[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?|true|false")
_OPEN, _CLOSE = "“", "”"


class Names(Protocol):
    """What the words ask of a graph; `KG` offers it."""

    @property
    def prefixes(self) -> Prefixes:
        """The prefixes that shorten names."""

    def labels(self, terms: Iterable[Term]) -> Mapping[IRI, str]:
        """Return a label for every IRI among `terms`."""


class Lexicon:
    """The words for the terms of one plan. Two IRIs of it never get the same words."""

    def __init__(self, iris: Iterable[IRI], predicates: Collection[IRI], names: Names) -> None:
        asked = dict.fromkeys(iris)
        asked.pop(IRI(RDF_TYPE), None)
        labels = names.labels(asked) if asked else {}
        self.write = names.prefixes.names()
        texts = {iri: labels.get(iri, "").strip() or self.write(iri.value) for iri in asked}
        texts[IRI(RDF_TYPE)] = "type"
        shown = {iri: clip(printable(text), LONGEST_LABEL) for iri, text in texts.items()}
        # A predicate and a thing may share their words, since they never stand at the same place.
        place = {
            iri: (noun_in(text) if iri in predicates else text, iri in predicates)
            for iri, text in shown.items()
        }
        uses = Counter(place.values())
        self._twins = [iri for iri, where in place.items() if uses[where] > 1]
        self._words = {iri: self._word(iri, text, twin=iri in self._twins) for iri, text in shown.items()}

    def _word(self, iri: IRI, text: str, *, twin: bool) -> str:
        words = text if _is_bare(text) and not is_participle(text) else quoted(text)
        if not twin:
            return words
        tail = printable(iri.value.rsplit("/", 1)[-1])
        tails = [printable(other.value.rsplit("/", 1)[-1]) for other in self._twins]
        if tails.count(tail) > 1 or not _PLAIN.fullmatch(tail.replace("#", ":")):
            tail = printable(self.write(iri.value))
        return f"{words} [{tail}]"

    def iri(self, iri: IRI) -> str:
        """Return the label of an IRI, quoted unless it can only be read as a name."""
        return self._words[iri]

    def term(self, term: IRI | Literal) -> str:
        """Return the words for a constant: texts in quotes, numbers bare, languages and types said."""
        if isinstance(term, IRI):
            return self.iri(term)
        text = printable(quote(term.lexical))
        if term.language is not None:
            named = _LANGUAGES.get(term.language)
            return f"{text} in {named}" if named else f"{text} in the language {term.language}"
        if term.datatype == XSD_STRING:
            return text
        short = literal_text(term, self.write)
        if _NUMBER.fullmatch(short):
            return short
        kind = _KINDS.get(term.datatype)
        if kind:
            return f"{kind} {term.lexical if _PLAIN.fullmatch(term.lexical) else text}"
        return f"{text} of type {printable(self.write(term.datatype))}"


def quoted(text: str) -> str:
    """Return a text of the data in quotation marks that it cannot close."""
    inner = text.replace(_OPEN, "\\u201C").replace(_CLOSE, "\\u201D").replace("`", "\\u0060")
    return f"{_OPEN}{inner}{_CLOSE}"


def bracketed(words: str, *, inside: bool = True) -> str:
    """Return words in brackets, if they stand inside others."""
    return f"({words})" if inside else words


def _is_bare(text: str) -> bool:
    """Whether a label reads as a name wherever it stands: words alone, and none that the sentence uses."""
    return (
        bool(_BARE.fullmatch(text))
        and not _NUMBER.fullmatch(text)
        and any(map(str.isalpha, text))
        and not text.startswith(("the ", "a ", "an ", "some "))
        and _OWN_WORDS.isdisjoint(re.split(r"[ .-]+", text.casefold()))
    )


def listed(parts: Iterable[str], word: str = "and") -> str:
    """Return `a, b and c`."""
    *before, last = list(parts) or [""]
    return f"{', '.join(before)} {word} {last}" if before else last


def article(noun: str) -> str:
    """Return a noun with `a` or `an`."""
    first = noun.lstrip(_OPEN)[:1].lower()
    return f"{'an' if first in 'aeiou' and first else 'a'} {noun}"


def plural(noun: str) -> str:
    """Return the regular English plural of a noun; one in `s` may be one already."""
    if noun.endswith(_CLOSE):
        return f"things of class {noun}"
    if re.search(r"[^aeiou]y$", noun):
        return noun[:-1] + "ies"
    if re.search(r"[^s]s$", noun):
        return noun
    return noun + ("es" if re.search(r"(?:s|x|z|ch|sh)$", noun) else "s")


_SPLIT: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_a-zA-Z]+")
_GENERIC: Final = frozenset({
    "answer", "arg", "col", "column", "data", "element", "entity", "iri", "item", "node", "obj",
    "object", "output", "prop", "property", "res", "resource", "result", "results", "row", "sub",
    "subj", "subject", "target", "thing", "uri", "url", "val", "value", "values", "var", "variable",
})  # fmt: skip
_SHORTEST_WORD: Final = 3


def noun_of(name: str) -> str | None:
    """Return the words in the name of a variable; None where it says nothing, as `x`, `t1` or `result`."""
    words = [word.lower() for word in _SPLIT.findall(name)]
    if not words or any(len(word) < _SHORTEST_WORD for word in words) or _GENERIC.issuperset(words):
        return None
    return " ".join(words)
