"""Judges whether two SPARQL texts mean the same, by running both on graphs made for the first one.

What two right spellings may differ in is taken out of both texts first (see `oracle.rewrite`):
SERVICE becomes a nested group, RAND and its like a constant, SAMPLE is MIN, an alias in HAVING is
written out. Every slice is dropped for the comparison of multisets; a query that has one is also
run as it stands, for the number of its rows and that they are among the unsliced ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Final

from pyoxigraph import Store

from oracle.constants import Names, declared
from oracle.graphs import RECIPES, Maker, graphs
from oracle.reader import UnreadableError, read
from oracle.rewrite import comparable, expose_order, slices, spell_out, strip_slices
from oracle.selects import outer
from oracle.sketch import Sketch
from oracle.solutions import BASE, ENGINE_ERRORS, Result, TooLargeError, run, without_order_inside
from oracle.stand_ins import stand_ins
from oracle.tokens import Token, join

EXTRA: Final = 40
"""Graphs tried beyond the usual ones while a query has found nothing."""
_SLOW: Final = 0.05
"""Seconds after which a query gets no further graph: the engine cannot be interrupted."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the judge found: `reason` is the first difference, empty when there is none."""

    reason: str = ""
    graphs: int = 0
    telling: int = 0
    """On how many graphs the result differs from the one on the empty graph."""
    readable: bool = True
    """Whether the patterns of the query could be followed to make graphs."""

    loose: bool = False
    """Whether the query uses a variable that nothing binds, so that it may find nothing on any graph."""

    @property
    def equivalent(self) -> bool:
        """Whether no difference was found."""
        return not self.reason


class _Text:
    """One of the two queries in the spellings that are run."""

    def __init__(self, text: str, prefixes: Mapping[str, str] | None = None) -> None:
        self.prologue = prologue_of(prefixes or {})
        self.tokens: list[Token] = comparable(text)
        self.names = declared(self.tokens, prefixes or {}, BASE)
        self.functions = stand_ins(self.tokens, self.names)
        self.arrange()
        select = outer(self.tokens)
        head = [] if select is None else self.tokens[select.start + 1 : select.opening]
        self.directions = [sum(t.says(word) for t in self.tokens) for word in ("ORDER", "DESC")]
        """How many ORDER BY and DESC there are: those of sub-queries are not judged by running."""
        self.star = any(token.says("*") for token in head[:2])
        self.inner_slices = bool(self.slices) and (
            select is None or bool(slices(self.tokens[select.opening : select.closing]))
        )
        self.concatenates = any(token.says("GROUP_CONCAT") for token in self.tokens)

    def spell_out(self) -> None:
        """Write the IRIs in full."""
        self.tokens = spell_out(self.tokens, self.names)
        self.arrange()

    def arrange(self) -> None:
        """Make the spellings from the tokens."""
        bare = strip_slices(self.tokens)
        self.slices = slices(self.tokens)
        self.whole = self.prologue + join(bare)
        self.sliced = self.prologue + join(self.tokens)
        order = expose_order(bare)
        self.order = None if order is None else self.prologue + order


def prologue_of(prefixes: Mapping[str, str]) -> str:
    """Return PREFIX lines."""
    return "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in prefixes.items())


def judge(original: str, rebuilt: str, key: str, prefixes: Mapping[str, str]) -> Verdict:
    """Compare two texts; `key` seeds the dice, `prefixes` are those that the original leaves out."""
    first, second = _Text(original, prefixes), _Text(rebuilt)
    if first.slices != second.slices:
        return Verdict(f"slices differ: {first.slices} became {second.slices}")
    if first.directions != second.directions:
        return Verdict(f"sort orders {first.directions} became {second.directions}")
    try:
        sketch, readable = read(first.tokens, prefixes, BASE), True
    except UnreadableError:
        sketch, readable = Sketch(Names(prefixes, BASE)), False
    return _compare_all(first, second, Maker(sketch, key), readable=readable)


