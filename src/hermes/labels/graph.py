"""What a look-up asks of a graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from hermes.labels.names import Name
from hermes.store import Store
from hermes.terms import IRI, Prefixes, Term
from hermes.vocabulary import Vocabulary


class Graph(Protocol):
    """A graph with its names; `hermes.KG` is one."""

    @property
    def store(self) -> Store:
        """What executes queries."""

    @property
    def prefixes(self) -> Prefixes:
        """The prefixes of the graph."""

    @property
    def language(self) -> str:
        """The preferred language of labels."""

    @property
    def vocabulary(self) -> Vocabulary:
        """The predicates and classes in use."""

    @property
    def vocabulary_known(self) -> bool:
        """Whether the vocabulary is known, and all of it."""

    @property
    def label_names(self) -> Sequence[Name]:
        """What gives names, in order of preference."""

    def labels(self, terms: Iterable[Term]) -> Mapping[IRI, str]:
        """Return a label for each term."""
