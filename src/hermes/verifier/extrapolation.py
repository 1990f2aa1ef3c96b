"""A schema from a sample: what the graph can have, as far as the sample shows.

Where a predicate or a class was read whole, its column is known. Where it was cut, its column can hold every
term that looks like those seen there: of the same kind, datatype or language, with a class in common; also
terms that were never seen. So the rules that prove of a mined schema, surmise of this one.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Final, Literal, NamedTuple

from hermes.kg import KG
from hermes.terms import IRI, OWL, RDF_TYPE, RDFS, BlankNode, Term
from hermes.terms import Literal as LiteralTerm
from hermes.verifier.literals import NUMERIC, TEMPORAL, key_of, place_of, tag_of
from hermes.verifier.occurrences import Occurrences
from hermes.verifier.sampling import Part, Sample
from hermes.verifier.schema import Kind, Predicate, Schema, Signature

_GENERAL: Final = frozenset({OWL + "Thing", OWL + "NamedIndividual", RDFS + "Resource"})
"""Classes that say nothing of what a term is like."""

_MOST_ALTERNATIVES: Final = 30
"""Of more, a term that may be any is all of them together."""

Column = tuple[Literal["s", "o"], str]


class Sort(NamedTuple):
    """What a term is like: its classes, and whether it may be of classes that were not read whole besides."""

    kind: Kind
    tag: str
    classes: frozenset[str] = frozenset()
    open: bool = False


class Likeness:
    """The sorts that were seen in a column that was cut."""

    def __init__(self, sorts: Iterable[Sort]) -> None:
        self._classes: dict[tuple[Kind, str], set[str]] = {}
        self._plain: set[tuple[Kind, str]] = set()
        self._open: set[tuple[Kind, str]] = set()
        for kind, tag, classes, may_have_more in sorts:
            if may_have_more:
                self._open.add((kind, tag))
            elif not classes:
                self._plain.add((kind, tag))
            self._classes.setdefault((kind, tag), set()).update(classes)

    def fits(self, sort: Sort) -> bool:
        """Whether a term of a sort may stand in the column."""
        place = (sort.kind, sort.tag)
        seen = self._classes.get(place)
        if seen is None:
            return False
        if sort.open or place in self._open:
            return True
        return bool(sort.classes & seen) if sort.classes else place in self._plain


@dataclass(slots=True)
class _Seen:
    """The terms of a sample: where each stands for sure, and what it is like."""

    sample: Sample
    columns: dict[Term, set[Column]] = field(default_factory=lambda: defaultdict(set))
    classes: dict[Term, set[str]] = field(default_factory=lambda: defaultdict(set))
    together: dict[str, set[str]] = field(default_factory=dict)
    cut: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self.cut = self.sample.cut_classes
        for classes in self.sample.types.values():
            for name in classes:
                self.together.setdefault(name, set()).update(classes)

    def sort(self, term: Term) -> Sort:
        match term:
            case LiteralTerm():
                return Sort("literal", tag_of(term))
            case IRI():
                return self._resource("iri", term)
            case BlankNode():
                return self._resource("blank", term)
            case _:
                return Sort("triple", "triple")

    def _resource(self, kind: Kind, term: Term) -> Sort:
        """Return what an IRI or a blank node is like.

        One that was not asked for its classes may be of those that were seen together with the one it has.
        """
        asked, cut = self.sample.types.get(term), self.cut
        found = self.classes.get(term, set()) | (asked or set())
        likely = [self.together[name] for name in found if name in self.together]
        unknown = asked is None and bool(cut)
        if unknown:
            found = found | (cut & set().union(*likely))
        telling = frozenset(found - _GENERAL) or frozenset(found)
        return Sort(kind, kind, telling, unknown and not likely)


def schema_of(kg: KG, sample: Sample) -> Schema:
    """Return what the kernel may surmise of a graph by a sample; it is not complete."""
    known = kg.vocabulary
    seen = _seen(sample, known.predicates, known.classes)
    made = _Made(seen, _likenesses(seen))
    predicates = {
        name: _predicate(count, sample.parts.get(("predicate", name)), made)
        for name, count in known.predicates.items()
    }
    return Schema(
        fingerprint=kg.fingerprint,
        dataset=kg.dataset,
        complete=False,
        triples=sum(known.predicates.values()),
        predicates=predicates,
        classes=dict(known.classes),
        signatures=tuple(made.signatures),
        occurrences=made.occurrences(),
        graphs_unknown="the graph was not read whole",
        unseen=frozenset(name for _, name in sample.left),
    )


def _seen(sample: Sample, predicates: Iterable[str], classes: Iterable[str]) -> _Seen:
    seen = _Seen(sample)
    for name in predicates:
        seen.columns[IRI(name)]
    for name in classes:
        seen.columns[IRI(name)].add(("o", RDF_TYPE))
    for (role, name), part in sample.parts.items():
        for subject, object_ in part.pairs:
            if role == "class":
                seen.columns[subject]
                seen.classes[subject].add(name)
                continue
            ends: tuple[tuple[Literal["s", "o"], Term], ...] = (("s", subject), ("o", object_))
            for side, term in ends:
                columns = seen.columns[term]
                if part.whole:
                    columns.add((side, name))
    return seen


def _likenesses(seen: _Seen) -> dict[Column, Likeness]:
    found: dict[Column, Likeness] = {}
    for (role, name), part in seen.sample.parts.items():
        if role == "predicate" and not part.whole:
            found["s", name] = Likeness({seen.sort(subject) for subject, _ in part.pairs})
            found["o", name] = Likeness({seen.sort(object_) for _, object_ in part.pairs})
    return found


class _Made:
    """The signatures of the terms that were seen, and of those that may be there besides."""

    def __init__(self, seen: _Seen, cut: Mapping[Column, Likeness]) -> None:
        self._cut = cut
        self._cut_classes = seen.cut
        self.signatures: list[Signature] = []
        self.at: dict[Term, tuple[int, ...]] = {}
        groups: dict[tuple[Sort, frozenset[Column], bool], list[Term]] = defaultdict(list)
        sorts = {term: seen.sort(term) for term in seen.columns}
        named = {IRI(name) for role, name in seen.sample.parts if role == "predicate"}
        for term, columns in seen.columns.items():
            groups[sorts[term], frozenset(columns), term in named].append(term)
        self._closed = {sort for sort in sorts.values() if not sort.open}
        for (sort, known, predicate), terms in sorted(groups.items(), key=lambda item: -len(item[1])):
            first = len(self.signatures)
            for each in self._alternatives(sort):
                self.signatures.append(self._signature(each, known, terms, predicate=predicate))
            self.at |= dict.fromkeys(terms, tuple(range(first, len(self.signatures))))
        self._unseen: dict[str, list[int]] = defaultdict(list)
        for sort in sorted(self._closed, key=repr):
            self._add_unseen(sort)

    def _alternatives(self, sort: Sort) -> list[Sort]:
        """Return what a term can be like that was not asked for its classes: as one of those that were."""
        if not sort.open:
            return [sort]
        likely = {
            each.classes
            for each in self._closed
            if each.kind == sort.kind and each.classes <= self._cut_classes
        }
        if len(likely) > _MOST_ALTERNATIVES:
            return [sort]
        return [sort._replace(classes=sort.classes | each, open=False) for each in {frozenset(), *likely}]

    def _signature(
        self, sort: Sort, columns: frozenset[Column], terms: list[Term], *, predicate: bool = False
    ) -> Signature:
        may = {*columns, *(column for column, likeness in self._cut.items() if likeness.fits(sort))}
        classes = sort.classes | self._cut_classes if sort.open else sort.classes
        if classes:
            may.add(("s", RDF_TYPE))
        low, high = _span(sort.tag, terms)
        return Signature(
            sort.kind,
            sort.tag,
            classes=tuple(sorted(classes)),
            subject_of=tuple(sorted(name for side, name in may if side == "s")),
            object_of=tuple(sorted(name for side, name in may if side == "o")),
            predicate=predicate,
            count=len(terms),
            low=low,
            high=high,
            exact=False,
        )

    def _add_unseen(self, sort: Sort) -> None:
        """Make a signature for the terms of a sort that were not seen, where there can be any."""
        if sort.classes and not sort.classes <= self._cut_classes:
            return  # an instance of a class that was read whole has been seen
        made = self._signature(sort, frozenset(), [])
        if not made.classes and not made.subject_of and not made.object_of:
            return
        self._unseen[sort.tag].append(len(self.signatures))
        self.signatures.append(made)

    def occurrences(self) -> dict[str, Occurrences]:
        """Return the terms that were seen by tag, and for each tag what one that was not seen can be."""
        keyed: dict[str, dict[str, tuple[int, ...]]] = defaultdict(dict)
        loose: dict[str, set[int]] = defaultdict(set)
        for term, places in self.at.items():
            tag, key = _key(term)
            if key is None or keyed[tag].setdefault(key, places) != places:
                loose[tag].update(places)
        return {
            tag: Occurrences.of_several(keyed[tag].items(), loose[tag], self._unseen.get(tag, ()))
            for tag in {*keyed, *loose, *self._unseen}
        }


def _key(term: Term) -> tuple[str, str | None]:
    match term:
        case IRI(value):
            return "iri", value
        case LiteralTerm():
            return tag_of(term), key_of(term)
        case BlankNode(label):
            return "blank", label
        case _:
            return "triple", str(term)


def _span(tag: str, terms: list[Term]) -> tuple[float | None, float | None]:
    if tag not in NUMERIC and tag not in TEMPORAL:
        return None, None
    if not terms:
        return -math.inf, math.inf
    places = [place for place in _places(tag, terms) if place is not None]
    return (min(places), max(places)) if places else (None, None)


def _places(tag: str, terms: list[Term]) -> Iterator[float | None]:
    return (place_of(tag, term.lexical) for term in terms if isinstance(term, LiteralTerm))


def _predicate(triples: int, part: Part | None, made: _Made) -> Predicate:
    """Return what is known of a predicate; of one that was cut, the numbers are those of the sample."""
    if part is None or not part.pairs:
        return Predicate(triples)
    subjects, objects = (len({pair[side] for pair in part.pairs}) for side in (0, 1))
    if part.whole:
        linked = {(made.at[subject], made.at[object_]) for subject, object_ in part.pairs}
        pairs = frozenset(pair for near, far in linked for pair in product(near, far))
        return Predicate(len(part.pairs), subjects, objects, pairs)
    share = triples / len(part.pairs)
    return Predicate(triples, round(subjects * share), round(objects * share))
