"""Warnings of what an ontology or shapes do not expect: never a refusal, as a graph may do otherwise.

A domain that no class contradicts is no fault. It is warned of where a query itself states a class that is
neither one of the expected ones nor above or below one, of a value that is not allowed, and of a term that
would have to be an IRI and a literal. Where the graph is seen to do otherwise, nothing is said.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from hermes.algebra.operators.values import Values
from hermes.algebra.plan import Plan
from hermes.printable import clip, printable
from hermes.sparql.expressions import Expression, Membership, Operation
from hermes.sparql.patterns import End, Group, TriplePattern
from hermes.sparql.tree import walk
from hermes.terms import IRI, RDF_LANG_STRING, RDF_TYPE, Literal, Names, Term, Variable, term_text
from hermes.verifier.allowed import fault_of
from hermes.verifier.expectations import Expectation, Place
from hermes.verifier.schema import Schema
from hermes.verifier.verdict import Warned

_WIDTH: Final = 120
_NAMED: Final = 3
_TYPE: Final = IRI(RDF_TYPE)


def unexpected(plan: Plan, schema: Schema, names: Names) -> tuple[Warned, ...]:
    """Return what is not expected of a plan, by the expectations of the schema.

    A schema that is complete proves what they can only suppose: then only names that are not to be used any
    more are warned of.
    """
    if not schema.expected:
        return ()
    found = list(_deprecated(plan, schema, names))
    if not schema.complete:
        found += _Scope(schema, names, plan.where).warnings()
    return tuple(dict.fromkeys(found))


def _deprecated(plan: Plan, schema: Schema, names: Names) -> Iterator[Warned]:
    for pattern in walk(plan.where):
        if not isinstance(pattern, TriplePattern):
            continue
        used = [*walk(pattern.predicate), *([pattern.object] if pattern.predicate == _TYPE else [])]
        for part in used:
            if isinstance(part, IRI) and part.value in schema.expected.deprecated:
                said = f"{_short(names(part.value))} is deprecated by the ontology"
                yield Warned("deprecated-name", said, _short(pattern.text(names)))


def _short(text: str) -> str:
    return clip(printable(text), _WIDTH)


class _Scope:
    """A group with the triple patterns around it: where each term stands, and what variables are equal to."""

    def __init__(self, schema: Schema, names: Names, group: Group, around: _Scope | None = None) -> None:
        self._schema = schema
        self._expected = schema.expected
        self._names = names
        self._group = group
        self.places: dict[End, dict[Place, None]] = defaultdict(dict)
        self.values: dict[Variable, tuple[Term, ...]] = {}
        if around is not None:
            self.places |= {end: dict(places) for end, places in around.places.items()}
            self.values |= around.values
        self._own = [
            each
            for each in group.elements
            if isinstance(each, TriplePattern) and isinstance(each.predicate, IRI)
        ]
        for pattern in self._own:
            for end, place in _stands(pattern):
                self.places[end][place] = None
        self.values |= _equal(group)

    def warnings(self) -> Iterator[Warned]:
        """Yield the warnings of the group and of those inside it."""
        for pattern in self._own:
            if pattern.predicate == _TYPE:
                yield from self._disjoint(pattern)
            else:
                yield from self._ends(pattern)
                yield from self._closed(pattern)
        yield from self._single()
        for item in (*self._group.elements, *self._group.filters):
            for part in walk(item, (Group, Plan)):
                if isinstance(part, Group):
                    yield from _Scope(self._schema, self._names, part, self).warnings()
                elif isinstance(part, Plan):
                    yield from _Scope(self._schema, self._names, part.where).warnings()

    # --- one end of a triple ----------------------------------------------------------------------

    def _ends(self, pattern: TriplePattern) -> Iterator[Warned]:
        (near, near_place), (far, far_place) = _stands(pattern)
        for end, place, other in ((near, near_place, far), (far, far_place, near)):
            for each in self._expected.at(place):
                meant = each.given is None or self._stands(other, each.given)
                if meant and (fault := self._fault(each, end, place)):
                    yield self._warned(pattern, end, place, each, fault)
                    break

    def _warned(
        self, pattern: TriplePattern, end: End, place: Place, each: Expectation, fault: str
    ) -> Warned:
        said = f"{self._said(place)} {self._what(each)} ({each.source}), not {fault}"
        said += self._instead(pattern, place, end)
        at = _short(pattern.text(self._names))
        if place[0] == "subject":
            return Warned("unexpected-subject", said, at)
        return Warned("unexpected-object", said, at)

    def _stands(self, end: End, given: Place) -> bool:
        """Whether a term is said to stand in a place, or in one below it."""
        role, name = given
        return any(
            there == role and name in self._expected.above(each) for there, each in self.places.get(end, ())
        )

    def _fault(self, each: Expectation, end: End, place: Place) -> str:
        """Say what stands there against an expectation; nothing where it is met, or may be."""
        values = self.values.get(end, ()) if isinstance(end, Variable) else (end,)
        faults = [fault_of(each, value, self._names) for value in values if isinstance(value, IRI | Literal)]
        if faults and all(faults):
            return _short(faults[0])
        stated = [name for role, name in self.places.get(end, ()) if role == "class"]
        for name in stated if each.classes else ():
            if self._known(name) and not self._fits(name, each) and not self._shown(name, place):
                return _short(self._names(name))
        resource = any(role in ("class", "subject") for role, _ in self.places.get(end, ()))
        if isinstance(end, Variable) and resource and each.kinds == {"literal"}:
            other = next(there for there in self.places[end] if there[0] in ("class", "subject"))
            return self._said_of(other)
        return ""

    def _known(self, class_: str) -> bool:
        """Whether the sources know a class, so that they would say what it has to do with another."""
        return class_ in self._expected.known_classes

    def _fits(self, class_: str, each: Expectation) -> bool:
        return any(self._expected.may_share(class_, wanted) for wanted in each.classes)

    def _shown(self, class_: str, place: Place) -> bool:
        """Whether the graph shows instances of a class in a place."""
        role, name = place
        for signature in self._schema.signatures:
            columns = signature.subject_of if role == "subject" else signature.object_of
            if signature.count and name in columns and class_ in signature.classes:
                return True
        return False

    # --- classes and numbers ----------------------------------------------------------------------

    def _disjoint(self, pattern: TriplePattern) -> Iterator[Warned]:
        if not isinstance(pattern.object, IRI):
            return
        mine = pattern.object.value
        for role, name in self.places.get(pattern.subject, ()):
            if role == "class" and name < mine and self._expected.are_disjoint(name, mine):
                both = " and ".join(_short(self._names(each)) for each in (name, mine))
                said = f"nothing is expected to be both {both} (ontology)"
                yield Warned("disjoint-classes", said, _short(pattern.text(self._names)))

    def _closed(self, pattern: TriplePattern) -> Iterator[Warned]:
        if not isinstance(pattern.predicate, IRI):
            return
        for role, name in self.places.get(pattern.subject, ()):
            allowed = self._expected.closed.get(name) if role == "class" else None
            if allowed is not None and pattern.predicate.value not in allowed:
                if self._shown(name, ("subject", pattern.predicate.value)):
                    continue
                predicate, class_ = (_short(self._names(each)) for each in (pattern.predicate.value, name))
                has = self._some("it has", sorted(allowed - {RDF_TYPE}))
                said = f"{class_} has no {predicate} (shapes){has}"
                yield Warned("not-by-shape", said, _short(pattern.text(self._names)))

    def _single(self) -> Iterator[Warned]:
        """Warn of two constants as values of a predicate that has one at most."""
        seen: dict[tuple[End, str], End] = {}
        for pattern in self._own:
            if not isinstance(pattern.predicate, IRI) or isinstance(pattern.object, Variable):
                continue
            name = pattern.predicate.value
            before = seen.setdefault((pattern.subject, name), pattern.object)
            if before != pattern.object and name in self._expected.single:
                both = " and ".join(term_text(each, self._names) for each in (before, pattern.object))
                said = f"{_short(self._names(name))} is expected to have one value, not both {_short(both)}"
                yield Warned("more-than-one-value", said, _short(pattern.text(self._names)))

    # --- words ------------------------------------------------------------------------------------

    def _said(self, place: Place) -> str:
        role, name = place
        return f"{role}s of {_short(self._names(name))} are"

    def _said_of(self, place: Place) -> str:
        role, name = place
        what = "an instance of" if role == "class" else f"a {role} of"
        return f"{what} {_short(self._names(name))}"

    def _what(self, each: Expectation) -> str:
        """Say what is expected, such as `ex:Games` or `from 0 to 10`."""
        if each.values:
            shown = sorted(term_text(value, self._names) for value in each.values)
        else:
            tagged = {RDF_LANG_STRING} if each.languages else set()
            shown = sorted(map(self._names, each.classes | each.datatypes - tagged))
            shown += [f"text @{tag}" for tag in sorted(each.languages)]
        found = " or ".join(map(_short, shown[:_NAMED])) + (" or others" if len(shown) > _NAMED else "")
        limits = (("from", each.low), ("to", each.high))
        span = (f"{word} {term_text(limit, self._names)}" for word, limit in limits if limit is not None)
        found = " ".join((found, *map(_short, span))).strip()
        return found or " or ".join(_KINDS[kind] for kind in sorted(each.kinds))

    def _instead(self, pattern: TriplePattern, place: Place, end: End) -> str:
        """Say what would be right: the pattern turned round, or what the class has."""
        role, name = place
        stated = [each for there, each in self.places.get(end, ()) if there == "class"]
        across: Place = ("object" if role == "subject" else "subject", name)
        wanted = [each for each in self._expected.at(across) if each.classes and each.given is None]
        if stated and wanted and all(self._fits(stated[0], each) for each in wanted):
            turned = TriplePattern(pattern.object, pattern.predicate, pattern.subject)
            return f"; turned round it fits: {_short(turned.text(self._names))}"
        if role == "subject" and stated:
            own = (
                each
                for (there, each), found in self._expected.of.items()
                if there == "subject" and any(self._exactly(stated[0], one) for one in found)
            )
            return self._some(f"{_short(self._names(stated[0]))} has", sorted(own))
        return ""

    def _exactly(self, class_: str, each: Expectation) -> bool:
        return bool(each.classes & self._expected.above(class_))

    def _some(self, says: str, iris: Sequence[str]) -> str:
        shown = ", ".join(_short(self._names(each)) for each in iris[:_NAMED])
        return f"; {says} {shown}{', ...' if len(iris) > _NAMED else ''}" if iris else ""


_KINDS: Final = {"iri": "IRIs", "blank": "blank nodes", "literal": "literals", "triple": "triples"}


def _stands(pattern: TriplePattern) -> tuple[tuple[End, Place], tuple[End, Place]]:
    """Return where the ends of a pattern stand; the subject of `a` with a class is an instance of it."""
    name = pattern.predicate.value if isinstance(pattern.predicate, IRI) else ""
    near: Place = ("subject", name)
    if name == RDF_TYPE and isinstance(pattern.object, IRI):
        near = ("class", pattern.object.value)
    return (pattern.subject, near), (pattern.object, ("object", name))


def _equal(group: Group) -> dict[Variable, tuple[Term, ...]]:
    """Return the constants that variables are equal to one of, by filters and tables of one column."""
    found: dict[Variable, tuple[Term, ...]] = {}
    for condition in group.filters:
        variable, choices = _choices(condition)
        constants = tuple(each for each in choices if isinstance(each, IRI | Literal))
        if variable is not None and constants and len(constants) == len(choices):
            found[variable] = constants
    for element in group.elements:
        if isinstance(element, Values) and len(element.vars) == 1:
            cells = tuple(row[0] for row in element.rows if row[0] is not None)
            if cells and len(cells) == len(element.rows):
                found[element.vars[0]] = cells
    return found


def _choices(condition: Expression) -> tuple[Variable | None, tuple[Expression, ...]]:
    match condition:
        case Operation(("=",), (Variable() as name, value)) | Operation(("=",), (value, Variable() as name)):
            return name, (value,)
        case Membership(Variable() as name, choices, False):
            return name, choices
    return None, ()
