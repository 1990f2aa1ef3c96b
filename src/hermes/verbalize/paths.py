"""Property paths in words (SPARQL 1.1, section 9). Sequences and inverses alone were spelled out before."""

from __future__ import annotations

from typing import Final

from hermes.sparql.paths import AlternativePath, InversePath, NegatedPath, Path, RepeatPath, SequencePath
from hermes.terms import IRI
from hermes.verbalize.lexicon import Lexicon, bracketed, listed, quoted

_TIMES: Final = {
    "*": "any number of steps (also none) of",
    "+": "one or more steps of",
    "?": "at most one step of",
}


def path_words(path: Path, lexicon: Lexicon) -> str:
    """Return the words for a property path (SPARQL 1.1, section 9)."""
    match path:
        case IRI():
            return _step(path, lexicon)
        case InversePath(inner):
            return f"{_inner(inner, lexicon)} backwards"
        case SequencePath(parts):
            return " then ".join(_inner(part, lexicon) for part in parts)
        case AlternativePath(parts):
            return listed((_inner(part, lexicon) for part in parts), "or")
        case RepeatPath(inner, times):
            return f"{_TIMES[times]} {_inner(inner, lexicon)}"
        case NegatedPath(forward, backward):
            return _negated(forward, backward, lexicon)


def _negated(forward: tuple[IRI, ...], backward: tuple[IRI, ...], lexicon: Lexicon) -> str:
    ways = []
    if forward or not backward:
        but = listed((_step(iri, lexicon) for iri in forward), "and")
        ways.append(f"any predicate but {but}" if forward else "any predicate")
    if backward:
        but = listed((_step(iri, lexicon) for iri in backward), "and")
        ways.append(f"any predicate but {but} backwards")
    return listed(ways, "or")


def _step(iri: IRI, lexicon: Lexicon) -> str:
    label = lexicon.iri(iri)
    return label if label.startswith("“") else quoted(label)


def _inner(path: Path, lexicon: Lexicon) -> str:
    return bracketed(path_words(path, lexicon), inside=not isinstance(path, IRI))
