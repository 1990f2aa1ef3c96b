"""The page: the query in words, its steps with bars, the answer, the query as text, the plan as a drawing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from typing import Final, Protocol

from hermes.algebra.observation import Built, Solutions
from hermes.algebra.render import render
from hermes.explanation.page.drawing import drawn
from hermes.explanation.page.pattern_graph import named_terms, pattern_graph
from hermes.explanation.page.step_list import elapsed_line, step_list
from hermes.explanation.page.term_table import answer_of
from hermes.explanation.step import Explanation, Step
from hermes.pages.document import document
from hermes.pages.highlight import highlighted
from hermes.pages.markup import Markup, tag
from hermes.terms import IRI, Prefixes, Row, Term
from hermes.version import __version__

_STYLE: Final = files("hermes.explanation.page").joinpath("page.css").read_text(encoding="utf-8")


_LONG: Final = 140
"""A sentence of more characters is set in a smaller type."""


class Names(Protocol):
    """The names of a graph; `hermes.KG` has them. Asking for labels costs at most one query each time."""

    @property
    def prefixes(self) -> Prefixes:
        """The prefixes by which names are written."""

    @property
    def header(self) -> str:
        """The prologue of queries."""

    @property
    def source(self) -> str:
        """Where the triples came from."""

    @property
    def language(self) -> str:
        """The preferred language of labels."""

    def stated_labels(self, terms: Iterable[Term], language: str | None = None) -> Mapping[IRI, str]:
        """Return the labels that the graph states for some of the terms."""


def page(found: Explanation, query: str, sentence: str, names: Names) -> str:
    """Return the page of an explanation.

    Args:
        found: the explanation; with `samples` its steps show rows too.
        query: the text of the query as it was given.
        sentence: the query in words.
        names: labels and prefixes.

    Raises:
        StoreError: the labels cannot be had.
    """
    rows = [row for step in found.steps for row in _rows(step)]
    labels = names.stated_labels([*named_terms(found.plan), *(term for row in rows for term in row.values())])
    return document(
        sentence,
        tag(
            "header",
            tag("h1", sentence, class_="long" if len(sentence) > _LONG else None),
            tag("p", f"Asked of {names.source}", class_="source"),
            *_warnings(found),
        ),
        tag(
            "main",
            _section(
                "Steps",
                tag("p", elapsed_line(found.steps), class_="note"),
                step_list(found.steps, labels, names.prefixes),
            ),
            _section("Answer", answer_of(found.seen, labels, names.prefixes)),
            _section("The plan as a graph", drawn(pattern_graph(found.plan, labels))),
            _section("The query", _code(query), _as_shown(found, names.header)),
        ),
        tag("footer", tag("p", f"Written by hermes {__version__}.")),
        style=_STYLE,
    )


def _section(title: str, *inside: str) -> Markup:
    return tag("section", tag("h2", title), *inside)


def _warnings(found: Explanation) -> Iterator[Markup]:
    for slip in found.warnings:
        yield tag("p", tag("strong", "Warning: "), slip.message, class_="warning")


def _code(query: str) -> Markup:
    return tag("pre", tag("code", highlighted(query.strip("\n"))), class_="wide")


def _as_shown(found: Explanation, header: str) -> Markup:
    return tag(
        "details",
        tag("summary", "The query in the order of the steps, as hermes writes it"),
        _code(render(found.plan, header)),
    )


def _rows(step: Step) -> Iterator[Row]:
    """Yield the rows that the page shows of a step."""
    match step.seen:
        case Solutions(sample=sample):
            yield from sample
        case Built(sample=triples):
            yield from (
                {"s": triple.subject, "p": triple.predicate, "o": triple.object} for triple in triples
            )
        case _:
            pass
