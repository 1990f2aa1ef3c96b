"""Take a clause or a filter out of a group, wherever it stands, or put others in its place."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, TypeVar

from hermes.algebra.operators.join import Join
from hermes.algebra.operators.union import Union
from hermes.errors import PlanError
from hermes.sparql.expressions import Exists, Expression
from hermes.sparql.patterns import Element, Group
from hermes.sparql.tree import rewrite, walk

EMPTY: Final = Group()
T = TypeVar("T")


def prune(group: Group, wanted: Group, instead: Group = EMPTY) -> Group | None:
    """Return `group` with `instead` in the place of the one element or filter of `wanted`.

    None where it has no such thing. What stands directly in the group comes first; inside, the match must be
    the only one.

    Raises:
        PlanError: with code `ambiguous`: several equal ones stand inside.
    """
    direct = _direct(group, wanted, instead)
    if direct is not None:
        return direct
    inside = [
        (part, changed)
        for part in walk((group.elements, group.filters))
        if isinstance(part, Group) and (changed := _direct(part, wanted, instead)) is not None
    ]
    if len(inside) > 1:
        raise PlanError(
            f"{len(inside)} groups inside say this; name the clause around the one that is meant",
            code="ambiguous",
        )
    return _replaced(group, *inside[0]) if inside else None


def _direct(group: Group, wanted: Group, instead: Group) -> Group | None:
    """Return `group` with another in the place of the element or filter that stands directly in it."""
    for part in wanted.elements:
        if part in group.elements:
            before, after = _around(group.elements, part)
            return _group((*before, *instead.elements, *after), (*group.filters, *instead.filters))
    for condition in wanted.filters:
        if condition in group.filters:
            first, last = _around(group.filters, condition)
            return _group((*group.elements, *instead.elements), (*first, *instead.filters, *last))
    return None


def _around(parts: tuple[T, ...], part: T) -> tuple[tuple[T, ...], tuple[T, ...]]:
    place = parts.index(part)
    return parts[:place], parts[place + 1 :]


def _group(elements: tuple[Element, ...], filters: tuple[Expression, ...]) -> Group:
    """Return a group in which an equal triple pattern is kept once."""
    group = Group(filters=filters)
    for element in elements:
        group = group.add(element)
    return group


def _replaced(group: Group, old: Group, new: Group) -> Group:
    """Return `group` with the group `old` inside replaced; clauses that are left empty go."""
    elements = (_in_element(element, old, new) for element in group.elements)
    filters = (_in_filter(condition, old, new) for condition in group.filters)
    return Group(
        tuple(element for element in elements if element is not None),
        tuple(condition for condition in filters if condition is not None),
    )


def _in_element(element: Element, old: Group, new: Group) -> Element | None:
    if not _holds(element, old):
        return element
    if isinstance(element, Union):
        branches = ((branch, _in_group(branch, old, new)) for branch in element.branches)
        kept = tuple(changed for branch, changed in branches if changed != EMPTY or branch == EMPTY)
        return Union(kept) if len(kept) > 1 else Join(kept[0])
    for inner in element.groups():
        if _holds(inner, old):
            changed = _in_group(inner, old, new)
            return None if changed == EMPTY else _swapped(element, inner, changed)
    return _in_exists(element, old, new)


def _in_filter(condition: Expression, old: Group, new: Group) -> Expression | None:
    if not _holds(condition, old):
        return condition
    changed = _in_exists(condition, old, new)
    return None if isinstance(changed, Exists) and changed.group == EMPTY else changed


def _in_exists(tree: T, old: Group, new: Group) -> T:
    """Return `tree` with the group replaced inside the EXISTS that holds it."""
    for part in walk(tree, (Exists,)):
        if isinstance(part, Exists) and _holds(part, old):
            return _swapped(tree, part, replace(part, group=_in_group(part.group, old, new)))
    return tree


def _in_group(group: Group, old: Group, new: Group) -> Group:
    return new if group is old else _replaced(group, old, new)


def _holds(tree: object, group: Group) -> bool:
    return any(part is group for part in walk(tree))


def _swapped(tree: T, old: object, new: object) -> T:
    return rewrite(tree, lambda part: new if part is old else None)
