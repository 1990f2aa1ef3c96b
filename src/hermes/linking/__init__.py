"""From the words of a question to the terms of a graph."""

from hermes.linking.mentions import Asks, Candidate, Cue, Evidence, Kind, Mention, Mentions, Number, Span

__all__ = ["Asks", "Candidate", "Cue", "Evidence", "Kind", "Mention", "Mentions", "Number", "Span"]
