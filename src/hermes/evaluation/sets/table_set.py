"""Question sets as tables: CSV (with commas or semicolons) or TSV of question and query."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Mapping, Sequence
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
    rows = _rows(text)
    if not rows:
        raise FileFault("it has no questions")
    _, head = rows[0]
    names = [_NAMES.get(cell.strip().lower(), "") for cell in head]
    if "question" in names:
        body = rows[1:]
    elif any("query" in name for name in names) or len(head) != _PAIR:
        raise FileFault(
            f"no table of questions: it begins with {', '.join(map(repr, head))[:80]}; "
            "expected a header with `question` and `query`, or these two columns without one"
        )
    else:
        names, body = _order(rows), rows
    return [_question(names, row, line, number) for number, (line, row) in enumerate(body, 1)]


def _rows(text: str) -> list[tuple[int, list[str]]]:
    """Return the rows that are not empty, each with its line, read with the separator that fits best."""
    fault = None
    found: list[tuple[int, list[str]]] = []
    for separator in _SEPARATORS:
        try:
            reader = csv.reader(StringIO(text, newline=""), delimiter=separator, strict=True)
            rows = [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
        except csv.Error as error:
            fault = FileFault(f"no table: line {reader.line_num}: {error}")
            continue
        widths = {len(row) for _, row in rows}
        if len(widths) == 1 and max(widths) > 1:
            return rows
        found = found or rows * (max(widths, default=0) > 1)
    if not found and fault is not None:
        raise fault
    return found


def _order(rows: Sequence[tuple[int, Sequence[str]]]) -> list[str]:
    first = sum(bool(_QUERY.search(row[0])) for _, row in rows)
    second = sum(bool(_QUERY.search(row[1])) for _, row in rows if len(row) > 1)
    if not first and not second:
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
