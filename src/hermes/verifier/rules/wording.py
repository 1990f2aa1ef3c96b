"""Words for terms and their sorts, as reasons need them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from hermes.algebra.plan import Plan
from hermes.algebra.render import sub_query_text
from hermes.printable import clip, printable
from hermes.sparql.expressions import Exists, Membership, Operation, expression_text
from hermes.sparql.paths import Path, path_text
from hermes.terms import IRI, RDF_LANG_STRING, Literal, Names, Variable, term_text
from hermes.verifier.literals import key_of, tag_of
from hermes.verifier.rules.graph_space import Values
from hermes.verifier.rules.solutions import Link
from hermes.verifier.rules.space import ALL_FRESH, UNBOUND, Space
from hermes.vocabulary import nearest

NAMED: Final = 3
"""So many names are given."""

_WIDTH: Final = 120
_KINDS: Final = ("iri", "blank", "triple")
"""The tags of what is no literal."""
_UNTYPED: Final = {"iri": "IRIs without a class", "blank": "blank nodes without a class"}


class Wording:
    """Words for parts of a plan and for what values are.

    Args:
        space: what the graph has.
        names: writes IRIs.
    """

    def __init__(self, space: Space, names: Names) -> None:
        self.space = space
        self.names = names

    def text(self, part: object) -> str:
        """Return a part of a plan as hermes prints it, on one line, clipped."""
        return clip(printable(self._text(part)), _WIDTH)

    def _text(self, part: object) -> str:
        match part:
            case Link(pattern, graph):
                where = f" in graph {self.graph(graph.name)}" if graph.name else ""
                return f"{pattern.text(self.names)}{where}"
            case Plan():
                return sub_query_text(part, self.names)
            case Variable() | IRI() | Literal():
                return term_text(part, self.names)
            case Operation() | Membership() | Exists():
                return expression_text(part, self.names)
            case _ if hasattr(part, "text"):
                return str(part.text(self.names))
        return str(part)

    def path(self, path: Path) -> str:
        """Return a path as hermes prints it."""
        return clip(printable(path_text(path, self.names)), _WIDTH)

    def graph(self, name: str) -> str:
        """Return what a named graph is called."""
        return "(a blank node)" if name.startswith("_:") else self.text(IRI(name))

    # --- values -----------------------------------------------------------------------------------

    def sorts(self, values: Values) -> str:
        """Say what terms of the graph are: their classes, or their datatypes; the most frequent first."""
        counts: Counter[str] = Counter()
        for signature in self.space.signatures(values & ~(ALL_FRESH | UNBOUND)):
            classes = signature.classes_anywhere
            for name in classes:
                counts[self.text(IRI(name))] += signature.count
            if signature.kind in _UNTYPED and not classes:
                counts[_UNTYPED[signature.kind]] += signature.count
            if signature.kind == "literal":
                counts[self._tag(signature.tag)] += signature.count
        found = [name for name, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]
        more = ", ..." if len(found) > NAMED else ""
        return ", ".join(found[:NAMED]) + more

    def _tag(self, tag: str) -> str:
        return f"text {tag}" if tag.startswith("@") else self.text(IRI(tag))

    def of(self, variable: object, values: Values) -> str:
        """Say what a variable is."""
        return f"{variable} is {self.sorts(values) or 'no term of the graph'}"

    def spelling(self, literal: Literal, tags: Iterable[str], column: Values) -> str:
        """Name a literal of a column that may have been meant: another case, tag or datatype."""
        for found in _spellings(literal, tags):
            if self._has(found, column):
                return f"; there is {self.text(found)}"
        return ""

    def _has(self, literal: Literal, column: Values) -> bool:
        found = self.space.schema.occurrences.get(tag_of(literal))
        key = key_of(literal)
        return (
            found is not None and key is not None and bool(self.space.bits(found.signatures_of(key)) & column)
        )

    # --- names ------------------------------------------------------------------------------------

    def near(self, iri: IRI, known: Mapping[str, int], unit: str) -> str:
        """Name those of the known names that are nearest, with their counts, or the most used ones."""
        near = [
            f"{self.text(IRI(name))} ({count:,} {unit})" for name, count in nearest(iri.value, known, NAMED)
        ]
        if near:
            return f"; nearest: {', '.join(near)}"
        most = sorted(known.items(), key=lambda item: (-item[1], item[0]))[:NAMED]
        return f"; the most used: {', '.join(self.text(IRI(name)) for name, _ in most)}" if most else ""


def _spellings(literal: Literal, tags: Iterable[str]) -> Iterator[Literal]:
    text = literal.lexical
    cases = (text, text.strip(), text.lower(), text.title(), text.capitalize(), text.upper())
    for lexical in dict.fromkeys(cases):
        for tag in tags:
            if tag not in _KINDS:
                tagged = tag.startswith("@")
                found = Literal(lexical, RDF_LANG_STRING, tag[1:]) if tagged else Literal(lexical, tag)
                if found != literal:
                    yield found
