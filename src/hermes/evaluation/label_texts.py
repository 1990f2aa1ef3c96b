"""The labels of what two answers hold, for the lenient score."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from hermes.errors import StoreError
from hermes.evaluation.rows import Rows
from hermes.kg import KG
from hermes.results import Result
from hermes.sparql.iris import is_absolute
from hermes.terms import IRI, Literal, full_iri

_AT_ONCE: Final = 500
_MOST: Final = 2000
"""So many IRIs are asked about; an answer with more is not one that a person reads by its labels."""

_log: Final = logging.getLogger("hermes")


def labels_for(kg: KG, gold: Result, given: Result) -> Mapping[IRI, Collection[str]]:
    """Return the labels, in any language, of the IRIs in two answers; nothing where no text could be one.

    At most four queries, and none where the answers hold no IRI or no text. Where the store cannot answer,
    what it said so far counts, and the logger `hermes` is warned: a label is never worth a failure.
    """
    cells = {cell for rows in (Rows.of(gold), Rows.of(given)) for row in rows.rows for cell in row}
    if not any(isinstance(cell, Literal) for cell in cells):
        return {}
    iris = sorted(cell.value for cell in cells if isinstance(cell, IRI) and is_absolute(cell.value))[:_MOST]
    found: defaultdict[IRI, set[str]] = defaultdict(set)
    if not iris:
        return found
    try:
        for query in _queries(kg, iris):
            for row in kg.select(query).rows:
                subject, label = row.get("s"), row.get("o")
                if isinstance(subject, IRI) and isinstance(label, Literal):
                    found[subject].add(label.lexical)
    except StoreError as error:
        _log.warning("labels for the lenient score are not complete: %s", error)
    return found


def _queries(kg: KG, iris: list[str]) -> Iterator[str]:
    singles = [name.predicates[0] for name in kg.label_names if len(name.predicates) == 1]
    either = " UNION ".join(f"{{ ?s {full_iri(predicate)} ?o }}" for predicate in singles)
    for start in range(0, len(iris) if singles else 0, _AT_ONCE):
        listed = " ".join(map(full_iri, iris[start : start + _AT_ONCE]))
        yield f"SELECT ?s ?o {{ VALUES ?s {{ {listed} }} {either} }}"