def _compare_all(first: _Text, second: _Text, maker: Maker, *, readable: bool) -> Verdict:
    """Compare on the empty graph and on those of `maker` until enough has been seen."""
    try:
        nothing = _nothing(first)
    except ENGINE_ERRORS as fault:
        return Verdict(f"the original does not run: {fault}", readable=readable)
    reason = _difference(Store(), first, second, nothing)
    seen = telling = 0
    for number, quads in enumerate(graphs(maker, EXTRA)):
        if reason or (number >= len(RECIPES) and telling):
            break
        store = Store()
        store.extend(quads)
        started = perf_counter()
        try:
            result = run(store, first.whole, first.functions)
        except TooLargeError:
            continue
        seen += 1
        telling += int(_told(result) != _told(nothing))
        reason = _difference(store, first, second, result)
        if perf_counter() - started > _SLOW:
            break
    return Verdict(reason, seen, telling, readable, bool(maker.sketch.loose))


def _nothing(text: _Text) -> Result:
    """Return the result on the empty graph.

    pyoxigraph does not read every local name (`ec:1.-.-`): such a text runs with its IRIs in full.
    """
    try:
        return run(Store(), text.whole, text.functions)
    except SyntaxError:
        text.spell_out()
        return run(Store(), text.whole, text.functions)


def _told(result: Result) -> object:
    return result.truth if result.truth is not None else result.counted()


def _difference(store: Store, first: _Text, second: _Text, expected: Result) -> str:
    """Return what differs on one graph, or an empty text."""
    try:
        found = run(store, second.whole, second.functions)
        if reason := _columns(first, expected, found) or _rows(first, expected, found):
            return reason
        if first.slices and not first.inner_slices:
            return _sliced(store, first, second, expected)
        if first.order is not None:
            return _order(store, first, second)
    except TooLargeError:
        return "the rebuilt query gives many more rows"
    except ENGINE_ERRORS as fault:
        return f"the rebuilt query does not run: {fault}"
    return ""


def _columns(first: _Text, expected: Result, found: Result) -> str:
    """Compare the names of the columns; those of `*` have no order, and may leave out unbound ones."""
    if (expected.truth is None) != (found.truth is None):
        return "another query form"
    if first.star or expected.variables == found.variables:
        return ""
    return f"columns {expected.variables} became {found.variables}"


def _rows(first: _Text, expected: Result, found: Result) -> str:
    """Compare truth values or multisets of rows."""
    if expected.truth is not None or found.truth is not None:
        return "" if expected.truth == found.truth else f"{expected.truth} became {found.truth}"
    missing, extra = expected.counted() - found.counted(), found.counted() - expected.counted()
    if not missing and not extra:
        return ""
    if first.concatenates and without_order_inside(expected.rows) == without_order_inside(found.rows):
        return ""
    sample = next(iter(missing or extra))
    return (
        f"{len(expected.rows)} rows became {len(found.rows)}; "
        f"{'missing' if missing else 'extra'}: {dict(sample)}"
    )


def _sliced(store: Store, first: _Text, second: _Text, whole: Result) -> str:
    """Compare the queries as they stand: the number of rows, and that they are among all rows."""
    expected, found = run(store, first.sliced, first.functions), run(store, second.sliced, second.functions)
    if expected.truth is not None:
        return "" if expected.truth == found.truth else f"sliced {expected.truth} became {found.truth}"
    if len(expected.rows) != len(found.rows):
        return f"{len(expected.rows)} sliced rows became {len(found.rows)}"
    if found.counted() - whole.counted() and not first.concatenates:
        return "sliced rows are not among all rows"
    return "" if first.order is None else _order(store, first, second)


def _order(store: Store, first: _Text, second: _Text) -> str:
    """Compare the sequences of sort keys; rows with equal keys may stand in any order."""
    if first.order is None:
        return ""
    if second.order is None:
        return "the order is lost"
    try:
        expected = _keys(run(store, first.order, first.functions))
    except SyntaxError:
        # A key that nothing binds, or that is not grouped, cannot be a column.
        return ""
    found = _keys(run(store, second.order, second.functions))
    if expected == found:
        return ""
    at = next((i for i, pair in enumerate(zip(expected, found, strict=False)) if pair[0] != pair[1]), 0)
    return f"order differs at row {at + 1} of {len(expected)}"


def _keys(result: Result) -> Sequence[tuple[tuple[str, str], ...]]:
    """Return the columns that `expose_order` added, numbers by value."""
    return [
        tuple((name, value.split("^^")[0].strip('"')) for name, value in row if name.startswith("_k"))
        for row in result.rows
    ]
