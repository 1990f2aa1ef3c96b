"""Repairs: what was meant by a plan that has no solutions.

from hermes.repair import repairs
repairs(kg, plan)    # up to three changes of one clause that bring solutions back, the likeliest first
"""

from hermes.repair.repairs import Repair, repairs

__all__ = ["Repair", "repairs"]
