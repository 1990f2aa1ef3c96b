"""Plans, actions, and SPARQL text read and written."""

from hermes.algebra import control, operators, reads
from hermes.algebra.action import Action, parse_action
from hermes.algebra.explorer import Explorer
from hermes.algebra.kind import catalogue
from hermes.algebra.observation import Observation
from hermes.algebra.observe import observe
from hermes.algebra.parse_query import parse_query
from hermes.algebra.plan import Plan
from hermes.algebra.render import render
from hermes.algebra.trace import Trace

__all__ = [
    "Action",
    "Explorer",
    "Observation",
    "Plan",
    "Trace",
    "catalogue",
    "control",
    "observe",
    "operators",
    "parse_action",
    "parse_query",
    "reads",
    "render",
]
