"""Plans, actions, and SPARQL text read and written."""

from hermes.algebra import control as _control
from hermes.algebra import operators as _operators
from hermes.algebra import reads as _reads
from hermes.algebra.action import Action, parse_action
from hermes.algebra.kind import catalogue
from hermes.algebra.parse_query import parse_query
from hermes.algebra.plan import Plan
from hermes.algebra.render import render

__all__ = ["Action", "Plan", "catalogue", "parse_action", "parse_query", "render"]
