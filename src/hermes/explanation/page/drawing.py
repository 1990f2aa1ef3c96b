"""A pattern graph as an inline SVG, with the same in words for who cannot see it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from hermes.explanation.page.layout import Box, Layout, layout
from hermes.explanation.page.pattern_graph import Arrow, Node, PatternGraph
from hermes.pages.markup import Markup, joined, tag
from hermes.printable import clip, display_width

_CHARACTER: Final = 7.8
"""Units of the widest usual character of the drawing's font."""
_LINE: Final = 18.0
_PADDING: Final = 12.0
_MARGIN: Final = 12.0
_LONGEST: Final = 34
"""Characters of a text in the drawing; the words below have it in full."""
_CROSS: Final = 6.0
_BOW: Final = 60.0
_MOST: Final = 120
"""Nodes of a drawing that can still be read."""

_NEGATIVE: Final = frozenset({"minus", "not exists"})
_KINDS: Final = (
    ("negative", _NEGATIVE),
    ("optional", frozenset({"optional"})),
    ("positive", frozenset({"exists"})),
)


def drawn(graph: PatternGraph) -> Markup:
    """Return the drawing of a graph, followed by its edges in words; only these where it is too large."""
    words = tag(
        "details",
        tag("summary", "The drawing in words"),
        tag("ul", *(tag("li", sentence) for sentence in in_words(graph)), id="drawing-words"),
        open="" if len(graph.nodes) > _MOST else None,
    )
    if len(graph.nodes) > _MOST:
        return joined(tag("p", f"{len(graph.nodes)} nodes are too many for a drawing."), words)
    sizes = [_size(node) for node in graph.nodes]
    lines = [(arrow.start, arrow.end, _width(_label(arrow))) for arrow in graph.arrows]
    first = [place for place, node in enumerate(graph.nodes) if node.answers]
    places = layout(sizes, lines, first)
    width, height = places.width + 2 * _MARGIN, places.height + 2 * _MARGIN
    picture = tag(
        "svg",
        tag("title", "The patterns of the query as a graph", id="drawing-title"),
        _heads(),
        *_arrows(graph, places),
        *(_node(node, box) for node, box in zip(graph.nodes, places.boxes, strict=True)),
        class_="drawing",
        role="img",
        aria_labelledby="drawing-title",
        aria_describedby="drawing-words",
        viewBox=f"{-_MARGIN:g} {-_MARGIN:g} {width:g} {height:g}",
        width=f"{width:g}",
        height=f"{height:g}",
    )
    return joined(tag("div", picture, class_="wide"), words)


def in_words(graph: PatternGraph) -> Iterator[str]:
    """Yield a line for each arrow, for what is said of a node, and for each condition beside the drawing."""
    for node in graph.nodes:
        if node.lines:
            yield f"{node.name}: {'; '.join(node.lines)}"
    for arrow in graph.arrows:
        start, end = graph.nodes[arrow.start].name, graph.nodes[arrow.end].name
        within = f" ({', '.join(arrow.within)})" if arrow.within else ""
        yield f"{start} \N{EM DASH} {arrow.label} \N{RIGHTWARDS ARROW} {end}{within}"
    yield from graph.notes


def _heads() -> Markup:
    """Return the head of an arrow."""
    shape = tag("path", d="M0,0 L8,4 L0,8 z")
    return tag(
        "defs",
        tag("marker", shape, id="head", markerWidth=8, markerHeight=8, refX=8, refY=4, orient="auto"),
    )


# --- nodes ---------------------------------------------------------------------------------------------


def _size(node: Node) -> tuple[float, float]:
    texts = [clip(text, _LONGEST) for text in (node.name, *node.lines)]
    return max(map(_width, texts)) + 2 * _PADDING, _LINE * len(texts) + _PADDING


def _width(text: str) -> float:
    return display_width(clip(text, _LONGEST)) * _CHARACTER


