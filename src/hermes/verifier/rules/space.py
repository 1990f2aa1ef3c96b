"""The space of values: which terms a variable can have, as one whole number.

Each signature of a schema is one bit. Beside these there is a bit for "no value", and one for each family of
terms that the graph does not have ("fresh": what BIND computes, what VALUES brings in). A set of bits says
what a variable can be; a rule may make it smaller only where it proves that the rest is impossible.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal, TypeVar

from hermes.terms import IRI, RDF_LANG_STRING, XSD_STRING, BlankNode, Term, TripleTerm
from hermes.terms import Literal as LiteralTerm
from hermes.verifier.literals import BOOLEAN, NUMERIC, TEMPORAL, family, key_of, tag_of
from hermes.verifier.rules.scales import Scales
from hermes.verifier.schema import Schema, Signature

K = TypeVar("K")

Values = int
"""A set of bits: what a variable or an expression can be."""

Family = Literal["iri", "blank", "triple", "string", "tagged", "number", "boolean", "moment", "other"]

FAMILIES: Final[tuple[Family, ...]] = (
    "iri", "blank", "triple", "string", "tagged", "number", "boolean", "moment", "other",
)  # fmt: skip
UNBOUND: Final = 1
"""No value: of a variable, that it is unbound; of an expression, that it fails."""
FRESH: Final = {name: 2 << place for place, name in enumerate(FAMILIES)}
"""Terms of a family that the graph does not have."""
ALL_FRESH: Final = sum(FRESH.values())
_FIRST: Final = len(FAMILIES) + 1
"""The bit of the first signature."""

_FAMILY: Final[dict[str, Family]] = {
    "iri": "iri",
    "blank": "blank",
    "triple": "triple",
    XSD_STRING: "string",
    BOOLEAN: "boolean",
    **dict.fromkeys(NUMERIC, "number"),
    **dict.fromkeys(TEMPORAL, "moment"),
}


def family_of(tag: str) -> Family:
    """Return the family of terms of a tag (see `Signature.tag`)."""
    found = _FAMILY.get(tag)
    if found is None:
        found = "tagged" if tag.startswith("@") else "other"
    return found


class Space:
    """The signatures of a schema as bits, and what columns, families and links are in them.

    Attributes:
        schema: where they come from.
        terms: all signatures: the terms of the graph.
        anything: every term, of the graph or not.
        families: all terms of a family, of the graph or not.
        literals: all literals.
        tags: the signatures of a tag.
        subjects: of a predicate; `any_subject` of any, and so on.
        objects: of a predicate.
        classes: the instances of a class.
        predicates: the terms that are predicates.
        has_out: the signatures all of whose terms are subjects of a predicate.
        has_in: the same of objects.
        has_class: the same of instances of a class.
        scales: the numbers and dates, by order.
    """

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.families: dict[Family, Values] = dict(FRESH)
        self.tags: dict[str, Values] = {}
        self.subjects: dict[str, Values] = {}
        self.objects: dict[str, Values] = {}
        self.classes: dict[str, Values] = {}
        self.has_out: dict[str, Values] = {}
        self.has_in: dict[str, Values] = {}
        self.has_class: dict[str, Values] = {}
        self.predicates = 0
        for place, signature in enumerate(schema.signatures):
            self._add(signature, 1 << (_FIRST + place))
        self.terms = (1 << (_FIRST + len(schema.signatures))) - (1 << _FIRST)
        self.anything = self.terms | ALL_FRESH
        self.literals = sum(
            self.families[name] for name in ("string", "tagged", "number", "boolean", "moment", "other")
        )
        self.any_subject = _union(self.subjects.values())
        self.any_object = _union(self.objects.values())
        self._ahead, self._back = _links(schema)
        self.scales = Scales(
            (signature, 1 << (_FIRST + place)) for place, signature in enumerate(schema.signatures)
        )

    def _add(self, signature: Signature, bit: Values) -> None:
        _or(self.families, family_of(signature.tag), bit)
        _or(self.tags, signature.tag, bit)
        columns = (
            (signature.subject_of, self.subjects, self.has_out),
            (signature.object_of, self.objects, self.has_in),
            (signature.classes, self.classes, self.has_class),
        )
        for names, some, every in columns:
            for name in names:
                _or(some, name, bit)
                if signature.exact:
                    _or(every, name, bit)
        if signature.predicate:
            self.predicates |= bit

    # --- terms ----------------------------------------------------------------------------------

    def of_term(self, term: Term) -> Values:
        """Return what a constant can be: its signature, where the graph has it; and always a fresh term.

        That it may be fresh keeps a constant from being taken for a term of the graph by its hash.
        """
        match term:
            case IRI(value):
                return self._found("iri", value) | FRESH["iri"]
            case LiteralTerm():
                tag = tag_of(term)
                return self._found(tag, key_of(term)) | FRESH[family_of(tag)]
            case TripleTerm():
                return self.families["triple"]
            case BlankNode():
                return self.families["blank"]

    def _found(self, tag: str, key: str | None) -> Values:
        if key is None:
            return self.tags.get(tag, 0)
        known = self.schema.occurrences.get(tag)
        return 0 if known is None else self.bits(known.signatures_of(key))

    def bits(self, places: Iterable[int]) -> Values:
        """Return the bits of signatures by their places in the schema."""
        return _union(1 << (_FIRST + place) for place in places)

    def of_datatype(self, datatype: str) -> Values:
        """Return the literals of a datatype, of the graph or not."""
        if datatype == RDF_LANG_STRING:
            return self.families["tagged"]
        tag = family(datatype)
        return self.tags.get(tag, 0) | FRESH[family_of(tag)]

    def of_language(self, wanted: str, *, exact: bool) -> Values:
        """Return the literals with a language tag; also with finer ones unless `exact`; `*` is any tag."""
        low = wanted.lower()
        if low == "":
            return self.literals & ~self.families["tagged"]
        found = FRESH["tagged"]
        for tag, bits in self.tags.items():
            if tag.startswith("@") and (
                tag[1:] == low or (not exact and (low == "*" or tag[1:].startswith(low + "-")))
            ):
                found |= bits
        return found

    def signatures(self, values: Values) -> Iterator[Signature]:
        """Yield the signatures whose bits are set."""
        values >>= _FIRST
        place = 0
        while values:
            skip = (values & -values).bit_length() - 1
            place += skip
            yield self.schema.signatures[place]
            values >>= skip + 1
            place += 1

    # --- links ----------------------------------------------------------------------------------

    def ahead(self, predicate: str, subjects: Values) -> Values:
        """Return what the objects of a predicate can be where its subjects are these."""
        return _step(self._ahead, self.subjects, self.objects, predicate, subjects)

    def back(self, predicate: str, objects: Values) -> Values:
        """Return what the subjects of a predicate can be where its objects are these."""
        return _step(self._back, self.objects, self.subjects, predicate, objects)


_Links = Mapping[str, Mapping[Values, Values]]


def _step(
    links: _Links, near: Mapping[str, Values], far: Mapping[str, Values], predicate: str, start: Values
) -> Values:
    all_near = near.get(predicate, 0)
    start &= all_near
    steps = links.get(predicate)
    if start == all_near or (start and not steps):  # no links: which ends go together is not known
        return far.get(predicate, 0)
    reached = 0
    while start and steps:
        bit = start & -start
        reached |= steps[bit]
        start ^= bit
    return reached


def _links(schema: Schema) -> tuple[_Links, _Links]:
    ahead: dict[str, dict[Values, Values]] = {}
    back: dict[str, dict[Values, Values]] = {}
    for name, predicate in schema.predicates.items():
        out, into = ahead.setdefault(name, {}), back.setdefault(name, {})
        for subject, object_ in predicate.links:
            near, far = 1 << (_FIRST + subject), 1 << (_FIRST + object_)
            out[near] = out.get(near, 0) | far
            into[far] = into.get(far, 0) | near
    return ahead, back


def _or(found: dict[K, Values], key: K, bits: Values) -> None:
    found[key] = found.get(key, 0) | bits


def _union(parts: Iterable[Values]) -> Values:
    found = 0
    for part in parts:
        found |= part
    return found
