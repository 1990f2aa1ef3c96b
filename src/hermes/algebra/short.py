"""The short form of actions: one line without JSON, such as `triple ?c ex:hosted ?g` or `limit 3`.

It is derived from the fields of each kind: the options first (`kind=class`, or the name of a flag), then
the needed fields in their order, each in the spelling of its rule. A new operator has one by itself.
"""

from __future__ import annotations

import json
import re
from dataclasses import MISSING
from typing import Any, Final

from hermes.algebra.action import Action, parse_action
from hermes.algebra.fields import FLAG, Reader, Rule
from hermes.algebra.kind import Kind, catalogue, field_rules, kind_of
from hermes.algebra.operators.triple import Triple
from hermes.algebra.plan import Plan
from hermes.algebra.spelling import Spelling
from hermes.errors import ActionError, HermesError, did_you_mean
from hermes.printable import clip
from hermes.sparql.parser import Parser
from hermes.sparql.patterns import Group

_WORD: Final = re.compile(r"([A-Za-z]\w*)(?![\w:.-])\s*")
_BY: Final = re.compile(r"by\b(?!:)\s*", re.IGNORECASE)
_OPTION: Final = re.compile(r'([a-z]+)(?:=("(?:[^"\\]|\\.)*"|\S*))?(?:\s+|$)', re.IGNORECASE)
_FIRST: Final = re.compile(r'"(?:[^"\\]|\\.)*"|\S+')
"""A word, or a text in quotation marks."""
_JSON: Final = re.compile(r'\{\s*["}]')
_LONGEST: Final = 40

_Rules = dict[str, tuple[Rule[Any], Any]]


def parse_short(line: str, plan: Plan) -> Action:
    """Read an action from its short form, from JSON, or from the SPARQL text of one element of a group.

    A line that begins with a term is a triple pattern. Names are read with the prefixes of `plan`.

    Raises:
        ActionError: the line is no action.
        PlanError: an undeclared prefix.
    """
    text = line.strip()
    if _JSON.match(text):
        return parse_action(text)
    found = _WORD.match(text)
    kind = kind_of(found[1].lower()) if found else None
    if kind is None and (found is None or text.startswith("{")):
        return _sparql(text, plan) if text.startswith("{") else parse_action(_bare(text))
    if found is None or kind is None:
        word = found[1] if found else text
        known = [each.op for each in catalogue()]
        raise ActionError(
            f'there is no operator "{word}"{did_you_mean(word.lower(), known)}; known: {", ".join(known)}',
            code="unknown-operator",
        )
    try:
        return _fields(kind, text[found.end() :], plan)
    except HermesError:
        try:
            return _sparql(text, plan)
        except HermesError:
            pass
        raise


def parse_several(line: str, plan: Plan) -> list[Action]:
    """Read the actions of a line: several where it holds several patterns, as in `?c a ex:City ; ex:twin ?t`.

    Raises:
        ActionError: the line is no action.
        PlanError: an undeclared prefix.
    """
    if not (line.lstrip().startswith("{") or _WORD.match(line.strip())):
        try:
            parser = Parser(f"{{{line}}}", Reader(plan).context)
            group = parser.group()
            parser.expect_end("group")
        except HermesError:  # said better, and in the right column, where it is read as one pattern
            group = Group()
        if len(group.elements) + len(group.filters) > 1:
            return _alone(group, plan)
    return [parse_short(line, plan)]


def short(action: Action, plan: Plan) -> str:
    """Return the short form of an action, from which `parse_short` reads one that says the same.

    It is the JSON of the action where a value can be written in no other way.
    """
    try:
        text = _written(action, Reader(plan))
        if parse_short(text, plan).read(plan) == action.read(plan):
            return text
    except HermesError:
        pass
    return str(action)


def example(kind: type[Kind], plan: Plan) -> str:
    """Return the example of a kind in the short form."""
    return short(parse_action(kind.example), plan)


def usage(kind: type[Kind]) -> str:
    """Return the fields of a kind as its short form has them, options in brackets: `bind EXPR AS VAR`."""
    options, needed = _sorted(kind)
    parts = [f"[{name}]" if rule is FLAG else f"[{name}=...]" for name, (rule, _) in options.items()]
    for place, (name, (rule, _)) in enumerate(needed.items()):
        spelling = rule.short
        if place and spelling and spelling.word:
            parts.append(spelling.word)
        parts.append(f"{{ {name.upper()} }}" if spelling and spelling.braced else name.upper())
    return " ".join([kind.op, *parts])


# --- reading --------------------------------------------------------------------------------------


def _bare(text: str) -> dict[str, str]:
    return {"op": Triple.op, next(iter(field_rules(Triple))): text}


