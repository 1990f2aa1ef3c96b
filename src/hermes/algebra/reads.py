"""The actions that read the graph and leave the plan as it is."""

from __future__ import annotations

import re
from typing import Final

from hermes.algebra.fields import TEXT, VARIABLE, Reader, Rule, field, is_text, number_up_to, one_of
from hermes.algebra.kind import Read, kind
from hermes.algebra.observation import Inspected, LookedUp, Suggested
from hermes.algebra.ports import View
from hermes.errors import ActionError
from hermes.findings import Role
from hermes.sparql.parser import Parser
from hermes.terms import IRI, Variable, term_text

_ROLES: Final[dict[str, Role | None]] = {
    "any": None,
    "entity": "entity",
    "class": "class",
    "predicate": "predicate",
}
MOST: Final = 1000
"""The largest limit of a read: what is found is for reading."""
_BARE: Final = re.compile(r"\s*[A-Za-z][A-Za-z0-9+.-]*://\S+\s*")
_EXPECTED: Final = "an IRI (<...> or prefix:name)"


def _read_term(text: str, reader: Reader) -> IRI:
    # A name with // in it can be no prefixed name, so a bare address is understood.
    return reader.parse(f"<{text.strip()}>" if _BARE.fullmatch(text) else text, "IRI", _term)


def _term(parser: Parser) -> IRI:
    if parser.starts_iri() or parser.is_type_keyword():
        return parser.verb_iri(_EXPECTED)
    if parser.kinds[parser.at] == "VAR":
        parser.fail(_EXPECTED, "; a variable stands for many terms: inspect one of them")
    if parser.kinds[parser.at] == "BLANK":
        parser.fail(_EXPECTED, "; a blank node has no name: reach it through its properties")
    parser.fail(_EXPECTED, "; to find a term by its label use lookup")


FOCUS: Final[Rule[Variable | None]] = Rule(
    VARIABLE.wants,
    is_text,
    VARIABLE.read,
    lambda found, names: None if found is None else term_text(found, names),
)
"""A variable, or none: the one that answers."""
TERM: Final[Rule[IRI]] = Rule("an IRI, <...> or prefix:name", is_text, _read_term, term_text)


@kind
class Lookup(Read):
    """Find what has a label that contains the text."""

    op = "lookup"
    example = '{"op": "lookup", "text": "Lake Placid"}'
    text: str = field(TEXT)
    kind: str = field(one_of(*_ROLES), default="any")
    limit: int = field(number_up_to(MOST), default=10)

    def look(self, view: View) -> LookedUp:
        """Return the terms whose labels contain the text."""
        if not self.text.strip():
            raise ActionError('"text" of "lookup" is empty; every label contains that', code="wrong-type")
        return LookedUp(
            found=view.kg.lookup(self.text, _ROLES[self.kind], self.limit), prefixes=view.kg.prefixes
        )


@kind
class Inspect(Read):
    """Show the predicates around an entity, or those that the instances of a class have, both ways.

    Of a predicate: the classes of its subjects and objects, and the datatypes of its values. A term that is
    more than one of these is looked at as a class, then as a predicate, unless `kind` says otherwise.
    """

    op = "inspect"
    example = '{"op": "inspect", "term": "ex:LakePlacid"}'
    term: IRI = field(TERM)
    kind: str = field(one_of(*_ROLES), default="any")
    limit: int = field(number_up_to(MOST), default=40)

    def look(self, view: View) -> Inspected:
        """Return what is around the term."""
        found = view.kg.inspect(self.term, self.limit, role=_ROLES[self.kind])
        return Inspected(found=found, prefixes=view.kg.prefixes)


@kind
class Suggest(Read):
    """Find next steps that have solutions at a variable of the plan, or first steps of an empty one.

    Predicates in both directions, classes, values and ranges, each as an action with the solutions that it
    leaves; those that a text says come first. A step that is about a number of them is an estimate.
    """

    op = "suggest"
    example = '{"op": "suggest", "focus": "?city", "text": "which country"}'
    focus: Variable | None = field(FOCUS, default=None)
    text: str = field(TEXT, default="")
    limit: int = field(number_up_to(MOST), default=20)

    def look(self, view: View) -> Suggested:
        """Return the next steps."""
        return Suggested(found=view.suggester.suggest(view.plan, self.focus, self.text, self.limit))
