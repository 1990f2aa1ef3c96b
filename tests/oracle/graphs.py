"""Small graphs made from a query's own patterns, so that the query has something to find in them.

Each graph is a handful of *matches*: the patterns with their variables replaced. Some are whole, some
lack an optional part or a triple, some satisfy what a MINUS removes, some differ in one variable only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from pyoxigraph import DefaultGraph, Literal, NamedNode, Quad

from oracle.bound import value_of
from oracle.constants import XSD
from oracle.hints import Wishes, candidates, wishes
from oracle.sketch import Atom, Group, Part, Path, Rows, Sketch, Slot, Term, Union

EXAMPLE: Final = "http://example.org/"
MOST_TRIPLES: Final = 40
_GRAPHS: Final = [NamedNode(EXAMPLE + "g1"), NamedNode(EXAMPLE + "g2")]
_AGGREGATES: Final = frozenset({"COUNT", "SUM", "AVG"})
_KINDS: Final = ("iri", "iri", "iri", "integer", "string", "lang", "date")


@dataclass(frozen=True, slots=True)
class Recipe:
    """How one graph is made: how many matches, and with what chance each thing happens."""

    matches: int
    optional: float = 0.7
    negative: float = 0.3
    every_branch: bool = False
    shared: float = 0.4
    vary: int = 0
    damaged: float = 0.0
    nodes: int = 4
    hinted: float = 0.85
    triples: int = MOST_TRIPLES


WHOLE: Final = Recipe(3, optional=1, negative=0, every_branch=True, shared=0.2)
RECIPES: Final = (
    WHOLE,
    Recipe(4),
    Recipe(5, damaged=0.5),
    Recipe(4, vary=1, optional=0.9, negative=0.1),
    Recipe(5, nodes=2, damaged=0.3, hinted=0.7),
    Recipe(6, vary=1, nodes=8, optional=0.5, negative=0.2, hinted=1),
    Recipe(6, vary=2, nodes=3, negative=0.1),
    Recipe(7, shared=0.5, nodes=8, negative=0.1, damaged=0.1, hinted=1),
    Recipe(8, shared=0, nodes=3, optional=0.5, negative=0.5),
)
"""The graphs every query is run on, in this order."""
MORE: Final = (
    Recipe(8, optional=1, negative=0, every_branch=True, shared=0),
    Recipe(12, vary=1, optional=1, negative=0, hinted=1),
    Recipe(8, optional=0, negative=0, shared=0.3),
    Recipe(12, vary=2, optional=0.5, negative=0, hinted=0.6),
    Recipe(6, nodes=1, optional=1, negative=0, every_branch=True),
)
"""Tried in turn, with other dice, for a query that has found nothing yet."""
MANY: Final = Recipe(120, vary=1, negative=0, nodes=200, triples=500)
"""For a query that compares an aggregate: `HAVING (COUNT(?x) > 100)`."""


class Maker:
    """Makes graphs for one sketch."""

    def __init__(self, sketch: Sketch, key: str) -> None:
        self.sketch = sketch
        self.random = Random(key)  # noqa: S311 - dice for tests
        self.wishes: Wishes = wishes(sketch)
        atoms = sketch.atoms()
        self.size = max(1, len(atoms))
        self.nodes = _node_variables(sketch.where)
        self.options = {
            name: candidates(wish, node=name in self.nodes) for name, wish in self.wishes.of.items()
        }
        self.compares_groups = any(
            wish.words & _AGGREGATES and wish.numbers for wish in self.wishes.of.values()
        )
        self.repeating = [atom for atom in atoms if _repeats(atom.path)]
        self.predicates = sorted({iri for atom in atoms for iri in _predicates(atom.path)})
        self.rows = list(_rows(sketch.where))
        self.variables = {
            slot for atom in atoms for slot in (atom.subject, atom.object) if isinstance(slot, str)
        }

    def graph(self, recipe: Recipe) -> list[Quad]:
        """Return the quads of one graph."""
        count = max(1, min(recipe.matches, recipe.triples // self.size))
        if self.size > 6 and not recipe.vary:
            recipe = replace(recipe, shared=0.15)
            count = min(count, 3)
        kinds: dict[str, str] = {}
        quads: dict[Quad, None] = {}
        before: dict[str, Term] = {}
        varied: set[str] | None = None
        for number in range(count):
            match = _Match(self, recipe, kinds)
            if recipe.vary and number:
                if varied is None:
                    free = sorted(before)
                    varied = set(self.random.sample(free, min(recipe.vary, len(free))))
                match.values = {name: term for name, term in before.items() if name not in varied}
            elif number:
                match.values = {
                    name: term for name, term in before.items() if self.random.random() < recipe.shared
                }
            made = match.make()
            before = before if recipe.vary and number else dict(match.values)
            quads.update(dict.fromkeys(self.damage(made, recipe) if number else made))
        return list(quads)[: 2 * recipe.triples]

    def damage(self, quads: Sequence[Quad], recipe: Recipe) -> list[Quad]:
        """Return `quads`, or a near miss: one less, another predicate, another graph."""
        kept = list(quads)
        if not kept or self.random.random() >= recipe.damaged:
            return kept
        index = self.random.randrange(len(kept))
        quad = kept.pop(index)
        dice = self.random.random()
        if dice < 0.5:
            return kept
        if dice < 0.75 or not (self.sketch.graphs or self.sketch.named):
            other = NamedNode(self.random.choice([*self.predicates, EXAMPLE + "other"]))
            return [*kept, Quad(quad.subject, other, quad.object, quad.graph_name)]
        return [*kept, Quad(quad.subject, quad.predicate, quad.object, self.wrong_graph(quad))]

    def wrong_graph(self, quad: Quad) -> NamedNode | DefaultGraph:
        """Return another graph than the quad's."""
        pool: list[NamedNode | DefaultGraph] = [DefaultGraph(), *_GRAPHS, *self.sketch.named]
        return self.random.choice([name for name in pool if name != quad.graph_name])


