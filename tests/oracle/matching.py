"""Whether two results are the same up to the names of blank nodes, numbers by their value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Final

from pyoxigraph import BlankNode, CanonicalizationAlgorithm, Dataset, Literal, NamedNode, Quad, Triple

from oracle.constants import XSD
from oracle.results import Solution, Value

_FLOATS: Final = frozenset({XSD + "double", XSD + "float"})
_DECIMALS: Final = frozenset({XSD + "decimal"})
_INTEGERS: Final = frozenset(
    XSD + name
    for name in (
        *("integer", "int", "long", "short", "byte", "nonNegativeInteger", "nonPositiveInteger"),
        *("positiveInteger", "negativeInteger", "unsignedInt", "unsignedLong", "unsignedShort"),
        "unsignedByte",
    )
)
_TRUTHS: Final = frozenset({"0", "1", "true", "false"})
Key = tuple[tuple[str, str], ...]


def same_value(value: Value) -> str:
    """Return a text that is equal for terms that an engine may print differently."""
    if not isinstance(value, Literal):
        return str(value)
    if value.language is not None:
        return f"{value.value!r}@{value.language.lower()}"
    try:
        return _by_value(value.value, value.datatype.value) or str(value)
    except (ValueError, InvalidOperation):
        return str(value)


def _by_value(text: str, kind: str) -> str:
    """Return the value of a number or a truth value, written in one way; empty for other types."""
    if kind in _INTEGERS:
        # pyoxigraph stores the derived integer types as integers.
        return f"{int(text)}^^{XSD}integer"
    if kind in _DECIMALS:
        return f"{Decimal(text).normalize():f}^^{kind}"
    if kind in _FLOATS:
        return f"{float(text):.12g}^^{kind}"
    return f"{text in {'1', 'true'}}^^{kind}" if kind == XSD + "boolean" and text in _TRUTHS else ""


def plain_value(value: Value) -> str:
    """Return the text of a term without its type; a number by its value."""
    text = value.value if isinstance(value, Literal | NamedNode) else str(value)
    try:
        return f"{float(text):.12g}"
    except ValueError:
        return text


def same_solutions(
    expected: Sequence[Solution], found: Sequence[Solution], *, ordered: bool, plain: bool = False
) -> bool:
    """Whether two lists of solutions are equal as multisets, or as sequences where `ordered`."""
    if len(expected) != len(found):
        return False
    first, second = ([_row(row, plain=plain) for row in rows] for rows in (expected, found))
    if ordered:
        return _follow(first, second)
    grounded, named = Counter(r for r in first if not _blank(r)), Counter(r for r in second if not _blank(r))
    if grounded != named:
        return False
    return _match([r for r in first if _blank(r)], [r for r in second if _blank(r)], {}, {})


def _row(row: Mapping[str, Value], *, plain: bool) -> Key:
    """Return a solution as sorted pairs; blank nodes keep `_:` and their name."""
    text = plain_value if plain else same_value
    return tuple(sorted((name, str(v) if isinstance(v, BlankNode) else text(v)) for name, v in row.items()))


def _blank(row: Key) -> bool:
    return any(value.startswith("_:") for _, value in row)


def _unify(first: Key, second: Key, there: dict[str, str], back: dict[str, str]) -> bool:
    """Extend the renaming `there` (and its inverse) so that `first` becomes `second`, if possible."""
    if len(first) != len(second):
        return False
    for (name, value), (other_name, other) in zip(first, second, strict=True):
        blank = value.startswith("_:")
        if name != other_name or blank != other.startswith("_:"):
            return False
        if not blank:
            if value != other:
                return False
        elif there.setdefault(value, other) != other or back.setdefault(other, value) != value:
            return False
    return True


def _follow(first: Sequence[Key], second: Sequence[Key]) -> bool:
    """Compare two sequences under one renaming."""
    there: dict[str, str] = {}
    back: dict[str, str] = {}
    return all(_unify(one, two, there, back) for one, two in zip(first, second, strict=True))


def _match(
    first: Sequence[Key], second: Sequence[Key], there: Mapping[str, str], back: Mapping[str, str]
) -> bool:
    """Compare two multisets by backtracking over which row of `second` is the first of `first`."""
    if not first:
        return not second
    tried: set[Key] = set()
    for index, row in enumerate(second):
        if row in tried:
            continue
        tried.add(row)
        onward, backward = dict(there), dict(back)
        rest = [*second[:index], *second[index + 1 :]]
        if _unify(first[0], row, onward, backward) and _match(first[1:], rest, onward, backward):
            return True
    return False


def same_graph(expected: Sequence[Triple], found: Sequence[Triple]) -> bool:
    """Whether two graphs are isomorphic."""
    return _canonical(expected) == _canonical(found)


def _canonical(triples: Sequence[Triple]) -> set[str]:
    graph = Dataset()
    for triple in triples:
        value = triple.object
        if isinstance(value, Literal):
            # A literal with the normal text in place of its own: equal numbers become equal terms.
            value = Literal(same_value(value))
        graph.add(Quad(triple.subject, triple.predicate, value))
    graph.canonicalize(CanonicalizationAlgorithm.RDFC_1_0)
    return {str(quad) for quad in graph}
