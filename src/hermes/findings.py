"""What a read of the graph finds: the terms that a text may mean, and what is around a term."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf

from hermes.terms import IRI, Term

Role = OneOf["entity", "class", "predicate"]
"""What a term is in the graph: an instance, a class or a predicate."""

Match = OneOf["exact", "prefix", "word", "inside", "typo"]
"""How a label contains a text, best first; case and accents do not count."""

Direction = OneOf["out", "in"]
"""`out`: the term is the subject of the triple; `in`: it is the object."""

Side = OneOf["subject", "object"]
"""An end of the triples of a predicate."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A term that a text may mean.

    `label` is how it is shown, in the language that was asked for where there is one; `matched` is the label
    that contains the text, which may be another one. `types` are some of the classes of an entity. `count` is
    the number of triples around an entity, of instances of a class, of triples of a predicate.
    """

    term: IRI
    role: Role
    label: str
    matched: str
    match: Match
    types: tuple[IRI, ...] = ()
    count: int = 0


@dataclass(frozen=True, slots=True)
class Lookup:
    """The terms that a text may mean, the best first; `complete` is False where there may be more."""

    text: str
    entries: tuple[Entry, ...] = ()
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Edge:
    """A predicate around a term: so many triples in this direction, and the term at the other end of one.

    For a class, `count` is over all its direct instances and `terms` is how many of them have such a triple.
    """

    predicate: IRI
    direction: Direction
    count: int
    terms: int = 1
    example: Term | None = None


@dataclass(frozen=True, slots=True)
class End:
    """What stands at one end of the triples of a predicate: the terms of one kind.

    `kind` is a class, or the datatype of literals; None are terms without a class. `count` is the number of
    triples with such a term there, and `example` one of the terms. A term of two classes counts for both.
    """

    side: Side
    kind: IRI | None
    count: int
    example: Term | None = None


@dataclass(frozen=True, slots=True)
class Inspection:
    """What is around a term: the predicates of an entity, or of the instances of a class, both ways.

    `count` is the number of triples around an entity, of instances of a class, of triples of a predicate; it
    is 0 where the term does not occur. `types` are the classes that the graph states for the term, and `also`
    what else it is. A predicate has no `edges` but `ends`.

    `sampled` is the number of instances, or of triples of a predicate, that edges or ends count, where not
    all were looked at; None where they count all. `complete` is False where edges or ends were left out, or
    counts are of a part; `more` is how many were left out, as far as that is known.
    """

    term: IRI
    role: Role
    label: str
    count: int
    types: tuple[IRI, ...] = ()
    edges: tuple[Edge, ...] = ()
    ends: tuple[End, ...] = ()
    also: tuple[Role, ...] = ()
    sampled: int | None = None
    more: int = 0
    complete: bool = True
