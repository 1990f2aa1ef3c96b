"""The canonical form of a plan: equal keys have the same solutions.

Three changes keep the solutions, and the key undoes them: clauses that join may change places, filters of a
group may, and variables that are no columns may have other names. Names are chosen by structure: colours
are refined from the texts in which a variable stands, as in the Weisfeiler-Leman test. Where that leaves a
tie, two equivalent plans may get two keys; two different ones never get one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from hashlib import blake2s
from itertools import count, groupby
from typing import Final

from hermes.algebra.plan import Plan
from hermes.algebra.render import query_lines, render
from hermes.sparql.patterns import Element, Group, filter_text
from hermes.sparql.tree import rewrite
from hermes.terms import BLANK_PREFIX, Variable, full_iri

# A NUL cannot stand in SPARQL text: quoted strings escape it. So marked names are found without parsing.
_MARKED: Final = re.compile("\\?\0([^\0]*)\0")
_ROUNDS: Final = 3


def key(plan: Plan) -> str:
    """Return the canonical text of a plan."""
    columns = set(plan.columns)

    def mark(part: object) -> object | None:
        return Variable(f"\0{part.name}\0") if isinstance(part, Variable) and part not in columns else None

    marked = rewrite(plan, mark)
    marked = replace(marked, where=arrange(marked.where, lambda text: _MARKED.sub("?", text)))
    colors = _colors(marked)
    marked = replace(marked, where=arrange(marked.where, lambda text: _paint(text, colors)))
    names = _names(" ".join(query_lines(marked, full_iri)), {column.name for column in columns})

    def name(part: object) -> object | None:
        return names.get(part.name) if isinstance(part, Variable) else None

    named = rewrite(marked, name)
    return render(replace(named, where=arrange(named.where, str)))


def arrange(group: Group, order: Callable[[str], str]) -> Group:
    """Return `group` with its commuting clauses and its filters sorted by `order` of their text."""

    def inside(part: object) -> object | None:
        return arrange(part, order) if isinstance(part, Group) else None

    elements = [rewrite(element, inside) for element in group.elements]
    filters = [rewrite(condition, inside) for condition in group.filters]
    ordered: list[Element] = []
    for commutes, run in groupby(elements, key=lambda element: element.commutes):
        same = list(run)
        ordered += sorted(same, key=lambda element: order(element.text(full_iri))) if commutes else same
    filters.sort(key=lambda condition: order(filter_text(condition, full_iri)))
    return Group(tuple(ordered), tuple(filters))


def _texts(plan: Plan) -> Iterator[str]:
    """Yield the texts of the clauses, each with the number of its run, of the filters, and of the rest."""
    run, joined = 0, True
    for element in plan.where.elements:
        if not (joined and element.commutes):
            run += 1
        joined = element.commutes
        yield f"{run} {element.text(full_iri)}"
    yield from (filter_text(condition, full_iri) for condition in plan.where.filters)
    yield from query_lines(replace(plan, where=Group()), full_iri)


def _colors(plan: Plan) -> dict[str, str]:
    texts = [text for text in _texts(plan) if "\0" in text]
    inside = [tuple(dict.fromkeys(_MARKED.findall(text))) for text in texts]
    colors = {name: "b" if name.startswith(BLANK_PREFIX) else "" for names in inside for name in names}
    for _ in range(_ROUNDS):
        seen: dict[str, list[str]] = {name: [] for name in colors}
        for text, names in zip(texts, inside, strict=True):
            for name in names:
                seen[name].append(_paint(text, colors | {name: "*" + colors[name]}))
        colors = {
            name: blake2s("\n".join(sorted(found)).encode(), digest_size=8).hexdigest()
            for name, found in seen.items()
        }
    return colors


def _paint(text: str, colors: dict[str, str]) -> str:
    return _MARKED.sub(lambda match: "?" + colors[match[1]], text)


def _names(text: str, taken: Collection[str]) -> dict[str, Variable]:
    """Return a new variable for each marked name, numbered by first mention; blank ones stay blank."""
    numbers = (number for number in count() if f"v{number}" not in taken)
    return {
        f"\0{name}\0": Variable(f"{BLANK_PREFIX if name.startswith(BLANK_PREFIX) else 'v'}{next(numbers)}")
        for name in dict.fromkeys(_MARKED.findall(text))
    }
