"""Enumeration: all solutions that a group may have, with tokens for terms (SPARQL 1.1, section 18)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any, Final

from hermes.algebra.operators.bind import Bind
from hermes.algebra.operators.graph import Graph
from hermes.algebra.operators.join import Join
from hermes.algebra.operators.minus import Minus
from hermes.algebra.operators.optional import Optional
from hermes.algebra.operators.service import Service
from hermes.algebra.operators.subquery import Subquery
from hermes.algebra.operators.union import Union
from hermes.algebra.operators.values import Values
from hermes.algebra.plan import Plan
from hermes.sparql.expressions import Aggregate, Exists
from hermes.sparql.modifiers import Alias
from hermes.sparql.paths import RepeatPath, SequencePath
from hermes.sparql.patterns import Element, End, Group, TriplePattern
from hermes.terms import IRI, BlankNode, Literal, Variable
from hermes.verifier.again.named import Named
from hermes.verifier.again.outcomes import NO_ERROR, Outcome, Outcomes
from hermes.verifier.again.pairs import Paths
from hermes.verifier.again.patterns import class_of, joined_first, stated_by, stated_in
from hermes.verifier.again.reach import exclude
from hermes.verifier.again.tokens import ANYTHING, Solution, Token, Tokens
from hermes.verifier.again.views import Asked, View
from hermes.verifier.schema import Columns

MOST_SOLUTIONS: Final = 20_000
"""A group with more is not enumerated."""


class TooMany(Exception):  # noqa: N818 - no error: what a recheck says then
    """Raised where a group may have more solutions than are enumerated, or has an element without a rule."""


class Enumeration:
    """The solutions that groups may have over the graphs that a plan is asked of."""

    def __init__(self, tokens: Tokens, asked: Asked) -> None:
        self.tokens = tokens
        self.named = Named(tokens, asked, self._in_view)
        self._view = asked.default
        self._around: list[Solution] = [{}]
        self._paths: dict[tuple[str | None, ...], Paths] = {}
        self.outcomes = Outcomes(tokens, self._matches)
        self._stated: list[TriplePattern] = []
        self._rules: dict[type, Callable[[Any, list[Solution]], Iterable[Solution]]] = {
            TriplePattern: self._triple,
            Join: lambda element, before: _product(before, self.of(element.patterns)),
            Optional: self._optional,
            Union: self._union,
            Minus: self._minus,
            Bind: self._bind,
            Values: self._table,
            Subquery: lambda element, before: _product(before, self.rows(element.actions)),
            Graph: self._graph,
            Service: self._anywhere,
        }

    def of(self, group: Group) -> list[Solution]:
        """Return the solutions of a group.

        Raises:
            TooMany: they are not enumerated.
        """
        return self._kept(group, self._elements(group), [])

    def _elements(self, group: Group) -> list[Solution]:
        """Return the solutions of the elements of a group, its filters left out."""
        around, self._stated = self._stated, []
        found = self._around
        try:
            for element in joined_first(group.elements):
                rule = self._rules.get(type(element))
                if rule is None:
                    raise TooMany
                found = _each_once(rule(element, found))
                self._stated += stated_by(element)
        finally:
            self._stated = around
        return found

    def _kept(self, group: Group, found: list[Solution], around: list[TriplePattern]) -> list[Solution]:
        """Return the solutions that meet the filters of a group; each meets the patterns `around` it too."""
        if exclude(group.filters):
            return []
        before, self._stated = self._stated, [*around, *stated_in(group)]
        try:
            for condition in group.filters:
                found = [solution for solution in found if True in self.outcomes.of(condition, solution)]
        finally:
            self._stated = before
        return found

    # --- elements -------------------------------------------------------------------------------

    def _triple(self, pattern: TriplePattern, before: list[Solution]) -> Iterator[Solution]:
        matches = list(self._pattern(pattern))
        return _product(before, matches)

    def _pattern(self, pattern: TriplePattern) -> Iterator[Solution]:
        """Yield the matches of a triple pattern alone."""
        pattern = self._pruned(pattern)
        if isinstance(pattern.predicate, Variable):
            for name in self._view.predicates:
                for token in self._predicate(name):
                    for match in self._ends(pattern, self.paths.of(IRI(name))):
                        if match.get(pattern.predicate, token) == token:
                            yield {**match, pattern.predicate: token}
        else:
            yield from self._ends(pattern, self.paths.of(pattern.predicate))

    def _pruned(self, pattern: TriplePattern) -> TriplePattern:
        """Leave out optional steps of a path next to a constant that none of them can reach, or leave."""
        path = pattern.predicate
        if not isinstance(path, SequencePath):
            return pattern
        for step, end, side, rest in (
            (path.parts[-1], pattern.object, 1, path.parts[:-1]),
            (path.parts[0], pattern.subject, 0, path.parts[1:]),
        ):
            near = self._allowed(end)
            if near is None or not isinstance(step, RepeatPath) or step.times == "+":
                continue
            if all(pair[side] not in near for pair in self.paths.of(step.path)):
                shorter = rest[0] if len(rest) == 1 else SequencePath(rest)
                return self._pruned(TriplePattern(pattern.subject, shorter, pattern.object))
        return pattern

    def _predicate(self, name: str) -> Iterator[int]:
        for token in self.tokens.constant(IRI(name)):
            if isinstance(token, int) and any(each.predicate for each in self._columns(token)):
                yield token

    def _columns(self, token: int) -> Iterator[Columns]:
        return self._view.columns(self.tokens.schema.signatures[token])

    def _ends(self, pattern: TriplePattern, pairs: Iterable[tuple[Token, Token]]) -> Iterator[Solution]:
        subjects, objects = self._allowed(pattern.subject), self._allowed(pattern.object)
        class_ = class_of(pattern)
        for start, end in pairs:
            if (subjects is not None and start not in subjects) or (
                objects is not None and end not in objects
            ):
                continue
            if class_ is not None and not self._is(start, class_):
                continue
            if pattern.subject == pattern.object and start != end:
                continue
            yield {
                name: token
                for name, token in ((pattern.subject, start), (pattern.object, end))
                if isinstance(name, Variable)
            }

    def _is(self, token: Token, class_: str) -> bool:
        return isinstance(token, int) and any(class_ in each.classes for each in self._columns(token))

    def _allowed(self, end: End) -> frozenset[Token] | None:
        return None if isinstance(end, Variable | BlankNode) else self.tokens.constant(end)

    def _optional(self, element: Optional, before: list[Solution]) -> Iterator[Solution]:
        yield from before
        both = _each_once(_product(before, self._elements(element.patterns)))
        yield from self._kept(element.patterns, both, self._stated)

    def _union(self, element: Union, before: list[Solution]) -> Iterator[Solution]:
        for branch in element.branches:
            yield from _product(before, self.of(branch))

    def _minus(self, element: Minus, before: list[Solution]) -> Iterator[Solution]:
        for solution in before:
            shared = any(solution.get(name, ANYTHING) != ANYTHING for name in element.patterns.binds())
            if not (shared and self._surely(element.patterns, solution)):
                yield solution

    def _bind(self, element: Bind, before: list[Solution]) -> Iterator[Solution]:
        for solution in before:
            values = self.outcomes.values(element.expr, solution)
            if isinstance(element.expr, Variable | IRI | Literal):
                for token in values:
                    yield {**solution, element.var: token}
            else:
                self.outcomes.guessed = True
                yield {**solution, element.var: ANYTHING}
            if not values:
                yield solution

    def _table(self, element: Values, before: list[Solution]) -> Iterator[Solution]:
        rows: list[Solution] = []
        for row in element.rows:
            cells = [
                [(name, token) for token in self.tokens.constant(cell)]
                for name, cell in zip(element.vars, row, strict=True)
                if cell is not None
            ]
            rows += [dict(chosen) for chosen in product(*cells)]
        return _product(before, rows)

    def _anywhere(self, element: Graph | Service, before: list[Solution]) -> Iterator[Solution]:
        return _product(before, [dict.fromkeys(element.binds(), ANYTHING)])

    def _graph(self, element: Graph, before: list[Solution]) -> Iterator[Solution]:
        if self.tokens.schema.graphs_unknown:
            return self._anywhere(element, before)
        return _product(before, self.named.of(element, inside=self.outcomes.inside))

    def _in_view(self, group: Group, view: View, around: list[Solution]) -> list[Solution]:
        """Return the solutions of a group in a view, where what is around it may be any of these."""
        outer = self._view, self._around
        self._view, self._around = view, around
        try:
            return self.of(group)
        finally:
            self._view, self._around = outer

    @property
    def paths(self) -> Paths:
        """The paths of the graph that is looked at."""
        known = self._paths.get(self._view.graphs)
        if known is None:
            known = self._paths[self._view.graphs] = Paths(self.tokens, self._view)
        return known

    # --- sub-queries and EXISTS -----------------------------------------------------------------

    def rows(self, plan: Plan) -> list[Solution]:
        """Return the rows of a sub-query.

        Raises:
            TooMany: they are not enumerated.
        """
        if plan.limit == 0:
            return []
        found = self.of(plan.where)
        if plan.grouped and not plan.group_by:
            return _each_once(self._one_row(plan, found))
        if plan.values is not None and not plan.grouped:
            found = list(self._rules[type(plan.values)](plan.values, found))
        return _each_once(self._row(plan, solution) for solution in found)

    def _one_row(self, plan: Plan, found: list[Solution]) -> Iterator[Solution]:
        """Yield what the one row of an aggregate over everything can be."""
        choices: list[list[Solution]] = []
        for column in plan.projection:
            if isinstance(column, Alias):
                source = _picked(column)
                if source is not None:
                    tokens = {solution[source] for solution in found if source in solution}
                    choices.append([{}, *({column.variable: token} for token in tokens)])
                elif found or not _fails_over_nothing(column):
                    choices.append([{column.variable: ANYTHING}])
        for chosen in product(*choices):
            yield {name: token for part in chosen for name, token in part.items()}

    def _row(self, plan: Plan, solution: Solution) -> Solution:
        keys = {key.variable: key for key in plan.group_by if isinstance(key, Alias)}
        row: dict[Variable, Token] = {}
        for column in plan.projection:
            alias = column if isinstance(column, Alias) else keys.get(column)
            name = column.variable if isinstance(column, Alias) else column
            source = name if alias is None else _picked(alias)
            if source is None:
                self.outcomes.guessed = True
                row[name] = ANYTHING
            elif source in solution:
                row[name] = solution[source]
        return row

    def _matches(self, condition: Exists, solution: Solution) -> frozenset[Outcome]:
        """Return whether a group has a match beside a solution (section 8.1)."""
        inside = self.outcomes.inside
        if not inside and self._surely(condition.group, solution):
            return frozenset({not condition.negated})
        self.outcomes.inside = True
        try:
            inner = self._elements(condition.group)
            found = self._kept(condition.group, list(_product([solution], inner)), [])
        finally:
            self.outcomes.inside = inside
        return NO_ERROR if found else frozenset({condition.negated})

    def _surely(self, group: Group, solution: Solution) -> bool:
        """Whether each element says what all terms of a signature have, its other end free."""
        ends: list[Variable] = [
            name for each in group.elements for name in each.binds() if name not in solution
        ]
        if group.filters or not group.elements or len(ends) != len(set(ends)) or self.outcomes.inside:
            return False
        return all(self._said(element, ends) or self._has(element, solution) for element in group.elements)

    def _said(self, element: Element, free: list[Variable]) -> bool:
        """Whether the group around states the same of each solution, but for the names of free variables."""
        if not isinstance(element, TriplePattern) or not self._view.together:
            return False
        parts = (element.subject, element.predicate, element.object)
        return any(
            all(part in (other, *free) for part, other in zip(parts, others, strict=True))
            for each in self._stated
            if each.predicate == element.predicate or not each.is_path
            for others in [(each.subject, each.predicate, each.object)]
        )

    def _has(self, element: Element, solution: Solution) -> bool:
        if not isinstance(element, TriplePattern) or not isinstance(element.predicate, IRI):
            return False
        name = element.predicate.value
        for near, far, outgoing in (
            (element.subject, element.object, True),
            (element.object, element.subject, False),
        ):
            token = solution.get(near) if isinstance(near, Variable) else None
            if not isinstance(token, int):
                continue
            free = isinstance(far, Variable) and far not in solution
            class_ = class_of(element) if outgoing else None
            having = [
                class_ in each.classes or (free and name in (each.subject_of if outgoing else each.object_of))
                for each in self._columns(token)
            ]
            surely = any(having) if self._view.together else having and all(having)
            if self.tokens.schema.signatures[token].exact and surely:
                return True
        return False


def _fails_over_nothing(column: Alias) -> bool:
    meaning = column.expression
    return isinstance(meaning, Aggregate) and meaning.function in ("MIN", "MAX", "SAMPLE")


def _picked(column: Alias) -> Variable | None:
    """Return the variable of `?x AS ?y`, `MIN(?x) AS ?y` and the like, which give one of its values."""
    meaning = column.expression
    if _fails_over_nothing(column) and isinstance(meaning, Aggregate):
        meaning = meaning.argument or meaning
    return meaning if isinstance(meaning, Variable) else None


def _product(left: Iterable[Solution], right: Iterable[Solution]) -> Iterator[Solution]:
    """Yield the joins of compatible solutions (section 18.3)."""
    others = list(right)
    certain = set.intersection(*(set(each) for each in others)) if others else set()
    fixed = [name for name in sorted(certain, key=str) if all(each[name] != ANYTHING for each in others)]
    index: dict[Token, list[Solution]] = {}
    for each in others if fixed else ():
        index.setdefault(each[fixed[0]], []).append(each)
    for solution in left:
        at = solution.get(fixed[0], ANYTHING) if fixed else ANYTHING
        for other in others if at == ANYTHING else index.get(at, ()):
            both = _both(solution, other)
            if both is not None:
                yield both


def _both(left: Solution, right: Solution) -> Solution | None:
    found = dict(left)
    for name, token in right.items():
        here = found.get(name, ANYTHING)
        if here == ANYTHING:
            found[name] = token
        elif token not in (here, ANYTHING):
            return None
    return found


def _each_once(solutions: Iterable[Solution]) -> list[Solution]:
    found: dict[frozenset[tuple[Variable, Token]], Solution] = {}
    for solution in solutions:
        found[frozenset(solution.items())] = solution
        if len(found) > MOST_SOLUTIONS:
            raise TooMany
    return list(found.values())
