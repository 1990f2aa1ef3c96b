"""The bounds of the development questions: the macro F1 of `single-triple` and of `gold`, and their time."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from statistics import fmean
from time import perf_counter
from typing import Final

from benchmarks.report import conditions
from hermes import KG
from hermes.evaluation import Question, compare, execute, read_questions
from hermes.systems import Oracle, System, load_system
from shared import DATA

_SETS: Final = ("ck25", "geoquery", "spider4sparql", "spider4sparql-large")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for each system and question set; return 1 where the upper bound is not 1."""
    argparse.ArgumentParser(prog="python -m benchmarks bounds", description=__doc__).parse_args(arguments)
    if not DATA.is_dir():
        print("the shared data folder is absent (set HERMES_SHARED)")
        return 0
    print(*conditions("pyoxigraph"), sep="\n")
    sound = True
    for name in ("single-triple", "gold"):
        for folder in _SETS:
            start = perf_counter()
            scores = _scores(load_system(name), folder)
            sound &= name != "gold" or min(scores) == 1
            print(
                f"{name:14} {folder:20} {len(scores):4} questions  "
                f"F1 {fmean(scores):.3f}  {perf_counter() - start:6.1f} s"
            )
    return int(not sound)


def _scores(system: System, folder: str) -> list[float]:
    asked = read_questions(DATA / folder / "questions.dev.json")
    scores = []
    for graph, files in asked.graphs.items():
        kg = KG.load(*files)
        scores += [_f1(system, each, kg) for each in asked.questions if each.kg == graph]
        kg.close()
    return scores


def _f1(system: System, question: Question, kg: KG) -> float:
    if isinstance(system, Oracle):
        answer = system.answer_as(question.sparql, kg)
    else:
        answer = system.answer(question.text, kg)
    rows = execute(kg, answer.sparql) if answer.rows is None and answer.sparql else answer.rows
    return compare(question.answers, rows).f1


if __name__ == "__main__":
    raise SystemExit(main())
