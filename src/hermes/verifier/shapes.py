"""Shapes: what SHACL Core says of predicates at the instances of classes.

Read are the targets by class, by implicit class and by predicate, and property shapes whose path is an IRI or
the inverse of one; of their constraints those that say what a value may be. What counts or compares values,
and sh:not, sh:qualifiedValueShape and SPARQL constraints, say nothing of a query and are passed over.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from hermes.kg import KG
from hermes.terms import IRI, OWL, RDF, RDF_TYPE, RDFS, Literal, Term
from hermes.verifier.expectations import NOTHING_EXPECTED, Expectation, Expectations, Place
from hermes.verifier.schema import Kind
from hermes.verifier.statements import Statements, read

SH: Final = "http://www.w3.org/ns/shacl#"

_PARTS: Final = (
    "targetClass", "targetSubjectsOf", "targetObjectsOf", "property", "path", "inversePath", "node", "and",
    "or", "class", "datatype", "nodeKind", "maxCount", "in", "hasValue", "languageIn", "minInclusive",
    "minExclusive", "maxInclusive", "maxExclusive", "closed", "ignoredProperties", "deactivated",
)  # fmt: skip
_NODE_KINDS: Final[dict[str, frozenset[Kind]]] = {
    SH + "IRI": frozenset({"iri"}),
    SH + "BlankNode": frozenset({"blank"}),
    SH + "Literal": frozenset({"literal"}),
    SH + "BlankNodeOrIRI": frozenset({"blank", "iri"}),
    SH + "BlankNodeOrLiteral": frozenset({"blank", "literal"}),
    SH + "IRIOrLiteral": frozenset({"iri", "literal"}),
}
_RESOURCES: Final[frozenset[Kind]] = frozenset({"iri", "blank"})
_LITERALS: Final[frozenset[Kind]] = frozenset({"literal"})


def shapes(kg: KG) -> Expectations:
    """Return what the shapes in a graph expect; nothing where there are none.

    Raises:
        StoreError: an embedded store could not say its vocabulary.
    """
    types = (SH + "NodeShape", SH + "PropertyShape", RDFS + "Class", OWL + "Class")
    if not any(name.startswith(SH) for name in kg.vocabulary.predicates):
        return NOTHING_EXPECTED
    said = read(kg, (*(SH + part for part in _PARTS), RDFS + "subClassOf"), types)
    return NOTHING_EXPECTED if said is None else _Shapes(said).expectations()


class _Shapes:
    """The statements of some shapes."""

    def __init__(self, said: Statements) -> None:
        self._said = said

    def expectations(self) -> Expectations:
        """Return what they expect."""
        of: dict[Place, list[Expectation]] = defaultdict(list)
        closed: dict[str, frozenset[str]] = {}
        single = set()
        for shape, target in self._targets():
            for each in self._node(shape, target, set()):
                of[each.of].append(each)
            if target[0] == "class" and self._flag(shape, "closed"):
                allowed = frozenset(self._allowed(shape))
                closed[target[1]] = closed.get(target[1], allowed) & allowed
            if target[0] == "subject":
                single |= self._single(shape, target[1])
        broader: dict[str, set[str]] = defaultdict(set)
        for below, above in self._said.pairs(RDFS + "subClassOf"):
            if isinstance(below, IRI) and isinstance(above, IRI):
                broader[below.value].add(above.value)
        return Expectations(
            {place: tuple(dict.fromkeys(found)) for place, found in of.items()},
            {name: frozenset(above) for name, above in broader.items()},
            closed=closed,
            single=frozenset(single),
        )

    # --- targets (section 2.1.3) ------------------------------------------------------------------

    def _targets(self) -> Iterator[tuple[Term, Place]]:
        """Yield shapes with what they are about."""
        for shape, name in self._said.pairs(SH + "targetClass"):
            if isinstance(name, IRI) and self._active(shape):
                yield shape, ("class", name.value)
        for shape, name in self._said.pairs(SH + "targetSubjectsOf"):
            if isinstance(name, IRI) and self._active(shape):
                yield shape, ("subject", name.value)
        for shape, name in self._said.pairs(SH + "targetObjectsOf"):
            if isinstance(name, IRI) and self._active(shape):
                yield shape, ("object", name.value)
        for shape in self._said.subjects(RDF_TYPE):
            types = {each.value for each in self._said.objects(shape, RDF_TYPE) if isinstance(each, IRI)}
            is_class = types & {RDFS + "Class", OWL + "Class"} and SH + "NodeShape" in types
            if is_class and isinstance(shape, IRI) and self._active(shape):
                yield shape, ("class", shape.value)

    def _active(self, shape: Term) -> bool:
        return not self._flag(shape, "deactivated")

    def _flag(self, shape: Term, part: str) -> bool:
        value = self._said.object(shape, SH + part)
        return isinstance(value, Literal) and value.lexical in ("true", "1")

    def _names(self, shape: Term, part: str) -> frozenset[str]:
        return frozenset(each.value for each in self._said.objects(shape, SH + part) if isinstance(each, IRI))

    # --- shapes -----------------------------------------------------------------------------------

    def _node(self, shape: Term, target: Place, passed: set[Term]) -> Iterator[Expectation]:
        """Yield what a shape expects of its focus nodes and of the values of their predicates.

        `passed` are the shapes that were looked at for this target: shapes may hold each other in a ring.
        """
        if shape in passed or not self._active(shape):
            return
        passed.add(shape)
        own = self._values(shape, target)
        if own is not None and target[0] != "class":
            yield own
        for part in self._said.objects(shape, SH + "property"):
            yield from self._property(part, target)
        for part in (*self._listed(shape, "and"), *self._said.objects(shape, SH + "node")):
            yield from self._node(part, target, passed)
        if self._said.object(shape, SH + "path") is not None:
            yield from self._property(shape, target)

    def _property(self, shape: Term, target: Place) -> Iterator[Expectation]:
        if not self._active(shape):
            return
        path = self._said.object(shape, SH + "path")
        back = None if path is None else self._said.object(path, SH + "inversePath")
        if isinstance(path, IRI):
            place: Place = ("object", path.value)
            itself = target == ("subject", path.value)
        elif isinstance(back, IRI):
            place = ("subject", back.value)
            itself = target == ("object", back.value)
        else:
            return
        found = self._values(shape, place)
        if found is not None:
            yield replace(found, given=None if itself else target)

    def _single(self, shape: Term, name: str) -> set[str]:
        """Return a predicate whose subjects have it at most once, by a shape for all of its subjects."""
        for part in self._said.objects(shape, SH + "property"):
            most = self._said.object(part, SH + "maxCount")
            path = self._said.object(part, SH + "path")
            if path == IRI(name) and isinstance(most, Literal) and most.lexical == "1":
                return {name}
        return set()

    def _allowed(self, shape: Term) -> Iterator[str]:
        """Yield the predicates of a closed shape (section 4.8.1)."""
        yield RDF_TYPE
        for part in self._said.objects(shape, SH + "property"):
            path = self._said.object(part, SH + "path")
            if isinstance(path, IRI):
                yield path.value
        for name in self._listed(shape, "ignoredProperties"):
            if isinstance(name, IRI):
                yield name.value

    # --- values (section 4) -----------------------------------------------------------------------

    def _values(self, shape: Term, place: Place, *, choice: bool = False) -> Expectation | None:
        """Return what a shape expects of single values; None where it says nothing of them.

        The choices of an `or` that is itself a choice are not looked at.
        """
        choices = [] if choice else [self._values(each, place, choice=True) for each in self._choices(shape)]
        kinds = [_NODE_KINDS[name] for name in sorted(self._names(shape, "nodeKind")) if name in _NODE_KINDS]
        languages = [each.lexical for each in self._listed(shape, "languageIn") if isinstance(each, Literal)]
        datatypes = self._names(shape, "datatype") | ({RDF + "langString"} if languages else set())
        found = Expectation(
            "shapes",
            place,
            classes=self._names(shape, "class"),
            kinds=kinds[0] if kinds else frozenset(),
            datatypes=frozenset(datatypes),
            languages=frozenset(languages),
            values=frozenset(self._listed(shape, "in")),
            low=self._limit(shape, "minInclusive", "minExclusive"),
            high=self._limit(shape, "maxInclusive", "maxExclusive"),
        )
        if not found.kinds and (found.classes or found.datatypes):
            found = replace(found, kinds=_RESOURCES if found.classes else _LITERALS)
        if choices and all(each is not None for each in choices) and found == Expectation("shapes", place):
            return _either([each for each in choices if each is not None], place)
        return None if found == Expectation("shapes", place) else found

    def _listed(self, shape: Term, part: str) -> list[Term]:
        heads = self._said.objects(shape, SH + part)
        return [each for head in heads for each in self._said.members(head)]

    def _choices(self, shape: Term) -> list[Term]:
        heads = self._said.objects(shape, SH + "or")
        return self._said.members(heads[0]) if len(heads) == 1 else []

    def _limit(self, shape: Term, *parts: str) -> Literal | None:
        for part in parts:
            value = self._said.object(shape, SH + part)
            if isinstance(value, Literal):
                return value
        return None


def _either(choices: list[Expectation], place: Place) -> Expectation | None:
    """Return what is expected of values that satisfy one of several, each naming classes or datatypes."""
    if not all(each.classes or each.datatypes for each in choices):
        return None
    if any(
        each.values or each.languages or each.low is not None or each.high is not None for each in choices
    ):
        return None
    return Expectation(
        "shapes",
        place,
        classes=frozenset().union(*(each.classes for each in choices)),
        kinds=frozenset().union(*(each.kinds for each in choices)),
        datatypes=frozenset().union(*(each.datatypes for each in choices)),
    )
