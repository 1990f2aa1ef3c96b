"""Question-answering systems: a question and a graph in, an answer out."""

from hermes.systems.answer import Answer, Cost
from hermes.systems.system import System

__all__ = ["Answer", "Cost", "System"]
