"""The grammar rules for group graph patterns (rules 53 to 68): the whole parser."""

from __future__ import annotations

from hermes.errors import did_you_mean
from hermes.sparql.expressions import Expression
from hermes.sparql.parser.triples import TripleRules
from hermes.sparql.patterns import ELEMENT_RULES, Element, Group

_ELEMENT = "a triple pattern, FILTER, OPTIONAL, UNION, MINUS, BIND, VALUES, GRAPH, { or }"


class Parser(TripleRules):
    """Reads any piece of SPARQL 1.1 Query. `Parser(text, context).expression()` reads one expression."""

    def group(self) -> Group:
        """Read a group graph pattern in braces; a SELECT inside becomes its one element."""
        self.expect("{")
        self.enter()
        outside, self.aggregates = self.aggregates, False
        pattern = self.context.enter_pattern()
        select = self.keyword() == "SELECT"
        group = Group((ELEMENT_RULES["SELECT"](self),)) if select else self._elements()
        self.context.pattern = pattern
        self.aggregates = outside
        self.leave()
        self.expect("}")
        return group

    def _elements(self) -> Group:
        group = Group()
        after_triples = False
        while not self.next_is("}"):
            if self.keyword() == "FILTER":
                group = group.add_filter(self.filter())
            elif element := self._element():
                self.context.next_pattern()
                group = group.add(element)
            else:
                if after_triples:
                    self.fail('"." between two triple patterns')
                for pattern in self.triples():
                    group = group.add(pattern)
                after_triples = not self.take(".")
                continue
            after_triples = False
            self.take(".")
        return group

    def _element(self) -> Element | None:
        """Read an element that begins with a keyword or a brace."""
        start = "{" if self.next_is("{") else self.keyword()
        rule = ELEMENT_RULES.get(start)
        if rule and start != "SELECT":
            return rule(self)
        if self.kinds[self.at] == "WORD" and start not in ("A", "TRUE", "FALSE"):
            hint = did_you_mean(start, [*ELEMENT_RULES, "FILTER"]) or self.word_hint()
            self.fail(_ELEMENT, hint)
        if self.kinds[self.at] == "END":
            self.fail(_ELEMENT)
        return None

    def filter(self) -> Expression:
        """Read FILTER with its constraint."""
        self.expect_word("FILTER")
        return self.constraint()

    def item(self, group: Group) -> Group:
        """Return `group` with what this text says: one triple pattern, FILTER(...), OPTIONAL {...}, ..."""
        if self.keyword() == "FILTER":
            return group.add_filter(self.filter())
        element = self._element()
        return group.add(self.triple() if element is None else element)
