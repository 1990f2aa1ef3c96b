"""Honest scores: question sets, the comparison of answers, runs and reports."""

from hermes.evaluation.question import Question, QuestionSet
from hermes.evaluation.record import Record, Shown

__all__ = ["Question", "QuestionSet", "Record", "Shown"]
