"""The schema: what is known of a graph, and how surely.

Its heart are **signatures**: two terms have the same signature when they are of the same kind (or datatype,
or language) and stand in the same columns, a column being a predicate with a position, or a class, in one of
the graphs of a dataset. What is said of a signature is said of each of its terms, so a question about all
terms is one about few signatures; and as signatures are of the whole dataset, so is a question about terms
that stand in two graphs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from hermes.verifier.expectations import NOTHING_EXPECTED, Expectations
from hermes.verifier.fragments import Fragments
from hermes.verifier.occurrences import Occurrences

if TYPE_CHECKING:
    from hermes.kg import KG

Kind = Literal["iri", "blank", "literal", "triple"]


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of one graph that terms stand in.

    Args:
        classes: the classes of the terms, as absolute IRIs.
        subject_of: the predicates that they are subjects of.
        object_of: the predicates that they are objects of.
        predicate: whether they are predicates.
    """

    classes: tuple[str, ...] = ()
    subject_of: tuple[str, ...] = ()
    object_of: tuple[str, ...] = ()
    predicate: bool = False


NO_COLUMNS: Final = Columns()


@dataclass(frozen=True, slots=True)
class Signature:
    """The terms of one kind that stand in the same columns.

    Args:
        kind: `iri`, `blank`, `literal` or `triple`.
        tag: of literals, the datatype, or `@` and the language tag; of others, the kind.
        classes: the classes of its terms in the default graph, as absolute IRIs.
        subject_of: the predicates that its terms are subjects of there.
        object_of: the predicates that its terms are objects of there.
        predicate: whether its terms are predicates there.
        count: how many terms.
        low: the least number or date among them, as a place on its scale; None where they have none.
        high: the greatest.
        exact: whether each term stands in all these columns; else each stands in some of them.
        named: the same in the named graphs where its terms stand in any column, by their names.
        graph: where its one term is the name of a graph, that name.
    """

    kind: Kind
    tag: str
    classes: tuple[str, ...] = ()
    subject_of: tuple[str, ...] = ()
    object_of: tuple[str, ...] = ()
    predicate: bool = False
    count: int = 0
    low: float | None = None
    high: float | None = None
    exact: bool = True
    named: Mapping[str, Columns] = field(default_factory=dict)
    graph: str | None = None

    def columns(self, graph: str | None = None) -> Columns:
        """Return the columns in a named graph; None is the default graph."""
        if graph is not None:
            return self.named.get(graph, NO_COLUMNS)
        return Columns(self.classes, self.subject_of, self.object_of, self.predicate)

    @property
    def classes_anywhere(self) -> tuple[str, ...]:
        """The classes of its terms in any graph, sorted."""
        if not self.named:
            return self.classes
        return tuple(
            sorted({*self.classes, *(name for each in self.named.values() for name in each.classes)})
        )


@dataclass(frozen=True, slots=True)
class Predicate:
    """What is known of a predicate.

    Args:
        triples: how many triples it has.
        subjects: how many different subjects.
        objects: how many different objects.
        links: the pairs (signature of the subject, signature of the object) of its triples, as places in
            `Schema.signatures`; none where it is not known which go together.
    """

    triples: int
    subjects: int = 0
    objects: int = 0
    links: frozenset[tuple[int, int]] = frozenset()

    @property
    def functional(self) -> bool:
        """Whether no subject has two objects."""
        return self.subjects == self.triples

    @property
    def inverse_functional(self) -> bool:
        """Whether no object has two subjects."""
        return self.objects == self.triples


