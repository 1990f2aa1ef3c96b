"""What a read of the graph finds: the terms that a text may mean, and what is around a term."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
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
    Any other example is as good, and it does not count for equality.
    """

    predicate: IRI
    direction: Direction
    count: int
    terms: int = 1
    example: Term | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class End:
    """What stands at one end of the triples of a predicate: the terms of one kind.

    `kind` is a class, or the datatype of literals; None are terms without a class. `count` is the number of
    triples with such a term there, and `example` one of the terms, as for an edge. A term of two classes
    counts for both.
    """

    side: Side
    kind: IRI | None
    count: int
    example: Term | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Inspection:
    """What is around a term: the predicates of an entity, or of the instances of a class, both ways.

    `label` is the one that the graph states, or empty; `labels` are those of the other terms here. `count` is
    the number of triples around an entity, of direct instances of a class, of triples of a predicate, or at
    least so many where it is `capped`; it is 0 where the term does not occur. `types` are classes of the
    term, and `also` what else it is. A predicate has no `edges` but `ends`.

    `sampled` says that not all was looked at: edges and ends count what so many instances of a class have, or
    so many triples of another term; None where they count all. `complete` is False where that is so, or edges
    or ends were left out; `more` is how many were.
    """

    term: IRI
    role: Role
    label: str
    count: int
    types: tuple[IRI, ...] = ()
    edges: tuple[Edge, ...] = ()
    ends: tuple[End, ...] = ()
    also: tuple[Role, ...] = ()
    labels: Mapping[IRI, str] = field(default_factory=dict, compare=False)
    capped: bool = False
    sampled: int | None = None
    more: int = 0
    complete: bool = True

    def terms(self) -> Iterator[Term]:
        """Yield the terms that are named here, some of them more than once."""
        yield from (self.term, *self.types)
        yield from (edge.predicate for edge in self.edges)
        yield from (end.kind for end in self.ends if end.kind is not None)
        yield from (edge.example for edge in self.edges if edge.example is not None)
        yield from (end.example for end in self.ends if end.example is not None)

    def without_examples(self) -> Inspection:
        """Return the inspection without what may be otherwise the next time."""
        edges = tuple(replace(edge, example=None) for edge in self.edges)
        return replace(self, edges=edges, ends=tuple(replace(end, example=None) for end in self.ends))


Step = OneOf["out", "in", "class", "value", "range"]
"""What a suggestion adds at its focus: a triple with it as subject (`out`) or object (`in`), its class, a
value that it is or has, or a range of values."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A next step, and what it leaves.

    Args:
        action: the action as JSON text, ready to be taken.
        step: what it adds.
        term: the predicate, class or value that it is about.
        label: how that is shown.
        solutions: how many solutions the plan has after it.
        values: how many distinct values of the focus are left.
        estimated: whether the two numbers are estimates; if not, they are exact, and at least 1.
        score: how well it fits the text it was asked with, from 0 to 1; 0 without a text.
    """

    action: str
    step: Step
    term: Term | None
    label: str
    solutions: int
    values: int
    estimated: bool = False
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class Suggestions:
    """The next steps at a variable, the best first.

    Args:
        focus: the name of the variable, without its `?`.
        items: what may be done.
        more: how many were left out.
        complete: False where there may be others that were not looked for: the store had no time.
        text: what they were ranked by, or empty.
    """

    focus: str
    items: tuple[Suggestion, ...] = ()
    more: int = 0
    complete: bool = True
    text: str = ""
