"""Question-answering systems: a question and a graph in, an answer out.

load_system("single-triple").answer("Which cities are in Japan?", kg)
"""

from hermes.systems.answer import Answer, Cost
from hermes.systems.registry import load_system, system_names
from hermes.systems.system import Oracle, System

__all__ = ["Answer", "Cost", "Oracle", "System", "load_system", "system_names"]
