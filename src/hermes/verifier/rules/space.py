"""The space of values: which terms a variable can have, as one whole number.

Each signature of a schema is one bit. Beside these there is a bit for "no value", and one for each family of
terms that the graph does not have ("fresh": what BIND computes, what VALUES brings in). A set of bits says
what a variable can be; a rule may make it smaller only where it proves that the rest is impossible.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final, Literal

from hermes.terms import IRI, RDF_LANG_STRING, XSD_STRING, BlankNode, Term, TripleTerm
from hermes.terms import Literal as LiteralTerm
from hermes.verifier.literals import BOOLEAN, NUMERIC, TEMPORAL, family, key_of, tag_of
from hermes.verifier.rules.graph_space import GraphSpace, Values, include
from hermes.verifier.rules.scales import Scales
from hermes.verifier.schema import Schema, Signature

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
    """The signatures of a schema as bits, and what families and graphs are in them.

    Attributes:
        schema: where they come from.
        terms: all signatures: the terms of the dataset.
        anything: every term, of the dataset or not.
        families: all terms of a family, of the dataset or not.
        literals: all literals.
        tags: the signatures of a tag.
        default: the columns of the default graph.
        scales: the numbers and dates, by order.
    """

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.families: dict[Family, Values] = dict(FRESH)
        self.tags: dict[str, Values] = {}
        self._bits = [1 << (_FIRST + place) for place in range(len(schema.signatures))]
        self.default = GraphSpace(None)
        for bit, signature in zip(self._bits, schema.signatures, strict=True):
            include(self.families, family_of(signature.tag), bit)
            include(self.tags, signature.tag, bit)
            self.default.add(signature, bit, exact=signature.exact)
        self.default.link(schema.predicates, self._bits)
        self.terms = (1 << (_FIRST + len(self._bits))) - (1 << _FIRST)
        self.anything = self.terms | ALL_FRESH
        self.literals = sum(
            self.families[name] for name in ("string", "tagged", "number", "boolean", "moment", "other")
        )
        self.scales = Scales(zip(schema.signatures, self._bits, strict=True))

    # --- graphs ---------------------------------------------------------------------------------

    # What only some plans ask for is made when one does: there may be hundreds of graphs.

    @cached_property
    def named(self) -> dict[str, GraphSpace]:
        """The columns of the named graphs, by name."""
        found = {name: GraphSpace(name) for name in self.schema.graphs}
        for bit, signature in zip(self._bits, self.schema.signatures, strict=True):
            for name, columns in signature.named.items():
                found[name].add(columns, bit, exact=signature.exact)
        for name, graph in found.items():
            graph.link(self.schema.graphs[name].predicates, self._bits)
        return found

    @cached_property
    def names(self) -> dict[str, Values]:
        """The names of the named graphs, each as the signature that it alone has."""
        pairs = zip(self._bits, self.schema.signatures, strict=True)
        return {signature.graph: bit for bit, signature in pairs if signature.graph is not None}

    @cached_property
    def everywhere(self) -> GraphSpace:
        """The columns of all graphs together."""
        return GraphSpace.merged((self.default, *self.named.values())) if self.named else self.default

    @cached_property
    def somewhere(self) -> GraphSpace:
        """The columns of the named graphs, where it is not known in which of them."""
        return GraphSpace.any_of(tuple(self.named.values()))

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

    def containing(self, text: str, *, folded: bool) -> Values:
        """Return what may contain a text: all but the texts of the graph that are known not to."""
        known = self.schema.fragments
        without = known.read & ~known.containing(text, folded=folded)
        return self.anything & ~(without << _FIRST)

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


def _union(parts: Iterable[Values]) -> Values:
    found = 0
    for part in parts:
        found |= part
    return found
