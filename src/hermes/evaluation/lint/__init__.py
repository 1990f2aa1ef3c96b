"""Faults in question sets: what the gold queries say that is hardly meant, and answers that no longer hold.

from hermes.evaluation.lint import lint
lint(kg, question, Kernel(Schema.mine(kg)))
"""

from hermes.evaluation.lint.fault import Fault, fault_lines, faults_json
from hermes.evaluation.lint.linting import lint

__all__ = ["Fault", "fault_lines", "faults_json", "lint"]