@dataclass(frozen=True, slots=True)
class Contents:
    """The triples of one graph.

    Args:
        triples: how many there are.
        predicates: by absolute IRI.
        classes: the classes with their direct instances, by absolute IRI.
    """

    triples: int = 0
    predicates: Mapping[str, Predicate] = field(default_factory=dict)
    classes: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Schema:
    """What is known of a dataset: of its default graph, and of its named graphs where there are not too many.

    Args:
        fingerprint: of the store that it was mined from.
        dataset: what the default graph is: `default`, `union` or an IRI.
        complete: whether it was mined from all triples, uncut; if not, the kernel only warns. Signatures are
            then what a sample shows.
        triples: how many the default graph has.
        predicates: of the default graph, by absolute IRI.
        classes: the classes of the default graph with their direct instances, by absolute IRI.
        signatures: see above, the most frequent first.
        occurrences: the terms of all these graphs by tag (see `Signature.tag`), each with its signature.
        graphs: the named graphs by absolute IRI, or by `_:` and a label that means nothing elsewhere.
        graphs_unknown: why the named graphs are not known; empty where they are.
        fragments: the pieces of three characters that their terms have.
        unseen: the predicates and classes of which no sample could be had.
        expected: what ontologies and shapes expect, which is only ever warned of.
    """

    fingerprint: str
    dataset: str
    complete: bool
    triples: int = 0
    predicates: Mapping[str, Predicate] = field(default_factory=dict)
    classes: Mapping[str, int] = field(default_factory=dict)
    signatures: tuple[Signature, ...] = ()
    occurrences: Mapping[str, Occurrences] = field(default_factory=dict)
    graphs: Mapping[str, Contents] = field(default_factory=dict)
    graphs_unknown: str = ""
    fragments: Fragments = field(default_factory=Fragments)
    unseen: frozenset[str] = frozenset()
    expected: Expectations = NOTHING_EXPECTED

    @classmethod
    def mine(
        cls, kg: KG, *, ontology: Sequence[str | Path] = (), shapes: Sequence[str | Path] = ()
    ) -> Schema:
        """Return what the graph itself says.

        An embedded store is read whole, once, a predicate or several small ones at a time (1.2 million
        triples take some seconds). An endpoint is sampled, and a graph of more than `MOST_TRIPLES` too: then
        the schema is not complete (see `sample`). Named graphs are read with it, where there are at most
        `MOST_GRAPHS` with at most `MOST_TRIPLES` together.

        What was mined or sampled is remembered as long as the KG, and shared by those that loaded the same;
        of a graph of more than 100,000 triples it is also kept in a file, beside the store directory, or in
        the cache directory (docs/kernel.md).

        Args:
            kg: the graph.
            ontology: files with an ontology (RDFS, OWL, or schema.org's terms), beside that in the graph.
            shapes: files with SHACL shapes, beside those in the graph.

        Raises:
            StoreError: the embedded store could not answer, or a file cannot be read.
        """
        from hermes.verifier.remembered import remembered  # noqa: PLC0415 - what mines makes schemas
        from hermes.verifier.sources import expected_beside  # noqa: PLC0415 - it reads with what does too

        known = remembered(kg)
        if not ontology and not shapes:
            return known
        return replace(known, expected=known.expected | expected_beside(ontology, shapes))

    def contents(self, graph: str | None = None) -> Contents:
        """Return the triples of a named graph, or of the default graph; none where there is no such graph."""
        if graph is not None:
            return self.graphs.get(graph, NOTHING)
        return Contents(self.triples, self.predicates, self.classes)

    @classmethod
    def sample(cls, kg: KG) -> Schema:
        """Return what some bounded queries show of a graph, within 20 seconds.

        Small predicates and classes are read whole, of large ones the first 1,000 triples. It is what `mine`
        gives of an endpoint, and of a graph that is too large to be read.

        Raises:
            StoreError: an embedded store could not say its vocabulary.
        """
        from hermes.verifier.extrapolation import schema_of  # noqa: PLC0415 - it makes schemas
        from hermes.verifier.sampling import sample  # noqa: PLC0415 - the same

        return schema_of(kg, sample(kg))


NOTHING: Final = Contents()
"""What a graph has that does not exist."""
MOST_TRIPLES: Final = 5_000_000
"""A graph with more is not mined, and neither are named graphs that have more together."""
MOST_GRAPHS: Final = 200
"""Of more named graphs, none is mined."""
