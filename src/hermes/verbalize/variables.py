"""How each variable of a plan is named in words.

A variable is `the city` where a class gives it a noun that nothing else has, `the age` where it is only the
value of one predicate, and else a name such as `?x`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from hermes.algebra.operators import Subquery
from hermes.algebra.plan import Plan
from hermes.sparql.patterns import Element, Group, TriplePattern
from hermes.sparql.tree import walk
from hermes.terms import IRI, RDF_TYPE, Variable
from hermes.verbalize.lexicon import Lexicon
from hermes.verbalize.predicates import noun_in, shape_of


@dataclass(frozen=True)
class Naming:
    """What variables are called: `nouns` by class, `attributes` by predicate; all others by their name."""

    nouns: dict[Variable, str] = field(default_factory=dict)
    attributes: dict[Variable, str] = field(default_factory=dict)


def naming(plan: Plan, lexicon: Lexicon) -> Naming:
    """Return the names of the variables of a prepared plan and of its sub-queries."""
    uses = Counter(
        part
        for triple in walk(plan)
        if isinstance(triple, TriplePattern)
        for part in {triple.subject, triple.predicate, triple.object}
        if isinstance(part, Variable)
    )
    made = Naming()
    _level(plan, uses, lexicon, made, frozenset())
    return made


def _level(
    plan: Plan, uses: Counter[Variable], lexicon: Lexicon, made: Naming, columns: frozenset[Variable]
) -> None:
    """Name what is seen in one SELECT, then in those inside; columns that go outside keep their names."""
    inner = [part for part in walk(plan, (Subquery,)) if isinstance(part, Subquery)]
    shared = columns.union(*(part.actions.columns for part in inner))
    nouns: dict[Variable, str] = {}
    attributes: dict[Variable, str] = {}
    groups = list(_groups(plan))
    for group in groups:
        for triple in parts(group)[0]:
            if not isinstance(triple.subject, Variable):
                continue
            subject, predicate, end = triple.subject, triple.predicate, triple.object
            if not isinstance(predicate, IRI):
                continue
            if predicate.value == RDF_TYPE and isinstance(end, IRI):
                if subject not in shared and subject not in nouns and _only_in(subject, group, groups, plan):
                    nouns[subject] = lexicon.iri(end)
            elif isinstance(end, Variable) and uses[end] == 1 and end not in shared and end != subject:
                label = lexicon.iri(predicate)
                attributes |= {end: noun_in(label)} if shape_of(label) in ("noun", "has") else {}
    words = Counter(noun.casefold() for noun in (*nouns.values(), *attributes.values()))
    made.nouns.update((name, noun) for name, noun in nouns.items() if words[noun.casefold()] == 1)
    made.attributes.update((name, noun) for name, noun in attributes.items() if words[noun.casefold()] == 1)
    for part in inner:
        _level(part.actions, uses, lexicon, made, frozenset(part.actions.columns))


def _groups(plan: Plan) -> Iterator[Group]:
    yield from (part for part in walk(plan, (Subquery,)) if isinstance(part, Group))


def _only_in(variable: Variable, group: Group, groups: list[Group], plan: Plan) -> bool:
    """Whether the class of a variable holds wherever it is named: it is said in WHERE, or nowhere else."""
    if group is plan.where:
        return True
    return not any(
        other is not group and isinstance(element, TriplePattern) and variable in element.binds()
        for other in groups
        for element in other.elements
    )


def parts(group: Group) -> tuple[list[TriplePattern], list[Element]]:
    """Return the triple patterns of a group that can be said first, and all other elements in order.

    A triple pattern may pass what stands before it and does not commute, such as OPTIONAL, if they share
    only variables that are bound already: LeftJoin(A, O) joined with T is then LeftJoin(A joined with T, O).
    """
    first: list[TriplePattern] = []
    others: list[Element] = []
    bound: set[Variable] = set()
    passed: set[Variable] = set()
    for element in group.elements:
        if isinstance(element, TriplePattern) and not passed.intersection(element.binds()):
            first.append(element)
            bound.update(element.binds())
            continue
        others.append(element)
        if not element.commutes:
            passed |= {part for part in walk(element) if isinstance(part, Variable)} - bound
    return first, others


def connected(group: Group) -> bool:
    """Whether the first triple patterns of a group hang together by their variables."""
    triples, _ = parts(group)
    ends = (part for triple in triples for part in (triple.subject, triple.object))
    start = next((part for part in ends if isinstance(part, Variable)), None)
    return start is None or not any(_ends(triple) for triple in apart(triples, {start}))


def apart(triples: Sequence[TriplePattern], said: Collection[Variable]) -> list[TriplePattern]:
    """Return the triple patterns that no chain of common variables connects with those in `said`."""
    near: dict[Variable, set[Variable]] = {}
    for triple in triples:
        ends = _ends(triple)
        for end in ends:
            near.setdefault(end, set()).update(ends)
    reached = set(said)
    new = list(said)
    while new:
        found = near.get(new.pop(), set()) - reached
        reached |= found
        new += found
    return [triple for triple in triples if reached.isdisjoint(_ends(triple))]


def _ends(triple: TriplePattern) -> set[Variable]:
    return {part for part in (triple.subject, triple.object) if isinstance(part, Variable)}
