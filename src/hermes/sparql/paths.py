"""Property paths (SPARQL 1.1, section 9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hermes.sparql.tree import Node
from hermes.terms import IRI, RDF_TYPE, IriWriter

ALTERNATIVE, SEQUENCE, INVERSE, ELEMENT = range(4)
"""How tightly a path binds, from loose to tight (rules 89 to 94)."""


Repetition = Literal["*", "+", "?"]


@dataclass(frozen=True, slots=True)
class AlternativePath(Node):
    """Either path: `a|b`."""

    parts: tuple[Path, ...]

    def text(self, names: IriWriter) -> str:
        """Return the path as SPARQL text."""
        return "|".join(path_text(part, names, SEQUENCE) for part in self.parts)


@dataclass(frozen=True, slots=True)
class SequencePath(Node):
    """One path after another: `a/b`."""

    parts: tuple[Path, ...]

    def text(self, names: IriWriter) -> str:
        """Return the path as SPARQL text."""
        return "/".join(path_text(part, names, INVERSE) for part in self.parts)


@dataclass(frozen=True, slots=True)
class InversePath(Node):
    """A path backwards: `^a`."""

    path: Path

    def text(self, names: IriWriter) -> str:
        """Return the path as SPARQL text."""
        return "^" + path_text(self.path, names, ELEMENT)


@dataclass(frozen=True, slots=True)
class RepeatPath(Node):
    """A path any number of times, at least once, or at most once: `a*`, `a+`, `a?`."""

    path: Path
    times: Repetition

    def text(self, names: IriWriter) -> str:
        """Return the path as SPARQL text."""
        inner = path_text(self.path, names, ELEMENT)
        if isinstance(self.path, RepeatPath):
            inner = f"({inner})"
        return inner + self.times


@dataclass(frozen=True, slots=True)
class NegatedPath(Node):
    """`!(a|^b)`: any predicate but these, forwards and backwards."""

    forward: tuple[IRI, ...]
    backward: tuple[IRI, ...]

    def text(self, names: IriWriter) -> str:
        """Return the path as SPARQL text."""
        parts = [predicate_text(iri, names) for iri in self.forward]
        parts += ["^" + predicate_text(iri, names) for iri in self.backward]
        return "!" + parts[0] if len(parts) == 1 else f"!({'|'.join(parts)})"


Path = IRI | AlternativePath | SequencePath | InversePath | RepeatPath | NegatedPath

_TIGHTNESS = {AlternativePath: ALTERNATIVE, SequencePath: SEQUENCE, InversePath: INVERSE}


def predicate_text(iri: IRI, names: IriWriter) -> str:
    """Return a predicate, `rdf:type` as `a`."""
    return "a" if iri.value == RDF_TYPE else names(iri.value)


def path_text(path: Path, names: IriWriter, tightness: int = ALTERNATIVE) -> str:
    """Return `path` as SPARQL text, in parentheses where its place asks for a tighter one."""
    if isinstance(path, IRI):
        return predicate_text(path, names)
    text = path.text(names)
    return text if _TIGHTNESS.get(type(path), ELEMENT) >= tightness else f"({text})"
