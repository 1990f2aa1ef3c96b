"""The actions that read the graph and leave the plan as it is."""

from __future__ import annotations

from hermes.algebra.fields import TEXT, field, one_of
from hermes.algebra.kind import Read, kind


@kind
class Lookup(Read):
    """Find what has a label that contains the text."""

    op = "lookup"
    example = '{"op": "lookup", "text": "Lake Placid"}'
    text: str = field(TEXT)
    kind: str = field(one_of("any", "entity", "class", "predicate"), default="any")


@kind
class Inspect(Read):
    """Show the predicates around an entity, or those that the instances of a class have."""

    op = "inspect"
    example = '{"op": "inspect", "term": "ex:LakePlacid"}'
    term: str = field(TEXT)
