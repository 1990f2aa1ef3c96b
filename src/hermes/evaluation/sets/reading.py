"""Reading a question set: a file, whatever its name, into questions with ids, groups and features."""

from __future__ import annotations

import gzip
import logging
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, Final, cast

from hermes.errors import HermesError
from hermes.evaluation.features import features
from hermes.evaluation.question import Question, QuestionSet
from hermes.evaluation.sets.faults import FileFault, place, unreadable
from hermes.evaluation.sets.json_set import read_json
from hermes.evaluation.sets.table_set import read_table

_GZIP: Final = b"\x1f\x8b"
_MOST_BYTES: Final = 1 << 30
_ENDINGS: Final = frozenset([".gz", ".json", ".jsonl", ".csv", ".tsv", ".txt"])

_log: Final = logging.getLogger("hermes")


def read_questions(path: Path, root: Path | None = None, language: str = "en") -> QuestionSet:
    """Read a question set: QALD JSON and its like, LC-QuAD JSON, JSON Lines, CSV or TSV, each also gzipped.

    The content decides, not the name of the file. A question without an id has its number. Where two have one
    id, the later one is renamed (`7`, `7#2`), with a warning on the logger `hermes`. Questions with the same
    gold query over the same graph get one group where the set states none. Features are read from the gold
    query; those that the set states count where hermes does not read the query.

    Args:
        path: the file.
        root: the folder that the files of `dataset.kg` are in, and that they may not leave; by default that
            of the file.
        language: of the question, where there are several; English where it is missing, else the first.

    Raises:
        HermesError: the file cannot be read (`unreadable`), or is no question set (`question-set`); the
            message says which question is wrong, and how.
    """
    try:
        text = _text(path)
        name, questions, graphs = _read(text, root or path.parent, language)
        placed = list(_placed(questions, graphs))
    except FileFault as fault:
        raise unreadable(path, fault) from None
    unique = _grouped(_unique(placed, path))
    return QuestionSet(name or _stem(path), tuple(_with_features(each) for each in unique), graphs)


def _read(text: str, root: Path, language: str) -> tuple[str, list[Question], Mapping[str, tuple[Path, ...]]]:
    if text.lstrip()[:1] in ("{", "["):
        return read_json(text, root, language)
    return "", read_table(text), {}


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            packed = file.read(len(_GZIP)) == _GZIP
            file.seek(0)
            source = cast("BinaryIO", gzip.GzipFile(fileobj=file)) if packed else file
            body = source.read(_MOST_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise HermesError(f"cannot read {path}: {reason}", code="unreadable") from error
    if len(body) > _MOST_BYTES:
        raise FileFault(f"it has more than {_MOST_BYTES >> 20} MiB")
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileFault(f"no UTF-8: byte {error.start}") from None


def _placed(questions: Sequence[Question], graphs: Mapping[str, object]) -> Iterator[Question]:
    """Yield the questions with the graph each is about."""
    if not questions:
        raise FileFault("it has no questions")
    for number, question in enumerate(questions, 1):
        if not graphs or question.kg in graphs:
            yield question
        elif not question.kg and len(graphs) == 1:
            yield replace(question, kg=next(iter(graphs)))
        else:
            said = f"its kg {question.kg!r:.60} is not in `dataset.kg`" if question.kg else "it names no kg"
            known = ", ".join(list(graphs)[:5])
            raise FileFault(f"{place(number, question.id)}: {said}; there: {known}")


def _unique(questions: Sequence[Question], path: Path) -> Iterator[Question]:
    taken = {question.id for question in questions}
    seen: Counter[str] = Counter()
    renamed = []
    for question in questions:
        seen[question.id] += 1
        if seen[question.id] == 1:
            yield question
            continue
        name = f"{question.id}#{seen[question.id]}"
        while name in taken:
            name += "#"
        taken.add(name)
        renamed.append(name)
        yield replace(question, id=name)
    if renamed:
        _log.warning("%s: %d ids occur again; renamed, the first one %s", path, len(renamed), renamed[0])


def _grouped(questions: Iterator[Question]) -> Iterator[Question]:
    groups: dict[tuple[str, str], str] = {}
    for question in questions:
        if question.group:
            yield question
        elif question.sparql:
            query = (question.kg, " ".join(question.sparql.split()))
            yield replace(question, group=groups.setdefault(query, question.id))
        else:
            yield replace(question, group=question.id)


def _with_features(question: Question) -> Question:
    return replace(question, features=features(question.sparql) or question.features)


def _stem(path: Path) -> str:
    name = path
    while name.suffix.lower() in _ENDINGS:
        name = name.with_suffix("")
    return name.name
