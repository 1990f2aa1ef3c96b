"""One grammar for the fields of actions and for whole queries, as recursive descent.

Each class adds the rules of one part of the grammar to those below it: `Cursor`, `TermRules`,
`ExpressionRules`, `PatternRules`, `ModifierRules`. `Parser` is all of them.
"""

from hermes.sparql.parser.modifiers import ModifierRules
from hermes.sparql.parser.terms import Context


class Parser(ModifierRules):
    """Reads any piece of SPARQL 1.1 Query. `Parser(text, context).expression()` reads one expression."""


__all__ = ["Context", "Parser"]
