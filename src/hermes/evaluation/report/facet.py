"""What the questions of a report can be filtered by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hermes.evaluation.difference import Difference
from hermes.evaluation.record import Record
from hermes.evaluation.report.failure import Failure, kind_of
from hermes.pages import Markup, joined, tag
from hermes.printable import clip

RIGHT = "right"
"""The kind of an answer that is no failure."""

_LONGEST = 80


@dataclass(frozen=True, slots=True)
class Facet:
    """A property by which questions are told apart.

    Args:
        key: its name in the address of the page.
        label: what it is called.
        values: those that occur, each once, in the order in which they are offered.
        of: the values of each question, in the order of the page.
    """

    key: str
    label: str
    values: tuple[str, ...]
    of: tuple[tuple[str, ...], ...]

    def places(self, question: int) -> str:
        """Return the places, from 0, of the values of a question."""
        return " ".join(str(self.values.index(value)) for value in self.of[question])


def facets(records: Sequence[Record], difference: Difference | None) -> tuple[Facet, ...]:
    """Return the facets of questions in the order of the page; one that all questions share is left out."""
    return tuple(facet for facet in _all(records, difference) if len(set(facet.of)) > 1)


def filters(found: Sequence[Facet]) -> Markup:
    """Return the form; the script of the page shows it and keeps its counts right."""
    choices = (tag("div", tag("label", facet.label, for_=facet.key), _choice(facet)) for facet in found)
    search = tag(
        "div",
        tag("label", "Question contains", for_="text"),
        tag("input", type="search", id="text", name="text", autocomplete="off", spellcheck="false"),
    )
    buttons = joined(
        *(
            tag("button", text, type="button", id=name)
            for name, text in (("clear", "Clear"), ("open", "Open all shown"), ("close", "Close all"))
        )
    )
    return tag(
        "form", *choices, search, tag("div", buttons, class_="buttons"), id="filters", hidden="",
        aria_label="Filter the questions",
    )  # fmt: skip


def _choice(facet: Facet) -> Markup:
    counts = Counter(value for values in facet.of for value in values)
    options = (tag("option", f"{value} ({counts[value]})", value=value) for value in facet.values)
    return tag(
        "select", tag("option", f"all ({len(facet.of)})", value=""), *options, id=facet.key, name=facet.key
    )


def _all(records: Sequence[Record], difference: Difference | None) -> Iterator[Facet]:
    kinds = tuple((str(kind_of(record) or RIGHT),) for record in records)
    occurring = {kind for (kind,) in kinds}
    order = [kind for kind in (*map(str, Failure), RIGHT) if kind in occurring]
    yield Facet("kind", "Kind of failure", tuple(order), kinds)
    features = tuple(tuple(dict.fromkeys(map(_name, record.features))) for record in records)
    yield Facet("feature", "Feature", _sorted(features), features)
    graphs = tuple((_name(record.kg),) for record in records)
    yield Facet("graph", "Graph", _sorted(graphs), graphs)
    if difference is not None:
        added = frozenset(difference.added)
        changed = tuple((_change(record.id, difference, added),) for record in records)
        yield Facet("change", "Change", _sorted(changed), changed)


def _change(name: str, difference: Difference, added: frozenset[str]) -> str:
    if name in difference.better:
        return "better"
    if name in difference.worse:
        return "worse"
    return "only in this run" if name in added else "the same"


def _sorted(found: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(sorted({value for values in found for value in values}))


def _name(text: str) -> str:
    return clip(text, _LONGEST) or "(none)"
