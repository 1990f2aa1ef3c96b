"""What every parsed piece of SPARQL has in common: it is a frozen value that can be walked and rewritten."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from operator import attrgetter
from typing import TypeVar, cast

N = TypeVar("N")


@dataclass(frozen=True, slots=True)
class Node:
    """A frozen value whose fields are nodes, terms, plain values, or tuples of these."""


_NAMES: dict[type, tuple[str, ...]] = {}


def _field_names(kind: type[Node]) -> tuple[str, ...]:
    names = _NAMES.get(kind)
    if names is None:
        names = _NAMES[kind] = tuple(field.name for field in fields(kind) if field.compare)
    return names


# Each step of a session walks its plan several times.
_LAST_FIRST: dict[type, Callable[[object], tuple[object, ...]]] = {}


def _last_first(kind: type) -> Callable[[object], tuple[object, ...]]:
    """Return what gives the fields of a value of this type, the last one first; none of what is no node."""
    names = _field_names(kind)[::-1] if issubclass(kind, Node) else ()
    if len(names) > 1:
        found: Callable[[object], tuple[object, ...]] = attrgetter(*names)
    else:
        found = _only(*names) if names else _nothing
    _LAST_FIRST[kind] = found
    return found


def _only(name: str) -> Callable[[object], tuple[object, ...]]:
    return lambda node: (getattr(node, name),)


def _nothing(_: object) -> tuple[object, ...]:
    return ()


def walk(tree: object, stop: tuple[type, ...] = ()) -> Iterator[object]:
    """Yield `tree` and all that it holds, parents first, in the order of the text.

    What is inside a node whose type is in `stop` is left out, the node itself is not.
    """
    stack = [tree]
    while stack:
        item = stack.pop()
        yield item
        kind = type(item)
        if kind is tuple:
            stack += cast("tuple[object, ...]", item)[::-1]
        elif kind not in stop and (last_first := _LAST_FIRST.get(kind) or _last_first(kind)) is not _nothing:
            stack += last_first(item)


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
    for name in _field_names(type(item)):
        old = getattr(item, name)
        new = _rewrite(old, change)
        if new is not old:
            news[name] = new
    return replace(item, **news) if news else item
