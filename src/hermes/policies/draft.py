"""A draft of a query: what a question asks for over the classes of a graph, not yet taken step by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from typing import Literal as OneOf

from hermes.algebra.action import Action, parse_action
from hermes.policies.class_graph import Link
from hermes.suggest.naming import named_after
from hermes.terms import IRI, RDF_TYPE, Literal, Prefixes, Variable, literal_text

Function = OneOf["count", "avg", "sum", "max", "min"]
FUNCTIONS: Final[dict[str, Function]] = {"average": "avg", "sum": "sum", "maximum": "max", "minimum": "min"}
"""The functions that cues ask for."""
Sign = OneOf["=", "!=", ">", "<", ">=", "<=", "contains"]


@dataclass(frozen=True, slots=True)
class Attribute:
    """A predicate of the instances of a class; None are the instances themselves."""

    cls: str
    predicate: str | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """What is selected: an attribute, or a function over it."""

    of: Attribute
    function: Function | None = None
    distinct: bool = False


@dataclass(frozen=True, slots=True)
class Condition:
    """What an attribute has to be: one of some terms, or compared with one."""

    of: Attribute
    sign: Sign
    terms: tuple[IRI | Literal, ...]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Only the first by an attribute, by a function over it, or by how many of a class there are."""

    by: Attribute
    descending: bool
    count: bool = False
    limit: int = 1
    function: Function | None = None


@dataclass(frozen=True, slots=True)
class Having:
    """Only those with so many of a class."""

    of: Attribute
    sign: Sign
    number: str


@dataclass(frozen=True, slots=True)
class Mean:
    """Only those with more, or less, than the average."""

    of: Attribute
    sign: Sign


@dataclass(frozen=True, slots=True)
class Absent:
    """Only those without something: links from the class, and conditions at their end."""

    links: tuple[Link, ...]
    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """A query over classes.

    Args:
        cls: the class that all hangs together with.
        columns: what is selected.
        links: what connects the classes.
        conditions: what is kept.
        absent: what must not be there.
        ranking: which come first.
        having: how many there are.
        grouped: what is grouped by.
        ask: whether it only decides.
        mean: what is compared with its average.
        score: how well it says the question.
        left_out: the phrases that it says nothing of.
        said: how many words it says something of.
    """

    cls: str
    columns: tuple[Column, ...] = ()
    links: tuple[Link, ...] = ()
    conditions: tuple[Condition, ...] = ()
    absent: tuple[Absent, ...] = ()
    ranking: Ranking | None = None
    having: Having | None = None
    grouped: tuple[Attribute, ...] = ()
    ask: bool = False
    mean: Mean | None = None
    score: float = 0.0
    left_out: tuple[str, ...] = ()
    said: int = 0

    def actions(self, prefixes: Prefixes) -> list[Action]:
        """Return the steps of the query."""
        return list(_Steps(self, prefixes).all())


