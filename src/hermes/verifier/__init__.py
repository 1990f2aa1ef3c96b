"""The verifier: what a graph proves of a plan before it runs.

from hermes.verifier import Schema, Kernel
Kernel(Schema.mine(kg)).check(plan)    # a Certificate or a Refusal
"""

from hermes.verifier.again import Finding, recheck
from hermes.verifier.goal import Goal
from hermes.verifier.kernel import Kernel
from hermes.verifier.schema import Schema
from hermes.verifier.verdict import Certificate, Judgement, Refusal, Unknown, Verdict, Warned

__all__ = [
    "Certificate",
    "Finding",
    "Goal",
    "Judgement",
    "Kernel",
    "Refusal",
    "Schema",
    "Unknown",
    "Verdict",
    "Warned",
    "recheck",
]
