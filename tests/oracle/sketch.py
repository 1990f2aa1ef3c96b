"""What a query asks of a graph, roughly: its patterns as a tree, and its expressions as token lists.

A sketch serves to make graphs that a query has something to say about. It is not a parser: it reads
any text that is SPARQL, and where it reads wrongly a generated graph merely fits the query less well.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pyoxigraph import Literal as RdfLiteral
from pyoxigraph import NamedNode

from oracle.constants import Names
from oracle.tokens import Token

Term = NamedNode | RdfLiteral
Slot = Term | str
"""A constant, or the name of a variable or of a blank node (`_:` before it)."""


@dataclass(frozen=True, slots=True)
class Path:
    """A predicate or property path; `parts` are its operands, `slot` the predicate of a `link`."""

    kind: Literal["link", "inverse", "sequence", "choice", "star", "plus", "maybe", "not"]
    parts: tuple[Path, ...] = ()
    slot: Slot = ""


@dataclass(frozen=True, slots=True)
class Atom:
    """One triple pattern."""

    subject: Slot
    path: Path
    object: Slot


@dataclass(frozen=True, slots=True)
class Rows:
    """A VALUES block; None is UNDEF."""

    names: list[str]
    rows: list[list[Term | None]]


@dataclass(frozen=True, slots=True)
class Part:
    """A group inside a group: `name` is the graph where `kind` is graph."""

    kind: Literal["plain", "optional", "negative", "graph"]
    group: Group
    name: Slot = ""


@dataclass(frozen=True, slots=True)
class Union:
    """The branches of a UNION."""

    branches: list[Group]


@dataclass(slots=True)
class Group:
    """The elements of a group graph pattern, filters left out."""

    elements: list[Atom | Rows | Part | Union] = field(default_factory=list)
    shown: set[str] | None = None
    """The columns, where the group is a sub-query that names them."""


@dataclass(slots=True)
class Sketch:
    """A query: prologue, pattern, expressions, what is bound to what, and the dataset clauses."""

    names: Names
    where: Group = field(default_factory=Group)
    expressions: list[list[Token]] = field(default_factory=list)
    bound: dict[str, list[Token]] = field(default_factory=dict)
    graphs: list[NamedNode] = field(default_factory=list)
    named: list[NamedNode] = field(default_factory=list)
    mentioned: list[Term] = field(default_factory=list)
    loose: set[str] = field(default_factory=set)
    """Variables of expressions that nothing binds: such a query finds nothing, or less."""

    def atoms(self) -> list[Atom]:
        """Return all triple patterns, wherever they stand."""
        return list(_atoms(self.where))


def visible(group: Group) -> set[str]:
    """Return the variables that a group binds for its surroundings: of a sub-query, what it selects."""
    if group.shown is not None:
        return set(group.shown)
    found: set[str] = set()
    for element in group.elements:
        if isinstance(element, Atom):
            slots = (element.subject, element.path.slot, element.object)
            found |= {slot for slot in slots if isinstance(slot, str)}
        elif isinstance(element, Rows):
            found |= set(element.names)
        elif isinstance(element, Part):
            found |= visible(element.group) | ({element.name} if isinstance(element.name, str) else set())
        else:
            for branch in element.branches:
                found |= visible(branch)
    return found


def _atoms(group: Group) -> list[Atom]:
    found: list[Atom] = []
    for element in group.elements:
        if isinstance(element, Atom):
            found.append(element)
        elif isinstance(element, Part):
            found += _atoms(element.group)
        elif isinstance(element, Union):
            found += [atom for branch in element.branches for atom in _atoms(branch)]
    return found
