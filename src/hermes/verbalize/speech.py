"""What has been said so far: which variables were introduced, and what they are called from then on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from hermes.algebra.plan import Plan
from hermes.sparql.tree import walk
from hermes.terms import BLANK_PREFIX, IRI, BlankNode, Literal, Variable
from hermes.verbalize.lexicon import Lexicon
from hermes.verbalize.variables import Naming


class Tell(Protocol):
    """Says a sub-query; `named` asks for the names of its aliases."""

    def __call__(self, plan: Plan, speech: Speech, *, named: bool = False) -> str:
        """Return the words."""


@dataclass
class Speech:
    """The state of one sentence while it is made.

    A sentence is made twice: the first time finds out which variables are named again (`mentioned`), and
    the second one introduces only these with their name (`handles`).
    """

    lexicon: Lexicon
    naming: Naming
    uses: Counter[Variable]
    tell: Tell
    handles: frozenset[Variable] = frozenset()
    spelled: frozenset[Variable] = frozenset()
    introduced: set[Variable] = field(default_factory=set)
    mentioned: set[Variable] = field(default_factory=set)
    copied: set[Variable] = field(default_factory=set)
    implied: set[Variable] = field(default_factory=set)
    """Attributes that the columns name with what has them, so that they need not be said again."""
    inlined: dict[Variable, str] = field(default_factory=dict)
    """The words for what a sub-query of one value gives, said where that value is used."""
    visible: Collection[Variable] | None = None
    """The variables that an expression may read here; None where that needs no check."""
    matched: Collection[Variable] | None = None
    """Those that the argument of an aggregate may read."""
    outer: frozenset[Variable] = frozenset()
    """Those of the solution that EXISTS puts into its patterns (SPARQL 1.1, section 18.6)."""

    def handle(self, variable: Variable) -> str:
        """Return the name of a variable itself."""
        return f"_:b{variable.name.removeprefix(BLANK_PREFIX)}" if variable.blank else str(variable)

    def noun(self, variable: Variable) -> str | None:
        """Return the class that names a variable."""
        return None if variable in self.spelled else self.naming.nouns.get(variable)

    def attribute(self, variable: Variable) -> str | None:
        """Return the predicate that names a variable."""
        return None if variable in self.spelled else self.naming.attributes.get(variable)

    def name(self, variable: Variable) -> str:
        """Return what a variable is called, wherever it was introduced or will be."""
        if variable in self.inlined:
            return self.inlined[variable]
        self.mentioned.add(variable)
        noun = self.noun(variable)
        if noun:
            return f"the {noun}"
        attribute = self.attribute(variable)
        if attribute:
            return f"the {attribute}"
        return self.handle(variable)

    def value(self, part: Variable | IRI | Literal | BlankNode) -> str:
        """Return the words for a term or variable in an expression; one that nothing binds here is said."""
        if isinstance(part, BlankNode):
            return f"a new node {part.label}"
        if not isinstance(part, Variable):
            return self.lexicon.term(part)
        if self.visible is not None and part not in self.visible:
            self.copied.add(part)
            return f"{self.handle(part)} (which nothing binds here)"
        return self.name(part)

    def introduction(self, variable: Variable) -> str:
        """Return the name that a variable is introduced with: a space and `?x`, or nothing."""
        named = self.noun(variable) or self.attribute(variable)
        return f" {self.handle(variable)}" if variable in self.handles and not named else ""

    def copy(self, text: str, tree: object) -> str:
        """Return the SPARQL text of something that has no words, in backquotes."""
        self.copied.update(part for part in walk(tree) if isinstance(part, Variable))
        escaped = text.replace("`", "\\u0060")
        return f"`{escaped}`"

    @contextmanager
    def apart(self, bound: Collection[Variable]) -> Iterator[None]:
        """Say something in which only the `bound` variables are known, and whose own are forgotten after."""
        before = set(self.introduced)
        self.introduced &= set(bound)
        yield
        self.introduced = before

    @contextmanager
    def seeing(self, variables: Collection[Variable] | None) -> Iterator[None]:
        """Say expressions that may read these variables."""
        before, self.visible = self.visible, variables
        yield
        self.visible = before

    @contextmanager
    def inside_exists(self) -> Iterator[None]:
        """Say the patterns of EXISTS: they see what an expression may read here."""
        before = self.outer
        self.outer |= frozenset(self.visible or ())
        with self.seeing(None):
            yield
        self.outer = before

    @contextmanager
    def modifying(self, matched: Collection[Variable], grouped: Collection[Variable]) -> Iterator[None]:
        """Say columns and modifiers: they read what is `grouped`, aggregates in them what is `matched`."""
        before, self.matched = self.matched, matched
        with self.seeing(grouped):
            yield
        self.matched = before
