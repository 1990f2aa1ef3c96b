"""Fields that hold other steps: the patterns of a group, and the actions of a sub-query."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, Final

from hermes.algebra.action import Action, parse_action
from hermes.algebra.fields import Reader, Rule
from hermes.algebra.kind import GroupOperator, Kind, Operator
from hermes.algebra.plan import Plan
from hermes.algebra.render import sub_query_text
from hermes.algebra.spelling import Spelling
from hermes.errors import ActionError
from hermes.sparql.parser import Parser
from hermes.sparql.patterns import ELEMENT_RULES, Group
from hermes.terms import IriWriter

DEEPEST: Final = 16
"""How deep actions may stand inside actions."""

Item = str | dict[str, Any]


def _nested(item: dict[str, Any], reader: Reader) -> Kind:
    if reader.depth >= DEEPEST:
        raise ActionError(f"actions stand more than {DEEPEST} deep inside actions", code="too-deep")
    action = parse_action(item)
    return action.kind.read(action.given, reader.deeper())


def read_items(items: Iterable[Item], reader: Reader) -> Group:
    """Read the items of a group: texts of one element each, or actions that add to a group."""
    group = Group()
    outside = reader.context.enter_pattern()
    for item in items:
        if isinstance(item, str):
            group = reader.parse(item, "element of a group", partial(Parser.item, group=group))
        else:
            meant = _nested(item, reader)
            if not isinstance(meant, GroupOperator):
                raise ActionError(f'"{meant.op}" cannot stand inside a group of patterns', code="wrong-type")
            group = meant.add_to(group)
    reader.context.pattern = outside
    return group


def read_plan(items: Iterable[dict[str, Any]], reader: Reader) -> Plan:
    """Read the actions of a sub-query into a plan of its own."""
    plan = Plan(prefixes=reader.plan.prefixes)
    for item in items:
        meant = _nested(item, reader)
        if not isinstance(meant, Operator):
            raise ActionError(f'"{meant.op}" cannot stand inside a sub-query', code="wrong-type")
        plan = meant.apply(plan)
    return plan


def _is_items(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(item, str | dict) for item in value)


def _is_branches(value: object) -> bool:
    return isinstance(value, list | tuple) and len(value) > 1 and all(map(_is_items, value))


def _is_actions(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(item, dict) for item in value)


def _short_patterns(items: Iterable[Item], reader: Reader) -> str:
    return read_items(items, reader).text(reader.plan.prefixes.names())


def _branches(parser: Parser, names: IriWriter) -> list[list[str]]:
    found = []
    while parser.next_is("{"):
        found.append(parser.group().items(names))
        parser.take_word("UNION")
    return found


def _short_branches(branches: Iterable[Iterable[Item]], reader: Reader) -> str:
    return " UNION ".join(_short_patterns(items, reader) for items in branches)


def _select(parser: Parser, names: IriWriter) -> Any:
    parser.expect("{")
    found = ELEMENT_RULES["SELECT"](parser)
    parser.expect("}")
    return found.given(names)["actions"] if isinstance(found, Kind) else None


def _short_plan(actions: Iterable[dict[str, Any]], reader: Reader) -> str:
    return sub_query_text(read_plan(actions, reader), reader.plan.prefixes.names())


PATTERNS: Final[Rule[Group]] = Rule(
    "a list of patterns: each the text of one element, or an action",
    _is_items,
    read_items,
    Group.items,
    Spelling(lambda parser, names: parser.group().items(names), _short_patterns, braced=True),
)
BRANCHES: Final[Rule[tuple[Group, ...]]] = Rule(
    "a list of two or more branches, each a list of patterns",
    _is_branches,
    lambda value, reader: tuple(read_items(items, reader) for items in value),
    lambda groups, names: [group.items(names) for group in groups],
    Spelling(_branches, _short_branches),
)
ACTIONS: Final[Rule[Plan]] = Rule(
    "a list of actions",
    _is_actions,
    read_plan,
    lambda plan, names: [Action(type(step), step.given(names)).to_json() for step in plan.operators()],
    Spelling(_select, _short_plan, braced=True),
)
