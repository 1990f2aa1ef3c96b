"""How much of each question a page shows, so that a large run is still a page that opens."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from hermes.pages import Markup

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class Amount:
    """The most that is shown of one question.

    Args:
        words: characters of a question or an error.
        query: characters of a query.
        steps: steps of a query.
        rows: rows of an answer.
        columns: columns of an answer.
        value: characters of a value.
        marked: whether the words of queries are marked in colours.
    """

    words: int
    query: int
    steps: int
    rows: int
    columns: int
    value: int
    marked: bool = True


AMOUNTS: Final = (
    Amount(words=600, query=8000, steps=60, rows=50, columns=20, value=200),
    Amount(words=600, query=4000, steps=30, rows=10, columns=12, value=120),
    Amount(words=400, query=2500, steps=20, rows=5, columns=8, value=80, marked=False),
    Amount(words=300, query=900, steps=12, rows=3, columns=6, value=60, marked=False),
    Amount(words=160, query=300, steps=4, rows=2, columns=4, value=40, marked=False),
    Amount(words=80, query=80, steps=0, rows=0, columns=0, value=20, marked=False),
)
"""From all to the least."""


def within(most: int, items: Sequence[_Item], show: Callable[[_Item, Amount], Markup]) -> Iterator[Markup]:
    """Yield each item shown with as much as its share of the page allows, and at least the least amount.

    A share is what is left of the page divided by the items that are left: what a short item does not
    need goes to those after it. Neighbours are alike, so an item is tried first with one amount more than the
    one before it got, which saves making most of it only to throw it away.

    Args:
        most: bytes of all items together.
        items: in the order of the page.
        show: gives the markup of an item.
    """
    left, first = most, 0
    for place, item in enumerate(items):
        share = left // (len(items) - place)
        for chosen in range(first, len(AMOUNTS)):
            shown = show(item, AMOUNTS[chosen])
            size = len(shown.encode())
            if size <= share:
                break
        first = max(0, chosen - 1)
        left = max(0, left - size)
        yield shown
