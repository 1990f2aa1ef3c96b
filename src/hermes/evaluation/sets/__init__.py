"""Question sets: QALD JSON and its relatives, LC-QuAD JSON, CSV and TSV, as questions with gold answers.

from hermes.evaluation.sets import read_questions
read_questions(Path("questions.json"))
"""

from hermes.evaluation.sets.reading import read_questions

__all__ = ["read_questions"]
