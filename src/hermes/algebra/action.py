"""Actions: one step as one JSON object, kept as it was given.

`parse_action` checks the shape of the JSON. The fields are read by the grammar when the action is
applied, because short names mean something only beside a plan's prefixes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, dataclass
from typing import Any

from hermes.algebra.fields import Reader
from hermes.algebra.kind import Kind, Operator, catalogue, field_rules, kind_of
from hermes.algebra.plan import Plan
from hermes.errors import ActionError, did_you_mean
from hermes.terms import NO_PREFIXES, Prefixes


@dataclass(frozen=True, slots=True)
class Action:
    """One step as it was given: what kind it is, and its fields as JSON."""

    kind: type[Kind]
    given: Mapping[str, Any]

    @classmethod
    def of(cls, meant: Kind, prefixes: Prefixes = NO_PREFIXES) -> Action:
        """Return the action that says what `meant` means, names shortened by `prefixes`."""
        return cls(type(meant), meant.given(prefixes.names()))

    @property
    def op(self) -> str:
        """The tag in JSON."""
        return self.kind.op

    def read(self, plan: Plan) -> Kind:
        """Return what the action means beside `plan`.

        Raises:
            ActionError: a field that the grammar does not read.
            PlanError: an undeclared prefix.
        """
        return self.kind.read(self.given, Reader(plan))

    def apply(self, plan: Plan) -> Plan:
        """Return the plan after the action; reads and control return it as it is.

        Raises:
            ActionError: a field that the grammar does not read.
            PlanError: the action does not fit the plan.
        """
        meant = self.read(plan)
        return meant.apply(plan) if isinstance(meant, Operator) else plan

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object; `parse_action` is the inverse."""
        return {"op": self.op, **self.given}

    def __str__(self) -> str:
        return json.dumps(self.to_json(), ensure_ascii=False)

    def __hash__(self) -> int:
        return hash(str(self))


def parse_action(obj: Mapping[str, Any] | str) -> Action:
    """Read an action from a JSON object or its text.

    Raises:
        ActionError: no JSON object, an unknown operator or field, a missing field, a wrong type.
    """
    if isinstance(obj, str):
        obj = _parse_json(obj)
    if not isinstance(obj, Mapping):
        raise ActionError(f'an action is one JSON object such as {{"op": "distinct"}}, not {_kind_name(obj)}')
    op = obj.get("op")
    if not isinstance(op, str):
        raise ActionError('an action needs "op": the name of an operator', code="missing-field")
    found = kind_of(op)
    if found is None:
        known = [each.op for each in catalogue()]
        raise ActionError(
            f'there is no operator "{op}"{did_you_mean(op, known)}; known: {", ".join(known)}',
            code="unknown-operator",
        )
    given = {name: value for name, value in obj.items() if name != "op"}
    _check_fields(found, given)
    return Action(found, given)


def _parse_json(text: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise ActionError("the JSON is nested too deep", code="too-deep") from None
    except ValueError as error:
        raise ActionError(f"this is not JSON: {error}", code="not-json") from None


def _check_fields(cls: type[Kind], given: Mapping[str, Any]) -> None:
    """Check the names and JSON types of the fields of an action.

    Raises:
        ActionError: with code `unknown-field`, `missing-field` or `wrong-type`.
    """
    rules = field_rules(cls)
    for name, value in given.items():
        if name not in rules:
            known = ", ".join(rules) or "none"
            raise ActionError(
                f'"{cls.op}" has no field "{name}"{did_you_mean(str(name), rules)}; its fields: {known}',
                code="unknown-field",
            )
        rules[name][0].check(value, f'"{name}" of "{cls.op}"')
    for name, (rule, default) in rules.items():
        if default is MISSING and name not in given:
            raise ActionError(
                f'"{cls.op}" needs "{name}", {rule.wants}; example: {cls.example}', code="missing-field"
            )


def _kind_name(value: object) -> str:
    names = {list: "a list", type(None): "null", bool: "a boolean", int: "a number", float: "a number"}
    return names.get(type(value), type(value).__name__)
