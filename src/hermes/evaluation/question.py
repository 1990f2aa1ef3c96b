"""Questions with their gold queries and answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hermes.results import Result


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and what is right.

    Args:
        id: its name in the set.
        text: the question in plain words.
        sparql: the gold query, complete with its prologue; empty where the set has none.
        answers: the gold answers that the set states; None where only the gold query gives them.
        kg: the name of its graph in the set; empty where the set is about one graph.
        features: the operators of the gold query, as the set names them or as they are read from it.
        ordered: whether the order of the rows is part of the answer.
        tie: whether a LIMIT of the gold query cuts equal values, so that another answer is as right.
        group: the same for paraphrases of one question, and for questions with the same gold query.
    """

    id: str
    text: str
    sparql: str = ""
    answers: Result | None = None
    kg: str = ""
    features: tuple[str, ...] = ()
    ordered: bool = False
    tie: bool = False
    group: str = ""


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """The questions of a file.

    Args:
        id: what the set is called.
        questions: in the order of the file, each with another `id`.
        graphs: the files of each graph, by its name; empty where the set names none.
    """

    id: str
    questions: tuple[Question, ...]
    graphs: Mapping[str, tuple[Path, ...]] = field(default_factory=dict)
