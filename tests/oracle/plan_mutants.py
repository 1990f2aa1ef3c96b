"""Wrong edits of a plan, one at a time, each with what it stood for.

They are made on the algebra, deterministically, by the kinds of mistake that people and models make: a name
that is misspelt or not the right one, an edge the wrong way round, a value of the wrong kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final, TypeVar

from hermes.algebra import Plan
from hermes.namespaces import split
from hermes.sparql.expressions import Call, Expression, Membership, Operation
from hermes.sparql.patterns import Element, Group, TriplePattern
from hermes.sparql.tree import Node, rewrite, walk
from hermes.terms import IRI, RDF_LANG_STRING, RDF_TYPE, XSD, XSD_STRING, Literal, Variable

T = TypeVar("T")

MOST: Final = 2
"""At most so many mutants of one kind are made from one plan."""

_NUMBERS: Final = frozenset(XSD + name for name in ("integer", "decimal", "double", "float"))
_OTHER_TYPE: Final = {
    XSD + "integer": XSD + "gYear",
    XSD + "date": XSD + "dateTime",
    XSD + "dateTime": XSD + "date",
    XSD + "gYear": XSD + "integer",
}
_COMPARISONS: Final = frozenset({"=", "!=", "<", ">", "<=", ">="})


@dataclass(frozen=True, slots=True)
class Names:
    """What the graph of a plan uses, in a fixed order; edits take their wrong names from here."""

    predicates: tuple[str, ...]
    classes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A plan with one wrong edit. `wrong` stands in the plan where `right` stood in the original."""

    kind: str
    original: Plan
    plan: Plan
    wrong: Element | Expression
    right: Element | Expression


@dataclass(frozen=True, slots=True)
class _Site:
    """A node of the plan that can be edited, and one wrong node in its place."""

    node: Node
    wrong: Node


Edit = Callable[[Plan, Names, Random], Iterator[_Site]]


def mutants(plan: Plan, names: Names, seed: str = "") -> Iterator[Mutant]:
    """Yield the mutants of a plan: at most two of each kind, the same ones each time."""
    key = plan.key
    for kind, edit in KINDS.items():
        dice = Random(f"{kind} {seed} {key}")  # noqa: S311 - the same mutants each time
        sites = list(edit(plan, names, dice))
        for site in dice.sample(sites, min(MOST, len(sites))):
            if site.wrong != site.node:
                yield _mutant(kind, plan, site)


def mutant(plan: Plan, names: Names, dice: Random) -> Mutant | None:
    """Return a mutant of any kind; None where no edit was found that can be made."""
    for kind in dice.sample(list(KINDS), len(KINDS)):
        sites = [site for site in KINDS[kind](plan, names, dice) if site.wrong != site.node]
        if sites:
            return _mutant(kind, plan, dice.choice(sites))
    return None


def _mutant(kind: str, plan: Plan, site: _Site) -> Mutant:
    where = _put(plan.where, site.node, site.wrong)
    right = _clause(plan.where, site.node)
    wrong = _put(right, site.node, site.wrong)
    return Mutant(kind, plan, plan.evolve(where=where), wrong, right)


def _put(tree: T, node: object, other: object) -> T:
    """Return `tree` with `other` in the place of `node`."""
    return rewrite(tree, lambda part: other if part is node else None)


def _clause(group: Group, node: Node) -> Element | Expression:
    """Return the innermost element or filter that holds `node`."""
    held: Element | Expression | None = None
    for part in walk(group):
        if isinstance(part, Group):
            for clause in (*part.elements, *part.filters):
                if any(inner is node for inner in walk(clause)):
                    held = clause
    if held is None:
        raise LookupError("the node is not in the group")
    return held


# --- where edits can be made ------------------------------------------------------------------


def _triples(plan: Plan) -> Iterator[TriplePattern]:
    return (part for part in walk(plan.where) if isinstance(part, TriplePattern))


def _is_type(triple: TriplePattern) -> bool:
    return isinstance(triple.predicate, IRI) and triple.predicate.value == RDF_TYPE


def _with_predicate(plan: Plan, change: Callable[[str], str]) -> Iterator[_Site]:
    """Yield an edit of one name of each predicate, also inside a path."""
    for triple in _triples(plan):
        for name in walk(triple.predicate):
            if isinstance(name, IRI) and name.value != RDF_TYPE:
                path = _put(triple.predicate, name, IRI(change(name.value)))
                yield _Site(triple, replace(triple, predicate=path))


def _with_class(plan: Plan, change: Callable[[str], str]) -> Iterator[_Site]:
    for triple in _triples(plan):
        if _is_type(triple) and isinstance(triple.object, IRI):
            yield _Site(triple, replace(triple, object=IRI(change(triple.object.value))))


def _with_entity(plan: Plan, change: Callable[[str], str]) -> Iterator[_Site]:
    for triple in _triples(plan):
        if isinstance(triple.subject, IRI):
            yield _Site(triple, replace(triple, subject=IRI(change(triple.subject.value))))
        if isinstance(triple.object, IRI) and not _is_type(triple):
            yield _Site(triple, replace(triple, object=IRI(change(triple.object.value))))


