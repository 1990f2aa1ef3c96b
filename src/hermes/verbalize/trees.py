"""Triple patterns as phrases: from a variable outwards, each pattern said once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from hermes.sparql.paths import Path
from hermes.sparql.patterns import End, TriplePattern
from hermes.terms import IRI, RDF_TYPE, BlankNode, Literal, Variable
from hermes.verbalize.lexicon import article, noun_of
from hermes.verbalize.paths import path_words
from hermes.verbalize.phrase import Clause, Phrase
from hermes.verbalize.predicates import noun_in, shape_of
from hermes.verbalize.speech import Speech
from hermes.verbalize.variables import apart

About = Callable[[Variable], str | None]
"""Says the conditions on an attribute, `is more than 3`, where they can be said beside it."""

DEEPEST: Final = 8
"""How deep phrases stand in phrases; what is further away is said in sentences of its own."""


def nothing_about(_: Variable) -> None:
    """Say no condition."""


class Pool:
    """The triple patterns of a group that have not been said yet."""

    def __init__(
        self, triples: Sequence[TriplePattern], speech: Speech, about: About = nothing_about
    ) -> None:
        self.triples = list(triples)
        self.speech = speech
        self.about = about
        self.told: list[Variable] = []
        self.depth = 0

    # --- phrases ------------------------------------------------------------------------------------

    def every(self, root: Variable, *, column: bool = False) -> Phrase:
        """Return `every city that ...`; the name of a column serves as noun where nothing else does."""
        noun = self._class(root)
        owned = None if noun else self._owned(root)
        named = noun_of(root.name) if column and not root.blank else None
        self._introduce(root)
        if noun:
            head = f"every {noun}{self._handle(root, noun)}"
        elif owned:
            head = f"every {owned}{self.speech.introduction(root)}"
        elif named:
            head = f"every {named} ({self.speech.handle(root)})"
        else:
            head = f"everything{self.speech.introduction(root)}"
        return Phrase(head, self._clauses(root))

    def some(self, variable: Variable) -> Phrase:
        """Return `a city that ...` or `something that ...` for a variable that was not introduced yet."""
        phrase = self._classed(variable)
        if phrase:
            return phrase
        owned = self._owned(variable)
        self._introduce(variable)
        head = f"some {owned}" if owned else "something"
        return Phrase(f"{head}{self.speech.introduction(variable)}", self._clauses(variable))

    def _owned(self, variable: Variable) -> str | None:
        """Take the first pattern by which a thing of the plan has the variable: `capital of France`."""
        for triple in self.triples:
            noun = noun_of_predicate(triple, self.speech)
            if noun and triple.object == variable and isinstance(triple.subject, IRI):
                self.triples.remove(triple)
                return f"{noun} of {self.speech.lexicon.iri(triple.subject)}"
        return None

    def _handle(self, variable: Variable, noun: str) -> str:
        speech = self.speech
        known = speech.noun(variable) == noun
        return "" if known or variable not in speech.handles else f" {speech.handle(variable)}"

    def _introduce(self, variable: Variable) -> None:
        self.speech.introduced.add(variable)

    def _class(self, variable: Variable) -> str | None:
        """Take the first class of a variable from the pool and return its noun."""
        for triple in self.triples:
            if triple.subject == variable and is_class(triple) and isinstance(triple.object, IRI):
                self.triples.remove(triple)
                return self.speech.lexicon.iri(triple.object)
        return None

    def end(self, part: End) -> Phrase:
        """Return the words for one end of a pattern: a constant, a known variable, or a new one."""
        if isinstance(part, Variable) and part not in self.speech.introduced:
            return self.some(part)
        return Phrase(self.known(part))

    def known(self, part: End) -> str:
        """Return the words for a constant or for a variable that was introduced."""
        speech = self.speech
        if isinstance(part, Variable):
            self.told.append(part)
            return speech.name(part)
        return f"a new node {part.label}" if isinstance(part, BlankNode) else speech.lexicon.term(part)

    # --- clauses ------------------------------------------------------------------------------------

    def _clauses(self, node: Variable) -> tuple[Clause, ...]:
        """Say all that touches a variable; longer clauses last, where none names what another introduces."""
        if self.depth == DEEPEST:
            return ()
        self.depth += 1
        mine = [t for t in self.triples if node in (t.subject, t.object)]
        self.triples = [t for t in self.triples if t not in mine]
        start = set(self.speech.introduced)
        tied = False
        made = []
        for triple in mine:
            new, told = self.speech.introduced - start, len(self.told)
            clause = self._outward(triple) if triple.subject == node else self._inward(triple)
            tied = tied or not new.isdisjoint(self.told[told:])
            if clause is not None:
                made.append(clause)
        self.depth -= 1
        return tuple(made) if tied else tuple(sorted(made, key=lambda clause: clause.nested))

    def _outward(self, triple: TriplePattern, start: str | None = None) -> Clause | None:
        """Say a pattern from its subject: `whose season is ...`, or of `start`: `the season of ?g is ...`."""
        end, predicate = triple.object, triple.predicate
        who = start or "that"
        if not isinstance(predicate, IRI):
            return Clause(f"{who} leads by {self.way(predicate)} to", self.end(end))
        label = self.speech.lexicon.iri(predicate)
        if is_class(triple) and isinstance(end, IRI):
            return Clause(f"{who} is {article(self.speech.lexicon.iri(end))}")
        shape = shape_of(label)
        if shape in ("verb", "state") and not isinstance(end, Literal):
            return Clause(f"{who} {_verb(label)}", self.end(end))
        if isinstance(end, Variable) and end not in self.speech.introduced:
            return self._new_value(noun_in(label), end, start)
        if shape == "has":
            return Clause(f"{who} {label} {self.known(end)}")
        return Clause(f"{_whose(label, start)} is {self.known(end)}")

    def _new_value(self, noun: str, end: Variable, start: str | None) -> Clause | None:
        """Return `whose age is more than 3`, `with some age`, `with some supplier whose country is ...`."""
        speech = self.speech
        if speech.attribute(end) or end not in speech.handles:
            said = self.about(end)
            if said:
                self._introduce(end)
                return Clause(f"{_whose(noun, start)} {said}")
        if end in speech.implied:
            self._introduce(end)
            return None
        phrase = self._classed(end)
        if phrase:
            return Clause(f"{_whose(noun, start)} is", phrase)
        self._introduce(end)
        some = Phrase(f"some {noun}{speech.introduction(end)}", self._clauses(end))
        return Clause(f"{start} has" if start else "with", some)

    def _classed(self, variable: Variable) -> Phrase | None:
        """Return `a city that ...` for a new variable that has a class."""
        noun = self._class(variable)
        if noun is None:
            return None
        self._introduce(variable)
        return Phrase(f"{article(noun)}{self._handle(variable, noun)}", self._clauses(variable))

    def _inward(self, triple: TriplePattern, start: str | None = None) -> Clause:
        """Say a pattern from its object: `that is the capital of ...`, or of `start`."""
        predicate = triple.predicate
        who = start or "that"
        if not isinstance(predicate, IRI):
            way = self.way(predicate)
            return Clause(f"{who} is reached by {way} from", self.end(triple.subject))
        label = self.speech.lexicon.iri(predicate)
        if shape_of(label) in ("noun", "has"):
            return Clause(f"{who} is the {noun_in(label)} of", self.end(triple.subject))
        before = "" if start else "such that"
        return Clause(before, self.end(triple.subject), f" {_verb(label)} {start or 'it'}")

    # --- statements ---------------------------------------------------------------------------------

    def statements(self) -> list[Clause]:
        """Say all that is left, one statement for each pattern that no phrase takes along."""
        said: list[Clause | None] = []
        while self.triples:
            known = self.speech.introduced
            triple = next((t for t in self.triples if t.subject in known), None)
            triple = triple or next((t for t in self.triples if t.object in known), None)
            triple = triple or next((t for t in self.triples if not isinstance(t.subject, Variable)), None)
            start = None if triple else self.start()
            if start is not None:
                said.append(Clause("there is", self.some(start)))
            else:
                triple = triple or self.triples[0]
                self.triples.remove(triple)
                said.append(self.statement(triple))
        return [clause for clause in said if clause is not None]

    def start(self) -> Variable | None:
        """Return where to begin a phrase that shares nothing with what was said, if anything is left."""
        left = apart(self.triples, self.speech.introduced)
        subjects = [t.subject for t in left]
        objects = [t.object for t in left]
        free = [t.subject for t in left if t.subject not in objects]
        typed = [t.subject for t in left if is_class(t) and t.subject in free]
        ends = (*typed, *free, *subjects, *objects)
        return next((end for end in ends if isinstance(end, Variable)), None)

    def statement(self, triple: TriplePattern) -> Clause | None:
        """Return a pattern as a sentence of its own: `the season of ?g is "Winter"`."""
        subject = triple.subject
        if isinstance(subject, Variable) and subject not in self.speech.introduced:
            return self._inward(triple, self.known(triple.object))
        return self._outward(triple, self.known(subject))

    # --- ways ---------------------------------------------------------------------------------------

    def way(self, predicate: Variable | Path) -> str:
        """Return the words for a predicate that is a variable or a path."""
        if not isinstance(predicate, Variable):
            return path_words(predicate, self.speech.lexicon)
        if predicate in self.speech.introduced:
            self.told.append(predicate)
            return f"the predicate {self.speech.name(predicate)}"
        self._introduce(predicate)
        return f"some predicate{self.speech.introduction(predicate)}"


def noun_of_predicate(triple: TriplePattern, speech: Speech) -> str | None:
    """Return the noun of a predicate, where it is one."""
    if not isinstance(triple.predicate, IRI):
        return None
    label = speech.lexicon.iri(triple.predicate)
    return noun_in(label) if shape_of(label) in ("noun", "has") else None


def _whose(noun: str, start: str | None) -> str:
    return f"the {noun} of {start}" if start else f"whose {noun}"


def _verb(label: str) -> str:
    return f"is {label}" if shape_of(label) == "state" else label


def is_class(triple: TriplePattern) -> bool:
    """Whether a pattern says the class of its subject."""
    return isinstance(triple.predicate, IRI) and triple.predicate.value == RDF_TYPE
