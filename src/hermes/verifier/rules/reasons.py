"""Reasons: what a cause is in one line that says what was wrong and what would be right."""

from __future__ import annotations

from math import isfinite
from typing import Final

from hermes.algebra.operators.graph import Graph
from hermes.sparql.patterns import TriplePattern
from hermes.terms import IRI, Literal, Names, Variable
from hermes.verifier.literals import NUMERIC
from hermes.verifier.rules.dataset import Dataset
from hermes.verifier.rules.graph_space import Values
from hermes.verifier.rules.solutions import Cause
from hermes.verifier.rules.space import ALL_FRESH
from hermes.verifier.rules.spans import Span
from hermes.verifier.rules.texts import Contained
from hermes.verifier.rules.triple_reasons import OF_TRIPLES, TripleReasons
from hermes.verifier.rules.wording import NAMED, Wording

_SAID: Final = {
    "always-error": "{at} is an error for every value, and a filter keeps only what is true",
    "minus-removes-all": "{at} removes every solution: each has such a match",
    "always-matches": "{at} is never true: each solution has such a match",
    "no-row-matches": "{at} has no row",
    "limit-zero": "{at} has no row because of LIMIT 0",
}
"""Reasons that need no look at the schema."""


class Reasons:
    """Words causes for a reader.

    Args:
        dataset: the graphs that a plan is asked of.
        names: writes IRIs.
    """

    def __init__(self, dataset: Dataset, names: Names) -> None:
        self.dataset = dataset
        self.space = dataset.space
        self.wording = Wording(self.space, names)

    def text(self, part: object) -> str:
        """Return a part of a plan as hermes prints it, on one line, clipped."""
        return self.wording.text(part)

    def of(self, cause: Cause) -> str:
        """Return the reason that a cause is, after the named graph that it is about."""
        naming = isinstance(cause.at, Graph) and cause.subject == cause.at.name
        if cause.graph is None or naming:
            return self._said(cause)
        name = cause.graph.name
        where = "any named graph" if not name else f"graph {self.wording.graph(name)}"
        return f"in {where}: {self._said(cause)}"

    def _said(self, cause: Cause) -> str:
        if isinstance(cause.at, TriplePattern) and cause.code in OF_TRIPLES:
            return TripleReasons(self.wording, cause.graph or self.dataset.default).of(cause.at, cause)
        worded = {
            "no-such-link": self._no_such_link,
            "never-true": self._never_true,
            "never-equal": self._never_equal,
            "no-common-terms": self._before_and_in,
            "unknown-graph": self._unknown_graph,
        }.get(cause.code)
        if worded is not None:
            return worded(cause)
        if isinstance(cause.subject, Cause):
            part = "branch of the union" if cause.code == "all-branches-empty" else "named graph"
            return f"no {part} has a solution: {self.of(cause.subject)}"
        return _SAID[cause.code].format(at=self.text(cause.at), subject=self.text(cause.subject))

    def _before_and_in(self, cause: Cause) -> str:
        if isinstance(cause.at, Graph) and cause.subject == cause.at.name:
            known = [IRI(name) for name in self.dataset.named if not name.startswith("_:")]
            more = ", ..." if len(known) > NAMED else ""
            named = ", ".join(map(self.text, known[:NAMED])) + more
            return f"no value of {cause.subject} is the name of a graph; named graphs: {named}"
        inside = self.wording.sorts(sum(part for part in cause.others if isinstance(part, int)))
        if self.wording.sorts(cause.values) == inside:
            return f"no value of {cause.subject} is both before it and in it"
        return (
            f"{self.wording.of(cause.subject, cause.values)} before it, "
            f"and {inside or 'no term of the graph'} in it"
        )

    def _no_such_link(self, cause: Cause) -> str:
        beside = [
            self.text(other) for other in cause.others if getattr(other, "pattern", other) is not cause.at
        ]
        together = f" together with {'; '.join(beside[-NAMED:])}" if beside else ""
        return f"{self.text(cause.at)} has no match{together}"

    def _unknown_graph(self, cause: Cause) -> str:
        if not isinstance(cause.subject, IRI):
            left = "; FROM NAMED makes a graph one" if self.dataset.clauses else ""
            return f"{self.text(cause.at)} goes to the named graphs, and there is none{left}"
        if self.space.named.keys() - self.dataset.named.keys() >= {cause.subject.value}:
            return f"{self.text(cause.subject)} is no named graph of this query: FROM NAMED makes it one"
        return self.no_graph(cause.subject)

    def no_graph(self, graph: IRI) -> str:
        """Say that there is no such graph, and which there are."""
        sizes = {
            name: each.triples
            for name, each in self.space.named.items()
            if each.known and not name.startswith("_:")
        }
        near = self.wording.near(graph, sizes, "triples")
        return f"{self.text(graph)} is no named graph, or has no triples{near}"

    # --- conditions -------------------------------------------------------------------------------

    def _never_true(self, cause: Cause) -> str:
        said = f"{self.text(cause.at)} is never true"
        because = self._because(cause)
        if because or not isinstance(cause.subject, Variable):
            return f"{said}: {because}" if because else f"{said} here"
        sorts = self.wording.sorts(cause.values)
        if not sorts:
            return f"{said}: {cause.subject} has no value here"
        tags = {signature.tag for signature in self.space.signatures(cause.values)}
        for other in cause.others:
            there = self.wording.spelling(other, tags, cause.values) if isinstance(other, Literal) else ""
            if there:
                return f"{said}: {cause.subject} has {sorts}{there}"
        return f"{said}: {cause.subject} has {sorts}{self._span(cause.values)}"

    def _because(self, cause: Cause) -> str:
        """Say why numbers are out of reach, texts are not there, or two conditions exclude each other."""
        match cause.others:
            case (Contained() as wanted,):
                return self._not_contained(wanted, cause.values)
            case (Span(low, high),):
                return f"{self.text(cause.subject)} is {_from_to(low, high)}"
        return "no value is both" if isinstance(cause.subject, tuple) else ""

    def _not_contained(self, wanted: Contained, values: Values) -> str:
        """Say that no value contains a text, and which spelling some may contain."""
        text = wanted.text
        texts = sum(self.space.families[family] for family in ("iri", "string", "tagged")) & ~ALL_FRESH
        for other in dict.fromkeys((text.lower(), text.capitalize(), text.title(), text.upper())):
            if values & texts & self.space.containing(other, folded=wanted.folded):
                near = f"; some may contain {self.text(Literal(other))}"
                break
        else:
            near = ""
        return f"no value of {wanted.variable} contains {self.text(Literal(text))}{near}"

    def _never_equal(self, cause: Cause) -> str:
        sorts = self.wording.sorts(cause.values)
        having = f": {cause.subject} has {sorts}" if sorts and isinstance(cause.subject, Variable) else ""
        return f"{self.text(cause.at)} compares what is never equal{having}"

    def _span(self, values: Values) -> str:
        """Say from where to where numbers go."""
        lows, highs = [], []
        for signature in self.space.signatures(values):
            if signature.tag not in NUMERIC or signature.low is None or signature.high is None:
                return ""
            lows.append(signature.low)
            highs.append(signature.high)
        return f", from {min(lows):.15g} to {max(highs):.15g}" if lows else ""


def _from_to(low: float, high: float) -> str:
    return f"from {low:.4g} to {high:.4g}" if isfinite(high) else f"at least {low:.4g}"
