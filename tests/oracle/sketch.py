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


@dataclass(frozen=True, slots=True)
class Group:
    """The elements of a group graph pattern, filters left out."""

    elements: list[Atom | Rows | Part | Union] = field(default_factory=list)


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

    def atoms(self) -> list[Atom]:
        """Return all triple patterns, wherever they stand."""
        return list(_atoms(self.where))


    def loose(self) -> set[str]:
        """Return the variables of expressions that nothing binds: such a query finds nothing, or less."""
        known = {name for atom in self.atoms() for name in (atom.subject, atom.path.slot, atom.object)}
        known |= set(self.bound) | set(_filled(self.where))
        used = {token.text[1:] for tokens in self.expressions for token in tokens if token.kind == "var"}
        return used - known


def _filled(group: Group) -> list[str]:
    found: list[str] = []
    for element in group.elements:
        if isinstance(element, Rows):
            found += element.names
        elif isinstance(element, Part):
            found += _filled(element.group) + ([element.name] if isinstance(element.name, str) else [])
        elif isinstance(element, Union):
            found += [name for branch in element.branches for name in _filled(branch)]
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