def _node(node: Node, box: Box) -> Markup:
    top = box.y - box.height / 2
    shape = tag(
        "rect",
        x=f"{box.x - box.width / 2:g}",
        y=f"{top:g}",
        width=f"{box.width:g}",
        height=f"{box.height:g}",
        rx=f"{min(box.height, 2 * _LINE) / 2:g}" if node.variable else "4",
    )
    texts = [
        tag(
            "text",
            clip(line, _LONGEST),
            x=f"{box.x:g}",
            y=f"{top + _PADDING / 2 + _LINE * (number + 0.72):g}",
            class_="said" if number else None,
        )
        for number, line in enumerate((node.name, *node.lines))
    ]
    kind = "variable" if node.variable else "constant"
    return tag("g", shape, *texts, class_=f"node {kind}{' answer' * node.answers}")


# --- arrows --------------------------------------------------------------------------------------------


def _arrows(graph: PatternGraph, places: Layout) -> Iterator[Markup]:
    """Yield the arrows; several that reach one node from the left lie one below the other there."""
    reached: Counter[int] = Counter()
    for arrow in graph.arrows:
        start, end = places.boxes[arrow.start], places.boxes[arrow.end]
        right = arrow.start if _left(start) > _left(end) else arrow.end
        number = reached[right]
        reached[right] += 1
        if _left(start) == _left(end):
            yield _beside(arrow, start, end, number)
        else:
            yield _across(arrow, start, end, number)


def _left(box: Box) -> float:
    return box.x - box.width / 2


def _right(box: Box) -> float:
    return box.x + box.width / 2


def _across(arrow: Arrow, start: Box, end: Box, number: int) -> Markup:
    """Return an arrow between two columns: its label lies before the node on the right, on a level line."""
    near, far = sorted((start, end), key=_left)
    level = far.y + _LINE * ((number + 1) // 2) * (1 if number % 2 else -1)
    reach = far.height / 2 - 4
    bend = _left(far) - _width(_label(arrow)) - _PADDING
    points = [
        (_right(near), near.y),
        ((_right(near) + bend) / 2, near.y),
        ((_right(near) + bend) / 2, level),
        (bend, level),
        (_left(far) - _PADDING, level),
        (_left(far), max(far.y - reach, min(far.y + reach, level))),
    ]
    one, two, three, four, five, six = (f"{x:.1f},{y:.1f}" for x, y in points)
    if start is near:
        path = f"M{one} C{two} {three} {four} L{five} L{six}"
    else:
        path = f"M{six} L{five} L{four} C{three} {two} {one}"
    return _edge(arrow, path, (bend + _left(far) - _PADDING) / 2, level)


def _beside(arrow: Arrow, start: Box, end: Box, number: int) -> Markup:
    """Return an arrow inside one column, or from a node to itself: a bow on the right."""
    lift = 0.0 if start is not end else start.height / 4
    out = max(_right(start), _right(end)) + _BOW * (number + 1)
    first, last = f"{_right(start):.1f},{start.y - lift:.1f}", f"{_right(end):.1f},{end.y + lift:.1f}"
    path = f"M{first} C{out:.1f},{start.y - lift:.1f} {out:.1f},{end.y + lift:.1f} {last}"
    return _edge(arrow, path, out, (start.y + end.y) / 2)


def _edge(arrow: Arrow, path: str, x: float, y: float) -> Markup:
    kind = next((name for name, words in _KINDS if words.intersection(arrow.within)), "required")
    parts = [tag("path", d=path, marker_end="url(#head)")]
    if kind == "negative":
        parts.append(tag("path", d=_cross(x, y), class_="cross"))
    parts.append(tag("text", clip(_label(arrow), _LONGEST), x=f"{x:.1f}", y=f"{y - 8:.1f}"))
    return tag("g", *parts, class_=f"arrow {kind}")


def _cross(x: float, y: float) -> str:
    left, right, top, bottom = x - _CROSS, x + _CROSS, y - _CROSS, y + _CROSS
    return f"M{left:.1f},{top:.1f} L{right:.1f},{bottom:.1f} M{left:.1f},{bottom:.1f} L{right:.1f},{top:.1f}"


def _label(arrow: Arrow) -> str:
    return " ".join((*(f"{word}:" for word in arrow.within), arrow.label))