class _Match:
    """One assignment of terms to the variables of a sketch, and the quads that it makes."""

    def __init__(self, maker: Maker, recipe: Recipe, kinds: dict[str, str]) -> None:
        self.maker = maker
        self.random = maker.random
        self.recipe = recipe
        self.kinds = kinds
        self.values: dict[str, Term] = {}
        self.quads: list[Quad] = []
        self.computing: set[str] = set()

    def make(self) -> list[Quad]:
        """Assign the variables and return the quads."""
        for rows, negative in self.maker.rows:
            if rows.rows and (not negative or self.random.random() < self.recipe.negative):
                row = self.random.choice(rows.rows)
                for name, term in zip(rows.names, row, strict=False):
                    if term is not None:
                        self.values[name] = term
        for first, second in self.maker.wishes.equal:
            if self.random.random() < 0.7:
                value = self.draw(first)
                if second not in self.maker.nodes or isinstance(value, NamedNode):
                    self.values[second] = value
        self.shorten()
        self.group(self.maker.sketch.where, None)
        self.mention()
        return self.quads

    def shorten(self) -> None:
        """Make both ends of a path the same, now and then: `*` and `?` match that, `+` does not."""
        for atom in self.maker.repeating:
            if self.random.random() < 0.2:
                subject, target = atom.subject, atom.object
                if isinstance(subject, str) and not isinstance(target, Literal):
                    self.values[subject] = self.term(target)
                elif isinstance(target, str):
                    self.values[target] = self.term(subject)

    def mention(self) -> None:
        """Say something of the resources that DESCRIBE names."""
        for term in self.maker.sketch.mentioned:
            if isinstance(term, NamedNode):
                self.add(term, NamedNode(EXAMPLE + "other"), self.node(), None)

    # -- choosing terms ----------------------------------------------------------------------------

    def node(self) -> NamedNode:
        return NamedNode(f"{EXAMPLE}n{self.random.randrange(self.recipe.nodes) + 1}")

    def draw(self, name: str) -> Term:
        """Return the term of a variable, choosing it at the first call."""
        if name not in self.values:
            self.values[name] = self.fresh(name)
        return self.values[name]

    def fresh(self, name: str) -> Term:
        node = name in self.maker.nodes or name.startswith("_:")
        computed = self.computed(name)
        if computed is not None and (isinstance(computed, NamedNode) or not node):
            return computed
        options = self.maker.options.get(name, [])
        if options and self.random.random() < self.recipe.hinted:
            return self.random.choice(options)
        if node:
            return self.node()
        kind = self.kinds.setdefault(name, self.random.choice(_KINDS))
        return self.of_kind(kind)

    def of_kind(self, kind: str) -> Term:
        """Return any term of a kind."""
        number = self.random.randrange(self.recipe.nodes) + 1
        if kind == "integer":
            return Literal(number)
        if kind in {"string", "lang"}:
            tag = self.random.choice(["en", "de"]) if kind == "lang" else None
            return Literal(_word(number), language=tag)
        if kind == "date":
            return Literal(f"{2000 + number}-01-01T00:00:00Z", datatype=NamedNode(XSD + "dateTime"))
        return self.node()

    def computed(self, name: str) -> Term | None:
        """Return the value that a BIND gives a variable that the patterns use too."""
        tokens = self.maker.sketch.bound.get(name, [])
        if not tokens or name not in self.maker.variables or name in self.computing:
            return None
        self.computing.add(name)
        inputs = {token.text[1:]: self.draw(token.text[1:]) for token in tokens if token.kind == "var"}
        return value_of(tokens, inputs, self.maker.sketch.names)

    def term(self, slot: Slot) -> Term:
        return self.draw(slot) if isinstance(slot, str) else slot

    # -- walking -----------------------------------------------------------------------------------

    def group(self, group: Group, graph: NamedNode | None) -> None:
        for element in group.elements:
            if isinstance(element, Atom):
                self.atom(element, graph)
            elif isinstance(element, Part):
                self.part(element, graph)
            elif isinstance(element, Union):
                every = self.recipe.every_branch
                for branch in element.branches if every else [self.random.choice(element.branches)]:
                    self.group(branch, graph)

    def part(self, part: Part, graph: NamedNode | None) -> None:
        chance = {"optional": self.recipe.optional, "negative": self.recipe.negative}.get(part.kind, 1.0)
        if self.random.random() >= chance:
            return
        if part.kind == "graph":
            if isinstance(part.name, str) and part.name not in self.values:
                self.values[part.name] = self.random.choice(self.maker.sketch.named or _GRAPHS)
            name = self.term(part.name)
            graph = name if isinstance(name, NamedNode) else graph
        self.group(part.group, graph)

    def atom(self, atom: Atom, graph: NamedNode | None) -> None:
        links = self.links(atom.path)
        if not links and isinstance(atom.object, str) and atom.object not in self.values:
            self.values[atom.object] = self.term(atom.subject)
        current = self.term(atom.subject)
        for index, (predicate, inverse) in enumerate(links):
            following = self.term(atom.object) if index == len(links) - 1 else self.node()
            ends = (following, current) if inverse else (current, following)
            self.add(ends[0], predicate, ends[1], graph)
            current = following

    def add(self, subject: Term, predicate: NamedNode, target: Term, graph: NamedNode | None) -> None:
        if isinstance(subject, NamedNode):
            default = self.random.choice(self.maker.sketch.graphs) if self.maker.sketch.graphs else None
            name = graph or default
            self.quads.append(Quad(subject, predicate, target, DefaultGraph() if name is None else name))

    def links(self, path: Path) -> list[tuple[NamedNode, bool]]:
        """Choose one way through a property path: predicates, each with whether it is walked back."""
        if path.kind == "link":
            predicate = self.term(path.slot)
            return [(predicate if isinstance(predicate, NamedNode) else self.node(), False)]
        if path.kind == "inverse":
            return [(predicate, not back) for predicate, back in reversed(self.links(path.parts[0]))]
        if path.kind == "sequence":
            return [link for part in path.parts for link in self.links(part)]
        if path.kind == "choice":
            return self.links(self.random.choice(path.parts))
        if path.kind == "not":
            return [(NamedNode(EXAMPLE + "other"), self.random.random() < 0.3)]
        # A `+` that is not walked makes a near miss.
        times = self.random.choice({"star": (0, 1, 1, 2), "plus": (1, 1, 2, 2, 0)}.get(path.kind, (0, 1)))
        return [link for _ in range(times) for link in self.links(path.parts[0])]


