"""Graph patterns (SPARQL 1.1, sections 5 to 8 and 18.2.1): triple patterns and groups of elements.

What else may stand in a group (OPTIONAL, UNION, ...) is for the operators to say: each is an `Element`
that registers the keyword it begins with.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeVar

from hermes.sparql.expressions import Exists, Expression, expression_text
from hermes.sparql.paths import Path, path_text
from hermes.sparql.tree import Node
from hermes.terms import IRI, BlankNode, IriWriter, Literal, Variable, term_text

if TYPE_CHECKING:
    from hermes.sparql.parser import Parser

End = IRI | Literal | Variable | BlankNode
"""What may stand at the ends of a triple pattern; a blank node only in a CONSTRUCT template."""


class Slip(NamedTuple):
    """Something that SPARQL allows but that is a mistake: a stable code and a sentence."""

    code: str
    message: str


class Element(Node, ABC):
    """One element of a group graph pattern.

    `sees_outer` says whether filters inside may name variables from outside (only LeftJoin's do);
    `commutes` whether it may change places with a neighbour that commutes too (joins do).
    """

    __slots__ = ()
    sees_outer: ClassVar[bool] = False
    commutes: ClassVar[bool] = True

    @abstractmethod
    def text(self, names: IriWriter) -> str:
        """Return the element as SPARQL text on one line."""

    @abstractmethod
    def binds(self) -> Iterable[Variable]:
        """Return the variables that the element brings into scope (section 18.2.1)."""

    def introduces(self) -> Iterable[Variable]:
        """Return the variables that must be new: BIND may not name one in scope (section 18.2.1)."""
        return ()

    def slips(self, before: Collection[Variable]) -> Iterable[Slip]:
        """Return what SPARQL allows but nobody means, given the variables bound before the element."""
        return ()

    def groups(self) -> tuple[Group, ...]:
        """Return the groups that stand directly inside."""
        return ()


@dataclass(frozen=True, slots=True)
class TriplePattern(Element):
    """Subject, predicate (a variable, an IRI or a property path) and object."""

    subject: End
    predicate: Variable | Path
    object: End

    def text(self, names: IriWriter) -> str:
        """Return the triple pattern without its dot."""
        predicate = (
            "?" + self.predicate.name
            if isinstance(self.predicate, Variable)
            else path_text(self.predicate, names)
        )
        return f"{term_text(self.subject, names)} {predicate} {term_text(self.object, names)}"

    def binds(self) -> tuple[Variable, ...]:
        """Return its variables; those that stand for blank nodes too."""
        ends = (self.subject, self.predicate, self.object)
        return tuple(end for end in ends if isinstance(end, Variable))

    @property
    def is_path(self) -> bool:
        """Whether the predicate is a property path, which may match one pair several times."""
        return not isinstance(self.predicate, Variable | IRI)


@dataclass(frozen=True, slots=True)
class Group(Node):
    """A group graph pattern: its elements in order, and the filters of the whole group (section 5.2.2)."""

    elements: tuple[Element, ...] = ()
    filters: tuple[Expression, ...] = ()
    _bound: tuple[Variable, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        found: dict[Variable, None] = {}
        for element in self.elements:
            found |= dict.fromkeys(element.binds())
        object.__setattr__(self, "_bound", tuple(found))

    def add(self, element: Element) -> Group:
        """Return the group with one more element; an equal triple pattern is kept once (a path is not)."""
        if isinstance(element, TriplePattern) and not element.is_path and element in self.elements:
            return self
        return replace(self, elements=(*self.elements, element))

    def add_filter(self, condition: Expression) -> Group:
        """Return the group with one more filter."""
        return replace(self, filters=(*self.filters, condition))

    def text(self, names: IriWriter) -> str:
        """Return the group in braces on one line."""
        items = self.items(names)
        dots = [" ." if isinstance(element, TriplePattern) else "" for element in self.elements]
        dots += [""] * len(self.filters)
        if dots:
            dots[-1] = ""
        return "{ " + "".join(f"{item}{dot} " for item, dot in zip(items, dots, strict=True)) + "}"

    def lines(self, names: IriWriter) -> list[str]:
        """Return the items as lines of a group; each triple pattern ends with a dot."""
        items = self.items(names)
        for place, element in enumerate(self.elements):
            if isinstance(element, TriplePattern):
                items[place] += " ."
        return items

    def items(self, names: IriWriter) -> list[str]:
        """Return one text for each element and each filter."""
        return [
            *(element.text(names) for element in self.elements),
            *(filter_text(condition, names) for condition in self.filters),
        ]

    def binds(self) -> tuple[Variable, ...]:
        """Return the variables in scope after the group, in order of first mention, blank ones too."""
        return self._bound

    def depth(self) -> int:
        """Return how deep groups stand inside groups; 1 where none stands inside."""
        inner = (group.depth() for element in self.elements for group in element.groups())
        return 1 + max(inner, default=0)

    def scope(self) -> tuple[Variable, ...]:
        """Return the variables that may be named after the group: `binds` without those of blank nodes."""
        return tuple(variable for variable in self.binds() if not variable.reserved)


def filter_text(condition: Expression, names: IriWriter) -> str:
    """Return a FILTER as SPARQL text."""
    text = expression_text(condition, names)
    return f"FILTER {text}" if isinstance(condition, Exists) else f"FILTER({text})"


ElementRule = Callable[["Parser"], Element]

ELEMENT_RULES: dict[str, ElementRule] = {}
"""The grammar rule for each token that an element of a group may begin with, besides FILTER and triples."""


R = TypeVar("R", bound=ElementRule)


def begins_with(start: str) -> Callable[[R], R]:
    """Register a grammar rule for the elements that begin with `start` (a keyword in capitals, or `{`)."""

    def register(rule: R) -> R:
        ELEMENT_RULES[start] = rule
        return rule

    return register
