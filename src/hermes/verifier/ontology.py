"""Ontologies: what RDFS, OWL 2 and schema.org's terms say of predicates and classes.

Of OWL what says something of single predicates and classes is read: domains and ranges with unions, the
hierarchies, disjoint classes, inverse and functional properties, and restrictions by allValuesFrom. By the
standards a domain is a rule of inference and no constraint; it is read here as what is to be expected.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Final

from hermes.kg import KG
from hermes.terms import IRI, OWL, RDF, RDF_TYPE, RDFS, XSD, Literal, Term
from hermes.verifier.expectations import NOTHING_EXPECTED, Expectation, Expectations, Place
from hermes.verifier.schema import Kind
from hermes.verifier.statements import Statements, read

_SCHEMA: Final = ("http://schema.org/", "https://schema.org/")
_DOMAIN: Final = RDFS + "domain"
_RANGE: Final = RDFS + "range"
_ABOVE: Final = (RDFS + "subClassOf", RDFS + "subPropertyOf")
_SAME: Final = (OWL + "equivalentClass", OWL + "equivalentProperty")
_OF_OWL: Final = (
    "inverseOf", "disjointWith", "disjointUnionOf", "members", "unionOf",
    "onProperty", "allValuesFrom", "deprecated",
)  # fmt: skip
_TYPES: Final = (
    "FunctionalProperty", "DatatypeProperty", "ObjectProperty", "DeprecatedProperty", "DeprecatedClass",
    "AllDisjointClasses",
)  # fmt: skip
_INCLUDES: Final = tuple(each + name for each in _SCHEMA for name in ("domainIncludes", "rangeIncludes"))
_RESOURCES: Final[frozenset[Kind]] = frozenset({"iri", "blank"})
_LITERALS: Final[frozenset[Kind]] = frozenset({"literal"})
_ANYTHING: Final = frozenset({OWL + "Thing", RDFS + "Resource"})
_DATATYPES: Final = frozenset(
    {RDF + "langString", RDF + "HTML", RDF + "XMLLiteral", OWL + "real", OWL + "rational"}
)
_SCHEMA_DATA: Final = frozenset(
    each + name
    for each in _SCHEMA
    for name in (
        "Text",
        "URL",
        "Number",
        "Integer",
        "Float",
        "Boolean",
        "Date",
        "DateTime",
        "Time",
        "DataType",
    )
)


def ontology(kg: KG) -> Expectations:
    """Return what the ontology in a graph expects; nothing where there is none.

    Raises:
        StoreError: an embedded store could not say its vocabulary.
    """
    predicates = (_DOMAIN, _RANGE, *_ABOVE, *_SAME, *(OWL + name for name in _OF_OWL), *_INCLUDES)
    said = read(kg, predicates, [*(OWL + name for name in _TYPES), RDFS + "Datatype"])
    return NOTHING_EXPECTED if said is None else _Ontology(said).expectations()


class _Ontology:
    """The statements of one ontology."""

    def __init__(self, said: Statements) -> None:
        self._said = said
        self._types: dict[str, set[str]] = defaultdict(set)
        self._datatypes = set(_DATATYPES)
        for subject, type_ in said.pairs(RDF_TYPE):
            if isinstance(subject, IRI) and isinstance(type_, IRI):
                self._types[type_.value].add(subject.value)
        self._datatypes |= self._types[RDFS + "Datatype"]

    def expectations(self) -> Expectations:
        """Return what they expect."""
        of: dict[Place, list[Expectation]] = defaultdict(list)
        found = [*self._ends(), *self._kinds(), *self._included()]
        for each in (*found, *self._turned(found), *self._restrictions()):
            of[each.of].append(each)
        return Expectations(
            {place: tuple(expected) for place, expected in of.items()},
            self._broader(),
            frozenset(self._disjoint()),
            single=frozenset(self._types[OWL + "FunctionalProperty"]),
            deprecated=frozenset(self._deprecated()),
        )

    def _pairs(self, predicate: str) -> Iterator[tuple[str, str]]:
        for subject, object_ in self._said.pairs(predicate):
            if isinstance(subject, IRI) and isinstance(object_, IRI):
                yield subject.value, object_.value

    # --- predicates -----------------------------------------------------------------------------

    def _ends(self) -> Iterator[Expectation]:
        """Yield domains and ranges; several of one predicate all hold (RDF Schema 1.1, section 3)."""
        for predicate, role in ((_DOMAIN, "subject"), (_RANGE, "object")):
            for name, kind in self._said.pairs(predicate):
                if isinstance(name, IRI):
                    place: Place = ("subject" if role == "subject" else "object", name.value)
                    yield from self._typed(place, self._named(kind))

    def _named(self, kind: Term) -> list[str]:
        """Return the classes that a class is the union of; none where it is described in another way."""
        if isinstance(kind, IRI):
            return [kind.value]
        members = self._said.members(self._said.object(kind, OWL + "unionOf"))
        names = [member.value for member in members if isinstance(member, IRI)]
        return names if len(names) == len(members) else []

    def _typed(self, place: Place, names: list[str], given: Place | None = None) -> Iterator[Expectation]:
        """Yield the expectation of terms of any of these classes and datatypes, where it says something."""
        if not names or _ANYTHING.intersection(names) or _SCHEMA_DATA.intersection(names):
            return
        datatypes = {name for name in names if name.startswith(XSD) or name in self._datatypes}
        classes = frozenset(names) - datatypes - {RDFS + "Literal"}
        kinds: frozenset[Kind] = _RESOURCES if classes else frozenset()
        if datatypes or RDFS + "Literal" in names:
            kinds |= _LITERALS
        stated = frozenset() if RDFS + "Literal" in names else frozenset(datatypes)
        yield Expectation("ontology", place, given, classes, kinds, stated)

    def _kinds(self) -> Iterator[Expectation]:
        for type_, kinds in (("ObjectProperty", _RESOURCES), ("DatatypeProperty", _LITERALS)):
            for name in sorted(self._types[OWL + type_]):
                yield Expectation("ontology", ("object", name), kinds=kinds)

    def _included(self) -> Iterator[Expectation]:
        """Yield schema.org's domains and ranges: one of them holds."""
        for predicate in _INCLUDES:
            together: dict[str, list[str]] = defaultdict(list)
            for name, kind in self._pairs(predicate):
                together[name].append(kind)
            for name, kinds in together.items():
                place: Place = ("subject" if predicate.endswith("domainIncludes") else "object", name)
                yield from self._typed(place, kinds)

    def _turned(self, found: list[Expectation]) -> Iterator[Expectation]:
        """Yield what inverse properties expect of each other's ends."""
        inverse: dict[str, set[str]] = defaultdict(set)
        for one, other in self._pairs(OWL + "inverseOf"):
            inverse[one].add(other)
            inverse[other].add(one)
        for each in found:
            role, name = each.of
            for other in sorted(inverse[name]):
                if role == "subject" or each.kinds <= _RESOURCES:
                    yield replace(each, of=("object" if role == "subject" else "subject", other))

    def _restrictions(self) -> Iterator[Expectation]:
        """Yield what classes below a restriction by allValuesFrom expect (OWL 2, section 8.2.2)."""
        for class_, above in self._said.pairs(RDFS + "subClassOf"):
            name, only = (self._said.object(above, OWL + each) for each in ("onProperty", "allValuesFrom"))
            if isinstance(class_, IRI) and isinstance(name, IRI) and only is not None:
                yield from self._typed(("object", name.value), self._named(only), ("class", class_.value))

    # --- hierarchies ------------------------------------------------------------------------------

    def _broader(self) -> dict[str, frozenset[str]]:
        found: dict[str, set[str]] = defaultdict(set)
        for predicate in (*_ABOVE, *_SAME):
            for one, other in self._pairs(predicate):
                found[one].add(other)
                if predicate in _SAME:
                    found[other].add(one)
        for union, members in self._unions():
            for member in members:
                found[member].add(union)
        return {name: frozenset(above) - _ANYTHING for name, above in found.items()}

    def _unions(self) -> Iterator[tuple[str, list[str]]]:
        """Yield classes with those that they are the union of (OWL 2, sections 8.1.2 and 9.1.4)."""
        for part in ("unionOf", "disjointUnionOf"):
            for union, head in self._said.pairs(OWL + part):
                if isinstance(union, IRI):
                    yield union.value, self._iris(head)
        for union, same in self._said.pairs(OWL + "equivalentClass"):
            if isinstance(union, IRI) and not isinstance(same, IRI):
                yield union.value, self._iris(self._said.object(same, OWL + "unionOf"))

    def _iris(self, head: Term | None) -> list[str]:
        return [each.value for each in self._said.members(head) if isinstance(each, IRI)]

    def _disjoint(self) -> Iterator[frozenset[str]]:
        for pair in self._pairs(OWL + "disjointWith"):
            yield frozenset(pair)
        groups = [head for _, head in self._said.pairs(OWL + "disjointUnionOf")]
        for group, head in self._said.pairs(OWL + "members"):
            if IRI(OWL + "AllDisjointClasses") in self._said.objects(group, RDF_TYPE):
                groups.append(head)
        for head in groups:
            for pair in combinations(self._iris(head), 2):
                yield frozenset(pair)

    def _deprecated(self) -> Iterator[str]:
        for name, value in self._said.pairs(OWL + "deprecated"):
            if isinstance(name, IRI) and isinstance(value, Literal) and value.lexical in ("true", "1"):
                yield name.value
        yield from self._types[OWL + "DeprecatedProperty"] | self._types[OWL + "DeprecatedClass"]
