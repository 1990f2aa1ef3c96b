"""Admissible next steps: what a plan can be asked next, with the solutions that each leaves."""

from hermes.suggest.suggesting import SECONDS, suggest

__all__ = ["SECONDS", "suggest"]
