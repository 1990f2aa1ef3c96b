"""A query read step by step: its operators in a natural order, each with what it leaves."""

from hermes.explanation.order import natural_order
from hermes.explanation.step import Explanation, Part, Step
from hermes.explanation.steps import explain

__all__ = ["Explanation", "Part", "Step", "explain", "natural_order"]
