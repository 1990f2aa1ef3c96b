"""Findings for a reader: a first line that says what was found, then a line each.

What comes from the graph is quoted, escaped and clipped: no label can break a line, hide a part of it, or
pass for something that hermes says.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hermes.findings import Edge, End, Entry, Inspection, Lookup, Role
from hermes.printable import clip, printable
from hermes.terms import IRI, Prefixes, display, quote

_INDENT: Final = "    "
_GAP: Final = "  "
_NAME: Final = 60
_VALUE: Final = 48
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
    if not found.count:
        return [f"{name} does not occur"]
    lines = [f"{name}{_label(found)}: {_head(found, prefixes)}"]
    if found.role == "predicate":
        lines += _aligned([_end(end, prefixes) for end in found.ends])
    else:
        lines += _aligned([_edge(edge, found.role, prefixes) for edge in found.edges])
    if found.more:
        lines.append(f"{_INDENT}... and {found.more} more")
    elif not found.complete and found.sampled is None:
        lines.append(f"{_INDENT}... and more")
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


# --- inspection -------------------------------------------------------------------------------


def _label(found: Inspection) -> str:
    return f" {_quoted(found.label)}" if found.label else ""


def _head(found: Inspection, prefixes: Prefixes) -> str:
    """Return what the term is and how much there is of it."""
    says = [found.role, _counted(found.count, _UNITS[found.role])]
    if found.types:
        says.append(f"of type {_names(found.types, prefixes)}")
    if found.also:
        says.append(f"also {' and '.join(map(_with_article, found.also))}")
    if found.sampled is not None:
        says.append(f"the counts below are of {_counted(found.sampled, _UNITS[found.role])}")
    return ", ".join(says)


def _edge(edge: Edge, role: Role, prefixes: Prefixes) -> Sequence[str]:
    name = display(edge.predicate, prefixes, _NAME)
    counts = [_counted(edge.count, "triple")]
    if role == "class":
        counts.append(f"of {_counted(edge.terms, 'instance')}")
    example = "" if edge.example is None else f"such as {display(edge.example, prefixes, _VALUE)}"
    return [edge.direction, name, *counts, example]


def _end(end: End, prefixes: Prefixes) -> Sequence[str]:
    kind = "without a class" if end.kind is None else display(end.kind, prefixes, _NAME)
    example = "" if end.example is None else f"such as {display(end.example, prefixes, _VALUE)}"
    return [end.side, kind, _counted(end.count, "triple"), example]


# --- words and columns ------------------------------------------------------------------------


def _quoted(text: str) -> str:
    return printable(quote(clip(text, _VALUE)))


def _names(types: Sequence[IRI], prefixes: Prefixes) -> str:
    shown = [display(each, prefixes, _NAME) for each in types[:_MOST_TYPES]]
    return " ".join([*shown, "..."] if len(types) > _MOST_TYPES else shown)


def _counted(count: int, noun: str) -> str:
    return f"1 {noun}" if count == 1 else f"{count} {_PLURALS.get(noun, noun + 's')}"


def _with_article(role: Role) -> str:
    return f"an {role}" if role == "entity" else f"a {role}"


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as indented lines; a column is as wide as its widest cell."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        _INDENT
        + _GAP.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True) if width).rstrip()
        for row in rows
    ]
