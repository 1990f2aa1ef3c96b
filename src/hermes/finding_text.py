"""Findings for a reader: a first line that says what was found, then a line each.

What comes from the graph is quoted, escaped and clipped: no label can break a line, hide a part of it, or
pass for something that hermes says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from hermes.findings import Edge, End, Entry, Inspection, Lookup, Role, Suggestion, Suggestions
from hermes.namespaces import split
from hermes.printable import clip, printable
from hermes.terms import IRI, BlankNode, Prefixes, Term, display, quote

_INDENT: Final = "    "
_GAP: Final = "  "
_NAME: Final = 100
"""Names are there to be used in patterns, so only very long ones are clipped."""
_EXAMPLE: Final = 60
_LABEL: Final = 48
_MOST_TYPES: Final = 3
_PLURALS: Final[dict[str, str]] = {"entity": "entities", "class": "classes"}
_UNITS: Final[dict[Role, str]] = {"entity": "triple", "class": "instance", "predicate": "triple"}


def lookup_lines(found: Lookup, prefixes: Prefixes) -> list[str]:
    """Return a look-up in lines: `3 entities for "Placid"`, then each term with what is known of it."""
    text = _quoted(found.text)
    if not found.entries:
        return [f"nothing for {text}" if found.complete else f"nothing found in time for {text}"]
    roles = dict.fromkeys(entry.role for entry in found.entries)
    numbers = [_counted(sum(entry.role == role for entry in found.entries), role) for role in roles]
    rows = [_entry(entry, prefixes, mixed=len(roles) > 1) for entry in found.entries]
    lines = [f"{', '.join(numbers)} for {text}", *_aligned(rows)]
    return lines if found.complete else [*lines, f"{_INDENT}... and more"]


def inspection_lines(found: Inspection, prefixes: Prefixes) -> list[str]:
    """Return an inspection in lines: the term and what it is, then each predicate, or each kind of value."""
    name = display(found.term, prefixes, _NAME)
    if not found.count and found.role == "entity":
        return [f"{name} does not occur"]
    label = f" {_quoted(found.label)}" if found.label else ""
    text = _InspectionText(found, prefixes)
    lines = [f"{name}{label}: {text.head()}"]
    lines += _aligned([*map(text.edge, found.edges)]) + _aligned([*map(text.end, found.ends)])
    if found.more:
        lines.append(f"{_INDENT}... and {found.more} more")
    elif found.capped:  # what was not counted may have other predicates
        lines.append(f"{_INDENT}... and perhaps more")
    return lines


def suggestion_lines(found: Suggestions, written: Callable[[Suggestion], str] | None = None) -> list[str]:
    """Return suggestions in lines: `12 steps at ?city`, then each with what it leaves.

    Args:
        found: what may be done.
        written: how an action is written (default: as JSON).
    """
    at = f" at ?{found.focus}" if found.focus else ""
    first = "step" if found.focus else "first step"
    lines = [f"{_counted(len(found.items), first)}{at}" if found.items else f"no {first}{at}"]
    lines += _aligned([_suggestion(item, written) for item in found.items])
    if found.more:
        lines.append(f"{_INDENT}... and {found.more} more")
    if not found.complete:
        lines.append(f"{_INDENT}... and perhaps others: there was no time to look at all")
    return lines


# --- look-up ----------------------------------------------------------------------------------


def _entry(entry: Entry, prefixes: Prefixes, *, mixed: bool) -> Sequence[str]:
    label = _quoted(entry.label)
    if entry.matched != entry.label:
        label += f" (matched {_quoted(entry.matched)})"
    role = [entry.role] if mixed else []
    types = _names(entry.types, prefixes)
    counted = _counted(entry.count, _UNITS[entry.role]) if entry.count else ""
    return [*role, display(entry.term, prefixes, _NAME), label, types, counted]


# --- suggestions ------------------------------------------------------------------------------


def _suggestion(item: Suggestion, written: Callable[[Suggestion], str] | None) -> Sequence[str]:
    about = "about " if item.estimated else ""
    leaves = f"-> {about}{_counted(item.solutions, 'solution')}"
    action = printable(item.action if written is None else written(item))
    return [action, leaves, _counted(item.values, "value"), _quoted(item.label)]


# --- inspection -------------------------------------------------------------------------------


class _InspectionText:
    """Writes the parts of one inspection."""

    def __init__(self, found: Inspection, prefixes: Prefixes) -> None:
        self.found = found
        self.prefixes = prefixes

    def head(self) -> str:
        """Return what the term is and how much there is of it."""
        found = self.found
        if not found.count:
            return f"no {found.role}{self.also(', but ')}"
        part = "" if found.sampled is None else f" ({found.sampled} of them counted here)"
        says = [found.role, self.counted(found.count, _UNITS[found.role]) + part]
        if found.types:
            says.append(f"of type {_names(found.types, self.prefixes)}")
        return ", ".join(says) + self.also(", also ")

    def also(self, link: str) -> str:
        """Return what else the term is, after `link`; nothing where that is nothing."""
        found = self.found
        return link + " and ".join(map(_with_article, found.also)) if found.also else ""

    def edge(self, edge: Edge) -> Sequence[str]:
        """Return the cells of a predicate."""
        counts = [self.counted(edge.count, "triple")]
        if self.found.role == "class":
            counts.append(f"of {self.counted(edge.terms, 'instance')}")
        return [edge.direction, self.named(edge.predicate), *counts, self.example(edge.example)]

    def end(self, end: End) -> Sequence[str]:
        """Return the cells of a kind of subjects or objects."""
        kind = "without a class" if end.kind is None else self.named(end.kind)
        return [end.side, kind, self.counted(end.count, "triple"), self.example(end.example)]

    def example(self, term: Term | None) -> str:
        """Return a term as an example; the label of a blank node is new at every load."""
        if term is None:
            return ""
        shown = "a blank node" if isinstance(term, BlankNode) else self.named(term, _EXAMPLE)
        return f"such as {shown}"

    def named(self, term: Term, width: int = _NAME) -> str:
        """Return a term with its label, where that says more than its name."""
        text = display(term, self.prefixes, width)
        label = self.found.labels.get(term, "") if isinstance(term, IRI) else ""
        same = not label or _letters(label) == _letters(split(str(term).strip("<>"))[1])
        return text if same else f"{text} {_quoted(label)}"

    def counted(self, count: int, noun: str) -> str:
        """Return a number with its noun."""
        return f"{count}+ {noun}s" if self.found.capped else _counted(count, noun)


# --- words and columns ------------------------------------------------------------------------


def _quoted(text: str) -> str:
    return printable(quote(clip(text, _LABEL)))


def _names(types: Sequence[IRI], prefixes: Prefixes) -> str:
    shown = [display(each, prefixes, _NAME) for each in types[:_MOST_TYPES]]
    return " ".join([*shown, "..."] if len(types) > _MOST_TYPES else shown)


def _counted(count: int, noun: str) -> str:
    return f"1 {noun}" if count == 1 else f"{count} {_PLURALS.get(noun, noun + 's')}"


def _with_article(role: Role) -> str:
    return f"an {role}" if role == "entity" else f"a {role}"


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as indented lines; a column is as wide as its widest cell."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        _INDENT
        + _GAP.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True) if width).rstrip()
        for row in rows
    ]
