"""Labels: which predicates give names, the label of a term, and the name of an IRI in words."""

from hermes.labels.fold import fold
from hermes.labels.labels import DEFAULT_LANGUAGE, Labels, checked_language, label_of
from hermes.labels.lookup import Finder, Indexes
from hermes.labels.names import WELL_KNOWN_NAMES, Name, find_names
from hermes.labels.words import words

__all__ = [
    "DEFAULT_LANGUAGE",
    "WELL_KNOWN_NAMES",
    "Finder",
    "Indexes",
    "Labels",
    "Name",
    "checked_language",
    "find_names",
    "fold",
    "label_of",
    "words",
]
