"""What an action may be: an operator that edits the plan, a read of the graph, or a control.

Each kind is one class in one file of `operators/`, `reads.py` or `control.py`, put into the catalogue by
the decorator `kind`. Parser, documentation, prompt and property tests go through the catalogue.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, ClassVar, Self, TypeVar, dataclass_transform

from hermes.algebra.fields import Reader, Rule, field
from hermes.algebra.observation import Found
from hermes.algebra.plan import Plan
from hermes.algebra.ports import View
from hermes.errors import PlanError
from hermes.sparql.patterns import Element, Group
from hermes.sparql.tree import Node
from hermes.terms import IriWriter


class Kind(Node):
    """What an action may be. `field(RULE)` says how a field of the JSON is read and written.

    `op` is the tag in JSON; `example` is one line of JSON that works on the shipped graph: the docs and
    prompts show it and the tests run it.
    """

    __slots__ = ()
    op: ClassVar[str]
    example: ClassVar[str]

    @classmethod
    def read(cls, given: Mapping[str, Any], reader: Reader) -> Self:
        """Read the JSON fields of an action.

        Raises:
            ActionError: a field that the grammar does not read.
            PlanError: an undeclared prefix.
        """
        rules = field_rules(cls)
        return cls(**{name: rules[name][0].read(value, reader) for name, value in given.items()})

    def given(self, names: IriWriter) -> dict[str, Any]:
        """Return the JSON fields that say this; a field that has its default is left out."""
        return {
            name: rule.write(getattr(self, name), names)
            for name, (rule, default) in field_rules(type(self)).items()
            if default is MISSING or getattr(self, name) != default
        }


class Operator(Kind, ABC):
    """A kind that edits the plan."""

    __slots__ = ()

    @abstractmethod
    def apply(self, plan: Plan) -> Plan:
        """Return the new plan.

        Raises:
            PlanError: the operator does not fit the plan.
        """


class GroupOperator(Operator):
    """An operator that adds something to a group graph pattern: to WHERE, or to a group of its own."""

    __slots__ = ()

    @abstractmethod
    def add_to(self, group: Group) -> Group:
        """Return `group` with what this adds."""

    def apply(self, plan: Plan) -> Plan:
        """Add to the WHERE group."""
        refuse_after_slice(plan)
        return plan.evolve(where=self.add_to(plan.where))


class Clause(GroupOperator, Element):
    """An operator that is itself the element of the group.

    A new one says its fields, `text`, `binds` and, where it has groups inside, `groups`; its rule in the
    grammar is a function marked `@begins_with("KEYWORD")` in the same file.
    """

    __slots__ = ()

    def add_to(self, group: Group) -> Group:
        """Return `group` with the clause at its end."""
        return group.add(self)


class Read(Kind, ABC):
    """A kind that reads the graph and leaves the plan as it is."""

    __slots__ = ()

    @abstractmethod
    def look(self, view: View) -> Found:
        """Return what there is.

        Raises:
            ActionError: there is nothing to look for.
            PlanError: it cannot be looked for beside this plan.
            StoreError: the store could not answer.
        """


class Control(Kind):
    """A kind that steers the explorer."""

    __slots__ = ()


_KINDS: dict[str, type[Kind]] = {}
_RULES: dict[type, dict[str, tuple[Rule[Any], Any]]] = {}

K = TypeVar("K", bound=Kind)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def kind(cls: type[K]) -> type[K]:
    """Make a class a frozen dataclass and put it into the catalogue under its `op`."""
    made = dataclass(frozen=True, slots=True)(cls)
    _KINDS[made.op] = made
    return made


def catalogue() -> Iterator[type[Kind]]:
    """Yield the kinds of action in the order of the documentation: operators, reads, control."""
    return iter(sorted(_KINDS.values(), key=lambda made: (issubclass(made, Control), issubclass(made, Read))))


def kind_of(op: str) -> type[Kind] | None:
    """Return the kind with this tag."""
    return _KINDS.get(op)


def field_rules(cls: type[Kind]) -> dict[str, tuple[Rule[Any], Any]]:
    """Return the rule and the default (or MISSING) of each field of a kind, by name."""
    rules = _RULES.get(cls)
    if rules is None:
        rules = _RULES[cls] = {part.name: (part.metadata["rule"], part.default) for part in fields(cls)}
    return rules


# --- the order of evaluation (SPARQL 1.1, section 18.2.4) ----------------------------------------

_NEST = 'nest first ({"op": "nest"}) to work on the result so far'


def refuse_after_slice(plan: Plan) -> None:
    """Refuse a step that SPARQL would evaluate before the LIMIT or OFFSET that is already there.

    Raises:
        PlanError: with code `after-slice`.
    """
    if plan.sliced:
        raise PlanError(f"SPARQL would evaluate this before the limit or offset: {_NEST}", code="after-slice")


def refuse_after_distinct(plan: Plan) -> None:
    """Refuse grouping what DISTINCT has already reduced.

    Raises:
        PlanError: with code `after-distinct`.
    """
    if plan.distinct or plan.reduced:
        raise PlanError(
            f"SPARQL would group before it removes duplicates: {_NEST}, or use COUNT(DISTINCT ...)",
            code="after-distinct",
        )


def refuse_unless_select(plan: Plan) -> None:
    """Refuse a step that only a SELECT query can take.

    Raises:
        PlanError: with code `wrong-form`.
    """
    if plan.form != "select":
        raise PlanError(
            f"the plan is {plan.form.upper()} and has no rows to work on: undo that step first",
            code="wrong-form",
        )
