"""Honest scores: question sets, the comparison of answers, runs and reports.

    questions = read_questions(Path("questions.json"))
    scores = compare(gold, given)
    found = totals(records)

What every number means is in docs/scores.md.
"""

from hermes.evaluation.comparison import Scores, compare
from hermes.evaluation.difference import Difference, difference_lines, paired
from hermes.evaluation.execution import execute
from hermes.evaluation.features import features
from hermes.evaluation.label_texts import labels_for
from hermes.evaluation.question import Question, QuestionSet
from hermes.evaluation.record import Record, Shown
from hermes.evaluation.run import Unscored, run
from hermes.evaluation.run_file import read_run
from hermes.evaluation.sets import read_questions
from hermes.evaluation.ties import Ties, tie_rows
from hermes.evaluation.totals import Totals, totals, totals_lines

__all__ = [
    "Difference",
    "Question",
    "QuestionSet",
    "Record",
    "Scores",
    "Shown",
    "Ties",
    "Totals",
    "Unscored",
    "compare",
    "difference_lines",
    "execute",
    "features",
    "labels_for",
    "paired",
    "read_questions",
    "read_run",
    "run",
    "tie_rows",
    "totals",
    "totals_lines",
]
