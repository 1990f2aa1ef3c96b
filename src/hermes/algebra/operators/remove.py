"""Retract a clause or a modifier by what it says."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeVar

from hermes.algebra.aliases import write_out
from hermes.algebra.fields import TEXT, Reader, field
from hermes.algebra.kind import Operator, kind
from hermes.algebra.plan import DatasetClause, Plan
from hermes.algebra.prune import prune
from hermes.algebra.render import modifier_lines
from hermes.errors import HermesError, PlanError
from hermes.sparql.modifiers import Alias, OrderCondition
from hermes.sparql.parser import Parser
from hermes.sparql.patterns import Group

T = TypeVar("T")

Removal = Callable[[Parser, Plan], Plan | None]
"""Reads the text in one way and removes what it names; None where the plan has no such thing."""


@kind
class Remove(Operator):
    """Take out what a text names: a clause, a filter or a modifier, as hermes prints it, in any spelling.

    The clauses of WHERE come first; then a clause inside another, if only one is equal. An OPTIONAL or a
    branch that is left empty goes too.
    """

    op = "remove"
    example = '{"op": "remove", "text": "?city ex:hosted ?games"}'
    text: str = field(TEXT)

    def apply(self, plan: Plan) -> Plan:
        """Return the plan without it."""
        for removal in _REMOVALS:
            try:
                parser = Parser(self.text, Reader(plan).context)
                removed = removal(parser, plan)
                parser.expect_end("text")
            except PlanError:
                raise
            except HermesError:
                continue
            if removed is not None:
                return removed
        listed = " | ".join(removable(plan)) or "nothing"
        raise PlanError(
            f"the plan has nothing that says {self.text!r}; removable: {listed}", code="not-in-plan"
        )


def removable(plan: Plan) -> Iterator[str]:
    """Yield the texts that `remove` takes, with the plan's short names."""
    names = plan.prefixes.names()
    yield from plan.where.items(names)
    yield from modifier_lines(plan, names)


# --- readings ---------------------------------------------------------------------------------


def _element(parser: Parser, plan: Plan) -> Plan | None:
    wanted = parser.item(Group())
    if plan.values is not None and wanted.elements and _same_table(wanted, plan):
        return plan.evolve(values=None)
    where = prune(plan.where, wanted)
    return None if where is None else plan.evolve(where=where)


def _same_table(wanted: Group, plan: Plan) -> bool:
    names = plan.prefixes.names()
    return plan.values is not None and wanted.elements[0].text(names) == plan.values.text(names)


def _condition(parser: Parser, plan: Plan) -> Plan | None:
    """Read a bare expression: the condition of a filter or of HAVING."""
    having = parser.take_word("HAVING")
    parser.aggregates = True
    expression = write_out(plan, parser.expression())
    if expression in plan.having:
        return plan.evolve(having=tuple(kept for kept in plan.having if kept != expression))
    where = None if having else prune(plan.where, Group(filters=(expression,)))
    return None if where is None else plan.evolve(where=where)


def _distinct(parser: Parser, plan: Plan) -> Plan | None:
    if parser.take_word("DISTINCT"):
        return plan.evolve(distinct=False) if plan.distinct else None
    parser.expect_word("REDUCED")
    return plan.evolve(reduced=False) if plan.reduced else None


def _slice(parser: Parser, plan: Plan) -> Plan | None:
    word = "LIMIT" if parser.take_word("LIMIT") else "OFFSET"
    if word == "OFFSET":
        parser.expect_word(word)
    there = plan.limit if word == "LIMIT" else plan.offset or None
    if there is None or (parser.kinds[parser.at] == "INTEGER" and parser.natural(word) != there):
        return None
    return plan.evolve(limit=None) if word == "LIMIT" else plan.evolve(offset=0)


def _order(parser: Parser, plan: Plan) -> Plan | None:
    if parser.take_word("ORDER"):
        parser.expect_word("BY")
    keys = _several(parser, parser.order_condition)
    wanted = {OrderCondition(write_out(plan, key.expression), key.descending) for key in keys}
    if not wanted <= set(plan.order_by):
        return None
    return plan.evolve(order_by=tuple(key for key in plan.order_by if key not in wanted))


def _group(parser: Parser, plan: Plan) -> Plan | None:
    parser.expect_word("GROUP")
    parser.expect_word("BY")
    wanted = set(_several(parser, parser.group_key))
    if not wanted <= set(plan.group_by):
        return None
    return plan.evolve(group_by=tuple(key for key in plan.group_by if key not in wanted))


def _several(parser: Parser, one: Callable[[], T]) -> list[T]:
    found = [one()]
    while parser.kinds[parser.at] != "END":
        found.append(one())
    return found


def _alias(parser: Parser, plan: Plan) -> Plan | None:
    opened = parser.take("(")
    alias = parser.alias(aggregates=True)
    if opened:
        parser.expect(")")
    wanted = Alias(write_out(plan, alias.expression), alias.variable)
    if wanted not in plan.projection:
        return None
    return plan.evolve(projection=tuple(column for column in plan.projection if column != wanted))


def _dataset(parser: Parser, plan: Plan) -> Plan | None:
    parser.expect_word("FROM")
    named = parser.take_word("NAMED")
    clause = DatasetClause(parser.iri(), named)
    if clause not in plan.dataset:
        return None
    return plan.evolve(dataset=tuple(kept for kept in plan.dataset if kept != clause))


def _columns(parser: Parser, plan: Plan) -> Plan | None:
    """Read SELECT with the chosen columns: until they are chosen again, the first variable answers."""
    parser.expect_word("SELECT")
    columns = tuple(_several(parser, parser.column))
    chosen = tuple(
        Alias(write_out(plan, column.expression), column.variable) if isinstance(column, Alias) else column
        for column in columns
    )
    if not plan.projected or chosen != plan.projection:
        return None
    kept = tuple(column for column in plan.projection if column in plan.aggregates)
    return plan.evolve(projected=False, projection=kept)


def _form(form: str, parser: Parser, plan: Plan) -> Plan | None:
    parser.expect_word(form)
    if plan.form != form.lower():
        return None
    parser.at = len(parser.kinds) - 1
    return plan.evolve(form="select", projected=False, template=(), described=())


_REMOVALS: tuple[Removal, ...] = (
    _element,
    _condition,
    _distinct,
    _slice,
    _order,
    _group,
    _alias,
    _dataset,
    _columns,
    *(partial(_form, form) for form in ("ASK", "CONSTRUCT", "DESCRIBE")),
)
