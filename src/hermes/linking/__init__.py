"""From the words of a question to the terms of a graph.

link("Which cities in the USA hosted winter games?", kg)
"""

from hermes.linking.linking import link
from hermes.linking.mentions import (
    Asks,
    Candidate,
    Cue,
    Evidence,
    Kind,
    Mention,
    Mentions,
    Number,
    Span,
)

__all__ = ["Asks", "Candidate", "Cue", "Evidence", "Kind", "Mention", "Mentions", "Number", "Span", "link"]
