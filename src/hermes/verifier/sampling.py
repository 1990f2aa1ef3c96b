"""Sampling: what a graph that is not read whole shows of itself in a few bounded queries.

Predicates and classes are read a part at a time, the most used first, one query after the other. A small one
is read whole, of a large one the first rows. What could not be had in time is left out.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Final
from typing import Literal as OneOf

from hermes.errors import StoreError
from hermes.kg import KG
from hermes.labels.progress import Progress
from hermes.results import Table
from hermes.sparql.iris import is_absolute
from hermes.store import promptly
from hermes.terms import IRI, RDF_TYPE, Literal, Term, full_iri

_log: Final = logging.getLogger("hermes")

PATIENCE: Final = 20.0
"""Seconds for all queries together."""
WHOLE: Final = 9_000
"""A predicate or a class of so many triples is read whole; some servers cut answers at 10,000 rows."""
CUT: Final = 1_000
"""So many triples are read of a larger one."""

_ONE_QUERY: Final = 5.0
"""Seconds for one query."""
_AT_ONCE: Final = 40
"""Predicates or classes that one query reads."""
_NAMES_AT_ONCE: Final = 300
"""Names whose classes one query asks for."""

Role = OneOf["predicate", "class"]
Name = tuple[Role, str]


@dataclass(frozen=True, slots=True)
class Part:
    """What was seen of a predicate, as (subject, object), or of a class, as (instance, class).

    `whole` says whether that is all there was.
    """

    pairs: tuple[tuple[Term, Term], ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class Sample:
    """What was seen of a graph.

    Args:
        parts: by name.
        left: the names of which nothing could be had.
        types: the classes of terms that were asked for them. Where each class was read whole none was asked,
            as the classes of all terms are known.
    """

    parts: Mapping[Name, Part]
    left: frozenset[Name] = frozenset()
    types: Mapping[Term, frozenset[str]] = field(default_factory=dict)

    @property
    def cut_classes(self) -> frozenset[str]:
        """The classes some of whose instances may not have been seen."""
        cut = (name for name, part in self.parts.items() if not part.whole)
        return frozenset(name for role, name in (*cut, *self.left) if role == "class")


def sample(kg: KG, patience: float = PATIENCE) -> Sample:
    """Return what some queries show of a graph, at most `patience` seconds after one another.

    Nothing is seen of a graph whose vocabulary is not known.

    Raises:
        StoreError: an embedded store could not say its vocabulary.
    """
    asking = _Asking(kg, monotonic() + patience)
    known = kg.vocabulary
    counts: dict[Name, int] = {("class", name): count for name, count in known.classes.items()}
    counts |= {("predicate", name): count for name, count in known.predicates.items() if name != RDF_TYPE}
    parts: dict[Name, Part] = {}
    for batch in _batches({name: count for name, count in counts.items() if is_absolute(name[1])}):
        parts |= _parts(asking, batch)
    found = Sample(parts, frozenset(counts.keys() - parts.keys()))
    return replace(found, types=_types(asking, parts)) if found.cut_classes else found


class _Asking:
    """The queries of a sample: none begins after the end, and one that fails gives nothing."""

    def __init__(self, kg: KG, end: float) -> None:
        self._select: Callable[[float], Callable[[str], Table]] = lambda seconds: promptly(kg.store, seconds)
        self._end = end
        self._progress = Progress("sampling the graph")
        self._seen = 0

    def rows(self, query: str) -> Table | None:
        left = self._end - monotonic()
        if left <= 0:
            return None
        try:
            table = self._select(min(left, _ONE_QUERY))(query)
        except StoreError as error:
            _log.debug("a part of the sample is left out: %s", error)
            return None
        self._seen += len(table.rows)
        self._progress(self._seen)
        return table if table.complete else None


def _batches(counts: Mapping[Name, int]) -> Iterator[dict[Name, int]]:
    """Yield names with how many rows are asked of each, the most used first."""
    batch: dict[Name, int] = {}
    size = 0
    for name, count in sorted(counts.items(), key=lambda item: (item[0][0], -item[1], item[0][1])):
        wanted = count if count <= WHOLE else CUT
        if batch and (size + wanted > WHOLE or len(batch) == _AT_ONCE):
            yield batch
            batch, size = {}, 0
        batch[name] = wanted
        size += wanted
    if batch:
        yield batch


def _parts(asking: _Asking, batch: Mapping[Name, int]) -> dict[Name, Part]:
    """Return what is seen of some names: by one query, or by two where that one fails, and so on."""
    names = list(batch)
    found = _read(asking, batch)
    if found is not None or len(names) == 1:
        return found or {}
    half = len(names) // 2
    first, second = ({name: batch[name] for name in part} for part in (names[:half], names[half:]))
    return _parts(asking, first) | _parts(asking, second)


def _read(asking: _Asking, batch: Mapping[Name, int]) -> dict[Name, Part] | None:
    """Return what one query shows of some names.

    One row more than wanted is asked for of each: where it comes, there is more than was seen.
    """
    numbered = {str(number): name for number, name in enumerate(batch)}
    parts = (_part_query(number, name, batch[name]) for number, name in numbered.items())
    table = asking.rows(f"SELECT ?n ?s ?o {{ {' UNION '.join(parts)} }}")
    if table is None:
        return None
    pairs: dict[Name, list[tuple[Term, Term]]] = {name: [] for name in batch}
    for row in table.rows:
        number, subject = row.get("n"), row.get("s")
        name = numbered.get(number.lexical) if isinstance(number, Literal) else None
        if name is not None and subject is not None:
            pairs[name].append((subject, row.get("o", IRI(name[1]))))
    return {name: Part(tuple(seen[: batch[name]]), len(seen) <= batch[name]) for name, seen in pairs.items()}


def _part_query(number: str, name: Name, wanted: int) -> str:
    role, iri = name
    if role == "class":
        pattern = f"?s {{ ?s {full_iri(RDF_TYPE)} {full_iri(iri)} }}"
    else:
        pattern = f"?s ?o {{ ?s {full_iri(iri)} ?o }}"
    return f"{{ SELECT ({number} AS ?n) {pattern} LIMIT {wanted + 1} }}"


def _types(asking: _Asking, names: Iterable[Name]) -> dict[Term, frozenset[str]]:
    """Return the classes of terms at both ends of each predicate, and of predicates and classes."""
    found: dict[Term, set[str]] = {}
    for terms in (*_names(names), *(_ends(name) for role, name in names if role == "predicate")):
        table = asking.rows(
            f"SELECT DISTINCT ?x ?c {{ {terms} FILTER(!ISLITERAL(?x)) "
            f"OPTIONAL {{ ?x {full_iri(RDF_TYPE)} ?c }} }}"
        )
        for row in () if table is None else table.rows:
            term, class_ = row.get("x"), row.get("c")
            if term is not None:
                found.setdefault(term, set()).update([class_.value] if isinstance(class_, IRI) else ())
    return {term: frozenset(classes) for term, classes in found.items()}


def _names(names: Iterable[Name]) -> Iterator[str]:
    iris = [full_iri(name) for _, name in names]
    for start in range(0, len(iris), _NAMES_AT_ONCE):
        yield f"VALUES ?x {{ {' '.join(iris[start : start + _NAMES_AT_ONCE])} }}"


def _ends(name: str) -> str:
    ends = " UNION ".join(
        f"{{ SELECT ({end} AS ?x) {{ ?s {full_iri(name)} ?o }} LIMIT {CUT} }}" for end in ("?s", "?o")
    )
    return f"{{ SELECT DISTINCT ?x {{ {ends} }} }}"
