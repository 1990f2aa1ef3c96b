"""Repairs and diagnosis: what was meant by a plan that has no solutions, and why it has none.

from hermes.repair import diagnose, repairs
repairs(kg, plan)     # up to three changes of one clause that bring solutions back, the likeliest first
Explorer(kg, adviser=GraphAdviser(kg))    # the same as hints beside each step
diagnose(kg, plan)    # which clauses fail together, which is to blame; or where solutions multiply
"""

from hermes.repair.advising import GraphAdviser
from hermes.repair.diagnosis import Diagnosis, Guilty, diagnose
from hermes.repair.growth import Growth, Join
from hermes.repair.repairs import Repair, repairs

__all__ = ["Diagnosis", "GraphAdviser", "Growth", "Guilty", "Join", "Repair", "diagnose", "repairs"]
