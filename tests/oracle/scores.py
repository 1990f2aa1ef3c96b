"""Scores computed a second time, slowly and plainly: every pair of rows, every order of columns.

It shares nothing with `hermes.evaluation` but the definitions on docs/scores.md.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, permutations
from random import Random
from statistics import fmean

from hermes.evaluation import Record
from hermes.results import Result, Table, Truth
from hermes.terms import IRI, XSD, BlankNode, Literal, Term

Cells = tuple[Term | None, ...]
_WHOLE = {XSD + name for name in ("integer", "int", "long", "short", "byte", "nonNegativeInteger", "decimal")}
_ROUNDED = {XSD + name for name in ("double", "float")}


def number(literal: Literal) -> tuple[Fraction | float, bool] | None:
    """Return the number of a literal, and whether it is rounded."""
    try:
        if literal.datatype in _WHOLE:
            value = Fraction(literal.lexical)
            digits = literal.lexical.lstrip("+-0.").replace(".", "")
            return value, len(digits) > 15 and value.denominator > 1
        if literal.datatype in _ROUNDED:
            double = float(literal.lexical)
            return (Fraction(repr(double)) if math.isfinite(double) else double), True
    except ValueError:
        pass
    return None


def same(one: Term | None, other: Term | None) -> bool:  # noqa: PLR0911 - a case each
    """Whether two cells hold one value."""
    if isinstance(one, BlankNode) and isinstance(other, BlankNode):
        return one == other
    if not isinstance(one, Literal) or not isinstance(other, Literal):
        return one == other
    mine, theirs = number(one), number(other)
    if mine and theirs:
        (a, a_rounded), (b, b_rounded) = mine, theirs
        near = (a_rounded or b_rounded) and math.isclose(float(a), float(b), rel_tol=1e-9)
        return a == b or near
    if mine or theirs:
        return False
    if one.datatype == other.datatype == XSD + "boolean":
        return (one.lexical in ("1", "true")) == (other.lexical in ("1", "true"))
    if one.datatype == other.datatype == XSD + "dateTime":
        times = [dt.datetime.fromisoformat(each.lexical) for each in (one, other)]
        aware = [each.tzinfo is not None for each in times]
        return aware[0] == aware[1] and times[0] == times[1]
    tags = [(each.language or "").lower() for each in (one, other)]
    return tags[0] == tags[1] and one.lexical == other.lexical and one.datatype == other.datatype


def rows(result: Result) -> list[Cells]:
    """Return the rows of a result without names."""
    if isinstance(result, Truth):
        return [(Literal("true" if result.value else "false", XSD + "boolean"),)]
    assert isinstance(result, Table)
    return [tuple(row.get(name) for name in result.variables) for row in result.rows]


def width(result: Result) -> int:
    """Return the number of columns."""
    return len(result.variables) if isinstance(result, Table) else 1


def once(found: Sequence[Cells]) -> list[Cells]:
    """Return rows without those that are the same as an earlier one."""
    kept: list[Cells] = []
    for row in found:
        if not any(_equal(row, other) for other in kept):
            kept.append(row)
    return kept


def _equal(one: Cells, other: Cells) -> bool:
    return all(map(same, one, other))


def _renamings(found: Sequence[Cells], gold: Sequence[Cells]) -> Iterator[Mapping[Term, Term]]:
    own = sorted({c for row in found for c in row if isinstance(c, BlankNode)}, key=str)
    targets: list[Term] = sorted({c for row in gold for c in row if isinstance(c, BlankNode)}, key=str)
    targets += [BlankNode(f"no-{at}") for at in range(len(own))]
    for chosen in permutations(targets, len(own)):
        yield dict(zip(own, chosen, strict=True))


def true_positives(gold: Sequence[Cells], given: Sequence[Cells], columns: int) -> int:
    """Return the largest number of gold rows that are given, over orders of columns and names of nodes."""
    best = 0
    for order in permutations(range(columns)):
        moved = [tuple(row[at] for at in order) for row in given]
        for names in _renamings(moved, gold):
            named = [tuple(names.get(c, c) if c is not None else None for c in row) for row in moved]
            best = max(best, sum(any(_equal(row, other) for other in named) for row in gold))
    return best


def score(gold: Result, given: Result) -> dict[str, float]:
    """Return the scores of an answer by their names in a record, without the lenient one."""
    wanted, found = once(rows(gold)), once(rows(given))
    right = true_positives(wanted, found, width(gold)) if width(gold) == width(given) else 0
    wrong, missing = len(found) - right, len(wanted) - right
    if right == wrong == missing == 0:
        return dict.fromkeys(("precision", "recall", "f1", "precision_qald", "recall_qald", "exact"), 1.0)
    precision = right / (right + wrong) if right else 0.0
    recall = right / (right + missing) if right else 0.0
    return {
        "precision": precision,
        "recall": recall,
        "f1": 2 * precision * recall / (precision + recall) if right else 0.0,
        "precision_qald": 1.0 if not right and not wrong else precision,
        "recall_qald": recall,
        "exact": float(not wrong and not missing),
    }


def lenient(gold: Result, given: Result, labels: Mapping[IRI, set[str]]) -> float:
    """Return the lenient score: the best F1 of all ways to leave a column out."""
    texts = {c.lexical for r in (gold, given) for row in rows(r) for c in row if isinstance(c, Literal)}

    def plain(cell: Term | None) -> Term | None:
        if isinstance(cell, IRI):
            there = sorted(texts & labels.get(cell, set()))
            return plain(Literal(there[0])) if there else cell
        if isinstance(cell, Literal) and number(cell) is None:
            as_number = number(Literal(cell.lexical, XSD + "double"))
            return Literal(cell.lexical, XSD + "double") if as_number else Literal(cell.lexical)
        return cell

    sides = [[tuple(map(plain, row)) for row in rows(each)] for each in (gold, given)]
    widths = [width(gold), width(given)]
    if abs(widths[0] - widths[1]) > 1 or (0 in widths and widths[0] != widths[1]):
        return score(gold, given)["f1"]
    wider = int(widths[1] > widths[0])
    cuts: list[int | None] = [None] if widths[0] == widths[1] else list(range(widths[wider]))
    best = score(gold, given)["f1"]
    for cut in cuts:
        shown = list(sides)
        if cut is not None:
            shown[wider] = [row[:cut] + row[cut + 1 :] for row in shown[wider]]
        tables = [
            Table(
                tuple(map(str, range(min(widths)))),
                [{str(at): c for at, c in enumerate(row) if c is not None} for row in side],
            )
            for side in shown
        ]
        best = max(best, score(tables[0], tables[1])["f1"])
    return best


def macro(records: Sequence[Record]) -> dict[str, float]:
    """Return the measures of a run by their names in JSON."""
    scored = [record for record in records if not record.error]

    def mean(name: str) -> float:
        return sum(float(getattr(record, name)) for record in scored) / len(records)

    precision, recall = mean("precision_qald"), mean("recall_qald")
    return {
        "macro_f1": mean("f1"),
        "macro_f1_qald": 2 * precision * recall / (precision + recall) if precision + recall else 0.0,
        "macro_precision": mean("precision"),
        "macro_recall": mean("recall"),
        "exact": mean("exact"),
        "lenient": mean("lenient"),
    }


def interval(values: Mapping[str, list[float]], seed: int, draws: int) -> tuple[float, float]:
    """Return the 95 % interval of a mean by the bootstrap of groups: the values of each, in order."""
    groups, random = list(values.values()), Random(seed)  # noqa: S311 - the draws of a test
    means = sorted(fmean(chain.from_iterable(random.choices(groups, k=len(groups)))) for _ in range(draws))
    ends = []
    for part in (0.025, 0.975):
        place = part * (draws - 1)
        low = math.floor(place)
        ends.append(means[low] * (1 - place + low) + means[min(low + 1, draws - 1)] * (place - low))
    return ends[0], ends[1]
