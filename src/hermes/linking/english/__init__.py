"""What words of English ask for: the one place that knows the language of questions."""

from hermes.linking.english.cues import cues
from hermes.linking.english.meanings import meant_by
from hermes.linking.english.quantities import numbers

__all__ = ["cues", "meant_by", "numbers"]
