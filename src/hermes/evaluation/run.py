"""A run: every question of a set asked of a system, timed, scored, and written down."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from math import inf
from threading import Lock
from time import perf_counter

from hermes.errors import HermesError, StoreError
from hermes.evaluation.comparison import compare
from hermes.evaluation.execution import execute
from hermes.evaluation.features import gold_plan
from hermes.evaluation.label_texts import labels_for
from hermes.evaluation.question import Question
from hermes.evaluation.record import Record
from hermes.evaluation.showing import shown
from hermes.evaluation.ties import Ties, tie_rows
from hermes.kg import KG
from hermes.results import Result, Triples
from hermes.store import deadline, tallied
from hermes.systems import Answer, Oracle, System


@dataclass(frozen=True, slots=True)
class Unscored:
    """A question that cannot be scored, since what is right is not known.

    Args:
        id: of the question.
        reason: why not, in one line.
    """

    id: str
    reason: str


def run(
    questions: Iterable[Question],
    graph_of: Callable[[str], KG],
    system: System,
    *,
    workers: int = 1,
    seconds: float | None = None,
) -> Iterator[Record | Unscored]:
    """Yield what came of each question, as it comes: graph by graph, each loaded once and then closed.

    An error of a question is a part of its record and ends nothing.

    Args:
        questions: what is asked.
        graph_of: loads a graph by its name.
        system: who is asked; with several workers from several threads.
        workers: so many questions at the same time. They share the graph: the store answers each in a process
            of its own, and all those processes share one copy of the triples.
        seconds: what the queries of one answer may take together; by default each has the limit of the graph.

    Raises:
        HermesError: a graph cannot be loaded.
    """
    by_graph: dict[str, list[Question]] = {}
    for question in questions:
        by_graph.setdefault(question.kg, []).append(question)
    for name, asked in by_graph.items():
        with closing(graph_of(name)) as kg:
            examiner = Examiner(kg, system, seconds)
            if workers == 1:
                yield from map(examiner.examine, asked)
            else:
                yield from _together(examiner, asked, workers)


def _together(examiner: Examiner, asked: Sequence[Question], workers: int) -> Iterator[Record | Unscored]:
    pool = ThreadPoolExecutor(workers, "question")
    try:
        for future in as_completed([pool.submit(examiner.examine, question) for question in asked]):
            yield future.result()
    except BaseException:  # an interruption waits for no query: without its graph each one ends at once
        examiner.kg.close()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


@dataclass(frozen=True, slots=True)
class _Right:
    """What is right: the answer and, where a LIMIT cuts equal values, the other right ones."""

    answer: Result
    ties: Ties | None


class Examiner:
    """Asks a system about one graph, and scores what it says.

    Args:
        kg: the graph.
        system: who is asked.
        seconds: as in `run`.
    """

    def __init__(self, kg: KG, system: System, seconds: float | None = None) -> None:
        self.kg = kg
        self._system = system
        self._seconds = seconds
        self._right: dict[str, _Right] = {}
        self._lock = Lock()

    def examine(self, question: Question) -> Record | Unscored:
        """Return the record of a question; the time and the queries are those of the answer alone."""
        try:
            right = self._right_of(question)
        except HermesError as error:
            return Unscored(question.id, f"its gold query cannot be run: {error}")
        if right is None:
            return Unscored(question.id, "the set states neither an answer nor a query")
        start = perf_counter()
        with tallied() as tally:
            answer, given, fault = self._answered(question)
            elapsed = perf_counter() - start
        labels = None if given is None else labels_for(self.kg, right.answer, given)
        scores = compare(right.answer, given, ordered=question.ordered, labels=labels, ties=right.ties)
        wrong = bool(fault) or scores.f1 < 1
        return Record(
            question.id,
            question.text,
            question.kg,
            question.features,
            question.group,
            gold=shown(self.kg, question.sparql, right.answer, steps=wrong),
            given=shown(self.kg, answer.sparql, given, steps=wrong),
            **asdict(scores),
            steps=0 if answer.trace is None else len(answer.trace.steps),
            store_queries=tally.queries,
            judge_calls=answer.cost.judge_calls,
            tokens=answer.cost.tokens,
            seconds=round(elapsed, 6),
            confidence=answer.confidence,
            error=fault,
        )

    def _answered(self, question: Question) -> tuple[Answer, Result | None, str]:
        """Return the answer, its rows, and what went wrong."""
        with deadline(self._seconds or inf):
            return self._answered_in_time(question)

    def _answered_in_time(self, question: Question) -> tuple[Answer, Result | None, str]:
        try:
            answer = self._asked(question)
        except HermesError as error:
            return Answer(), None, str(error)
        except Exception as error:  # noqa: BLE001 - a fault of a system is one question's, not the run's
            return Answer(), None, str(HermesError(f"{type(error).__name__}: {error}"))
        if not answer.sparql:
            return answer, None, "no query"
        try:
            given = execute(self.kg, answer.sparql) if answer.rows is None else answer.rows
        except HermesError as error:
            return answer, None, str(error)
        if isinstance(given, Triples):
            return answer, None, "the query gives triples, which answer no question: SELECT or ASK would"
        return answer, given, ""

    def _asked(self, question: Question) -> Answer:
        if isinstance(self._system, Oracle):
            if not question.sparql:
                raise HermesError("the set states no gold query", code="no-query")
            return self._system.answer_as(question.sparql, self.kg)
        return self._system.answer(question.text, self.kg)

    def _right_of(self, question: Question) -> _Right | None:
        """Return what is right: what the set states, else what the gold query gives, which is remembered."""
        with self._lock:
            known = self._right.get(question.sparql) if question.answers is None else None
        if known is not None:
            return known
        answer = question.answers
        if answer is None:
            if not question.sparql:
                return None
            answer = execute(self.kg, question.sparql)
        right = _Right(answer, self._ties(question))
        if question.answers is None:
            with self._lock:
                self._right[question.sparql] = right
        return right

    def _ties(self, question: Question) -> Ties | None:
        """Return the other answers that are right; none where the store has no time to say."""
        plan = gold_plan(question.sparql) if question.sparql else None
        with suppress(StoreError):
            return None if plan is None else tie_rows(self.kg, plan)
        return None