def _with_literal(
    plan: Plan, change: Callable[[Literal], IRI | Literal], *, calls: bool = False
) -> Iterator[_Site]:
    """Yield an edit of each literal that is an object or is compared; in function `calls` too if asked."""
    for part in walk(plan.where):
        if isinstance(part, TriplePattern) and isinstance(part.object, Literal):
            yield _Site(part, replace(part, object=change(part.object)))
        elif isinstance(part, Operation) and part.operators[0] in _COMPARISONS:
            yield from (
                _Site(part, replace(part, operands=operands))
                for operands in _each(part.operands, change)
                if any(isinstance(operand, Variable) for operand in part.operands)
            )
        elif isinstance(part, Membership):
            yield from (_Site(part, replace(part, choices=each)) for each in _each(part.choices, change))
        elif calls and isinstance(part, Call) and part.function in {"CONTAINS", "STRSTARTS", "STRENDS"}:
            yield from (_Site(part, replace(part, arguments=each)) for each in _each(part.arguments, change))


def _each(
    parts: tuple[Expression, ...], change: Callable[[Literal], IRI | Literal]
) -> Iterator[tuple[Expression, ...]]:
    for place, part in enumerate(parts):
        if isinstance(part, Literal):
            changed = change(part)
            if changed != part:
                yield (*parts[:place], changed, *parts[place + 1 :])


# --- the edits --------------------------------------------------------------------------------


def _other(known: Sequence[str], dice: Random) -> Callable[[str], str]:
    def change(name: str) -> str:
        others = [each for each in known if each not in {name, RDF_TYPE}]
        return dice.choice(others) if others else name

    return change


def _typo(names: Names, dice: Random) -> Callable[[str], str]:
    """Return what drops, doubles or exchanges letters of a local name until it is no known name."""
    known = {*names.predicates, *names.classes}

    def change(iri: str) -> str:
        namespace, local = split(iri)
        for _ in range(20):
            at = dice.randrange(max(1, len(local) - 1))
            made = dice.choice(
                (
                    local[:at] + local[at + 1 :],
                    local[: at + 1] + local[at:],
                    local[:at] + local[at + 1 : at + 2] + local[at : at + 1] + local[at + 2 :],
                )
            )
            if made not in {"", local} and namespace + made not in known:
                return namespace + made
        return f"{iri}e"

    return change


def _unknown(dice: Random) -> Callable[[str], str]:
    """Return what writes an entity as someone does who knows its name but not its IRI.

    The words of the local name are spelt in another way, or one of them is missing, or there is one more.
    """

    def change(iri: str) -> str:
        namespace, local = split(iri)
        words = [word for word in local.replace("%20", "_").replace("-", "_").split("_") if word]
        ways = ["".join(word.capitalize() for word in words), "_".join([*words, "1"]), "The_" + local]
        if len(words) > 1:
            ways += ["_".join(words[1:]), "_".join(words[:-1])]
        others = [way for way in ways if way != local]
        return namespace + dice.choice(others)

    return change


def _as_iri(plan: Plan) -> Callable[[Literal], IRI]:
    namespace = next(
        (
            split(name.value)[0]
            for triple in _triples(plan)
            for name in walk(triple.predicate)
            if isinstance(name, IRI) and name.value != RDF_TYPE
        ),
        "http://example.org/",
    )
    return lambda literal: IRI(
        namespace + ("".join(c if c.isalnum() else "_" for c in literal.lexical) or "_")
    )


def _as_string(literal: Literal) -> Literal:
    return Literal(literal.lexical) if literal.datatype in _NUMBERS else literal


def _case(literal: Literal) -> Literal:
    if literal.datatype != XSD_STRING and literal.language is None:
        return literal
    return replace(literal, lexical=literal.lexical.swapcase())


def _datatype(literal: Literal) -> Literal:
    if literal.language is not None:
        return literal
    return Literal(literal.lexical, _OTHER_TYPE.get(literal.datatype, XSD + "token"))


def _language(literal: Literal) -> Literal:
    if literal.language is not None:
        return Literal(literal.lexical)
    return Literal(literal.lexical, RDF_LANG_STRING, "en") if literal.datatype == XSD_STRING else literal


def _reversed(plan: Plan, _: Names, __: Random) -> Iterator[_Site]:
    for triple in _triples(plan):
        if not _is_type(triple) and not isinstance(triple.object, Literal):
            yield _Site(triple, replace(triple, subject=triple.object, object=triple.subject))


KINDS: Final[dict[str, Edit]] = {
    "predicate swapped": lambda plan, names, dice: _with_predicate(plan, _other(names.predicates, dice)),
    "edge reversed": _reversed,
    "class swapped": lambda plan, names, dice: _with_class(plan, _other(names.classes, dice)),
    "typo in a predicate": lambda plan, names, dice: _with_predicate(plan, _typo(names, dice)),
    "typo in a class": lambda plan, names, dice: _with_class(plan, _typo(names, dice)),
    "typo in an entity": lambda plan, names, dice: _with_entity(plan, _typo(names, dice)),
    "unknown entity": lambda plan, _, dice: _with_entity(plan, _unknown(dice)),
    "IRI for literal": lambda plan, _, __: _with_literal(plan, _as_iri(plan), calls=True),
    "number as string": lambda plan, _, __: _with_literal(plan, _as_string),
    "literal's case": lambda plan, _, __: _with_literal(plan, _case, calls=True),
    "datatype": lambda plan, _, __: _with_literal(plan, _datatype),
    "language": lambda plan, _, __: _with_literal(plan, _language),
}
"""The kinds of mistake, by the names under which they are reported."""

ENTITIES: Final = ("typo in an entity", "unknown entity")
"""The kinds that need an entity in the plan."""
