"""Reads a query text into a `Sketch` by a tolerant descent over its tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from pyoxigraph import NamedNode

from oracle.constants import Names, constant
from oracle.selects import Select, aliases, section
from oracle.sketch import Atom, Group, Part, Path, Rows, Sketch, Slot, Term, Union, visible
from oracle.tokens import Token, closing

_RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_EXPRESSIONS: Final = ("GROUP", "HAVING", "ORDER")


class UnreadableError(Exception):
    """The text has a shape that the reader does not know."""


def read(tokens: Sequence[Token], prefixes: Mapping[str, str], base: str) -> Sketch:
    """Return the sketch of a query.

    Raises:
        UnreadableError: when the text cannot be followed.
    """
    reader = _Reader(tokens, Names(prefixes, base))
    try:
        reader.query()
    except (IndexError, ValueError) as fault:
        raise UnreadableError(str(fault)) from fault
    return reader.sketch


@dataclass(slots=True)
class _Level:
    """What has been seen of one query or sub-query: expressions, and the variables that AS names."""

    expressions: list[list[Token]] = field(default_factory=list)
    bound: set[str] = field(default_factory=set)


class _Reader:
    """A position in the tokens, and the sketch made so far."""

    def __init__(self, tokens: Sequence[Token], names: Names) -> None:
        self.tokens = tokens
        self.names = names
        self.at = 0
        self.fresh = 0
        self.sketch = Sketch(names)
        self.levels: list[_Level] = [_Level()]

    # -- moving on ---------------------------------------------------------------------------------

    def here(self, *words: str) -> bool:
        return self.tokens[self.at].says(*words)

    def took(self, *words: str) -> bool:
        found = self.here(*words)
        self.at += int(found)
        return found

    def need(self, *words: str) -> None:
        if not self.took(*words):
            raise UnreadableError(f"expected {words} at {self.tokens[self.at].text!r}")

    def blank(self) -> str:
        self.fresh += 1
        return f"_:{self.fresh}"

    # -- the query ---------------------------------------------------------------------------------

    def query(self) -> None:
        self.prologue()
        if self.took("SELECT"):
            self.at -= 1
            self.select(self.sketch.where)
        else:
            self.other_form()
        if self.took("VALUES"):
            self.sketch.where.elements.append(self.rows())
        self.leave(self.sketch.where)

    def prologue(self) -> None:
        while True:
            if self.took("PREFIX"):
                name = self.tokens[self.at].text
                self.names.prefixes[name[:-1]] = self.names.iri(self.tokens[self.at + 1]).value
                self.at += 2
            elif self.took("BASE"):
                self.names.base = self.names.iri(self.tokens[self.at]).value
                self.at += 1
            else:
                return

    def other_form(self) -> None:
        """Read ASK, CONSTRUCT and DESCRIBE."""
        construct = self.took("CONSTRUCT")
        if construct and self.here("{"):
            self.at = closing(self.tokens, self.at) + 1
        while not self.here("{"):
            if self.took("FROM"):
                self.dataset()
                continue
            found = constant(self.tokens, self.at, self.names)
            if found:
                self.sketch.mentioned.append(found[0])
            elif self.tokens[self.at].kind == "end":
                return
            self.at += 1
        self.group(self.sketch.where)
        self.modifiers(Select(self.at, self.at, self.at - 1, len(self.tokens) - 1))

    def dataset(self) -> None:
        target = self.sketch.named if self.took("NAMED") else self.sketch.graphs
        target.append(self.names.iri(self.tokens[self.at]))
        self.at += 1

    def select(self, group: Group) -> None:
        """Read a SELECT with its modifiers, but not the trailing VALUES of the whole query."""
        start = self.at
        while not self.here("{"):
            if self.took("FROM"):
                self.dataset()
            elif self.here("("):
                self.expression(closing(self.tokens, self.at))
            else:
                self.at += 1
        opening = self.at
        self.group(group)
        end = self.at
        while not self.tokens[end].says("}", "VALUES") and self.tokens[end].kind != "end":
            end = closing(self.tokens, end) + 1 if self.tokens[end].says("(") else end + 1
        found = Select(start, opening, self.at - 1, end)
        named = aliases(self.tokens, found)
        self.sketch.bound.update(named)
        self.levels[-1].bound |= set(named)
        self.modifiers(found)

    def leave(self, group: Group) -> None:
        """Note which variables of the expressions of a query or sub-query nothing binds."""
        level = self.levels.pop()
        used = {t.text[1:] for tokens in level.expressions for t in tokens if t.kind == "var"}
        self.sketch.loose |= used - visible(group) - level.bound

    def columns(self, head: int) -> set[str] | None:
        """Return the columns of the SELECT at `head`, or None for `*`."""
        found: set[str] = set()
        index = head + 1
        while not self.tokens[index].says("{"):
            if self.tokens[index].says("*"):
                return None
            if self.tokens[index].says("("):
                index = closing(self.tokens, index)
                found.add(self.tokens[index - 1].text[1:])
            elif self.tokens[index].kind == "var":
                found.add(self.tokens[index].text[1:])
            index += 1
        return found

    def modifiers(self, select: Select) -> None:
        for word in _EXPRESSIONS:
            part = section(self.tokens, select, word)
            if part is not None:
                self.keep(list(self.tokens[part[0] : part[1]]))
        self.at = select.end

    # -- groups ------------------------------------------------------------------------------------

    def group(self, group: Group) -> None:
        self.need("{")
        if self.here("SELECT"):
            self.levels.append(_Level())
            head = self.at
            self.select(group)
            if self.took("VALUES"):
                group.elements.append(self.rows())
            self.leave(group)
            group.shown = self.columns(head)
        while not self.took("}"):
            self.element(group)

    def element(self, group: Group) -> None:
        if self.took("."):
            return
        if self.took("OPTIONAL"):
            self.part(group, "optional")
        elif self.took("MINUS"):
            self.part(group, "negative")
        elif self.took("GRAPH"):
            name = self.slot(group)
            self.part(group, "graph", name)
        elif self.took("FILTER"):
            self.filter(group)
        elif self.took("BIND"):
            self.bind(group)
        elif self.took("VALUES"):
            group.elements.append(self.rows())
        elif self.here("{"):
            self.union(group)
        else:
            self.triples(group)

    def part(self, group: Group, kind: str, name: Slot = "") -> None:
        inner = Group()
        self.group(inner)
        known = {"optional": "optional", "negative": "negative", "graph": "graph"}.get(kind, "plain")
        group.elements.append(_part(known, inner, name))

    def union(self, group: Group) -> None:
        branches = [Group()]
        self.group(branches[0])
        while self.took("UNION"):
            branches.append(Group())
            self.group(branches[-1])
        one = len(branches) == 1
        group.elements.append(_part("plain", branches[0]) if one else Union(branches))

    def rows(self) -> Rows:
        many = self.took("(")
        names = []
        while self.tokens[self.at].kind == "var":
            names.append(self.tokens[self.at].text[1:])
            self.at += 1
        if many:
            self.need(")")
        self.need("{")
        rows: list[list[Term | None]] = []
        while not self.took("}"):
            row: list[Term | None] = []
            if many:
                self.need("(")
                while not self.took(")"):
                    row.append(self.value())
            else:
                row.append(self.value())
            rows.append(row)
        return Rows(names, rows)

    def value(self) -> Term | None:
        if self.took("UNDEF"):
            return None
        found = constant(self.tokens, self.at, self.names)
        if found is None:
            raise UnreadableError(f"no value at {self.tokens[self.at].text!r}")
        self.at = found[1]
        return found[0]

    # -- expressions -------------------------------------------------------------------------------

    def filter(self, group: Group) -> None:
        """Read a constraint; groups of EXISTS in it become parts."""
        negative = self.took("NOT")
        if self.took("EXISTS"):
            self.part(group, "negative" if negative else "plain")
            return
        if not self.here("("):
            self.at += 1
        end = closing(self.tokens, self.at)
        self.expression(end, group)

    def expression(self, end: int, group: Group | None = None) -> None:
        """Keep the tokens up to `end` as an expression, and read the EXISTS groups among them."""
        flat: list[Token] = []
        while self.at <= end:
            if self.here("EXISTS"):
                before = self.tokens[self.at - 1]
                self.at += 1
                kind = "negative" if before.says("NOT", "!") else "plain"
                self.part(group if group is not None else Group(), kind)
            else:
                flat.append(self.tokens[self.at])
                self.at += 1
        self.keep(flat)

    def keep(self, tokens: list[Token]) -> None:
        """Note an expression; the names that `AS` gives in it are no use of a variable."""
        self.sketch.expressions.append(tokens)
        self.levels[-1].expressions.append(tokens)
        self.levels[-1].bound |= {b.text[1:] for a, b in pairwise(tokens) if a.says("AS") and b.kind == "var"}

    def bind(self, group: Group) -> None:
        start, end = self.at, closing(self.tokens, self.at)
        self.sketch.bound[self.tokens[end - 1].text[1:]] = list(self.tokens[start + 1 : end - 2])
        self.levels[-1].bound.add(self.tokens[end - 1].text[1:])
        self.expression(end, group)

    # -- triples -----------------------------------------------------------------------------------

    def triples(self, group: Group) -> None:
        bracket = self.here("[", "(")
        subject = self.slot(group)
        if bracket and self.here(".", "}"):
            return
        self.properties(group, subject)

    def properties(self, group: Group, subject: Slot) -> None:
        while True:
            path = self.path()
            while True:
                target = self.slot(group)
                group.elements.append(Atom(subject, path, target))
                if not self.took(","):
                    break
            if not self.took(";"):
                return
            while self.took(";"):
                pass
            # A trailing semicolon is legal: go on only where a verb can begin.
            if self.tokens[self.at].kind not in {"var", "iri", "name"} and not self.here("A", "^", "!", "("):
                return

    def slot(self, group: Group) -> Slot:
        token = self.tokens[self.at]
        if token.kind in {"var", "blank"}:
            self.at += 1
            return token.text[1:] if token.kind == "var" else token.text
        if self.took("["):
            node = self.blank()
            if not self.took("]"):
                self.properties(group, node)
                self.need("]")
            return node
        if self.took("("):
            return self.collection(group)
        found = constant(self.tokens, self.at, self.names)
        if found is None:
            raise UnreadableError(f"no term at {token.text!r}")
        self.at = found[1]
        return found[0]

    def collection(self, group: Group) -> Slot:
        """Read the members of a collection into its chain of cells."""
        if self.took(")"):
            return NamedNode(_RDF + "nil")
        first = cell = self.blank()
        while True:
            group.elements.append(Atom(cell, _link(_RDF + "first"), self.slot(group)))
            if self.took(")"):
                group.elements.append(Atom(cell, _link(_RDF + "rest"), NamedNode(_RDF + "nil")))
                return first
            following = self.blank()
            group.elements.append(Atom(cell, _link(_RDF + "rest"), following))
            cell = following

    # -- paths -------------------------------------------------------------------------------------

    def path(self) -> Path:
        token = self.tokens[self.at]
        if token.kind == "var":
            self.at += 1
            return Path("link", slot=token.text[1:])
        return self.choice()

    def choice(self) -> Path:
        parts = [self.sequence()]
        while self.took("|"):
            parts.append(self.sequence())
        return parts[0] if len(parts) == 1 else Path("choice", tuple(parts))

    def sequence(self) -> Path:
        parts = [self.step()]
        while self.took("/"):
            parts.append(self.step())
        return parts[0] if len(parts) == 1 else Path("sequence", tuple(parts))

    def step(self) -> Path:
        if self.took("^"):
            return Path("inverse", (self.step(),))
        path = self.primary()
        if self.took("*"):
            return Path("star", (path,))
        if self.took("+"):
            return Path("plus", (path,))
        if self.took("?"):
            return Path("maybe", (path,))
        return path

    def primary(self) -> Path:
        if self.took("!"):
            return Path("not", (self.primary(),))
        if self.took("^"):
            return Path("inverse", (self.primary(),))
        if self.took("("):
            inner = self.choice()
            self.need(")")
            return inner
        if self.took("A"):
            return _link(_RDF + "type")
        token = self.tokens[self.at]
        if token.kind not in {"iri", "name"}:
            raise UnreadableError(f"no predicate at {token.text!r}")
        self.at += 1
        return Path("link", slot=self.names.iri(token))


def _link(iri: str) -> Path:
    return Path("link", slot=NamedNode(iri))


def _part(kind: str, group: Group, name: Slot = "") -> Part:
    if kind == "optional":
        return Part("optional", group)
    if kind == "negative":
        return Part("negative", group)
    return Part("graph", group, name) if kind == "graph" else Part("plain", group)
