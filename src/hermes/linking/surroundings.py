"""Which classes go with which predicates of a graph."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from hermes.verifier import Schema

if TYPE_CHECKING:
    pass

_MOST: Final = 3
"""So many classes of a predicate are told, those with the most terms."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What goes together.

    Args:
        subjects: the classes of the subjects of a predicate, the most frequent first.
        objects: those of its objects.
        of_class: the predicates that the instances of a class are subjects of.
    """

    subjects: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    objects: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    of_class: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, schema: Schema) -> Surroundings:
        """Return what a schema says of that."""
        subjects: defaultdict[str, Counter[str]] = defaultdict(Counter)
        objects: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for each in schema.signatures:
            for name in each.classes:
                for predicate in each.subject_of:
                    subjects[predicate][name] += each.count
                for predicate in each.object_of:
                    objects[predicate][name] += each.count
        of_class: defaultdict[str, list[str]] = defaultdict(list)
        for predicate in sorted(subjects):
            for name in sorted(subjects[predicate]):
                of_class[name].append(predicate)
        return cls(
            {predicate: _most(counts) for predicate, counts in subjects.items()},
            {predicate: _most(counts) for predicate, counts in objects.items()},
            {name: tuple(predicates) for name, predicates in of_class.items()},
        )


def _most(counts: Counter[str]) -> tuple[str, ...]:
    ordered = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    return tuple(name for name, _ in ordered[:_MOST])
