"""Question sets as tables: CSV (with commas or semicolons) or TSV of question and query."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from io import StringIO
from typing import Final

from hermes.evaluation.question import Question
from hermes.evaluation.sets.faults import FileFault, place
from hermes.evaluation.sets.gold_answers import stated_answers
from hermes.results import Result

_SEPARATORS: Final = ("\t", ",", ";")
_NAMES: Final[Mapping[str, str]] = {
    "question": "question",
    "text": "question",
    "nl": "question",
    "utterance": "question",
    "query": "query",
    "sparql": "query",
    "id": "id",
    "kg": "kg",
    "graph": "kg",
    "answers": "answers",
    "answer": "answers",
    "group": "group",
}
"""What a column may be called, in any case."""
_QUERY: Final = re.compile(r"\b(?:select|ask|construct|describe)\b.*\{", re.IGNORECASE | re.DOTALL)
_PAIR: Final = 2


def read_table(text: str) -> list[Question]:
    """Return the questions of a table.

    With a header the columns may be `question` (or `text`, `nl`, `utterance`), `query` (or `sparql`), `id`,
    `kg`, `answers` and `group`, others are passed over; without one they are question and query, in either
    order. An answer is `true`, `false`, SPARQL JSON results, or a JSON list of values.

    Raises:
        FileFault: the text is no such table.
    """
    for separator in _SEPARATORS:
        names = _header(text, separator)
        if "question" in names:
            _, *body = _rows(text, separator)
            break
    else:
        body = _pairs(text)
        names = _order(body)
    return [_question(names, row, line, number) for number, (line, row) in enumerate(body, 1)]


def _header(text: str, separator: str) -> list[str]:
    """Return what the columns are called by the first row, where it is a header."""
    try:
        first = next(_rows(text, separator), (0, []))[1]
    except FileFault:
        return []
    return [_NAMES.get(cell.strip().lower(), "") for cell in first]


def _rows(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not empty, each with the line that it ends on."""
    reader = csv.reader(StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield reader.line_num, row
    except csv.Error as error:
        raise FileFault(f"no table: line {reader.line_num}: {error}") from None


def _pairs(text: str) -> list[tuple[int, list[str]]]:
    """Return the rows of a table without a header: two columns, by whatever separator gives them."""
    for separator in _SEPARATORS:
        with suppress(FileFault):
            rows = list(_rows(text, separator))
            if all(len(row) == _PAIR for _, row in rows):
                return rows
    begins = " ".join(text.split())[:60]
    raise FileFault(
        f"neither JSON nor a table of questions: it begins with {begins!r}; expected a first line with the "
        "columns `question` and `query`, or two columns without one"
    )


def _order(rows: Sequence[tuple[int, Sequence[str]]]) -> list[str]:
    first, second = (sum(bool(_QUERY.search(row[at])) for _, row in rows) for at in range(_PAIR))
    if rows and not first and not second:
        raise FileFault("no table of questions: neither of its two columns holds SPARQL queries")
    return ["query", "question"] if first > second else ["question", "query"]


def _question(names: Sequence[str], row: Sequence[str], line: int, number: int) -> Question:
    cells = {name: cell.strip() for name, cell in zip(names, row, strict=False) if name}
    where = f"{place(number, cells.get('id') or None)}, to line {line}"
    if len(row) != len(names):
        raise FileFault(f"{where}: it has {len(row)} columns, expected {len(names)}")
    text = " ".join(cells.get("question", "").split())
    if not text:
        raise FileFault(f"{where}: the question is empty")
    return Question(
        id=cells.get("id") or str(number),
        text=text,
        sparql=cells.get("query", ""),
        answers=_answers(cells.get("answers", ""), where),
        kg=cells.get("kg", ""),
        group=cells.get("group", ""),
    )


def _answers(text: str, where: str) -> Result | None:
    if not text:
        return None
    try:
        return stated_answers(json.loads(text.lower() if text.lower() in ("true", "false") else text))
    except (json.JSONDecodeError, RecursionError):
        raise FileFault(f"{where}: its answers are {text!r:.40}, not JSON") from None
    except FileFault as fault:
        raise FileFault(f"{where}: {fault}") from None