def _sparql(text: str, plan: Plan) -> Action:
    """Read the text of one element of a group, such as `OPTIONAL { ... }`."""
    parser = Parser(text, Reader(plan).context)
    group = parser.item(Group())
    parser.expect_end("element of a group")
    (action,) = _alone(group, plan)
    return action


def _alone(group: Group, plan: Plan) -> list[Action]:
    """Return the actions that add what is in a group."""
    made = Plan(prefixes=plan.prefixes, where=group, projection=group.scope()[:1])
    return made.actions(plan.prefixes)


def _fields(kind: type[Kind], rest: str, plan: Plan) -> Action:
    options, needed = _sorted(kind)
    given, rest = _options(options, rest)
    reader = Reader(plan)
    if needed:
        rest = rest[found.end() :] if (found := _BY.match(rest)) else rest
    for place, (name, (rule, _)) in enumerate(needed.items()):
        last = place == len(needed) - 1
        rest = _after_word(rule.short, rest) if place else rest
        if not rest and not (last and rule.fits([])):
            raise ActionError(
                f"{kind.op} needs {name.upper()}, {rule.wants}; example: {example(kind, plan)}",
                code="missing-field",
            )
        given[name], rest = _field(rule, rest, reader, last=last)
    if rest:
        raise ActionError(
            f'{kind.op} takes no more than this: {usage(kind)}; "{clip(rest, _LONGEST)}" follows it',
            code="unknown-field",
        )
    return parse_action({"op": kind.op} | {name: given[name] for name in field_rules(kind) if name in given})


def _sorted(kind: type[Kind]) -> tuple[_Rules, _Rules]:
    """Return the options and the needed fields of a kind."""
    rules = field_rules(kind)
    options = {name: found for name, found in rules.items() if found[1] is not MISSING}
    return options, {name: found for name, found in rules.items() if name not in options}


def _options(options: _Rules, rest: str) -> tuple[dict[str, Any], str]:
    given: dict[str, Any] = {}
    while (found := _OPTION.match(rest)) and (name := found[1].lower()) in options:
        rule = options[name][0]
        if (found[2] is None) != (rule is FLAG):
            break
        given[name] = True if rule is FLAG else _plain(found[2], rule)
        rest = rest[found.end() :]
    return given, rest


def _after_word(spelling: Spelling | None, rest: str) -> str:
    if spelling is None or not spelling.word:
        return rest
    return re.sub(rf"^{spelling.word}\b\s*", "", rest, flags=re.IGNORECASE)


def _field(rule: Rule[Any], rest: str, reader: Reader, *, last: bool) -> tuple[Any, str]:
    """Return the JSON value of a field, and the text that follows it."""
    spelling = rule.short
    if spelling is None:
        end = len(rest) if last or (found := _FIRST.match(rest)) is None else found.end()
        return _plain(rest[:end], rule), rest[end:].strip()
    if last and spelling.whole:
        return rest, ""
    if last and spelling.braced and not rest.startswith("{"):
        rest = f"{{{rest}}}"
    parser = Parser(rest, reader.context)
    value = spelling.read(parser, reader.plan.prefixes.names())
    return value, parser.source[parser.starts[parser.at] :]


def _plain(text: str, rule: Rule[Any]) -> Any:
    """Return the value that a text stands for: JSON, else the text itself, else a list with commas."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if value is not None and rule.fits(value):
        return value
    parts = text.split(",")
    return parts if not rule.fits(text) and rule.fits(parts) else text


# --- writing --------------------------------------------------------------------------------------


def _written(action: Action, reader: Reader) -> str:
    options, needed = _sorted(action.kind)
    parts = [action.op]
    for name, (rule, _) in options.items():
        if name in action.given:
            value = action.given[name]
            text = _plain_text(value, rule)
            option = json.dumps(value, ensure_ascii=False) if " " in text else text
            parts.append(name if rule is FLAG else f"{name}={option}")
    for place, (name, (rule, _)) in enumerate(needed.items()):
        spelling = rule.short
        if place and spelling and spelling.word:
            parts.append(spelling.word)
        value = action.given[name]
        text = spelling.write(value, reader) if spelling else _plain_text(value, rule)
        alone = spelling is not None or place == len(needed) - 1 or " " not in text
        parts.append(text if alone else json.dumps(value, ensure_ascii=False))
    return " ".join(parts)


def _plain_text(value: Any, rule: Rule[Any]) -> str:
    given = json.dumps(value, ensure_ascii=False)
    text = value if isinstance(value, str) else ",".join(map(str, value)) if _is_list(value) else given
    return text if _plain(text, rule) == value else given


def _is_list(value: object) -> bool:
    return isinstance(value, list | tuple)
