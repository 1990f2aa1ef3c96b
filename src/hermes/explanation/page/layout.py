"""Places for the nodes of a small graph: from left to right by distance, a tree's leaves in rows."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

GAP: Final = 36.0
"""Units between two columns, beside what the labels between them take."""
ROW_GAP: Final = 22.0


@dataclass(frozen=True, slots=True)
class Box:
    """Where a node stands: its centre, width and height."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Layout:
    """The boxes of all nodes, and the size of the whole."""

    boxes: tuple[Box, ...]
    width: float
    height: float


def layout(
    sizes: Sequence[tuple[float, float]], lines: Iterable[tuple[int, int, float]], first: Iterable[int] = ()
) -> Layout:
    """Return a place for each node; the same graph has the same places.

    Args:
        sizes: width and height of each node.
        lines: start, end and width of the label of each line between nodes.
        first: the nodes to begin with, on the left; each connected part begins with the first of its own.
    """
    room: dict[tuple[int, int], float] = {}
    near: dict[int, list[int]] = {node: [] for node in range(len(sizes))}
    for start, end, width in lines:
        for one, other in ((start, end), (end, start)):
            room[one, other] = max(width, room.get((one, other), 0.0))
            if other not in near[one] and other != one:
                near[one].append(other)
    order = dict.fromkeys([*first, *sorted(near, key=lambda node: (-len(near[node]), node))])
    parents = _tree(order, near)
    columns = _columns(parents)
    lefts = _lefts(columns, sizes, room)
    tops = _tops(parents, sizes)
    boxes = tuple(
        Box(lefts[columns[node]] + width / 2, tops[node], width, height)
        for node, (width, height) in enumerate(sizes)
    )
    return Layout(
        boxes,
        max((box.x + box.width / 2 for box in boxes), default=0.0),
        max((box.y + box.height / 2 for box in boxes), default=0.0),
    )


def _tree(order: Iterable[int], near: Mapping[int, Sequence[int]]) -> dict[int, int | None]:
    """Return the parent of each node in trees that go breadth first; parents come before children."""
    parents: dict[int, int | None] = {}
    for root in order:
        if root in parents:
            continue
        parents[root] = None
        waiting = deque([root])
        while waiting:
            node = waiting.popleft()
            for other in near[node]:
                if other not in parents:
                    parents[other] = node
                    waiting.append(other)
    return parents


def _columns(parents: Mapping[int, int | None]) -> dict[int, int]:
    columns: dict[int, int] = {}
    for node, parent in parents.items():
        columns[node] = 0 if parent is None else columns[parent] + 1
    return columns


def _lefts(
    columns: Mapping[int, int], sizes: Sequence[tuple[float, float]], room: Mapping[tuple[int, int], float]
) -> list[float]:
    """Return the left end of each column: after the widest node and the widest label before it."""
    count = max(columns.values(), default=-1) + 1
    widths, labels = [0.0] * count, [0.0] * count
    for node, column in columns.items():
        widths[column] = max(widths[column], sizes[node][0])
    for (one, other), width in room.items():
        if columns[other] == columns[one] + 1:
            labels[columns[other]] = max(labels[columns[other]], width)
    lefts, at = [], 0.0
    for column in range(count):
        at += labels[column] + GAP if column else 0.0
        lefts.append(at)
        at += widths[column]
    return lefts


def _tops(parents: Mapping[int, int | None], sizes: Sequence[tuple[float, float]]) -> dict[int, float]:
    """Return the middle of each node: leaves one below the other, a parent in the middle of its children."""
    children: dict[int | None, list[int]] = {}
    for node, parent in parents.items():
        children.setdefault(parent, []).append(node)
    middles: dict[int, float] = {}
    bottom = 0.0

    def place(node: int) -> None:
        nonlocal bottom
        below = children.get(node, [])
        top = bottom
        for child in below:
            place(child)
        height = sizes[node][1]
        if below:
            middle = (middles[below[0]] + middles[below[-1]]) / 2
            middles[node] = max(middle, top + height / 2)
        else:
            middles[node] = bottom + height / 2
        bottom = max(bottom, middles[node] + height / 2 + ROW_GAP)

    for root in children.get(None, []):
        place(root)
    return middles
