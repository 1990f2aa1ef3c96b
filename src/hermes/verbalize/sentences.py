"""A whole plan in words: what is given back, for what it is looked for, and what is done with the rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from hermes.algebra.operators import Values
from hermes.algebra.plan import Plan
from hermes.printable import printable
from hermes.sparql.expressions import Aggregate, variables_of
from hermes.sparql.modifiers import Alias, Column, GroupKey, OrderCondition
from hermes.sparql.patterns import Group
from hermes.sparql.tree import walk
from hermes.terms import IRI, BlankNode, Literal, Variable
from hermes.verbalize.clauses import (
    Bound,
    Filters,
    element_words,
    group_words,
    table_words,
    without_single_values,
)
from hermes.verbalize.expressions import condition, value
from hermes.verbalize.lexicon import article, listed
from hermes.verbalize.phrase import Phrase
from hermes.verbalize.speech import Speech
from hermes.verbalize.trees import Pool, is_class, noun_of_predicate
from hermes.verbalize.variables import connected, parts


def sentence(plan: Plan, speech: Speech, *, named: bool = False) -> str:
    """Return the words for a prepared plan; `named` says the names of aliases, for a query around it."""
    aliases = {part.variable for part in plan.projection if isinstance(part, Alias)}
    matched = {*plan.where.binds(), *speech.outer}
    joined = {*plan.values.binds()} if plan.values else set()
    after = {*plan.keys, *joined, *aliases} if plan.grouped else {*matched, *joined, *aliases}
    with speech.modifying(matched, after):
        return "; ".join([_form(plan, speech, named=named), *_modifiers(plan, speech)])


def _form(plan: Plan, speech: Speech, *, named: bool) -> str:
    match plan.form:
        case "ask":
            return f"whether {_asked(plan, speech)}"
        case "construct":
            return _construct(plan, speech)
        case "describe":
            return _describe(plan, speech)
        case _:
            return _select(plan, speech, named=named)


class Base:
    """The WHERE of a plan: what matches are made of, and on which conditions."""

    def __init__(self, plan: Plan, speech: Speech, root: Variable | None, columns: Bound) -> None:
        filters = Filters(plan.where.filters, speech, {*speech.outer, *plan.where.binds()})
        first, others = parts(plan.where)
        others = without_single_values(others, plan.where, speech)
        pool = Pool(first, speech, filters.about)
        self.phrases: list[Phrase] = []
        start = root or pool.start()
        while start is not None:
            self.phrases.append(pool.every(start, column=start in columns))
            start = pool.start()
        self.conditions = [clause.text(last=False) for clause in pool.statements()]
        self.conditions += element_words(others, speech, first)
        self.conditions += filters.words(inside=False)

    def text(self) -> str:
        """Return `every city that ...; where ...`."""
        conditions = "; ".join(map(_joining, self.conditions))
        if not self.phrases:
            return f"every match {conditions}" if conditions else "the empty match"
        if len(self.phrases) == 1:
            what = self.phrases[0].open_text()
        else:
            what = "every combination of " + " with ".join(_one_of(each) for each in self.phrases)
        return f"{what}; {conditions}" if conditions else what


def _one_of(every: Phrase) -> str:
    """Return `a city that ...` for `every city that ...`."""
    if every.head.startswith("everything"):
        return replace(every, head=every.head.replace("every", "some", 1)).text()
    return replace(every, head=article(every.head.removeprefix("every "))).text()


def _joining(words: str) -> str:
    return words if words.startswith(("optionally ", "except where ")) else f"where {words}"


# --- forms ---------------------------------------------------------------------------------------


def _asked(plan: Plan, speech: Speech) -> str:
    return group_words(plan.where, speech) if plan.where != Group() else "anything at all"


def _select(plan: Plan, speech: Speech, *, named: bool) -> str:
    root = _root(plan, speech)
    owned = _owned(plan, root, speech)
    columns = _plain(plan) if connected(plan.where) and not plan.grouped else ()
    if root and columns == (root,):
        return Base(plan, speech, root, columns).text()
    if columns and owned.keys() >= set(columns):
        base = _base_without(columns, plan, speech, root)
        return f"{listed(f'the {owned[column]}' for column in columns)} of {base}"
    counted = [name for name in _counted_on(plan) if name in owned]
    base = _base_without(counted, plan, speech, root)
    listing = listed(_column(column, speech, named=named) for column in plan.projection) or "a constant"
    if plan.group_by:
        with speech.seeing(speech.matched):
            keys = listed(_key(key, speech) for key in plan.group_by)
        return f"for each {keys}: {listing}, over {base}"
    return f"{listing}, over {base}" if plan.grouped else f"{listing}, for {base}"


def _plain(plan: Plan) -> tuple[Variable, ...]:
    """Return the variables that the columns show, under whatever names; none if they show something else."""
    shown = [column.expression if isinstance(column, Alias) else column for column in plan.projection]
    plain = tuple(part for part in shown if isinstance(part, Variable))
    return plain if len(plain) == len(shown) else ()


def _base_without(implied: Iterable[Variable], plan: Plan, speech: Speech, root: Variable | None) -> str:
    """Return the words for WHERE, except that there is some value of what the columns name."""
    before, speech.implied = speech.implied, set(implied)
    base = Base(plan, speech, root, () if plan.grouped else plan.columns).text()
    speech.implied = before
    return base


def _root(plan: Plan, speech: Speech) -> Variable | None:
    """Return the variable from which the patterns are told: of the first column, or what has it."""
    first, _ = parts(plan.where)
    classed = {triple.subject for triple in first if is_class(triple)}
    for variable in _asked_for(plan):
        mine = [triple for triple in first if variable in (triple.subject, triple.object)]
        if not mine:
            continue
        owner = mine[0].subject
        lone = len(mine) == 1 and variable == mine[0].object and isinstance(mine[0].predicate, IRI)
        if lone and isinstance(owner, Variable) and (owner in classed or noun_of_predicate(mine[0], speech)):
            return owner
        return variable
    return None


def _asked_for(plan: Plan) -> Iterator[Variable]:
    for part in (*plan.group_by, *plan.projection):
        expression = part.expression if isinstance(part, Alias) else part
        yield from variables_of(expression)


def _owned(plan: Plan, root: Variable | None, speech: Speech) -> dict[Variable, str]:
    """Return what columns name or count that is the value of one predicate of the root, with its noun."""
    first, _ = parts(plan.where)
    uses = Counter(part for part in walk(plan) if isinstance(part, Variable))
    owned = {}
    for triple in first:
        end, noun = triple.object, noun_of_predicate(triple, speech)
        if triple.subject != root or not isinstance(end, Variable) or not noun or is_class(triple):
            continue
        if speech.attribute(end) or uses[end] == _NAMED_AND_SELECTED:
            owned[end] = noun
    return owned


_NAMED_AND_SELECTED = 2


def _counted_on(plan: Plan) -> Iterator[Variable]:
    """Yield the one variable of which all columns are aggregates: without a value it would change none."""
    found = [part for part in walk(plan.projection) if isinstance(part, Aggregate)]
    read = set(variables_of(tuple(part.argument for part in found)))
    if (
        not (plan.group_by or plan.having or plan.order_by)
        and len(read) == 1
        and all(isinstance(part.argument, Variable) for part in found)
    ):
        yield from read


def _column(column: Column, speech: Speech, *, named: bool) -> str:
    if isinstance(column, Variable):
        return speech.value(column)
    words = value(column.expression, speech, inside=True)
    named = named or column.variable in speech.handles
    return f"{words} as {speech.name(column.variable)}" if named else words


def _key(key: GroupKey, speech: Speech) -> str:
    if isinstance(key, Alias):
        return f"{speech.name(key.variable)} ({value(key.expression, speech)})"
    return value(key, speech, inside=True).removeprefix("the ")


def _construct(plan: Plan, speech: Speech) -> str:
    base = Base(plan, speech, None, ()).text()
    triples = (
        " ".join(_part(part, speech) for part in (triple.subject, triple.predicate, triple.object))
        for triple in plan.template
    )
    made = listed(f"({triple})" for triple in triples)
    return f"the triples {made or 'of nothing'}, for {base}"


def _part(part: object, speech: Speech) -> str:
    return speech.value(part) if isinstance(part, Variable | IRI | Literal | BlankNode) else str(part)


def _describe(plan: Plan, speech: Speech) -> str:
    told = f"what the graph tells of {listed(speech.value(term) for term in plan.described)}"
    if plan.where == Group():
        return told
    root = next((part for part in plan.described if isinstance(part, Variable)), None)
    first, _ = parts(plan.where)
    inside = root is not None and any(root in (triple.subject, triple.object) for triple in first)
    return f"{told}, for {Base(plan, speech, root if inside else None, ()).text()}"


# --- modifiers -----------------------------------------------------------------------------------


def _modifiers(plan: Plan, speech: Speech) -> Iterator[str]:
    for expression in plan.having:
        yield f"only groups where {condition(expression, speech, inside=True)}"
    if isinstance(plan.values, Values):
        yield f"only rows where {table_words(plan.values, speech)}"
    elif plan.values is not None:
        yield f"only rows as in {speech.copy(printable(plan.values.text(speech.lexicon.write)), plan.values)}"
    yield from _repeats(plan)
    if plan.order_by:
        yield f"sorted by {listed((_sort_key(key, speech) for key in plan.order_by), 'then')}"
    yield from _slice(plan)
    for clause in plan.dataset:
        graph = printable(speech.lexicon.write(clause.graph.value))
        yield f"with the named graph {graph}" if clause.named else f"asked of the graph {graph}"


def _repeats(plan: Plan) -> Iterator[str]:
    if plan.distinct:
        yield "each once" if len(plan.columns) < _SEVERAL else "each row once"
    elif plan.reduced:
        yield "repeats may be dropped"
    elif plan.form == "select" and not plan.grouped and set(plan.where.binds()) - set(_plain(plan)):
        yield "repeats kept"


_SEVERAL = 2


def _sort_key(key: OrderCondition, speech: Speech) -> str:
    way = "largest first" if key.descending else "smallest first"
    return f"{value(key.expression, speech, inside=True)} ({way})"


def _slice(plan: Plan) -> Iterator[str]:
    if not plan.sliced:
        return
    left_out = f"leaving out the first {plan.offset}" if plan.offset else ""
    if plan.limit is None:
        yield left_out
        return
    order = "next" if plan.offset else "first"
    rows = (
        "no row"
        if plan.limit == 0
        else f"only the {order} {plan.limit}"
        if plan.limit > 1
        else f"only the {order} one"
    )
    if not plan.order_by and plan.limit:
        rows = f"only {plan.limit} of them, whichever come first" if not plan.offset else rows
    yield f"{left_out}, {rows}" if left_out else rows
