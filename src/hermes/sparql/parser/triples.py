"""The grammar rules for triples and property paths (rules 75 to 106)."""

from __future__ import annotations

from typing import cast

from hermes.sparql.parser.modifiers import ModifierRules
from hermes.sparql.paths import (
    AlternativePath,
    InversePath,
    NegatedPath,
    Path,
    RepeatPath,
    Repetition,
    SequencePath,
)
from hermes.sparql.patterns import End, TriplePattern
from hermes.terms import IRI, RDF, BlankNode, Variable

_END = "a term: a variable (?x), an IRI (<...> or prefix:name), a literal or _:label"
_OBJECT = "an object"
_PREDICATE = "a predicate (a variable, an IRI, a, or a property path)"


class TripleRules(ModifierRules):
    """Reads triple patterns, one or several at a time."""

    def triple(self) -> TriplePattern:
        """Read exactly one triple pattern; a dot may follow it."""
        start = self.at
        found = self.triples()
        if len(found) != 1:
            self.fault(f"this is {len(found)} triple patterns; give one at a time", start)
        self.take(".")
        return found[0]

    def triples(self) -> list[TriplePattern]:
        """Read one subject with its predicates and objects (rule 75)."""
        out: list[TriplePattern] = []
        if self.kinds[self.at] == "PUNCT" and self.texts[self.at] in ("[", "("):
            subject = self._compound(out)
            if not out or self._starts_verb():
                self._properties(subject, out)
        else:
            self._properties(self._end(out, "a subject"), out)
        return out

    def _starts_verb(self) -> bool:
        if self.kinds[self.at] in ("VAR", "IRI", "PNAME") or self.is_type_keyword():
            return True
        return self.kinds[self.at] == "PUNCT" and self.texts[self.at] in ("^", "!", "(")

    def _properties(self, subject: End, out: list[TriplePattern]) -> None:
        while True:
            predicate = self._verb()
            while True:
                extra: list[TriplePattern] = []
                out.append(TriplePattern(subject, predicate, self._end(extra, _OBJECT)))
                out += extra
                if not self.take(","):
                    break
            if not self.next_is(";"):
                return
            while self.take(";"):
                pass
            if not self._starts_verb():
                return

    def _verb(self) -> Variable | Path:
        if self.kinds[self.at] == "VAR":
            return self.variable()
        if not self._starts_verb():
            self.fail(_PREDICATE, self.word_hint())
        return self.path()

    def _end(self, out: list[TriplePattern], what: str) -> End:
        kind = self.kinds[self.at]
        if kind == "VAR":
            return self.variable()
        if self.starts_iri():
            return self.iri()
        if self.starts_literal():
            return self.literal()
        if kind == "BLANK":
            return self.blank()
        if kind == "PUNCT" and self.texts[self.at] in ("[", "("):
            return self._compound(out)
        if kind == "PUNCT" and self.texts[self.at] == "<" and self.texts[self.at + 1] == "<":
            self.fault("a triple term cannot be named in a pattern; match its parts", code="triple-term")
        hint = self.word_hint()
        if kind == "WORD" and what == _OBJECT:
            hint += f', a text has quotes ("{self.texts[self.at]}")'
        self.fail(f"{what} ({_END[8:]})", hint)

    def word_hint(self) -> str:
        """Return what to write instead where a bare word or a character of a name stands."""
        text = self.texts[self.at]
        if self.kinds[self.at] == "WORD":
            return f"; a variable is written ?{text}, a name has a prefix (ex:{text})"
        if self.kinds[self.at] == "PUNCT" and text in ",()'&":
            return f"; inside a name write \\{text} or use the whole IRI in <...>"
        return ""

    def _fresh(self) -> Variable | BlankNode:
        variable = self.context.new_blank()
        return BlankNode(variable.name) if self.context.keep_blank else variable

    def _compound(self, out: list[TriplePattern]) -> End:
        """Read `[ ... ]` or `( ... )` and return the blank node (or rdf:nil) that it stands for."""
        self.enter()
        try:
            if self.take("["):
                node = self._fresh()
                if not self.next_is("]"):
                    self._properties(node, out)
                self.expect("]")
                return node
            self.expect("(")
            return self._collection(out)
        finally:
            self.leave()

    def _collection(self, out: list[TriplePattern]) -> End:
        if self.take(")"):
            return IRI(RDF + "nil")
        head = cell = self._fresh()
        while True:
            extra: list[TriplePattern] = []
            out.append(TriplePattern(cell, IRI(RDF + "first"), self._end(extra, "a member of the list")))
            out += extra
            if self.take(")"):
                out.append(TriplePattern(cell, IRI(RDF + "rest"), IRI(RDF + "nil")))
                return head
            following = self._fresh()
            out.append(TriplePattern(cell, IRI(RDF + "rest"), following))
            cell = following

    # --- paths --------------------------------------------------------------------------------

    def path(self) -> Path:
        """Read a property path (rule 88); a plain IRI comes back as it is."""
        self.enter()
        parts = [self._sequence()]
        while self.take("|"):
            parts.append(self._sequence())
        self.leave()
        return parts[0] if len(parts) == 1 else AlternativePath(tuple(parts))

    def _sequence(self) -> Path:
        parts = [self._inverse()]
        while self.take("/"):
            parts.append(self._inverse())
        return parts[0] if len(parts) == 1 else SequencePath(tuple(parts))

    def _inverse(self) -> Path:
        return InversePath(self._repeated()) if self.take("^") else self._repeated()

    def _repeated(self) -> Path:
        if self.take("("):
            path = self.path()
            self.expect(")")
        elif self.take("!"):
            path = self._negated()
        else:
            path = self.verb_iri(_PREDICATE)
        text = self.texts[self.at]
        if self.kinds[self.at] == "PUNCT" and text in ("*", "+", "?") and not self.starts_literal():
            self.at += 1
            return RepeatPath(path, cast("Repetition", text))
        return path

    def _negated(self) -> NegatedPath:
        forward: list[IRI] = []
        backward: list[IRI] = []

        def one() -> None:
            side = backward if self.take("^") else forward
            side.append(self.verb_iri("a predicate to leave out"))

        if self.take("("):
            if self.next_is(")"):
                self.fault("!() leaves nothing out, and engines refuse it: write a variable (?p)")
            one()
            while self.take("|"):
                one()
            self.expect(")")
        else:
            one()
        return NegatedPath(tuple(forward), tuple(backward))
