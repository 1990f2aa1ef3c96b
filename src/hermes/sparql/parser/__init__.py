"""One grammar for the fields of actions and for whole queries, as recursive descent.

Each class adds the rules of one part of the grammar to those before it: `Cursor`, `TermRules`,
`ExpressionRules`, `ModifierRules`, `TripleRules`, and `Parser`, which is all of them.
"""

from hermes.sparql.parser.groups import Parser
from hermes.sparql.parser.modifiers import LARGEST
from hermes.sparql.parser.terms import Context

__all__ = ["LARGEST", "Context", "Parser"]
