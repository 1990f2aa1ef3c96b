"""Repairs and diagnosis: what was meant by a plan that has no solutions, and why it has none.

from hermes.repair import diagnose, repairs
repairs(kg, plan)     # up to three changes of one clause that bring solutions back, the likeliest first
diagnose(kg, plan)    # which clauses fail together, which is to blame; or where solutions multiply
"""

from hermes.repair.diagnosis import Diagnosis, Guilty, diagnose
from hermes.repair.growth import Growth, Join
from hermes.repair.repairs import Repair, repairs

__all__ = ["Diagnosis", "Growth", "Guilty", "Join", "Repair", "diagnose", "repairs"]
