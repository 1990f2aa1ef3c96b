"""Triple patterns as phrases: from a variable outwards, each pattern said once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hermes.sparql.paths import AlternativePath, InversePath, NegatedPath, Path, RepeatPath, SequencePath
from hermes.sparql.patterns import End, TriplePattern
from hermes.terms import IRI, RDF_TYPE, BlankNode, Literal, Variable
from hermes.verbalize.lexicon import article, listed, noun_of, quoted
from hermes.verbalize.phrase import Clause, Phrase
from hermes.verbalize.predicates import shape_of
from hermes.verbalize.speech import Speech

About = Callable[[Variable], str | None]
"""Says the conditions on an attribute, `is more than 3`, where they can be said beside it."""


def nothing_about(_: Variable) -> None:
    """Say no condition."""


class Pool:
    """The triple patterns of a group that have not been said yet."""

    def __init__(self, triples: Sequence[TriplePattern], speech: Speech, about: About = nothing_about) -> None:
        self.triples = list(triples)
        self.speech = speech
        self.about = about

    # --- phrases ------------------------------------------------------------------------------------

    def every(self, root: Variable, *, column: bool = False) -> Phrase:
        """Return `every city that ...`; the name of a column serves as noun where no class does."""
        noun = self._class(root)
        named = noun_of(root.name) if column and not root.blank else None
        self._introduce(root)
        if noun:
            head = f"every {noun}{self._handle(root, noun)}"
        elif named:
            head = f"every {named} ({self.speech.handle(root)})"
        else:
            head = f"everything{self.speech.introduction(root)}"
        return Phrase(head, self._clauses(root))

    def some(self, variable: Variable) -> Phrase:
        """Return `a city that ...` or `something that ...` for a variable that was not introduced yet."""
        noun = self._class(variable)
        self._introduce(variable)
        head = f"{article(noun)}{self._handle(variable, noun)}" if noun else self._unknown(variable)
        return Phrase(head, self._clauses(variable))

    def _unknown(self, variable: Variable) -> str:
        return f"something{self.speech.introduction(variable)}"

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
            return speech.name(part)
        return f"a new node {part.label}" if isinstance(part, BlankNode) else speech.lexicon.term(part)

    # --- clauses ------------------------------------------------------------------------------------

    def _clauses(self, node: Variable) -> tuple[Clause, ...]:
        mine = [t for t in self.triples if node in (t.subject, t.object, t.predicate)]
        mine = [t for t in mine if node in (t.subject, t.object)]
        self.triples = [t for t in self.triples if t not in mine]
        made = (self._outward(t) if t.subject == node else self._inward(t) for t in mine)
        return tuple(clause for clause in made if clause is not None)

    def _outward(self, triple: TriplePattern) -> Clause | None:
        end, predicate = triple.object, triple.predicate
        if not isinstance(predicate, IRI):
            return Clause(f"that leads by {self.way(predicate)} to", self.end(end))
        label = self.speech.lexicon.iri(predicate)
        if is_class(triple) and isinstance(end, IRI):
            return Clause(f"that is {article(self.speech.lexicon.iri(end))}")
        shape = shape_of(label)
        if shape == "noun" or isinstance(end, Literal):
            return self._with(label, end)
        return Clause(f"that {'is ' if shape == 'state' else ''}{label}", self.end(end))

    def _with(self, label: str, end: End) -> Clause | None:
        """Return `whose age is 3`, `with some age`, `with some supplier whose country is ...`."""
        if not isinstance(end, Variable) or end in self.speech.introduced:
            return Clause(f"whose {label} is {self.known(end)}")
        if self.speech.attribute(end) or end not in self.speech.handles:
            said = self.about(end)
            if said:
                self._introduce(end)
                return Clause(f"whose {label} {said}")
        if end in self.speech.implied:
            self._introduce(end)
            return None
        noun = self._class(end)
        self._introduce(end)
        if noun:
            phrase = Phrase(f"{article(noun)}{self._handle(end, noun)}", self._clauses(end))
            return Clause(f"whose {label} is", phrase)
        return Clause("with", Phrase(f"some {label}{self.speech.introduction(end)}", self._clauses(end)))

    def _inward(self, triple: TriplePattern) -> Clause:
        predicate = triple.predicate
        if not isinstance(predicate, IRI):
            way = self.way(predicate)
            return Clause(f"reached by {way} from", self.end(triple.subject))
        label = self.speech.lexicon.iri(predicate)
        shape = shape_of(label)
        if shape == "noun":
            return Clause(f"that is the {label} of", self.end(triple.subject))
        return Clause("such that", self.end(triple.subject), f" {'is ' if shape == 'state' else ''}{label} it")

    # --- statements ---------------------------------------------------------------------------------

    def statements(self) -> list[Clause]:
        """Say all that is left, one statement for each pattern that no phrase takes along."""
        said = []
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
        return said

    def start(self) -> Variable | None:
        """Return where to begin a phrase that shares nothing with what was said; None where nothing is left."""
        said = self.speech.introduced
        left = [t for t in self.triples if t.subject not in said and t.object not in said]
        subjects = [t.subject for t in left]
        objects = [t.object for t in left]
        free = [t.subject for t in left if t.subject not in objects]
        typed = [t.subject for t in left if is_class(t) and t.subject in free]
        ends = (*typed, *free, *subjects, *objects)
        return next((end for end in ends if isinstance(end, Variable)), None)

    def statement(self, triple: TriplePattern) -> Clause:
        """Return a pattern as a sentence of its own: `the season of ?g is "Winter"`."""
        subject, predicate, end = triple.subject, triple.predicate, triple.object
        if isinstance(subject, Variable) and subject not in self.speech.introduced:
            return self._about_object(triple)
        start = self.known(subject)
        if not isinstance(predicate, IRI):
            return Clause(f"{start} leads by {self.way(predicate)} to", self.end(end))
        label = self.speech.lexicon.iri(predicate)
        if is_class(triple) and isinstance(end, IRI):
            return Clause(f"{start} is {article(self.speech.lexicon.iri(end))}")
        shape = shape_of(label)
        if shape != "noun" and not isinstance(end, Literal):
            return Clause(f"{start} {'is ' if shape == 'state' else ''}{label}", self.end(end))
        if not isinstance(end, Variable) or end in self.speech.introduced:
            return Clause(f"the {label} of {start} is {self.known(end)}")
        noun = self._class(end)
        self._introduce(end)
        if noun:
            phrase = Phrase(f"{article(noun)}{self._handle(end, noun)}", self._clauses(end))
            return Clause(f"the {label} of {start} is", phrase)
        return Clause(
            f"{start} has", Phrase(f"some {label}{self.speech.introduction(end)}", self._clauses(end))
        )

    def _about_object(self, triple: TriplePattern) -> Clause:
        end = self.known(triple.object)
        predicate = triple.predicate
        if not isinstance(predicate, IRI):
            return Clause(f"{end} is reached by {self.way(predicate)} from", self.end(triple.subject))
        label = self.speech.lexicon.iri(predicate)
        shape = shape_of(label)
        if shape == "noun" or isinstance(triple.object, Literal):
            return Clause(f"{end} is the {label} of", self.end(triple.subject))
        return Clause(
            "for", self.end(triple.subject), f", it {'is ' if shape == 'state' else ''}{label} {end}"
        )

    # --- ways ---------------------------------------------------------------------------------------

    def way(self, predicate: Variable | Path) -> str:
        """Return the words for a predicate that is a variable or a path."""
        if not isinstance(predicate, Variable):
            return path_words(predicate, self.speech)
        if predicate in self.speech.introduced:
            return f"the predicate {self.speech.name(predicate)}"
        self._introduce(predicate)
        return f"some predicate{self.speech.introduction(predicate)}"


def is_class(triple: TriplePattern) -> bool:
    """Whether a pattern says the class of its subject."""
    return isinstance(triple.predicate, IRI) and triple.predicate.value == RDF_TYPE


_TIMES = {
    "*": "any number of steps (also none) of",
    "+": "one or more steps of",
    "?": "at most one step of",
}


def path_words(path: Path, speech: Speech) -> str:
    """Return the words for a property path (SPARQL 1.1, section 9)."""
    match path:
        case IRI():
            return _step(path, speech)
        case InversePath(inner):
            return f"{_bracketed(inner, speech)} backwards"
        case SequencePath(parts):
            return " then ".join(_bracketed(part, speech) for part in parts)
        case AlternativePath(parts):
            return listed((_bracketed(part, speech) for part in parts), "or")
        case RepeatPath(inner, times):
            return f"{_TIMES[times]} {_bracketed(inner, speech)}"
        case NegatedPath(forward, backward):
            return _negated(forward, backward, speech)


def _negated(forward: tuple[IRI, ...], backward: tuple[IRI, ...], speech: Speech) -> str:
    ways = []
    if forward or not backward:
        but = listed((_step(iri, speech) for iri in forward), "and")
        ways.append(f"any predicate but {but}" if forward else "any predicate")
    if backward:
        but = listed((_step(iri, speech) for iri in backward), "and")
        ways.append(f"any predicate but {but} backwards")
    return listed(ways, "or")


def _step(iri: IRI, speech: Speech) -> str:
    label = speech.lexicon.iri(iri)
    return label if label.startswith("“") else quoted(label)


def _bracketed(path: Path, speech: Speech) -> str:
    words = path_words(path, speech)
    return words if isinstance(path, IRI) else f"({words})"
