"""The wording of what a rule has proved: one line that says what is wrong and what would be right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from math import isfinite
from typing import Final

from hermes.algebra.plan import Plan
from hermes.algebra.render import sub_query_text
from hermes.printable import clip, printable
from hermes.sparql.expressions import Exists, Membership, Operation, expression_text
from hermes.sparql.paths import path_text
from hermes.sparql.patterns import Element, Group, TriplePattern
from hermes.sparql.tree import walk
from hermes.terms import IRI, RDF_LANG_STRING, RDF_TYPE, Literal, Names, Variable, term_text
from hermes.verifier.literals import NUMERIC, key_of, tag_of
from hermes.verifier.rules.solutions import Cause, NoSolution
from hermes.verifier.rules.space import ALL_FRESH, UNBOUND, Space, Values
from hermes.verifier.rules.spans import Span
from hermes.verifier.rules.texts import Contained
from hermes.verifier.rules.triples import Triples
from hermes.vocabulary import nearest

_WIDTH: Final = 120
_NAMED: Final = 3
"""So many names are given."""
_TYPE: Final = IRI(RDF_TYPE)
_KINDS: Final = ("iri", "blank", "triple")
"""The tags of what is no literal."""

_OF_TRIPLES: Final = frozenset(
    {
        "unknown-predicate",
        "no-such-path",
        "unknown-class",
        "unknown-term",
        "no-such-triple",
        "no-common-terms",
    }
)
_UNTYPED: Final = {"iri": "IRIs without a class", "blank": "blank nodes without a class"}
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
        space: what the graph has.
        names: writes IRIs.
    """

    def __init__(self, space: Space, names: Names) -> None:
        self.space = space
        self.names = names

    def text(self, part: object) -> str:
        """Return a part of a plan as hermes prints it, on one line, clipped."""
        return clip(printable(self._text(part)), _WIDTH)

    def _text(self, part: object) -> str:
        match part:
            case Element() | Group():
                return part.text(self.names)
            case Plan():
                return sub_query_text(part, self.names)
            case Variable() | IRI() | Literal():
                return term_text(part, self.names)
            case Operation() | Membership() | Exists():
                return expression_text(part, self.names)
            case _ if hasattr(part, "text"):
                return str(part.text(self.names))
        return str(part)

    def of(self, cause: Cause) -> str:
        """Return the reason that a cause is."""
        if isinstance(cause.at, TriplePattern) and cause.code in _OF_TRIPLES:
            return self._of_triple(cause.at, cause)
        worded = {
            "no-such-link": self._no_such_link,
            "never-true": self._never_true,
            "never-equal": self._never_equal,
            "no-common-terms": self._before_and_in,
        }.get(cause.code)
        if worded is not None:
            return worded(cause)
        if cause.code == "all-branches-empty" and isinstance(cause.subject, Cause):
            return f"no branch of the union has a solution: {self.of(cause.subject)}"
        return _SAID[cause.code].format(at=self.text(cause.at), subject=self.text(cause.subject))

    def _before_and_in(self, cause: Cause) -> str:
        inside = self._sorts(sum(part for part in cause.others if isinstance(part, int)))
        if self._sorts(cause.values) == inside:
            return f"no value of {cause.subject} is both before it and in it"
        return (
            f"{self._is(cause.subject, cause.values)} before it, and {inside or 'no term of the graph'} in it"
        )

    def _of_triple(self, pattern: TriplePattern, cause: Cause) -> str:
        if cause.code in ("unknown-predicate", "no-such-path"):
            return self._unknown_predicate(pattern)
        if isinstance(cause.subject, Variable):
            return self._no_common_terms(pattern, cause.subject, cause)
        return self._no_such_triple(pattern, cause.subject)

    def _no_such_link(self, cause: Cause) -> str:
        beside = [self.text(other) for other in cause.others if other is not cause.at]
        together = f" together with {'; '.join(beside[-_NAMED:])}" if beside else ""
        return f"{self.text(cause.at)} has no match{together}"

    # --- triple patterns --------------------------------------------------------------------------

    def _unknown_predicate(self, pattern: TriplePattern) -> str:
        known = self.space.schema.predicates
        for part in walk(pattern.predicate):
            if isinstance(part, IRI) and part.value not in known:
                near = self._near(part, {name: each.triples for name, each in known.items()}, "triples")
                return f"{self.text(part)} is no predicate of this graph{near}"
        return f"{self._predicate(pattern)} connects nothing in this graph"

    def _no_such_triple(self, pattern: TriplePattern, end: object) -> str:
        said = self.text(end)
        if not isinstance(end, IRI | Literal):
            return f"{self.text(pattern)} has no match"
        if pattern.predicate == _TYPE and end == pattern.object and isinstance(end, IRI):
            return (
                f"{said} is no class of this graph{self._near(end, self.space.schema.classes, 'instances')}"
            )
        side = "object" if end == pattern.object else "subject"
        here = f"{'an' if side == 'object' else 'a'} {side} of {self._predicate(pattern)}"
        there = self._other_spelling(pattern, end) if isinstance(end, Literal) else ""
        values = self.space.of_term(end)
        if not values & ~ALL_FRESH:
            return f"{said} does not occur in this graph{there}"
        if isinstance(pattern.predicate, IRI):
            turned = self.space.subjects if side == "object" else self.space.objects
            if values & turned.get(pattern.predicate.value, 0):
                other = " subject" if side == "object" else "n object"
                return f"{said} is never {here}, but it is a{other}: turn the pattern round"
        return f"{said} is never {here}{there or self._what(pattern, side)}"

    def _other_spelling(self, pattern: TriplePattern, literal: Literal) -> str:
        """Name the literals that the graph has in this place with another tag, datatype or case."""
        if not isinstance(pattern.predicate, IRI):
            return ""
        column = self.space.objects.get(pattern.predicate.value, 0)
        for found in self._spellings(literal, self.space.tags):
            if self._has(found, column):
                return f"; there is {self.text(found)}"
        return ""

    def _spellings(self, literal: Literal, tags: Iterable[str]) -> Iterator[Literal]:
        """Yield the literals that may have been meant: another case, tag or datatype."""
        text = literal.lexical
        cases = (text, text.strip(), text.lower(), text.title(), text.capitalize(), text.upper())
        for lexical in dict.fromkeys(cases):
            for tag in tags:
                if tag not in _KINDS:
                    tagged = tag.startswith("@")
                    found = Literal(lexical, RDF_LANG_STRING, tag[1:]) if tagged else Literal(lexical, tag)
                    if found != literal:
                        yield found

    def _has(self, literal: Literal, column: Values) -> bool:
        found = self.space.schema.occurrences.get(tag_of(literal))
        key = key_of(literal)
        return (
            found is not None and key is not None and bool(self.space.bits(found.signatures_of(key)) & column)
        )

    def _what(self, pattern: TriplePattern, side: str) -> str:
        if not isinstance(pattern.predicate, IRI):
            return ""
        columns = self.space.objects if side == "object" else self.space.subjects
        sorts = self._sorts(columns.get(pattern.predicate.value, 0))
        return f"; {side}s are {sorts}" if sorts else ""

    def _no_common_terms(self, pattern: TriplePattern, variable: Variable, cause: Cause) -> str:
        here = self._role(pattern, variable)
        roles = {
            other: role
            for other in cause.others
            if isinstance(other, TriplePattern) and (role := self._role(other, variable))
        }
        column = self._column(pattern, variable)
        clashing = [role for other, role in roles.items() if not self._column(other, variable) & column]
        rest = clashing[:1] or list(roles.values())[:_NAMED]
        if pattern.subject == pattern.object == variable:
            return f"no term is both subject and object of {self._predicate(pattern)} here"
        fitting = self._fitting(pattern, variable, roles)
        if not rest:
            return f"{self._is(variable, cause.values)} here, which is never {here}{fitting}"
        return f"nothing is both {' and '.join(rest)} and {here}{fitting}"

    def _is(self, variable: object, values: Values) -> str:
        return f"{variable} is {self._sorts(values) or 'no term of the graph'}"

    def _fitting(self, pattern: TriplePattern, variable: Variable, others: Iterable[TriplePattern]) -> str:
        """Say what would fit: the pattern turned round, or what such terms are."""
        turned = TriplePattern(pattern.object, pattern.predicate, pattern.subject)
        common = self._column(turned, variable)
        for other in others:
            common &= self._column(other, variable)
        loop = pattern.subject == pattern.object
        if (
            others
            and common
            and not loop
            and isinstance(pattern.predicate, IRI)
            and pattern.predicate != _TYPE
        ):
            return f"; turned round it fits: {self.text(turned)}"
        sorts = self._sorts(self._column(pattern, variable))
        return f"; these are {sorts}" if sorts and pattern.predicate != _TYPE else ""

    def _column(self, pattern: TriplePattern, variable: Variable) -> Values:
        """Return what a variable can be in a pattern alone."""
        try:
            subjects, objects = Triples(self.space).ends(pattern)
        except NoSolution:
            return 0
        if variable == pattern.predicate:
            return self.space.predicates
        return subjects if variable == pattern.subject else objects

    def _role(self, pattern: TriplePattern, variable: Variable) -> str:
        if pattern.predicate == variable:
            return "a predicate"
        if variable not in (pattern.subject, pattern.object):
            return ""
        if pattern.predicate == _TYPE and isinstance(pattern.object, IRI):
            return f"an instance of {self.text(pattern.object)}"
        side, other = (
            ("subject", pattern.object) if pattern.subject == variable else ("object", pattern.subject)
        )
        beside = "" if isinstance(other, Variable) else f" with {self.text(other)}"
        article = "an" if side == "object" else "a"
        return f"{article} {side} of {self._predicate(pattern)}{beside}"

    def _predicate(self, pattern: TriplePattern) -> str:
        if isinstance(pattern.predicate, Variable):
            return str(pattern.predicate)
        return clip(printable(path_text(pattern.predicate, self.names)), _WIDTH)

    # --- conditions -------------------------------------------------------------------------------

    def _never_true(self, cause: Cause) -> str:
        said = f"{self.text(cause.at)} is never true"
        because = self._because(cause)
        if because or not isinstance(cause.subject, Variable):
            return f"{said}: {because}" if because else f"{said} here"
        sorts = self._sorts(cause.values)
        if not sorts:
            return f"{said}: {cause.subject} has no value here"
        tags = {signature.tag for signature in self.space.signatures(cause.values)}
        for other in cause.others:
            for spelling in self._spellings(other, tags) if isinstance(other, Literal) else ():
                if self._has(spelling, cause.values):
                    return f"{said}: {cause.subject} has {sorts}; there is {self.text(spelling)}"
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
        sorts = self._sorts(cause.values)
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

    # --- names ------------------------------------------------------------------------------------

    def _sorts(self, values: Values) -> str:
        """Say what terms of the graph are: their classes, or their datatypes; the most frequent first."""
        counts: Counter[str] = Counter()
        for signature in self.space.signatures(values & ~(ALL_FRESH | UNBOUND)):
            for name in signature.classes:
                counts[self.text(IRI(name))] += signature.count
            if signature.kind in _UNTYPED and not signature.classes:
                counts[_UNTYPED[signature.kind]] += signature.count
            if signature.kind == "literal":
                counts[_tag_text(signature.tag, self)] += signature.count
        found = [name for name, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]
        more = ", ..." if len(found) > _NAMED else ""
        return ", ".join(found[:_NAMED]) + more

    def _near(self, iri: IRI, known: Mapping[str, int], unit: str) -> str:
        near = [
            f"{self.text(IRI(name))} ({count:,} {unit})" for name, count in nearest(iri.value, known, _NAMED)
        ]
        return f"; nearest: {', '.join(near)}" if near else self._some(known)

    def _some(self, known: Mapping[str, int]) -> str:
        names = list(self._most(known))
        return f"; the most used: {', '.join(names)}" if names else ""

    def _most(self, known: Mapping[str, int]) -> Iterator[str]:
        for name, _ in sorted(known.items(), key=lambda item: (-item[1], item[0]))[:_NAMED]:
            yield self.text(IRI(name))


def _from_to(low: float, high: float) -> str:
    return f"from {low:.4g} to {high:.4g}" if isfinite(high) else f"at least {low:.4g}"


def _tag_text(tag: str, reasons: Reasons) -> str:
    return f"text {tag}" if tag.startswith("@") else reasons.text(IRI(tag))
