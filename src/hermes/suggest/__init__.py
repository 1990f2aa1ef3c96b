"""Admissible next steps: what a plan can be asked next, with the solutions that each leaves.

Explorer(kg).suggest("?city", text="which country")
"""

from hermes.suggest.suggesting import SECONDS, GraphSuggester, suggest

__all__ = ["SECONDS", "GraphSuggester", "suggest"]