class _Steps:
    """Writes a draft as actions; each class and each attribute has a variable."""

    def __init__(self, draft: Draft, prefixes: Prefixes) -> None:
        self._draft = draft
        self._names = prefixes.names()
        self._classes: dict[str, Variable] = {}
        self._attributes: dict[Attribute, Variable] = {}
        self._taken: set[Variable] = set()
        self._said: dict[str, None] = {}

    def all(self) -> Iterator[Action]:
        """Yield the steps in the order of a query."""
        draft = self._draft
        yield from self._class(draft.cls)
        for link in draft.links:
            yield from self._link(link)
        for condition in draft.conditions:
            yield from self._condition(condition)
        for column in draft.columns:
            yield from self._attribute(column.of)
        for each in (*draft.grouped, *([draft.ranking.by] if draft.ranking else [])):
            yield from self._attribute(each)
        if draft.having is not None:
            yield from self._attribute(draft.having.of)
        if draft.mean is not None:
            yield from self._beyond(draft.mean)
        for absent in draft.absent:
            yield from self._absent(absent)
        if draft.ask:
            yield _action(op="ask")
            return
        yield from self._columns()

    # --- clauses --------------------------------------------------------------------------------------

    def _class(self, cls: str) -> Iterator[Action]:
        if cls not in self._classes:
            variable = self._new(named_after(IRI(cls), self._taken, otherwise="x"))
            self._classes[cls] = variable
            yield from self._triple(f"{variable} {self._names(RDF_TYPE)} {self._names(cls)}")

    def _link(self, link: Link) -> Iterator[Action]:
        known = link.subject in self._classes and link.object in self._classes
        for cls in (link.subject, link.object):
            if cls not in self._classes:
                self._classes[cls] = self._new(named_after(IRI(cls), self._taken, otherwise="x"))
        subject, value = self._classes[link.subject], self._classes[link.object]
        if link.subject == link.object and known:
            value = self._new(named_after(IRI(link.predicate), self._taken))
        yield from self._triple(f"{subject} {self._names(link.predicate)} {value}")

    def _attribute(self, attribute: Attribute) -> Iterator[Action]:
        yield from self._class(attribute.cls)
        if attribute.predicate is not None and attribute not in self._attributes:
            variable = self._new(named_after(IRI(attribute.predicate), self._taken))
            self._attributes[attribute] = variable
            yield from self._triple(
                f"{self._classes[attribute.cls]} {self._names(attribute.predicate)} {variable}"
            )

    def _condition(self, condition: Condition) -> Iterator[Action]:
        yield from self._class(condition.of.cls)
        terms = [self._text(term) for term in condition.terms]
        predicate = condition.of.predicate
        if condition.sign == "=" and len(terms) == 1 and predicate is not None:
            subject = self._classes[condition.of.cls]
            yield from self._triple(f"{subject} {self._names(predicate)} {terms[0]}")
            return
        yield from self._attribute(condition.of)
        variable = self._variable(condition.of)
        yield _action(op="filter", expr=_comparison(variable, condition.sign, terms))

    def _beyond(self, mean: Mean) -> Iterator[Action]:
        yield from self._attribute(mean.of)
        subject, value, average = (Variable(f"{each}_of_all") for each in ("one", "value", "average"))
        yield _action(
            op="subquery",
            actions=[
                {"op": "triple", "pattern": f"{subject} {self._names(RDF_TYPE)} {self._names(mean.of.cls)}"},
                {"op": "triple", "pattern": f"{subject} {self._names(str(mean.of.predicate))} {value}"},
                {"op": "aggregate", "expr": f"AVG({value})", "alias": str(average)},
            ],
        )
        yield _action(op="filter", expr=f"{self._variable(mean.of)} {mean.sign} {average}")

    def _absent(self, absent: Absent) -> Iterator[Action]:
        here = dict(self._classes)
        patterns: list[str] = []
        taken = set(self._taken)
        for link in absent.links:
            for cls in (link.subject, link.object):
                if cls not in here:
                    here[cls] = named_after(IRI(cls), taken, otherwise="x")
                    taken.add(here[cls])
            patterns.append(f"{here[link.subject]} {self._names(link.predicate)} {here[link.object]}")
        for condition in absent.conditions:
            cls, predicate = condition.of.cls, condition.of.predicate
            if predicate is None:
                patterns.append(f"FILTER({here[cls]} = {self._text(condition.terms[0])})")
            elif condition.sign == "=" and len(condition.terms) == 1:
                patterns.append(f"{here[cls]} {self._names(predicate)} {self._text(condition.terms[0])}")
            else:
                value = named_after(IRI(predicate), taken)
                taken.add(value)
                patterns.append(f"{here[cls]} {self._names(predicate)} {value}")
                texts = [self._text(term) for term in condition.terms]
                patterns.append(f"FILTER({_comparison(value, condition.sign, texts)})")
        inside = " . ".join(patterns)
        yield _action(op="filter", expr=f"NOT EXISTS {{ {inside} }}")

    def _triple(self, pattern: str) -> Iterator[Action]:
        if pattern not in self._said:
            self._said[pattern] = None
            yield _action(op="triple", pattern=pattern)

    # --- what is selected -----------------------------------------------------------------------------

    def _columns(self) -> Iterator[Action]:
        draft = self._draft
        plain = [self._variable(column.of) for column in draft.columns if column.function is None]
        functions = [column for column in draft.columns if column.function is not None]
        ranking, having = draft.ranking, draft.having
        counted = (ranking is not None and (ranking.count or ranking.function)) or having is not None
        if functions or counted:
            keys = list(dict.fromkeys([*(self._variable(each) for each in draft.grouped), *plain]))
            if keys:
                yield _action(op="group", vars=list(map(str, keys)))
        aliases: list[Variable] = []
        for column in functions:
            alias = self._new(Variable(f"{column.function}_{self._variable(column.of).name}"[:40]))
            inner = f"{'DISTINCT ' if column.distinct else ''}{self._variable(column.of)}"
            yield _action(op="aggregate", expr=f"{str(column.function).upper()}({inner})", alias=str(alias))
            aliases.append(alias)
        if having is not None:
            yield _action(
                op="having", expr=f"COUNT(DISTINCT {self._variable(having.of)}) {having.sign} {having.number}"
            )
        if ranking is not None:
            yield from self._ranked(ranking, grouped=bool(functions or counted))
        yield _action(op="project", vars=[str(each) for each in (*plain, *aliases)])
        if not functions and ranking is None and not counted:
            yield _action(op="distinct")
        if ranking is not None:
            yield _action(op="limit", n=ranking.limit)

    def _ranked(self, ranking: Ranking, *, grouped: bool) -> Iterator[Action]:
        variable = self._variable(ranking.by)
        key = str(variable)
        if ranking.count:
            key = f"COUNT(DISTINCT {variable})"
        elif ranking.function or grouped:
            key = f"{(ranking.function or 'max').upper()}({variable})"
        yield _action(op="order", expr=f"{'DESC' if ranking.descending else 'ASC'}({key})")

    # --- names ----------------------------------------------------------------------------------------

    def _variable(self, attribute: Attribute) -> Variable:
        return self._attributes.get(attribute) or self._classes[attribute.cls]

    def _new(self, variable: Variable) -> Variable:
        self._taken.add(variable)
        return variable

    def _text(self, term: IRI | Literal) -> str:
        return self._names(term.value) if isinstance(term, IRI) else literal_text(term, self._names)


def _comparison(variable: Variable, sign: Sign, terms: list[str]) -> str:
    if sign == "contains":
        return f"CONTAINS(LCASE(STR({variable})), LCASE({terms[0]}))"
    if len(terms) > 1:
        return f"{variable} {'NOT IN' if sign == '!=' else 'IN'} ({', '.join(terms)})"
    return f"{variable} {sign} {terms[0]}"


def _action(**given: object) -> Action:
    return parse_action(given)
