"""What every parsed piece of SPARQL has in common: it is a frozen value that can be walked and rewritten."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from typing import TypeVar, cast

N = TypeVar("N")


@dataclass(frozen=True, slots=True)
class Node:
    """A frozen value whose fields are nodes, terms, plain values, or tuples of these."""


_NAMES: dict[type, tuple[str, ...]] = {}


def _field_names(node: Node) -> tuple[str, ...]:
    names = _NAMES.get(type(node))
    if names is None:
        names = _NAMES[type(node)] = tuple(field.name for field in fields(node) if field.compare)
    return names


def walk(tree: object, stop: tuple[type, ...] = ()) -> Iterator[object]:
    """Yield `tree` and all that it holds, parents first, in the order of the text.

    What is inside a node whose type is in `stop` is left out, the node itself is not.
    """
    stack = [tree]
    while stack:
        item = stack.pop()
        yield item
        if isinstance(item, tuple):
            stack.extend(reversed(item))
        elif isinstance(item, Node) and type(item) not in stop:
            stack.extend(getattr(item, name) for name in reversed(_field_names(item)))


def rewrite(tree: N, change: Callable[[object], object | None]) -> N:
    """Return `tree` with `change` applied from the top; None means "look inside".

    What `change` returns is not looked into again. Parts that do not change are shared.
    """
    return cast("N", _rewrite(tree, change))


def _rewrite(item: object, change: Callable[[object], object | None]) -> object:
    changed = change(item)
    if changed is not None:
        return changed
    if isinstance(item, tuple):
        parts = tuple(_rewrite(part, change) for part in item)
        same = all(new is old for new, old in zip(parts, item, strict=True))
        return item if same else parts
    if not isinstance(item, Node):
        return item
    news = {}
    for name in _field_names(item):
        old = getattr(item, name)
        new = _rewrite(old, change)
        if new is not old:
            news[name] = new
    return replace(item, **news) if news else item