def _word(number: int) -> str:
    return "abcdefghij"[number % 10] * number


def _predicates(path: Path) -> Iterator[str]:
    if isinstance(path.slot, NamedNode):
        yield path.slot.value
    for part in path.parts:
        yield from _predicates(part)


def _rows(group: Group, *, negative: bool = False) -> Iterator[tuple[Rows, bool]]:
    """Yield every VALUES block, and whether it stands in a part that removes solutions."""
    for element in group.elements:
        if isinstance(element, Rows):
            yield element, negative
        elif isinstance(element, Part):
            yield from _rows(element.group, negative=negative or element.kind == "negative")
        elif isinstance(element, Union):
            for branch in element.branches:
                yield from _rows(branch, negative=negative)


def _node_variables(group: Group) -> set[str]:
    """Return the variables that must be IRIs: subjects, predicates, graphs, ends of long paths."""
    found: set[str] = set()
    for element in group.elements:
        if isinstance(element, Atom):
            ends = [element.subject, element.path.slot]
            if _walks_on(element.path):
                ends.append(element.object)
            found |= {slot for slot in ends if isinstance(slot, str)}
        elif isinstance(element, Part):
            found |= _node_variables(element.group)
            found |= {element.name} if isinstance(element.name, str) else set()
        elif isinstance(element, Union):
            for branch in element.branches:
                found |= _node_variables(branch)
    return found


def _repeats(path: Path) -> bool:
    return path.kind in {"star", "plus", "maybe"} or (
        path.kind == "choice" and any(map(_repeats, path.parts))
    )


def _walks_on(path: Path) -> bool:
    """Whether the end of a path may be the subject of a triple of it."""
    if path.kind in {"sequence", "choice"}:
        return any(_walks_on(part) for part in path.parts[-1 if path.kind == "sequence" else 0 :])
    return path.kind not in {"link", "not"}


def graphs(maker: Maker, extra: int) -> Iterator[list[Quad]]:
    """Yield the graphs of `RECIPES`, then `extra` more of `MORE`; the caller stops when it has enough."""
    for recipe in RECIPES:
        yield maker.graph(recipe)
    more = (MANY, *MORE) if maker.compares_groups and maker.size <= len(MORE) else MORE
    for number in range(extra):
        yield maker.graph(more[number % len(more)])
